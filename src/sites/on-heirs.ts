/** A mixin starts a method that only the classes it is mixed into have. */
import { mayBeOfHeir, methodsOfHeirs, type Place, type Value } from '../semantics/index.ts';
import type { Alternative } from './alternatives.ts';
import { expandAll } from './expand.ts';
import { callHolding } from './stand-ins.ts';
import type { Targets } from './targets.ts';

/** `self.tick()`, or `self.tick` itself, where the class of `self` knows no such method. */
export function onHeirs(t: Targets, place: Place): Alternative[] {
  const { node } = place;
  const method = node.kind === 'Call' ? node.func : node;
  if (method.kind !== 'Attribute') return [];
  const call = node.kind === 'Call' ? { ...place, node } : callHolding(place);
  const out: Alternative[] = [];
  for (const { value: self } of t.ev.valueAt({ ...place, node: method.value }).values()) {
    if (self.k !== 'instance' || !mayBeOfHeir(self)) continue;
    for (const { fn, cls } of methodsOfHeirs(t.ev, self, method.attr)) {
      const found: Value = { k: 'function', fn, self: { ...self, cls } };
      const made = t.ev.called(found, 'inherited', call, []);
      out.push(...expandAll(t, made, { at: place, callable: false, depth: 0 }));
    }
  }
  return out;
}
