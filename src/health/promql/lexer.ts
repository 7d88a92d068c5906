/** An expression that this subset of PromQL does not cover, or that is wrong. */
export class PromqlError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
    this.name = 'PromqlError';
  }
}

export interface Token {
  kind: 'number' | 'string' | 'name' | 'op' | 'end';
  text: string;
  /** Decoded string, or the number in seconds for a duration. */
  value: string | number;
  offset: number;
}

const SPACE = /(?:\s+|#[^\n]*)+/y;
const DURATION = /(?:\d+(?:ms|[smhdwy]))+/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const OPERATOR = /=~|!~|==|!=|<=|>=|[-+*/%^<>=(){}[\],@:]/y;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/y;

const UNIT_SECONDS: Record<string, number> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

/** Splits an expression; the last token is always `end`. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0] ?? null;
  };
  while (at < source.length) {
    const blank = take(SPACE);
    if (blank !== null) {
      at += blank.length;
      continue;
    }
    const token = next(take, at);
    if (token === null) throw new PromqlError(`unexpected ${JSON.stringify(source[at])}`, at);
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: 'end', text: '', value: '', offset: source.length });
  return tokens;
}

function next(take: (pattern: RegExp) => string | null, offset: number): Token | null {
  const span = take(DURATION);
  if (span !== null) return { kind: 'number', text: span, value: durationSeconds(span)!, offset };
  const number = take(NUMBER);
  if (number !== null) return { kind: 'number', text: number, value: Number(number), offset };
  const name = take(NAME);
  if (name !== null && name !== ':') return { kind: 'name', text: name, value: name, offset };
  const string = take(STRING);
  if (string !== null) return { kind: 'string', text: string, value: decode(string), offset };
  const op = take(OPERATOR);
  return op === null ? null : { kind: 'op', text: op, value: op, offset };
}

/** Seconds of `1h30m`; null when it is no duration. */
export function durationSeconds(text: string): number | null {
  if (!/^(?:\d+(?:ms|[smhdwy]))+$/.test(text)) return text === '0' ? 0 : null;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[smhdwy])/g)) total += Number(count) * UNIT_SECONDS[unit!]!;
  return total;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' };

function decode(literal: string): string {
  const inner = literal.slice(1, -1);
  if (literal[0] === '`') return inner;
  return inner.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gs,
    (_, x, u, U, octal, plain: string) => {
      const code = x ?? u ?? U;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return ESCAPES[plain] ?? plain;
    },
  );
}
