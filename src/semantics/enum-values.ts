/** What stands behind the members of an enumeration: `job.value`, `Job.A.value`. */
import type { Call, Expr } from '../syntax/index.ts';
import { wholeValue } from './aliases.ts';
import { ownBindings } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { isEnumeration } from './fields.ts';
import type { ClassInfo } from './scopes.ts';
import { add, type Instance, merge, NAMES, only, type Place, type Value, type Values } from './values.ts';

type Attribute = Extract<Place['node'], { kind: 'Attribute' }>;

/** The members of which more is known than their class, by the calls that make them. */
const names = new WeakMap<Call, string>();
const calls = new WeakMap<Expr, Call>();

/** `Job.A`, of an enumeration that has methods; null for anything else. */
export function enumMember(ev: Evaluator, cls: ClassInfo, name: string): Instance | null {
  const [b, ...more] = /^_/.test(name) || !hasMethods(cls) ? [] : ownBindings(cls, name);
  const value = b && !more.length && b.kind === 'assign' ? wholeValue(b) : null;
  if (!b || !value || value.kind === 'Lambda' || !isEnumeration(ev, cls)) return null;
  if (value.kind === 'Name' && [...ev.binding(b).values()].some((v) => v.value.k === 'function')) return null;
  const node = calls.get(value) ?? madeBy(cls, value);
  calls.set(value, node);
  names.set(node, name);
  return { k: 'instance', cls, call: { node, scope: b.scope, block: b.block }, viaSelf: false };
}

function hasMethods({ scope }: ClassInfo): boolean {
  return [...scope.bindings.values()].some((all) => all.some((b) => b.kind === 'def'));
}

/** `A = "a", run` calls the constructor with both. */
function madeBy(cls: ClassInfo, value: Expr): Call {
  const { start, end } = value;
  const func: Expr = { kind: 'Name', id: cls.node.name, ctx: 'load', start, end, parent: null };
  const args = value.kind === 'Tuple' ? value.elts : [value];
  return { kind: 'Call', func, args, keywords: [], open: start, start, end, parent: null };
}

/** All members, each by itself where its constructor tells them apart. */
function enumMembers(ev: Evaluator, cls: ClassInfo): Instance[] {
  const any: Instance = { k: 'instance', cls, call: null, viaSelf: false };
  if (!cls.scope.bindings.has('__init__')) return [any];
  const all = [...cls.scope.bindings.keys()].map((name) => enumMember(ev, cls, name)).filter((m) => m !== null);
  return all.length ? all : [any];
}

export function anyMember(ev: Evaluator, cls: ClassInfo): Values {
  const out: Values = new Map();
  for (const m of enumMembers(ev, cls)) add(out, m, 'element');
  return out;
}

/** `Job.__members__`: a mapping from names to members; null for what is no enumeration. */
export function membersMapping(ev: Evaluator, of: Place, values: Values): Values | null {
  const all = [...values.values()].map((v) => v.value);
  if (!all.length || !all.every((v) => v.k === 'class' && isEnumeration(ev, v.cls))) return null;
  return only({ k: 'declared', shape: 'mapping', items: [{ ...of, node: NAMES }, of] }, 'attribute');
}

function hasAssigned({ scope }: ClassInfo): boolean {
  return [...scope.bindings.values()].some((all) => all.some((b) => b.kind === 'assign'));
}

/** What a field of any member holds that its constructor sets; null for anything else. */
export function fieldOfMembers(ev: Evaluator, { cls, call }: Instance, attr: string): Values | null {
  if (call || !cls.scope.attributes.has(attr) || !cls.scope.bindings.has('__init__')) return null;
  // most classes have nothing that could be a member
  if (!hasAssigned(cls) || !isEnumeration(ev, cls)) return null;
  const out: Values = new Map();
  for (const m of enumMembers(ev, cls)) if (m.call) merge(out, ev.attribute(m, attr, 'self-attr'));
  return out.size ? out : null;
}

/** `.value` of a member, or of any; null where nothing is known of it. */
export function anyEnumValue(ev: Evaluator, { cls, call }: Instance): Values | null {
  if (!hasPlainValues(ev, cls)) return null;
  const out: Values = new Map();
  const name = call && names.get(call.node);
  if (name) return behind(ev, cls, name);
  for (const name of cls.scope.bindings.keys()) merge(out, behind(ev, cls, name));
  return [...out.values()].some((v) => v.value.k !== 'unknown') ? out : null;
}

/** `Job.A.value`; null for anything else. */
export function enumValue(ev: Evaluator, { node, ...at }: Omit<Place, 'node'> & { node: Attribute }): Values | null {
  const member = node.value;
  if (node.attr !== 'value' || member.kind !== 'Attribute') return null;
  const [of, ...more] = [...ev.valueAt({ ...at, node: member.value }).values()];
  if (of?.value.k !== 'class' || more.length || !hasPlainValues(ev, of.value.cls)) return null;
  const out = behind(ev, of.value.cls, member.attr);
  return out.size && [...out.values()].every((v) => v.value.k !== 'unknown') ? out : null;
}

/** No `__new__` gives its members other values. */
function hasPlainValues(ev: Evaluator, cls: ClassInfo): boolean {
  return isEnumeration(ev, cls) && !ownBindings(cls, '__new__').length && !ownBindings(cls, 'value').length;
}

/** A function that is assigned is a method, unless `member(run)` says otherwise. */
function behind(ev: Evaluator, cls: ClassInfo, name: string): Values {
  const out: Values = new Map();
  if (/^_/.test(name)) return out;
  for (const b of ownBindings(cls, name))
    if (b.kind === 'assign')
      for (const [key, x] of ev.binding(b)) {
        const inner = wrapped(x.value);
        if (inner) merge(out, ev.valueAt(inner));
        else if (x.value.k !== 'function' && x.value.k !== 'lambda') out.set(key, x);
      }
  return out;
}

/** What `enum.member(run)` makes a value. */
function wrapped(v: Value): Place | null {
  const [arg] = v.k === 'external' && v.q === 'enum.member' ? v.call.node.args : [];
  return v.k === 'external' && arg ? { ...v.call, node: arg } : null;
}
