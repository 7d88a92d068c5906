/** What is made of itself, as `rows = rows + more`, `jobs = set(jobs)` or `jobs.update(jobs)`: it adds nothing to itself. */
import type { Expr } from '../syntax/index.ts';
import type { Element } from './element.ts';
import { unknown } from './values.ts';

/** How many containers are looked into for the elements of one: of sums that name each other there are as many ways as orders. */
const MOST = 1000;

/** What is looked for of an expression: the elements of a sum may be asked for by one who looks for what is spread. */
type Sought = 'parts' | 'spread' | 'entries' | 'entry';

const nothingYet = () => ({
  nodes: { parts: new Set(), spread: new Set(), entries: new Set(), entry: new Set() } as Record<Sought, Set<Expr>>,
  left: MOST,
});
let underWay = nothingYet();

/** Looks for the elements of another container. */
export function apart<T>(run: () => T): T {
  const outer = underWay;
  underWay = nothingYet();
  try {
    return run();
  } finally {
    underWay = outer;
  }
}

/** Is there still one left? */
export function takeRound(): boolean {
  return underWay.left-- > 0;
}

/** Nothing where the same is being looked for of the same expression. */
export function once(sought: Sought, node: Expr, find: () => Element[]): Element[] {
  const nodes = underWay.nodes[sought];
  if (nodes.has(node)) return [];
  if (!takeRound()) return [{ values: unknown('too many') }];
  nodes.add(node);
  const out = find();
  nodes.delete(node);
  return out;
}
