import type { SpawnSite } from './site.ts';

/** Python names. Unicode classes take tens of milliseconds to compile, so they are built only when a name needs them. */
let unicode: RegExp | null = null;

const ASCII = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/;

function match(text: string): string {
  const ascii = ASCII.exec(text)?.[0] ?? '';
  const next = text.slice(ascii.length).replace(/^\./, '').codePointAt(0) ?? 0;
  if (next < 128 || isFullWidthPunctuation(next)) return ascii;
  unicode ??= /^[\p{ID_Start}_][\p{ID_Continue}]*(?:\.[\p{ID_Start}_][\p{ID_Continue}]*)*/u;
  return unicode.exec(text)?.[0] ?? '';
}

function isFullWidthPunctuation(code: number): boolean {
  return (code >= 0x3000 && code <= 0x3004) || (code >= 0x3008 && code <= 0x3020) || (code >= 0xff01 && code <= 0xff0f);
}

/** Is the text a name, dotted or not? */
export function isName(text: string): boolean {
  return text !== '' && match(text) === text;
}

/** The last part of a dotted name. */
export function tail(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The name that a text starts with; null when it starts with none. */
export function leadingName(text: string): string | null {
  return match(text) || null;
}

/** A string, a comment or a bracket, whichever comes next. */
const PART = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|#[^\n]*|[([{]|[)\]}]/g;

/** The name in `name` or in `name(…)`; null of any other expression: what `make(x)()` or `LOOPS[x]()` calls has no name. */
function calledName(expression: string): string | null {
  const text = expression.trim();
  const name = leadingName(text);
  if (name === null) return null;
  const rest = text.slice(name.length).trimStart();
  if (rest === '') return name;
  if (!rest.startsWith('(')) return null;
  let depth = 0;
  for (const { 0: part, index } of rest.matchAll(PART)) {
    if ('([{'.includes(part)) depth++;
    else if (')]}'.includes(part) && --depth === 0) return index === rest.length - 1 ? name : null;
  }
  return null;
}

/** The name by which a spawn without a target calls what it starts, inside of the helper that tags it; null when there is none. */
export function calleeOf({ argument, argumentExtent, tag }: Pick<SpawnSite, 'argument' | 'argumentExtent' | 'tag'>) {
  const inner = tag?.wrapping?.inner;
  const from = argumentExtent?.start ?? 0;
  const text = inner && argumentExtent ? argument.slice(inner.start - from, inner.end - from) : argument;
  return calledName(text.trim().replace(/^await\s+/, ''));
}
