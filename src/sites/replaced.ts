/** What a spawn starts where the function, the method or the field that it names is given another value elsewhere. */
import { tail } from '../model/identifier.ts';
import { isTestFile } from '../model/test-file.ts';
import {
  type CallPlace,
  type ClassInfo,
  type Instance,
  isSetByOthers,
  lineage,
  mayBeOfHeir,
  type Place,
  putInside,
  type Replacement,
  replacementsOf,
  type Value,
} from '../semantics/index.ts';
import { type Alternative, dedupe, parameterIn } from './alternatives.ts';
import { expandAll } from './expand.ts';
import type { SpawnEvent } from './spawn-events.ts';
import { callHolding, memberCalled } from './stand-ins.ts';
import type { Targets } from './targets.ts';

type Coroutine = Extract<Alternative, { kind: 'coroutine' }>;
type Owner = Instance | Replacement['of'];

/** The event with what may run instead; itself where nothing may. */
export function withReplaced(t: Targets, event: SpawnEvent): SpawnEvent {
  const started = event.alternatives.filter((a) => a.kind === 'coroutine');
  if (!started.length) return event;
  const known = new Set(started.map((a) => a.fn));
  const more = [
    ...started.flatMap((a) => inItsPlace(t, event, a)),
    ...placesOf(event).flatMap((p) => [...onObject(t, event, p), ...inside(t, event, p)]),
  ];
  const fresh = more.filter((x) => x.kind !== 'coroutine' || !known.has(x.fn));
  return fresh.length ? { ...event, alternatives: dedupe([...event.alternatives, ...fresh]) } : event;
}

/** The name of the function, or of its class, is that of something else in its module; or the method, in its class. */
function inItsPlace(t: Targets, event: SpawnEvent, a: Coroutine): Alternative[] {
  const { fn, frame } = a;
  const call = frame.calls[0]?.place ?? null;
  const owner: Owner | null = fn.cls
    ? (frame.self ?? { k: 'class', cls: fn.cls })
    : fn.outer.kind === 'module'
      ? { k: 'module', module: fn.module }
      : null;
  const out = owner ? replacing(t, event, { owner, name: fn.node.name, call, above: fn.cls }) : [];
  if (fn.cls?.outer.kind === 'module')
    for (const r of counted(t, event, fn.cls.node.name))
      if (r.of.k === 'module' && r.of.module === fn.module)
        out.push({ kind: 'unknown', why: 'its class is replaced elsewhere' });
  return out.map((x) =>
    'through' in x ? { ...x, through: [...a.through, ...(x.through ?? [])] } : x,
  ) as Alternative[];
}

/** `worker.job()`, where `job` is a field: that may be set by others. */
function onObject(t: Targets, event: SpawnEvent, place: Place): Alternative[] {
  const { member, call } = memberCalled(place);
  if (!member) return [];
  const isReplaced = replacementsOf(t.ev, member.attr).length > 0;
  return [...t.ev.valueAt({ ...place, node: member.value }).values()].flatMap(({ value: owner }): Alternative[] => {
    if (owner.k !== 'instance' && owner.k !== 'class' && owner.k !== 'module') return [];
    const above = foundIn(t, owner, member.attr);
    const out = isReplaced ? replacing(t, event, { owner, name: member.attr, call, above }) : [];
    const isField = owner.k === 'instance' && above?.scope.attributes.has(member.attr);
    return isField && isSetByOthers(t.ev, owner.cls)
      ? [...out, { kind: 'unknown', why: 'it may be set elsewhere' }]
      : out;
  });
}

/** What other statements put into the container that it comes out of; that of a parameter, callers of its function tell. */
function inside(t: Targets, { mode }: SpawnEvent, place: Place): Alternative[] {
  const { node } = place;
  const call = node.kind === 'Call' ? { ...place, node } : mode === 'callable' ? callHolding(place) : null;
  return putInside(t.ev, { ...place, node: node.kind === 'Call' ? node.func : node }).flatMap((put) =>
    [...t.ev.valueAt(put).values()].some(({ value }) => parameterIn(value)) ? [] : startedBy(t, put, call, null),
  );
}

/** The class that says what the member is. */
function foundIn({ ev }: Targets, owner: Owner, name: string): ClassInfo | null {
  const line = owner.k === 'module' ? [] : lineage(ev, owner.cls);
  return line.find(({ scope }) => scope.bindings.has(name) || scope.attributes.has(name)) ?? null;
}

/** A name of a module, a class or an object, and the call of what it stands for. */
interface Named {
  owner: Owner;
  name: string;
  call: CallPlace | null;
  /** The class that the member was found in. */
  above: ClassInfo | null;
}

function replacing(t: Targets, event: SpawnEvent, named: Named): Alternative[] {
  const { owner, name, call } = named;
  return counted(t, event, name)
    .filter((r) => isOf(t, named, r) && !isSeen(named, r))
    .flatMap((r) => (call ? startedBy(t, r.value, call, owner) : [REPLACED]));
}

/** Tests replace things in passing. */
function counted(t: Targets, { module }: SpawnEvent, name: string): Replacement[] {
  return replacementsOf(t.ev, name).filter((r) => r.module === module || !isTestFile(r.module.file));
}

function isOf({ ev }: Targets, { owner, above }: Named, { of }: Replacement): boolean {
  if (of.k === 'module' || owner.k === 'module')
    return of.k === 'module' && owner.k === 'module' && of.module === owner.module;
  const line = lineage(ev, owner.cls);
  const at = line.indexOf(of.cls);
  if (at >= 0) return !above || at <= line.indexOf(above);
  return (owner.k === 'class' || mayBeOfHeir(owner)) && lineage(ev, of.cls).includes(owner.cls);
}

/** Where an object is used, what is assigned to it in these modules is known. */
function isSeen({ owner, call }: Named, { plain, module }: Replacement): boolean {
  if (!plain || call?.node.func.kind !== 'Attribute') return false;
  return module === call.scope.module || (owner.k !== 'module' && module === owner.cls.module);
}

const REPLACED: Alternative = { kind: 'unknown', why: 'it is replaced elsewhere' };

/** What is started with another value; itself where nothing calls it. */
function startedBy(t: Targets, place: Place | null, call: CallPlace | null, owner: Owner | null): Alternative[] {
  if (!place) return [REPLACED];
  const out: Alternative[] = [];
  for (const { value, proof } of t.ev.valueAt(place).values()) {
    if (value.k === 'none' || (value.k === 'unknown' && value.why === 'constant')) continue;
    const made = call ? t.ev.called(bound(value, owner), proof, call, []) : new Map([['', { value, proof }]]);
    const found = expandAll(t, made, { at: call ?? place, callable: false, depth: 0 });
    out.push(...(found.length && found.every((x) => x.kind !== 'parameter') ? found : [REPLACED]));
  }
  return out;
}

/** A function that is put on a class is a method of its objects. */
function bound(value: Value, owner: Owner | null): Value {
  return value.k === 'function' && !value.self && owner?.k === 'instance' ? { ...value, self: owner } : value;
}

function placesOf({ argument: a }: SpawnEvent): Place[] {
  if (a.kind === 'given') return [a.place];
  return a.kind === 'many' ? a.places : [];
}

/** What stands in a file that replaces something of what the events start. */
export function replacingWords(t: Targets, events: readonly SpawnEvent[]): string[][] {
  const owners = new Map<string, Set<string>>();
  const ask = (name: string, owner: string): void => void owners.set(name, (owners.get(name) ?? new Set()).add(owner));
  for (const e of events) {
    for (const a of e.alternatives) if (a.kind === 'coroutine') ask(a.fn.node.name, ownerOf(a.fn));
    for (const { name, of } of fieldsOf(t, e)) ask(name, of);
  }
  return [...owners].flatMap(([name, of]) =>
    [...of].flatMap((owner) => [
      [`.${name} =`, owner],
      [`.${name}=`, owner],
      [name, 'setattr', owner],
    ]),
  );
}

/** The class, or the last part of the module's name. */
function ownerOf({ cls, module }: Coroutine['fn']): string {
  return cls?.node.name ?? tail(module.name);
}

/** Members that are no methods of their own name. */
function fieldsOf(t: Targets, e: SpawnEvent): { name: string; of: string }[] {
  const names = new Set(e.alternatives.flatMap((a) => (a.kind === 'coroutine' ? [a.fn.node.name] : [])));
  return placesOf(e).flatMap((place) => {
    const { member } = memberCalled(place);
    if (!names.size || !member || names.has(member.attr)) return [];
    return [...t.ev.valueAt({ ...place, node: member.value }).values()].flatMap(({ value: v }) =>
      v.k === 'instance' || v.k === 'class' ? [{ name: member.attr, of: v.cls.node.name }] : [],
    );
  });
}
