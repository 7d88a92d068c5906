/** The vocabulary in which a codemod says what it wants. */
import type { BodyPlace, Edit, Extent } from '../model/index.ts';

// Insertions at one offset: what closes comes before what opens; inner closes first, outer opens first.
const CLOSING = -(2 ** 40);
const OPENING = 2 ** 40;

/** Put `before` and `after` around a stretch of text; wraps may be nested. */
export function wrap(file: string, extent: Extent, before: string, after: string): Edit[] {
  const size = extent.end - extent.start;
  return [
    { file, start: extent.start, end: extent.start, text: before, order: OPENING - size },
    { file, start: extent.end, end: extent.end, text: after, order: CLOSING + size },
  ];
}

export function insert(file: string, offset: number, text: string, order = 0): Edit {
  return { file, start: offset, end: offset, text, order };
}

export function replace(file: string, extent: Extent, text: string): Edit {
  return { file, start: extent.start, end: extent.end, text };
}

export function remove(file: string, extent: Extent): Edit {
  return replace(file, extent, '');
}

/** Whole statements at a place in a body, in the file's own layout. */
export function statements(file: string, place: BodyPlace, lines: readonly string[], eol: string, order = 0): Edit {
  if (place.indent === null && place.afterText)
    return insert(file, place.offset, lines.map((line) => `; ${line}`).join(''), order);
  if (place.indent === null) return insert(file, place.offset, lines.map((line) => `${line}; `).join(''), order);
  const text = lines.map((line) => place.indent + line).join(eol);
  return insert(file, place.offset, place.afterText ? eol + text : text + eol, order);
}

/**
 * A Python string literal, in double quotes where they are free.
 *
 * @param enclosing Quotes of the f-strings around the place. Before Python 3.12 their quote must not occur inside, nor any backslash.
 * @param nestedQuotes Whether Python 3.12 may be assumed, which allows any quote.
 * @returns null when no literal is safe there.
 */
export function pythonString(value: string, enclosing: readonly string[] = [], nestedQuotes = false): string | null {
  const taken = nestedQuotes ? [] : enclosing;
  // A triple-quoted f-string tolerates its quote character once, so only the single ones are in the way.
  const free = ['"', "'"].filter((quote) => !taken.includes(quote));
  const quote = free.find((candidate) => !value.includes(candidate)) ?? free[0];
  if (quote === undefined) return null;
  const body = [...value].map((character) => escapeCharacter(character, quote)).join('');
  if (taken.length > 0 && body.includes('\\')) return null;
  return quote + body + quote;
}

function escapeCharacter(character: string, quote: string): string {
  if (character === '\\' || character === quote) return `\\${character}`;
  const code = character.codePointAt(0)!;
  if (code >= 0x20 && code < 0x7f) return character;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}
