/** Constant values and Python's arithmetic on them. */

export type Scalar = number | string | boolean | null | Timedelta;
interface Timedelta {
  seconds: number;
}

export interface Folded {
  value: Scalar;
  /** Names, defaults and the like that it went through, outermost first. */
  via: string[];
  /** It is a member of an enumeration: `.value` is the value, `.name` this. */
  member?: string;
}

export function isTimedelta(v: Scalar): v is Timedelta {
  return typeof v === 'object' && v !== null;
}

export function truthy(v: Scalar): boolean {
  return isTimedelta(v) ? v.seconds !== 0 : Boolean(v);
}

function same(a: Scalar, b: Scalar): boolean {
  return isTimedelta(a) && isTimedelta(b) ? a.seconds === b.seconds : a === b;
}

/** All known and equal, else null. */
export function agree(all: Iterable<Folded | null>): Folded | null {
  let first: Folded | null = null;
  for (const v of all) {
    if (!v || (first && !same(v.value, first.value))) return null;
    first ??= v;
  }
  return first;
}

/** As a number: booleans count, strings and the rest do not. */
export function numeric(v: Scalar | undefined): number | null {
  return typeof v === 'number' ? v : typeof v === 'boolean' ? Number(v) : null;
}

// ---- operators ----

export function binary(op: string, a: Folded | null, b: Folded | null): Folded | null {
  if (!a || !b) return null;
  const via = [...a.via, ...b.via];
  const [x, y] = [a.value, b.value];
  if (typeof x === 'string' && typeof y === 'string') return op === '+' ? { value: x + y, via } : null;
  if (isTimedelta(x) || isTimedelta(y)) return timedeltaOp(op, x, y, via);
  const [m, n] = [numeric(x), numeric(y)];
  if (m === null || n === null) return null;
  const value = arithmetic(op, m, n);
  return value === null || !Number.isFinite(value) ? null : { value, via };
}

export function modulo(m: number, n: number): number | null {
  return n === 0 ? null : m - n * Math.floor(m / n);
}

function arithmetic(op: string, m: number, n: number): number | null {
  switch (op) {
    case '+':
      return m + n;
    case '-':
      return m - n;
    case '*':
      return m * n;
    case '/':
      return m / n;
    case '//':
      return Math.floor(m / n);
    case '%':
      return modulo(m, n);
    case '**':
      return m ** n;
    case '<<':
      return n >= 0 && n < 64 ? m * 2 ** n : null;
    case '>>':
      return n >= 0 ? Math.floor(m / 2 ** n) : null;
    default:
      return null;
  }
}

function timedeltaOp(op: string, x: Scalar, y: Scalar, via: string[]): Folded | null {
  const sx = isTimedelta(x) ? x.seconds : numeric(x);
  const sy = isTimedelta(y) ? y.seconds : numeric(y);
  if (sx === null || sy === null) return null;
  const both = isTimedelta(x) && isTimedelta(y);
  const span = (n: number): Folded | null => (Number.isFinite(n) ? { value: { seconds: micro(n) }, via } : null);
  const plain = (n: number): Folded | null => (Number.isFinite(n) ? { value: n, via } : null);
  if ((op === '+' || op === '-') && both) return span(op === '+' ? sx + sy : sx - sy);
  if (op === '*' && !both) return span(sx * sy);
  if (op === '/') return both ? plain(sx / sy) : isTimedelta(x) ? span(sx / sy) : null;
  if (op === '//') return both ? plain(Math.floor(sx / sy)) : isTimedelta(x) ? span(sx / sy) : null;
  if (op === '%' && both) {
    const rest = modulo(sx, sy);
    return rest === null ? null : span(rest);
  }
  return null;
}

/** A timedelta counts in microseconds. */
export function micro(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

/** One comparison; null when Python would raise or the types say nothing. */
export function compare(op: string, a: Scalar, b: Scalar): boolean | null {
  if (op === 'is' || op === 'is not') {
    // identity is certain only for None, True and False
    const single = (v: Scalar): boolean => v === null || typeof v === 'boolean';
    if (!single(a) && !single(b)) return null;
    return (a === b) === (op === 'is');
  }
  if (op === '==' || op === '!=') {
    const [m, n] = [numeric(a), numeric(b)];
    const equal = m !== null && n !== null ? m === n : same(a, b);
    return equal === (op === '==');
  }
  const spans = isTimedelta(a) && isTimedelta(b);
  const strings = typeof a === 'string' && typeof b === 'string';
  const x = spans ? a.seconds : strings ? a : numeric(a);
  const y = spans ? b.seconds : strings ? b : numeric(b);
  if (x === null || y === null) return null;
  switch (op) {
    case '<':
      return x < y;
    case '<=':
      return x <= y;
    case '>':
      return x > y;
    case '>=':
      return x >= y;
    default:
      return null;
  }
}

// ---- conversions ----

/** `round(x, digits)`: halves go to the even neighbour. */
export function roundPython(x: number, digits = 0): number {
  if (digits > 0) {
    // what is so large has no fraction, and in the end no point
    if (digits > 20 || Math.abs(x) >= 2 ** 53) return x;
    // the digits of a binary number come to an end: all of them tell a half from what only looks like one, such as 2.675
    const exact = x.toFixed(100);
    const at = exact.indexOf('.') + 1 + digits;
    const low = exact.slice(0, at);
    return Number(/^50*$/.test(exact.slice(at)) && /[02468]$/.test(low) ? low : x.toFixed(digits));
  }
  const unit = 10 ** -digits;
  const scaled = x / unit;
  const low = Math.floor(scaled);
  const rest = scaled - low;
  const nearest = rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
  return nearest * unit;
}

const PREFIXES: ReadonlyMap<number, RegExp> = new Map([
  [2, /^0b_?/i],
  [8, /^0o_?/i],
  [16, /^0x_?/i],
]);

/** `int("30")`, `float("1.5")`: as strict as Python. */
export function parseNumber(text: string, type: 'int' | 'float', base = 10): number | null {
  if (type === 'float' || base === 10) {
    const clean = text.trim().replace(/(?<=\d)_(?=\d)/g, '');
    const form = type === 'float' ? /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i : /^[+-]?\d+$/;
    return form.test(clean) ? Number(clean) : null;
  }
  if (base < 2 || base > 36) return null;
  const [, sign, rest] = /^([+-]?)(.*)$/.exec(text.trim())!;
  // `0b1` is a number with digits of its own where the base is 12 or more, unless it is 2
  const digits = rest!.replace(PREFIXES.get(base) ?? '', '').replace(/(?<=[0-9a-z])_(?=[0-9a-z])/gi, '');
  if (!/^[0-9a-z]+$/i.test(digits) || [...digits].some((d) => Number.parseInt(d, 36) >= base)) return null;
  const value = Number.parseInt(digits, base);
  return sign === '-' ? -value : value;
}
