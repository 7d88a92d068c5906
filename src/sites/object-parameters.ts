/** `def start(service): create_task(service.run())`: which methods these are, by the objects that callers hand over. */
import { argumentFor, type ClassInfo, elementsOf, type Frame, type Place, type Value } from '../semantics/index.ts';
import { type Alternative, dedupe, type ObjectParameter } from './alternatives.ts';
import type { ProjectCall } from './detect.ts';
import { expandAll } from './expand.ts';
import type { SpawnEvent } from './flow.ts';
import type { Targets } from './targets.ts';

type OnObject = Extract<Alternative, { kind: 'external' | 'coroutine' | 'unknown' }> & { object: ObjectParameter };

/** Who hands objects over. */
export interface Givers {
  callersOf(fn: ObjectParameter['owner']): readonly ProjectCall[];
  /** The classes that a decorator is given through its parameter. */
  classesBelow(arg: ObjectParameter['arg']): readonly ClassInfo[];
}

export function isOnObject(a: Alternative): a is OnObject {
  return 'object' in a && a.object !== undefined;
}

/** The event with the methods in the place of calls on parameters; itself when no caller says more. */
export function withObjects(t: Targets, event: SpawnEvent, by: Givers): SpawnEvent {
  const asked = event.alternatives.filter(isOnObject);
  if (!asked.length) return event;
  const told = new Map<OnObject, Alternative[]>();
  for (const a of asked) {
    const first = asked.find((x) => x.object.arg === a.object.arg && x.object.method === a.object.method);
    if (first === a) told.set(a, methods(t, a, by));
    // one of several that the declared class leaves open: the callers have told of all
    else if (first && !told.get(first)!.includes(first)) told.set(a, []);
  }
  return { ...event, alternatives: event.alternatives.flatMap((a) => (isOnObject(a) ? (told.get(a) ?? [a]) : [a])) };
}

function methods(t: Targets, a: OnObject, by: Givers): Alternative[] {
  const out: Alternative[] = [];
  for (const cls of by.classesBelow(a.object.arg))
    for (const v of madeOf(t, a.object, [{ k: 'class', cls }])) out.push(...methodOf(t, a, v));
  for (const caller of by.callersOf(a.object.owner)) {
    const found = madeOf(t, a.object, objectsOf(t, a.object, caller)).flatMap((v) =>
      methodOf(t, a, v, frameOf(a.object, caller)),
    );
    out.push(
      ...(found.length
        ? found
        : [{ kind: 'unknown' as const, why: 'a caller hands over an object that is not known' }]),
    );
  }
  const some = out.some((x) => x.kind === 'coroutine');
  // what is declared says more than nothing
  const isOpen = a.kind === 'coroutine' && out.some((x) => x.kind === 'unknown');
  return some && !isOpen ? dedupe(out) : [a];
}

function frameOf({ owner }: ObjectParameter, { call, self }: ProjectCall): Frame {
  const fn = owner.type === 'function' ? owner : null;
  return { fn, self, calls: [{ place: call, skip: self ? 1 : 0, frame: null }] };
}

/** The objects, or what calls of them make. */
function madeOf(t: Targets, { made }: ObjectParameter, given: Value[]): Value[] {
  if (!made) return given;
  return given.flatMap((v) => [...t.ev.called(v, 'callable', made.call, made.partial).values()].map((x) => x.value));
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

function methodOf(t: Targets, a: OnObject, object: Value, frame: Frame | null = null): Alternative[] {
  const call = a.kind === 'coroutine' ? a.frame.calls[0]?.place : a.call;
  if (!call || (object.k !== 'instance' && object.k !== 'class')) return [];
  const out: Alternative[] = [];
  for (const { value } of t.ev.attribute(object, a.object.method, 'attribute').values())
    for (const x of expandAll(t, t.ev.called(value, 'callable', call, []), { at: call, callable: false, depth: 0 })) {
      if (x.kind !== 'coroutine') continue;
      const calls = x.frame.calls.map((c) => ({ ...c, frame: c.frame ?? frame }));
      out.push({ ...x, frame: { ...x.frame, calls }, through: [...(a.through ?? []), ...x.through] });
    }
  return out;
}
