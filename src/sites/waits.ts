/** What a path through some statements waits, and how such waits add up. */
import type { FunctionInfo } from '../semantics/index.ts';
import type { Node, Raise } from '../syntax/index.ts';
import type { Bounds } from './delay.ts';

/** Where a node stands: only its module matters. */
export type Within = Pick<FunctionInfo, 'module'>;

export interface Wait {
  bounds: Bounds;
  /** Sleeps that count, in order. */
  parts: { node: Node; fn: Within; note: string }[];
  /** A sleep whose length cannot be known at all. */
  opaque: { node: Node; fn: Within; why: string } | null;
  midnight: boolean;
  /** A sleep of no length: it only lets others run. */
  yields?: { node: Node; fn: Within };
}

/**
 * `ends`: the round is left early; `raised`: by these alone, which somebody around it may take; `endless`: an inner loop
 * is never left, so that nothing else counts.
 */
export interface Step {
  wait: Wait;
  ends: boolean;
  raised?: readonly Raise[];
  endless?: boolean;
}

export function noWait(): Wait {
  return { bounds: { min: 0, max: 0 }, parts: [], opaque: null, midnight: false };
}

export function isNothing(w: Wait): boolean {
  return !w.parts.length && !w.opaque;
}

function joined(a: Wait, b: Wait, bounds: Bounds): Wait {
  return {
    bounds,
    parts: [...a.parts, ...b.parts],
    opaque: a.opaque ?? b.opaque,
    midnight: a.midnight || b.midnight,
    yields: a.yields ?? b.yields,
  };
}

/** One after the other. */
export function plus(a: Wait, b: Wait): Wait {
  return joined(a, b, { min: a.bounds.min + b.bounds.min, max: a.bounds.max + b.bounds.max });
}

/** One of the two. */
export function either(a: Wait, b: Wait): Wait {
  return joined(a, b, { min: Math.min(a.bounds.min, b.bounds.min), max: Math.max(a.bounds.max, b.bounds.max) });
}

/** Both at once, until the longer one is over: only that one is named when it is certain. */
export function together(a: Wait, b: Wait): Wait {
  if (isNothing(b) || (!a.opaque && !b.opaque && a.bounds.min >= b.bounds.max)) return a;
  if (isNothing(a) || (!a.opaque && !b.opaque && b.bounds.min >= a.bounds.max)) return b;
  return joined(a, b, { min: Math.max(a.bounds.min, b.bounds.min), max: Math.max(a.bounds.max, b.bounds.max) });
}

/** Both at once, until the shorter one is over. */
export function shorter(a: Wait, b: Wait): Wait {
  if (a.opaque || b.opaque) return joined(a, b, a.bounds);
  if (a.bounds.max <= b.bounds.min) return a;
  if (b.bounds.max <= a.bounds.min) return b;
  return joined(a, b, { min: Math.min(a.bounds.min, b.bounds.min), max: Math.min(a.bounds.max, b.bounds.max) });
}

export function times(w: Wait, rounds: number): Wait {
  return { ...w, bounds: { min: w.bounds.min * rounds, max: w.bounds.max * rounds } };
}
