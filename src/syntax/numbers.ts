import { isAsciiWord, isDigit, isHexDigit } from './chars.ts';
import { PythonSyntaxError } from './errors.ts';

function decimalTail(text: string, from: number): number {
  let p = from;
  for (;;) {
    while (isDigit(text.charCodeAt(p))) p++;
    if (text.charCodeAt(p) !== 95) return p;
    p++;
    if (!isDigit(text.charCodeAt(p))) throw new PythonSyntaxError('invalid decimal literal', p - 1);
  }
}

/** `1if x else y` is still valid: a keyword may stick to a number, any other letter may not. */
function checkEnd(text: string, p: number, kind: string): number {
  const c = text.charCodeAt(p);
  if (!isAsciiWord(c)) return p;
  const keyword =
    (c === 97 && text.startsWith('and', p)) ||
    (c === 101 && text.startsWith('else', p)) ||
    (c === 102 && text.startsWith('for', p)) ||
    (c === 105 && (text.startsWith('if', p) || text.startsWith('in', p) || text.startsWith('is', p))) ||
    (c === 111 && text.startsWith('or', p)) ||
    (c === 110 && text.startsWith('not', p));
  if (keyword) return p;
  throw new PythonSyntaxError(`invalid ${kind} literal`, p);
}

function radixTail(text: string, from: number, kind: string, limit: number): number {
  let p = from;
  const accepts = (c: number): boolean => (limit === 16 ? isHexDigit(c) : c >= 48 && c < 48 + limit);
  const badDigit = (at: number): void => {
    const c = text.charCodeAt(at);
    if (isDigit(c)) throw new PythonSyntaxError(`invalid digit '${text[at]}' in ${kind} literal`, at);
  };
  do {
    if (text.charCodeAt(p) === 95) p++;
    if (!accepts(text.charCodeAt(p))) {
      badDigit(p);
      throw new PythonSyntaxError(`invalid ${kind} literal`, p);
    }
    while (accepts(text.charCodeAt(p))) p++;
  } while (text.charCodeAt(p) === 95);
  badDigit(p);
  return checkEnd(text, p, kind);
}

function exponentAndSuffix(text: string, from: number): number {
  let p = from;
  let c = text.charCodeAt(p);
  if (c === 101 || c === 69) {
    const sign = text.charCodeAt(p + 1);
    if (sign === 43 || sign === 45) {
      if (!isDigit(text.charCodeAt(p + 2))) throw new PythonSyntaxError('invalid decimal literal', p + 1);
      p = decimalTail(text, p + 2);
    } else if (isDigit(sign)) {
      p = decimalTail(text, p + 1);
    } else {
      return checkEnd(text, p, 'decimal');
    }
    c = text.charCodeAt(p);
  }
  if (c === 106 || c === 74) return checkEnd(text, p + 1, 'imaginary');
  return checkEnd(text, p, 'decimal');
}

function fraction(text: string, afterPoint: number): number {
  const p = isDigit(text.charCodeAt(afterPoint)) ? decimalTail(text, afterPoint) : afterPoint;
  return exponentAndSuffix(text, p);
}

function leadingZero(text: string, start: number): number {
  let p = start + 1;
  for (;;) {
    if (text.charCodeAt(p) === 95) {
      p++;
      if (!isDigit(text.charCodeAt(p))) throw new PythonSyntaxError('invalid decimal literal', p - 1);
    }
    if (text.charCodeAt(p) !== 48) break;
    p++;
  }
  const nonzero = isDigit(text.charCodeAt(p));
  if (nonzero) p = decimalTail(text, p);
  const c = text.charCodeAt(p);
  if (c === 46) return fraction(text, p + 1);
  if (c === 101 || c === 69 || c === 106 || c === 74) return exponentAndSuffix(text, p);
  if (nonzero) {
    throw new PythonSyntaxError(
      'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers',
      start,
    );
  }
  return checkEnd(text, p, 'decimal');
}

/**
 * Scans the number at `start`, which is a digit or a period before a digit.
 *
 * @returns the offset past it.
 */
export function scanNumber(text: string, start: number): number {
  const c = text.charCodeAt(start);
  if (c === 46) return fraction(text, start + 1);
  if (c === 48) {
    const marker = text.charCodeAt(start + 1) | 32;
    if (marker === 120) return radixTail(text, start + 2, 'hexadecimal', 16);
    if (marker === 111) return radixTail(text, start + 2, 'octal', 8);
    if (marker === 98) return radixTail(text, start + 2, 'binary', 2);
    return leadingZero(text, start);
  }
  const p = decimalTail(text, start + 1);
  if (text.charCodeAt(p) === 46) return fraction(text, p + 1);
  return exponentAndSuffix(text, p);
}
