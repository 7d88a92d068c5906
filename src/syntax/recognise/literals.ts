/** Strings and numbers in bytes. Offsets are byte offsets; a text ends in a line end and a 0. */
import { isDigit, isHexDigit } from '../chars.ts';
import { unsure } from './unsure.ts';
import { WORD } from './words.ts';

const LF = 10;
const CR = 13;
const BACKSLASH = 92;
const MAX_DIGITS = 4000;

/** 1 for a byte that may end or break a string. */
const STOP = new Uint8Array(256);
for (const c of [0, LF, CR, 34, 39, BACKSLASH]) STOP[c] = 1;

/** The base of a number whose second character this is. */
const RADIX = new Uint8Array(256);
RADIX[98] = 2;
RADIX[111] = 8;
RADIX[120] = 16;

/** The offset past a string whose first quote is at `at`. */
export function stringEnd(bytes: Uint8Array, at: number, raw: boolean, isBytes: boolean): number {
  const quote = bytes[at]!;
  const triple = bytes[at + 1] === quote && bytes[at + 2] === quote;
  let p = triple ? at + 3 : at + 1;
  for (;;) {
    while (STOP[bytes[p]!] === 0) p++;
    const c = bytes[p]!;
    if (c === quote) {
      p++;
      if (!triple) break;
      if (bytes[p] === quote && bytes[p + 1] === quote) {
        p += 2;
        break;
      }
    } else if (c === BACKSLASH) p = escapeEnd(bytes, p, raw, isBytes);
    else if (c === 0 || (!triple && (c === LF || c === CR))) unsure();
    else p++;
  }
  if (isBytes) for (let i = at; i < p; i++) if (bytes[i]! > 127) unsure();
  return p;
}

/** The offset past the escape whose backslash is at `at`. */
export function escapeEnd(bytes: Uint8Array, at: number, raw: boolean, isBytes: boolean): number {
  const c = bytes[at + 1]!;
  if (c === 0) unsure();
  if (c === CR) return bytes[at + 2] === LF ? at + 3 : unsure();
  if (raw) return at + 2;
  if (c === 120) return hexEnd(bytes, at + 2, 2);
  if (isBytes) return at + 2;
  if (c === 117) return hexEnd(bytes, at + 2, 4);
  if (c === 85) {
    // beyond U+10FFFF there is nothing
    const third = bytes[at + 4];
    const small = third === 48 || (third === 49 && bytes[at + 5] === 48);
    return bytes[at + 2] === 48 && bytes[at + 3] === 48 && small ? hexEnd(bytes, at + 2, 8) : unsure();
  }
  return c === 78 ? nameEnd(bytes, at + 2) : at + 2;
}

/** The offset past the `{LATIN SMALL LETTER A}` of a character's name. */
function nameEnd(bytes: Uint8Array, at: number): number {
  let p = at + 1;
  for (let c = bytes[p]!; (WORD[c] && c !== 95) || c === 32 || c === 45; c = bytes[p]!) p++;
  return bytes[at] === 123 && bytes[p] === 125 && p > at + 1 ? p + 1 : unsure();
}

function hexEnd(bytes: Uint8Array, at: number, digits: number): number {
  for (let i = at; i < at + digits; i++) if (!isHexDigit(bytes[i]!)) unsure();
  return at + digits;
}

/** The offset past the number at `at`, which is a digit or a point before one. */
export function numberEnd(bytes: Uint8Array, at: number): number {
  let p = at;
  const second = bytes[p + 1]!;
  const radix = bytes[p] === 48 ? RADIX[second | 32]! : 0;
  if (radix > 0) {
    p += 2;
    do {
      if (bytes[p] === 95) p++;
      if (!isDigitOf(bytes[p]!, radix)) unsure();
      while (isDigitOf(bytes[p]!, radix)) p++;
    } while (bytes[p] === 95);
  } else {
    // leading zeros
    if (bytes[p] === 48 && (isDigit(second) || second === 95)) unsure();
    p = digits(bytes, p);
    if (bytes[p] === 46) p = digits(bytes, p + 1);
    if ((bytes[p]! | 32) === 101) {
      p++;
      if (bytes[p] === 43 || bytes[p] === 45) p++;
      if (!isDigit(bytes[p]!)) unsure();
      p = digits(bytes, p);
    }
    if ((bytes[p]! | 32) === 106) p++;
  }
  if (WORD[bytes[p]!] || bytes[p]! > 127 || p - at > MAX_DIGITS) unsure();
  return p;
}

function isDigitOf(c: number, radix: number): boolean {
  return radix === 16 ? isHexDigit(c) : c >= 48 && c < 48 + radix;
}

function digits(bytes: Uint8Array, at: number): number {
  let p = at;
  while (isDigit(bytes[p]!) || (bytes[p] === 95 && isDigit(bytes[p - 1]!) && isDigit(bytes[p + 1]!))) p++;
  return p;
}
