/** What an event starts once the subclasses are known, beside what it did before. */
import { type Evaluator, isAbstract } from '../semantics/index.ts';
import type { SpawnEvent } from './spawn-events.ts';
import type { Alternative } from './targets.ts';

/** A method that is there to be overridden, once those are known which do. */
export function isReplaced(ev: Evaluator, a: Alternative, { alternatives }: SpawnEvent): boolean {
  if (a.kind !== 'coroutine' || !isAbstract(ev, a.fn)) return false;
  return !alternatives.some((x) => x.kind === 'coroutine' && x.fn === a.fn);
}

/** What is still not known of an event, beside what is. */
export function unknownIn({ alternatives }: SpawnEvent): Alternative[] {
  return alternatives.length > 1 ? alternatives.filter((a) => a.kind === 'unknown') : [];
}
