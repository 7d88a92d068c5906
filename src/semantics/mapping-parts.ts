/** Mappings that are put together of others: `BASE | {"x": run}`, `dict(BASE)`, `jobs.update(MORE)`. */
import { isDictOf, isMapping, type Stored, storedBy } from './element.ts';
import { constantKey } from './entries.ts';
import type { Evaluator } from './evaluate.ts';
import { additions } from './filled.ts';
import type { Step } from './scopes.ts';
import type { Place } from './values.ts';

/** The mappings whose entries another one has; only the last where that has the key for sure. null for something else. */
export function partsOfMapping(ev: Evaluator, place: Place, key?: Step): Place[] | null {
  if (isDictOf(ev, place))
    return place.node.args.length === 1 ? place.node.args.map((arg) => ({ ...place, node: arg })) : null;
  const { node } = place;
  if (node.kind !== 'BinOp' || node.op !== '|') return null;
  const [left, right] = [node.left, node.right].map((n): Place => ({ ...place, node: n }));
  if (!isDict(ev, left!) && !isDict(ev, right!)) return null;
  const has =
    right!.node.kind === 'Dict' && right!.node.keys.some((k) => k && key !== undefined && constantKey(k) === key);
  return has ? [right!] : [left!, right!];
}

/** What a mapping is updated with as a whole: another one, or (`paired`) pairs, whose keys are not looked at. */
export function updatesOf(ev: Evaluator, place: Place): { at: Place; by: Stored; paired: boolean }[] {
  const all = additions(ev, place).filter((a) => a.spread);
  if (!all.length || !isDict(ev, place)) return [];
  return all.map((a) => {
    const at = withoutItems(a.at);
    return { at, by: storedBy(a), paired: isPaired(ev, at) };
  });
}

/** `more` of `more.items()` */
function withoutItems({ node, ...where }: Place): Place {
  const isItems = node.kind === 'Call' && node.func.kind === 'Attribute' && node.func.attr === 'items';
  return { ...where, node: isItems && node.func.kind === 'Attribute' ? node.func.value : node };
}

/** `jobs.update(zip(names, made))` */
function isPaired(ev: Evaluator, place: Place): boolean {
  const values = [...ev.valueAt(place).values()].map((v) => v.value);
  const generates = values.some((v) => v.k === 'result' && v.fn.type === 'function' && v.fn.isGenerator);
  return generates || (values.some((v) => v.k === 'display') && !isDict(ev, place));
}

/** Is one of the values a mapping that is written down? */
function isDict(ev: Evaluator, place: Place, depth = 0): boolean {
  return [...ev.valueAt(place).values()].some(({ value: v }) => {
    if (v.k === 'instance') return true;
    if (v.k !== 'display' || depth > 4) return false;
    if (isMapping(v.place.node) || isDictOf(ev, v.place)) return true;
    const { node } = v.place;
    return node.kind === 'BinOp' && node.op === '|' && isDict(ev, { ...v.place, node: node.left }, depth + 1);
  });
}
