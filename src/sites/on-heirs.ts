/** What subclasses have in the place of what is started: a mixin alone may not even know it. */
import {
  type CallPlace,
  type Instance,
  mayBeOfHeir,
  membersOfHeirs,
  methodsOfHeirs,
  type Place,
  type Value,
} from '../semantics/index.ts';
import type { Alternative } from './alternatives.ts';
import { expandAll } from './expand.ts';
import { callHolding } from './stand-ins.ts';
import type { Targets } from './targets.ts';

/** `self.tick()`, or `self.tick` itself, where the class of `self` knows no such method. */
export function onHeirs(t: Targets, place: Place): Alternative[] {
  return called(t, place, (self, name) =>
    methodsOfHeirs(t.ev, self, name).map(({ fn, cls }) => ({ k: 'function', fn, self: { ...self, cls } })),
  );
}

/** The same where it knows one, for what is no plain method: these are dispatched. */
export function saidAnew(t: Targets, place: Place): Alternative[] {
  return called(t, place, (self, name) => [...membersOfHeirs(t.ev, self, name).values()].map((v) => v.value));
}

function called(t: Targets, place: Place, found: (self: Instance, name: string) => Value[]): Alternative[] {
  const { node } = place;
  const member = node.kind === 'Call' ? node.func : node;
  if (member.kind !== 'Attribute') return [];
  const call: CallPlace = node.kind === 'Call' ? { ...place, node } : callHolding(place);
  const out: Alternative[] = [];
  for (const { value: self } of t.ev.valueAt({ ...place, node: member.value }).values()) {
    if (self.k !== 'instance' || !mayBeOfHeir(self)) continue;
    for (const value of found(self, member.attr)) {
      const made = t.ev.called(value, 'inherited', call, []);
      out.push(...expandAll(t, made, { at: place, callable: false, depth: 0 }));
    }
  }
  return out;
}
