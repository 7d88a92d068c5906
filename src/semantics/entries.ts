/** The entries of a dict display, those that `**` brings in among them. */
import type { Expr } from '../syntax/index.ts';
import type { Step } from './scopes.ts';
import type { Place } from './values.ts';

type Dict = Extract<Expr, { kind: 'Dict' }>;

/** The key is null where `**` brings in what is not known entry by entry: then `value` is the mapping itself. */
export interface Entry {
  key: Place | null;
  value: Place;
}

/**
 * @param dictsOf the displays that a spread expression may stand for; null when it may be something else
 */
export function entriesOf(place: Place, n: Dict, dictsOf: (spread: Place) => Place[] | null, depth = 0): Entry[] {
  return n.values.flatMap((node, i): Entry[] => {
    const key = n.keys[i];
    const value = { ...place, node };
    if (key) return [{ key: { ...place, node: key }, value }];
    const dicts = depth < 4 ? dictsOf(value) : null;
    if (!dicts?.length) return [{ key: null, value }];
    return dicts.flatMap((d) => (d.node.kind === 'Dict' ? entriesOf(d, d.node, dictsOf, depth + 1) : []));
  });
}

/** A key that is written as it is: `True` finds what `1` finds, `b"a"` not what `"a"` does; null for any other. */
export function constantKey(key: Expr): string | number | null {
  if (key.kind !== 'Constant' || key.type === 'bytes') return null;
  const { value } = key;
  return typeof value === 'boolean' ? Number(value) : typeof value === 'object' ? null : value;
}

/** The entries that a key may find: the last that is written with it, and what may come over it. */
export function under(entries: readonly Entry[], step: Step): Entry[] {
  if (step === '*') return [...entries];
  const written = entries.findLastIndex(({ key }) => key !== null && constantKey(key.node) === step);
  if (written < 0) return entries.filter(({ key }) => key?.node.kind !== 'Constant');
  return entries.filter(({ key }, i) => i === written || (i > written && !key));
}
