/** What a stretch of code does to one name, and how such effects follow each other and come together. */
import type { Binding } from './scopes.ts';

/** Bindings that may be in force at the end, and whether what held before may still hold. */
export interface Effect {
  bindings: readonly Binding[];
  through: boolean;
}

/** An effect, or null where control never arrives. */
export type Reached = Effect | null;

/** The ways out of a statement. */
export interface Exits {
  next: Reached;
  break: Reached;
  continue: Reached;
  return: Reached;
  raise: Reached;
}

export const KEEP: Effect = { bindings: [], through: true };
/** `del x`: the name has no value afterwards. */
export const CLEAR: Effect = { bindings: [], through: false };

const WAYS = ['next', 'break', 'continue', 'return', 'raise'] as const;

export function binds(binding: Binding): Effect {
  return { bindings: [binding], through: false };
}

/** First the one, then the other. */
export function chain(first: Reached, second: Reached): Reached {
  if (!first || !second) return null;
  if (first === KEEP || !second.through) return second;
  if (second === KEEP) return first;
  return { bindings: union(first.bindings, second.bindings), through: first.through };
}

/** Either the one or the other. */
export function either(a: Reached, b: Reached): Reached {
  if (!a || a === b) return b;
  if (!b) return a;
  const bindings = union(a.bindings, b.bindings);
  const through = a.through || b.through;
  return through && !bindings.length ? KEEP : { bindings, through };
}

function union(a: readonly Binding[], b: readonly Binding[]): readonly Binding[] {
  if (!a.length || a === b) return b;
  if (!b.length) return a;
  const more = b.filter((x) => !a.includes(x));
  return more.length ? [...a, ...more] : a;
}

/** Ways out that lead nowhere unless given. */
export function exits(some: Partial<Exits>): Exits {
  return { next: null, break: null, continue: null, return: null, raise: null, ...some };
}

/** The ways out of code that comes after `first`. */
export function after(first: Reached, out: Exits): Exits {
  if (first === KEEP) return out;
  const got = exits({});
  for (const way of WAYS) got[way] = chain(first, out[way]);
  return got;
}

export function anyOf(...all: Exits[]): Exits {
  const got = exits({});
  for (const one of all) for (const way of WAYS) got[way] = either(got[way], one[way]);
  return got;
}

/** Whichever way it goes. */
export function whichever(out: Exits): Reached {
  return WAYS.reduce<Reached>((got, way) => either(got, out[way]), null);
}
