/** Finds the calls of spawn APIs in a module, with proof. */
import type { SpawnApiRow } from '../engine/contracts.ts';
import type { Certainty } from '../model/index.ts';
import {
  type CallPlace,
  type CallRecord,
  type ClassInfo,
  classMember,
  type FunctionInfo,
  type Instance,
  type LambdaInfo,
  lineage,
  type ModuleScopes,
  type Place,
  type Proof,
  push,
  type Value,
  type Values,
  WEAK_PROOFS,
} from '../semantics/index.ts';
import type { Expr } from '../syntax/index.ts';
import { type AttributeCall, attributeCall } from './attribute-receivers.ts';
import type { Project } from './project.ts';

/** A call proven to be one of the table's rows. */
export interface SpawnCall {
  module: ModuleScopes;
  call: CallPlace;
  row: SpawnApiRow;
  /** `functools.partial` calls that carry arguments of their own. */
  partial: CallPlace[];
  proof: Proof;
  certainty: Certainty;
  /** Its receiver is a parameter: what the callers hand over, wherever they are. */
  handed?: OpenCall;
}

/** A call of a project function. */
export interface ProjectCall {
  module: ModuleScopes;
  call: CallPlace;
  fn: FunctionInfo | LambdaInfo;
  self: Instance | null;
  partial: CallPlace[];
  /** Only its names tell what it calls. */
  likely?: true;
}

/**
 * A call that spawns if its receiver, which is a parameter, is what it looks like; or (no `method`) a call of the
 * parameter itself.
 */
export interface OpenCall {
  module: ModuleScopes;
  call: CallPlace;
  receiver: Parameter;
  /** The attributes that lead from the parameter to the receiver: `loop` of `app.loop.create_task(…)`. */
  path: readonly string[];
  method: string | null;
  /** Is it given a coroutine, by all that is known? Else it is not worth to look for callers in files that were passed over. */
  sure: boolean;
}

export interface ModuleCalls {
  spawns: SpawnCall[];
  open: OpenCall[];
  attributes: AttributeCall[];
  scheduled: SpawnCall[];
  project: ProjectCall[];
  /** The same by what they call. */
  byFunction: Map<FunctionInfo | LambdaInfo, ProjectCall[]>;
  /** Calls by node, for those that spawn. */
  byNode: Map<Expr, SpawnCall>;
}

export function callsOf(project: Project, module: ModuleScopes): ModuleCalls {
  const out: ModuleCalls = {
    spawns: [],
    open: [],
    attributes: [],
    scheduled: [],
    project: [],
    byFunction: new Map(),
    byNode: new Map(),
  };
  for (const record of module.calls) inspect(project, module, record, out);
  out.spawns.sort((a, b) => a.call.node.start - b.call.node.start);
  for (const call of out.project) push(out.byFunction, call.fn, call);
  return out;
}

export function unwrapPartial(value: Value): { base: Value; partial: CallPlace[] } {
  const partial: CallPlace[] = [];
  let base = value;
  while (base.k === 'partial') {
    partial.push(base.call);
    base = base.base;
  }
  return { base, partial };
}

function inspect(project: Project, module: ModuleScopes, record: CallRecord, out: ModuleCalls): void {
  const values = project.ev.value(record.node.func, record.scope, record.block);
  const hits: { row: SpawnApiRow; proof: Proof; partial: CallPlace[] }[] = [];
  let others = 0;
  for (const { value, proof } of values.values()) {
    const { base, partial } = unwrapPartial(value);
    const row =
      base.k === 'name'
        ? project.table.rows.get(base.q)
        : base.k === 'class'
          ? inheritedRow(project, base.cls)
          : undefined;
    if (row) hits.push({ row, proof: base.k === 'class' ? 'subclass' : proof, partial });
    else if (value.k !== 'none') others++;
    if (base.k === 'function') out.project.push({ module, call: record, fn: base.fn, self: base.self, partial });
    else if (base.k === 'lambda') out.project.push({ module, call: record, fn: base.fn, self: null, partial });
    else if (base.k === 'class') {
      // what a constructor is given may be spawned by a method
      const made: Instance = { k: 'instance', cls: base.cls, call: record, viaSelf: false };
      for (const m of classMember(project.ev, made, '__init__')?.values() ?? [])
        if (m.value.k === 'function') out.project.push({ module, call: record, fn: m.value.fn, self: made, partial });
    } else if (base.k === 'instance') {
      for (const m of classMember(project.ev, base, '__call__')?.values() ?? [])
        if (m.value.k === 'function')
          out.project.push({ module, call: record, fn: m.value.fn, self: m.value.self, partial });
    }
  }
  // a name imported for type checkers only is not there at run time; what a base class keeps on an attribute of the
  // same name may be anything by the time a subclass uses it
  const live = hits.filter((h) => h.proof !== 'type-checking-only' && h.proof !== 'inherited');
  const [first] = live;
  if (!first) {
    const open = hits.length
      ? null
      : (onParameter(project, module, record) ?? ofParameter(project, module, record, values));
    if (open) out.open.push(open);
    const named = hits.length ? null : attributeCall(module, record, values);
    if (named && givenLater(project, record)) out.attributes.push(named);
    return;
  }
  const sure =
    others === 0 && new Set(live.map((h) => h.row.api)).size === 1 && !live.some((h) => WEAK_PROOFS.has(h.proof));
  const spawn: SpawnCall = { module, call: record, ...first, certainty: sure ? 'proven' : 'likely' };
  if (first.row.scheduled) out.scheduled.push(spawn);
  else {
    out.spawns.push(spawn);
    out.byNode.set(record.node, spawn);
  }
}

/** `loop.create_task(…)` of a parameter of which nothing is said. */
function onParameter({ ev, table }: Project, module: ModuleScopes, call: CallRecord): OpenCall | null {
  const { func } = call.node;
  if (func.kind !== 'Attribute' || !table.ofObjects.has(func.attr)) return null;
  const all = [...ev.value(func.value, call.scope, call.block).values()].filter((v) => v.value.k !== 'none');
  const [only, ...more] = all.map((v) => v.value);
  const from = only && !more.length ? fromParameter(only) : null;
  return from && { module, call, ...from, method: func.attr, sure: true };
}

type Parameter = Extract<Value, { k: 'param' }>;

/** An attribute of an attribute of … a parameter. */
function fromParameter(value: Value): { receiver: Parameter; path: string[] } | null {
  const path: string[] = [];
  let of = value;
  for (; of.k === 'unknown' && of.of && 'attr' in of.of; of = of.of.base) path.unshift(of.of.attr);
  return of.k === 'param' && of.role === 'normal' && !of.stored ? { receiver: of, path } : null;
}

/** `spawn(self.poll())` of a parameter, or `tasks.spawn(self.poll())`: something that starts what it is given, maybe. */
function ofParameter({ ev }: Project, module: ModuleScopes, call: CallRecord, values: Values): OpenCall | null {
  const { args } = call.node;
  const [only, ...more] = args.length ? [...values.values()].map((v) => v.value).filter((v) => v.k !== 'none') : [];
  const from = only && !more.length ? fromParameter(only) : null;
  if (!from) return null;
  const given = args.map((arg) => {
    const all = !NAMED.has(arg.kind) ? [] : [...ev.settled(ev.value(arg, call.scope, call.block)).values()];
    return all.map((v) => v.value);
  });
  const sure = given.some((each) => each.some(startsLater));
  const isMade = sure || (!from.path.length && given[0]!.some(mayBeCoroutine));
  return isMade ? { module, call, ...from, method: null, sure } : null;
}

/** Is it given a coroutine that is made there? */
function givenLater({ ev }: Project, { node: { args, keywords }, scope, block }: CallRecord): boolean {
  return [...args, ...keywords.map((k) => k.value)].some(
    (given) =>
      given.kind === 'Call' &&
      [...ev.settled(ev.value(given, scope, block)).values()].some((v) => startsLater(v.value)),
  );
}

/** What may be a coroutine, or a function that makes one. */
const NAMED: ReadonlySet<Expr['kind']> = new Set(['Call', 'Name', 'Attribute', 'IfExp', 'BoolOp', 'Starred']);

function startsLater(v: Value): boolean {
  return v.k === 'coroutine' || (v.k === 'function' && v.fn.node.isAsync);
}

function mayBeCoroutine(v: Value): boolean {
  return v.k === 'param' || v.k === 'element' || (v.k === 'unknown' && v.of !== undefined && 'call' in v.of);
}

/** `class Named(asyncio.Task)`: it starts what it is given, unless it is constructed in a way of its own. */
function inheritedRow(project: Project, cls: ClassInfo): SpawnApiRow | undefined {
  const line = lineage(project.ev, cls);
  if (line.some((c) => c.scope.bindings.has('__init__') || c.scope.bindings.has('__new__'))) return undefined;
  for (const c of line) {
    const at = c.module.scopeOf.get(c.node)!;
    for (const node of c.node.bases)
      for (const { value } of project.ev.valueAt({ ...at, node }).values()) {
        const row = value.k === 'name' ? project.table.rows.get(value.q) : undefined;
        if (row && !row.scheduled) return row;
      }
  }
  return undefined;
}

/** Where a spawn's argument stands. */
export type SpawnArgument =
  | { kind: 'given'; place: Place; keyword: boolean; inPartial: boolean }
  /** All that a `*coros` parameter takes. */
  | { kind: 'many'; places: Place[] }
  | { kind: 'starred'; place: Place | null }
  | { kind: 'missing' };

/** The argument at a position of a call, partial arguments counted first. */
export function spawnArgument(call: CallPlace, partial: CallPlace[], position: number, keyword: string): SpawnArgument {
  let skipped = 0;
  for (const part of [...partial].reverse()) {
    const bound = part.node.args.slice(1);
    const named = part.node.keywords.find((k) => k.arg === keyword);
    if (named) return { kind: 'given', place: { ...part, node: named.value }, keyword: true, inPartial: true };
    const index = position - skipped;
    if (index < bound.length) {
      const node = bound[index]!;
      return node.kind === 'Starred'
        ? { kind: 'starred', place: { ...part, node: node.value } }
        : { kind: 'given', place: { ...part, node }, keyword: false, inPartial: true };
    }
    skipped += bound.length;
  }
  const named = call.node.keywords.find((k) => k.arg === keyword);
  if (named) return { kind: 'given', place: { ...call, node: named.value }, keyword: true, inPartial: false };
  const index = position - skipped;
  const star = call.node.args.findIndex((a) => a.kind === 'Starred');
  if (star >= 0 && star <= index) {
    return {
      kind: 'starred',
      place: { ...call, node: (call.node.args[star] as Extract<Expr, { kind: 'Starred' }>).value },
    };
  }
  const node = call.node.args[index];
  if (node) return { kind: 'given', place: { ...call, node }, keyword: false, inPartial: false };
  const double = call.node.keywords.find((k) => k.arg === null);
  return double ? { kind: 'starred', place: { ...call, node: double.value } } : { kind: 'missing' };
}
