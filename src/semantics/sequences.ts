/** What hands on elements of a list: calls of the standard library, and slices. */
import type { Expr } from '../syntax/index.ts';

/** Calls whose elements are those of their first argument. */
export const PASSES_FIRST: ReadonlySet<string> = new Set([
  ...['list', 'tuple', 'set', 'frozenset', 'sorted', 'reversed', 'iter'].map((x) => `builtins.${x}`),
  ...['itertools.islice', 'itertools.cycle', 'collections.deque', 'random.sample', 'random.choices'],
]);
/** Of their second, the first being a test. */
export const PASSES_SECOND: ReadonlySet<string> = new Set([
  'builtins.filter',
  ...['takewhile', 'dropwhile', 'filterfalse'].map((x) => `itertools.${x}`),
]);

type Slice = Extract<Expr, { kind: 'Slice' }>;

/** Those of some elements that a slice takes (`jobs[1:]`, `jobs[::2]`); all of them where a bound is not known. */
export function sliced<T>(all: readonly T[], { lower, upper, step }: Slice): T[] {
  const by = step ? integer(step) : 1;
  const from = lower ? integer(lower) : null;
  const to = upper ? integer(upper) : null;
  if (!by || (lower && from === null) || (upper && to === null)) return [...all];
  const { length } = all;
  const clamp = (i: number, low: number, high: number): number => Math.min(Math.max(i < 0 ? i + length : i, low), high);
  const out: T[] = [];
  if (by > 0) for (let i = clamp(from ?? 0, 0, length); i < clamp(to ?? length, 0, length); i += by) out.push(all[i]!);
  else {
    const last = to === null ? -1 : clamp(to, -1, length - 1);
    for (let i = clamp(from ?? length - 1, -1, length - 1); i > last; i += by) out.push(all[i]!);
  }
  return out;
}

function integer(n: Expr): number | null {
  if (n.kind === 'UnaryOp' && n.op === '-') {
    const of = integer(n.operand);
    return of === null ? null : -of;
  }
  return n.kind === 'Constant' && n.type === 'int' && Number.isSafeInteger(Number(n.value)) ? Number(n.value) : null;
}
