/** What a function makes of its parameters (`fn()`, `service.run()`): known once it is known what they are given. */
import type { Value } from './values.ts';

/** How many calls and attributes are followed from a parameter on. */
const LONGEST = 3;

/** Does a call of it, or an attribute of it, wait for what a parameter is given? */
export function isShort(v: Value): boolean {
  let of = v;
  for (let i = 0; i < LONGEST; i++) {
    if (of.k === 'param' || of.k === 'element') return true;
    if (of.k !== 'unknown' || !of.of) return false;
    of = of.of.base;
  }
  return false;
}

/** Is it something that a call of its function may tell? */
export function isGiven(v: Value): boolean {
  if (v.k === 'partial') return isGiven(v.base);
  return v.k === 'param' || v.k === 'element' || (v.k === 'unknown' && v.of !== undefined);
}
