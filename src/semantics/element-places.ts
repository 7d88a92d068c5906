/** What iterating, unpacking or indexing yields, as far as it stands somewhere as an expression. */
import { follow } from './elements.ts';
import type { Evaluator } from './evaluate.ts';
import type { Step } from './scopes.ts';
import type { Place } from './values.ts';

/** The elements; those that are no expressions are left out. */
export function placesOf(ev: Evaluator, of: Place, path: readonly Step[], indexing: boolean): Place[] {
  return follow(ev, of, path, indexing).flatMap((e) => ('place' in e && !e.frame ? [e.place] : []));
}

/** The same; null when one of them is no expression. */
export function allPlacesOf(ev: Evaluator, of: Place, path: readonly Step[], indexing: boolean): Place[] | null {
  const elements = follow(ev, of, path, indexing);
  return elements.every((e) => 'place' in e && !e.frame) ? elements.map((e) => (e as { place: Place }).place) : null;
}
