/** What subclasses have in the place of what is started: a mixin alone may not even know it. */
import {
  type CallPlace,
  type Instance,
  mayBeOfHeir,
  membersOfHeirs,
  methodsOfHeirs,
  objectsAnew,
  type Place,
  type Value,
} from '../semantics/index.ts';
import type { Alternative } from './alternatives.ts';
import { expandAll } from './expand.ts';
import { memberCalled } from './stand-ins.ts';
import type { Targets } from './targets.ts';

/** `self.tick()`, or `self.tick` itself, where the class of `self` knows no such method. */
export function onHeirs(t: Targets, place: Place): Alternative[] {
  return ofMember(t, place, (self, name) =>
    methodsOfHeirs(t.ev, self, name).map(({ fn, cls }) => ({ k: 'function', fn, self: { ...self, cls } })),
  );
}

/** The same where it knows one, for what is no plain method: these are dispatched. */
export function saidAnew(t: Targets, place: Place): Alternative[] {
  return [
    ...ofMember(t, place, (self, name) => [...membersOfHeirs(t.ev, self, name).values()].map((v) => v.value)),
    ...onAnother(t, place),
  ];
}

/** `self.worker.run()`, where subclasses have another worker. */
export function onAnother(t: Targets, place: Place): Alternative[] {
  const { member, call } = memberCalled(place);
  if (!member) return [];
  const out: Alternative[] = [];
  for (const { value: object } of objectsAnew(t.ev, { ...place, node: member.value }).values())
    if (object.k === 'instance' || object.k === 'class' || object.k === 'result')
      for (const { value } of t.ev.attribute(object, member.attr, 'inherited').values())
        out.push(...ofCall(t, value, call, place));
  return out.filter((a) => a.kind === 'coroutine');
}

function ofCall(t: Targets, value: Value, call: CallPlace, at: Place): Alternative[] {
  return expandAll(t, t.ev.called(value, 'inherited', call, []), { at, callable: false, depth: 0 });
}

function ofMember(t: Targets, place: Place, found: (self: Instance, name: string) => Value[]): Alternative[] {
  const { member, call } = memberCalled(place);
  if (!member) return [];
  const out: Alternative[] = [];
  for (const { value: self } of t.ev.valueAt({ ...place, node: member.value }).values()) {
    if (self.k !== 'instance' || !mayBeOfHeir(self)) continue;
    for (const value of found(self, member.attr)) out.push(...ofCall(t, value, call, place));
  }
  return out;
}
