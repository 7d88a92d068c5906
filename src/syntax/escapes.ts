import { isHexDigit } from './chars.ts';
import { PythonSyntaxError } from './errors.ts';

const SIMPLE: Record<string, string> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
};

const CHARACTER_NAME = /^[a-zA-Z0-9 -]+$/;

const HEX_LENGTH: Record<string, number> = { x: 2, u: 4, U: 8 };

function unicodeError(raw: string, from: number, to: number, reason: string, offset: number): never {
  const encoder = new TextEncoder();
  const first = encoder.encode(raw.slice(0, from)).length;
  const last = first + encoder.encode(raw.slice(from, to)).length - 1;
  throw new PythonSyntaxError(
    `(unicode error) 'unicodeescape' codec can't decode bytes in position ${first}-${last}: ${reason}`,
    offset,
  );
}

interface Escape {
  text: string;
  end: number;
}

function hexEscape(raw: string, at: number, bytes: boolean, offset: number): Escape {
  const letter = raw[at + 1]!;
  const length = HEX_LENGTH[letter]!;
  let end = at + 2;
  while (end < at + 2 + length && isHexDigit(raw.charCodeAt(end))) end++;
  if (end < at + 2 + length) {
    if (bytes) throw new PythonSyntaxError(`(value error) invalid \\x escape at position ${at}`, offset);
    unicodeError(raw, at, end, `truncated \\${letter}${'X'.repeat(length)} escape`, offset);
  }
  const value = Number.parseInt(raw.slice(at + 2, end), 16);
  if (value > 0x10ffff) unicodeError(raw, at, end, 'illegal Unicode character', offset);
  return { text: String.fromCodePoint(value), end };
}

function namedEscape(raw: string, at: number, offset: number): Escape {
  const close = raw[at + 2] === '{' ? raw.indexOf('}', at + 3) : -1;
  if (close <= at + 3) {
    unicodeError(raw, at, close < 0 ? raw.length : close + 1, 'malformed \\N character escape', offset);
  }
  if (!CHARACTER_NAME.test(raw.slice(at + 3, close))) {
    unicodeError(raw, at, close + 1, 'unknown Unicode character name', offset);
  }
  return { text: '\ufffd', end: close + 1 };
}

function octalEscape(raw: string, at: number, bytes: boolean): Escape {
  let end = at + 1;
  let value = 0;
  for (; end < at + 4; end++) {
    const digit = raw.charCodeAt(end) - 48;
    if (!(digit >= 0 && digit < 8)) break;
    value = value * 8 + digit;
  }
  return { text: String.fromCharCode(bytes ? value & 0xff : value), end };
}

function escapeAt(raw: string, at: number, bytes: boolean, offset: number): Escape {
  const letter = raw[at + 1]!;
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { text: simple, end: at + 2 };
  if (letter >= '0' && letter <= '7') return octalEscape(raw, at, bytes);
  if (letter === 'x' || (!bytes && (letter === 'u' || letter === 'U'))) return hexEscape(raw, at, bytes, offset);
  if (letter === 'N' && !bytes) return namedEscape(raw, at, offset);
  return { text: `\\${letter}`, end: at + 2 };
}

/**
 * Decodes the body of a literal that is not raw.
 *
 * `\N{…}` is checked for the characters of its name only and decodes to U+FFFD: JavaScript has no table of character names.
 *
 * @param offset - where an error of the literal is reported.
 */
export function decodeEscapes(body: string, bytes: boolean, offset: number): string {
  const raw = normaliseLineEnds(body);
  let at = raw.indexOf('\\');
  if (at < 0) return raw;
  let out = '';
  let from = 0;
  while (at >= 0) {
    out += raw.slice(from, at);
    // The literal part of `f"\{x}"` ends in a backslash, which stands for itself.
    if (at + 1 >= raw.length) return `${out}\\`;
    const decoded = escapeAt(raw, at, bytes, offset);
    out += decoded.text;
    from = decoded.end;
    at = raw.indexOf('\\', from);
  }
  return out + raw.slice(from);
}

/** `\r\n` and `\r` inside a literal are `\n` to Python. */
export function normaliseLineEnds(body: string): string {
  return body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body;
}
