/** Classes of ASCII characters, as the tokenizer dispatches on them. */
export const OTHER = 0;
export const IDENTIFIER = 1;
export const DIGIT = 2;
export const SPACE = 3;
export const LINE_END = 4;
export const QUOTE = 5;
export const OPERATOR = 6;
export const OPEN = 7;
export const CLOSE = 8;
export const HASH = 9;
export const BACKSLASH = 10;
export const PERIOD = 11;

export const CHAR_CLASS = new Uint8Array(128);

function mark(chars: string, cls: number): void {
  for (let i = 0; i < chars.length; i++) CHAR_CLASS[chars.charCodeAt(i)] = cls;
}

mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', IDENTIFIER);
mark('0123456789', DIGIT);
mark(' \t\f', SPACE);
mark('\n\r', LINE_END);
mark('"\'', QUOTE);
mark('+-*/%@&|^~<>=!:;,', OPERATOR);
mark('([{', OPEN);
mark(')]}', CLOSE);
mark('#', HASH);
mark('\\', BACKSLASH);
mark('.', PERIOD);

/** True for `0` … `9`; false for NaN, the code past the end. */
export function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/** True for a hexadecimal digit. */
export function isHexDigit(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 97 && c <= 102) || (c >= 65 && c <= 70);
}

/** True for an ASCII letter, digit or underscore. */
export function isAsciiWord(c: number): boolean {
  return c < 128 && (CHAR_CLASS[c] === IDENTIFIER || CHAR_CLASS[c] === DIGIT);
}

const NOT_IDENTIFIER = /^(?!\p{XID_Start}|_)|\P{XID_Continue}/u;
const PRINTABLE = /^(?:[^\p{C}\p{Z}]| )$/u;

/**
 * Checks a name that holds non-ASCII characters.
 *
 * @returns the index of the first character that may not stand there, or -1.
 */
export function invalidIdentifierIndex(name: string): number {
  return name.search(NOT_IDENTIFIER);
}

/** CPython's words for a character that starts no token. */
export function invalidCharacterMessage(codePoint: number): string {
  const char = String.fromCodePoint(codePoint);
  const hex = codePoint.toString(16).toUpperCase().padStart(4, '0');
  return PRINTABLE.test(char) ? `invalid character '${char}' (U+${hex})` : `invalid non-printable character U+${hex}`;
}
