/** What iterating or indexing comes to: expressions, pairs, and values that stand nowhere as an expression. */
import type { Evaluator } from './evaluate.ts';
import { add, isKnown, merge, type Place, unknown, type Values } from './values.ts';

/** One element: an expression, a tuple made by `zip` and the like, or something only its origin is known of. */
export type Element = { place: Place; stored?: true } | { tuple: Element[][] } | { values: Values; stored?: true };

export function valuesOf(ev: Evaluator, elements: readonly Element[]): Values {
  const out: Values = new Map();
  for (const e of elements) {
    if ('tuple' in e) continue;
    const values = 'place' in e ? ev.valueAt(e.place) : e.values;
    merge(out, e.stored ? storedValues(values) : values, 'element');
  }
  return out;
}

/** A parameter that was put into the container is not one of the function that takes it out. */
function storedValues(values: Values): Values {
  const out: Values = new Map();
  for (const { value, proof } of values.values()) {
    if (value.k === 'param') add(out, { ...value, stored: true }, proof);
    else if (value.k === 'element' && value.of.k === 'param')
      add(out, { k: 'element', of: { ...value.of, stored: true } }, proof);
    else add(out, value, proof);
  }
  return out;
}

export function asStored(e: Element): Element {
  return 'tuple' in e ? { tuple: e.tuple.map((t) => t.map(asStored)) } : { ...e, stored: true };
}

export function isKnownElement(ev: Evaluator, e: Element): boolean {
  if ('tuple' in e) return e.tuple.flat().some((x) => isKnownElement(ev, x));
  return isKnown('place' in e ? ev.valueAt(e.place) : e.values);
}

/** What `**` brings in is there, whether it is known or not. */
export function orUnknown(found: Element[]): Element[] {
  return found.length ? found : [{ values: unknown('element') }];
}
