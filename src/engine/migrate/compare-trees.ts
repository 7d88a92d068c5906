/** Do two trees differ in nothing but what the edits were to change? */
import type { PlacedEdit } from '../../edit/index.ts';
import { firstWhere } from '../../model/order.ts';
import type { Call, Expr, Node } from '../../syntax/index.ts';

type Value = Record<string, unknown>;

/** Keys that hold places, not meaning. */
const PLACES = new Set(['start', 'end', 'parent', 'outer', 'nameSpan', 'attrStart', 'open', 'comments']);

/**
 * Walk both trees in step. Nodes that lie inside inserted text are left out of the new tree, nodes inside removed text out
 * of the old one, and a call whose callee was inserted (or removed) counts as the one argument that was there before.
 *
 * @returns null when nothing else differs, or where the first difference is (offset into the new text).
 */
export function compareTrees(
  before: Node,
  after: Node,
  edits: readonly PlacedEdit[],
): { offset: number; what: string } | null {
  const removed = new Ranges(edits.map(({ start, end }) => ({ start, end })));
  const added = new Ranges(edits.map(({ newStart, newEnd }) => ({ start: newStart, end: newEnd })));
  const [lefts, rights, places]: [unknown[], unknown[], number[]] = [[before], [after], [0]];
  const ask = (left: unknown, right: unknown, at: number): void => {
    if (left === right) return;
    lefts.push(left);
    rights.push(right);
    places.push(at);
  };
  const askOfKeys = (left: Value, right: Value, at: number, but: string | null = null): void => {
    for (const key in left) if (key !== but && !PLACES.has(key)) ask(left[key], right[key], at);
    for (const key in right) if (!Object.hasOwn(left, key) && !PLACES.has(key)) ask(undefined, right[key], at);
  };
  while (places.length > 0) {
    const [left, right, at] = [lefts.pop(), rights.pop(), places.pop()!];
    if (isNode(left) && isNode(right)) {
      const [old, fresh] = [peel(left, removed), peel(right, added)];
      if (removed.holds(old) && added.holds(fresh)) continue;
      if (old.kind !== fresh.kind) return { offset: fresh.start, what: `${fresh.kind} in place of ${old.kind}` };
      const renamed =
        old.kind === 'Attribute' &&
        fresh.kind === 'Attribute' &&
        removed.holds({ start: old.attrStart, end: old.end }) &&
        added.holds({ start: fresh.attrStart, end: fresh.end });
      askOfKeys(old as unknown as Value, fresh as unknown as Value, fresh.start, renamed ? 'attr' : null);
    } else if (Array.isArray(left) && Array.isArray(right)) {
      const [olds, news] = [left.filter((item) => !holds(removed, item)), right.filter((item) => !holds(added, item))];
      if (olds.length !== news.length) return { offset: at, what: `${news.length} parts in place of ${olds.length}` };
      for (let i = 0; i < olds.length; i++) ask(olds[i], news[i], at);
    } else if (isRecord(left) && isRecord(right)) {
      askOfKeys(left, right, at);
    } else {
      return { offset: at, what: `${String(right)} in place of ${String(left)}` };
    }
  }
  return null;
}

const isRecord = (item: unknown): item is Value => typeof item === 'object' && item !== null && !Array.isArray(item);
const isNode = (item: unknown): item is Node => isRecord(item) && typeof item.kind === 'string';
const holds = (ranges: Ranges, item: unknown): boolean => isNode(item) && ranges.holds(item);

/** A wrapping call whose callee lies in the edits, as the argument that does not. */
function peel(node: Node, ranges: Ranges): Node {
  let current = node;
  while (current.kind === 'Call' && ranges.holds(current.func)) {
    const rest: Expr[] = argumentsOf(current).filter((argument) => !ranges.holds(argument));
    if (rest.length !== 1) return current;
    current = rest[0]!;
  }
  return current;
}

const argumentsOf = (call: Call): Expr[] => [...call.args, ...call.keywords.map((keyword) => keyword.value)];

/** Sorted, disjoint stretches of text. */
class Ranges {
  readonly #ranges: { start: number; end: number }[];

  constructor(ranges: { start: number; end: number }[]) {
    this.#ranges = ranges.filter(({ start, end }) => end > start);
  }

  /** Does the node lie wholly inside one of them? */
  holds({ start, end }: { start: number; end: number }): boolean {
    const range = this.#ranges[firstWhere(this.#ranges, (each) => each.start > start) - 1];
    return range !== undefined && start < end && end <= range.end;
  }
}
