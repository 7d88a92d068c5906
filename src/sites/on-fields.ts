/** `create_task(spec.fn())` where only the class of `spec` is known: what the calls that make such objects put there. */
import { type CallPlace, fieldOf, mayBeOfHeir, type Place } from '../semantics/index.ts';
import { type Alternative, outOfReach } from './alternatives.ts';
import { expandAll } from './expand.ts';
import { memberCalled } from './stand-ins.ts';
import type { Targets } from './targets.ts';

export function onFields(t: Targets, place: Place): Alternative[] {
  const { member: field, call } = memberCalled(place);
  if (!field) return [];
  const out: Alternative[] = [];
  for (const { value: self } of t.ev.valueAt({ ...place, node: field.value }).values()) {
    if (self.k !== 'instance' || !mayBeOfHeir(self)) continue;
    for (const given of fieldOf(t.ev, self.cls, field.attr) ?? []) out.push(...ofField(t, given, call, field.attr));
  }
  return out.some((a) => a.kind !== 'unknown') ? out : [];
}

function ofField(t: Targets, given: Place | 'unknown', call: CallPlace, name: string): Alternative[] {
  if (given === 'unknown') return [{ kind: 'unknown', why: 'what a field is given' }];
  return [...t.ev.valueAt(given).values()].flatMap(({ value, proof }): Alternative[] => {
    if (value.k === 'none') return [];
    if (value.k !== 'param')
      return expandAll(t, t.ev.called(value, proof, call, []), { at: given, callable: false, depth: 0 });
    const { owner, arg, role } = value;
    const fallback = outOfReach(name, call);
    return [{ kind: 'parameter', owner, arg, role, mode: 'callable', weak: true, stored: true, fallback }];
  });
}
