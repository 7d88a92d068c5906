/** What an event starts once the subclasses are known, beside what it did before. */
import { type Evaluator, isAbstract } from '../semantics/index.ts';
import type { SpawnEvent } from './spawn-events.ts';
import type { Alternative } from './targets.ts';

/** A method that is there to be overridden, once those are known which do. */
export function isReplaced(ev: Evaluator, a: Alternative, { alternatives }: SpawnEvent): boolean {
  if (a.kind !== 'coroutine' || !isAbstract(ev, a.fn)) return false;
  return !alternatives.some((x) => x.kind === 'coroutine' && x.fn === a.fn);
}

/**
 * What is still not known of an event, beside what is.
 *
 * @param contained - it comes out of a container: that nothing is shown there is no gap when others fill it.
 * @param stored - a function puts its parameter there: its callers are asked what that is.
 */
export function unknownIn({ alternatives }: SpawnEvent, contained: boolean, stored: boolean): Alternative[] {
  if (alternatives.length < 2) return [];
  return alternatives.filter(
    (a) => a.kind === 'unknown' && !(contained && a.why === 'element') && !(stored && a.why === 'call of a parameter'),
  );
}
