/** `def start(service): create_task(service.run())`: which methods these are, by the objects that callers hand over. */
import { argumentFor, elementsOf, type Frame, type Place, type Value } from '../semantics/index.ts';
import type { Call } from '../syntax/index.ts';
import type { Alternative, ObjectParameter } from './alternatives.ts';
import type { ProjectCall } from './detect.ts';
import { expandAll } from './expand.ts';
import type { SpawnEvent } from './flow.ts';
import type { Targets } from './targets.ts';

type OnObject = Extract<Alternative, { kind: 'external' }> & { object: ObjectParameter };
type CallersOf = (fn: ObjectParameter['owner']) => readonly ProjectCall[];

export function isOnObject(a: Alternative): a is OnObject {
  return a.kind === 'external' && a.object !== undefined;
}

/** The event with the methods in the place of calls on parameters; itself when no caller says more. */
export function withObjects(t: Targets, event: SpawnEvent, callersOf: CallersOf): SpawnEvent {
  if (!event.alternatives.some(isOnObject)) return event;
  const alternatives = event.alternatives.flatMap((a) => (isOnObject(a) ? methods(t, a, callersOf) : [a]));
  return { ...event, alternatives };
}

function methods(t: Targets, a: OnObject, callersOf: CallersOf): Alternative[] {
  const out: Alternative[] = [];
  for (const caller of callersOf(a.object.owner)) {
    const found = objectsOf(t, a.object, caller).flatMap((v) => methodOf(t, a, v, frameOf(a.object, caller)));
    out.push(
      ...(found.length
        ? found
        : [{ kind: 'unknown' as const, why: 'a caller hands over an object that is not known' }]),
    );
  }
  return out.some((x) => x.kind === 'coroutine') ? out : [a];
}

function frameOf({ owner }: ObjectParameter, { call, self }: ProjectCall): Frame {
  const fn = owner.type === 'function' ? owner : null;
  return { fn, self, calls: [{ place: call, skip: self ? 1 : 0, frame: null }] };
}

/** What a call gives to the parameter, or puts into it. */
function objectsOf(t: Targets, { owner, arg, role, iterable }: ObjectParameter, caller: ProjectCall): Value[] {
  const { call, self, partial } = caller;
  if (owner.type !== 'function' || partial.length) return [];
  const skip = self ? 1 : 0;
  if (role === 'vararg') {
    const own = owner.node.args.posonly.length + owner.node.args.args.length - skip;
    return call.node.args.slice(own).flatMap((node) => valuesOf(t, { ...call, node }, node.kind === 'Starred'));
  }
  const given = role === 'normal' ? argumentFor(owner, arg, call.node, skip) : null;
  return given && given !== 'unknown' ? valuesOf(t, { ...call, node: given }, iterable) : [];
}

function valuesOf(t: Targets, place: Place, iterable: boolean): Value[] {
  const node = place.node.kind === 'Starred' ? place.node.value : place.node;
  const at = { ...place, node };
  return [...(iterable ? elementsOf(t.ev, at, [], false) : t.ev.valueAt(at)).values()].map((v) => v.value);
}

function methodOf(t: Targets, a: OnObject, object: Value, frame: Frame): Alternative[] {
  if (object.k !== 'instance' && object.k !== 'class') return [];
  const out: Alternative[] = [];
  for (const { value } of t.ev.attribute(object, a.object.method, 'attribute').values()) {
    const made = t.ev.called(value, 'callable', a.call!, []);
    for (const x of expandAll(t, made, { at: a.call! as Place & { node: Call }, callable: false, depth: 0 }))
      if (x.kind === 'coroutine')
        out.push({ ...x, frame: { ...x.frame, calls: x.frame.calls.map((c) => ({ ...c, frame: c.frame ?? frame })) } });
  }
  return out;
}
