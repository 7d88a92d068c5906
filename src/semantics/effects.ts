/** What a stretch of code does to one name, and how such effects follow each other and come together. */
import type { Binding } from './scopes.ts';

/**
 * Some bindings; null for none. To bring two together is one step, however many they are: a name that is bound once a
 * line has as many sets of bindings as there are lines, and they are listed only where somebody asks.
 */
type Bindings = null | { one: Binding } | { first: NonNullable<Bindings>; more: NonNullable<Bindings> };

/** Bindings that may be in force at the end, and whether what held before may still hold. */
export interface Effect {
  bindings: Bindings;
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

export const KEEP: Effect = { bindings: null, through: true };
/** `del x`: the name has no value afterwards. */
export const CLEAR: Effect = { bindings: null, through: false };

const WAYS = ['next', 'break', 'continue', 'return', 'raise'] as const;

export function binds(binding: Binding): Effect {
  return { bindings: { one: binding }, through: false };
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
  return through && !bindings ? KEEP : { bindings, through };
}

function union(a: Bindings, b: Bindings): Bindings {
  if (!a || a === b) return b;
  return b ? { first: a, more: b } : a;
}

/** Each once, in the order in which they came together. */
export function listed(bindings: Bindings): Binding[] {
  const out = new Set<Binding>();
  const seen = new Set<Bindings>();
  const open: Bindings[] = [bindings];
  while (open.length) {
    const next = open.pop()!;
    if (!next || seen.has(next)) continue;
    if ('one' in next) out.add(next.one);
    else {
      seen.add(next);
      open.push(next.more, next.first);
    }
  }
  return [...out];
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
