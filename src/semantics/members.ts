/** What is inside a value: attributes of modules, classes and instances, entries of containers. */
import type { Expr } from '../syntax/index.ts';
import { annotationValue } from './annotations.ts';
import { classMember, externalMember, lineage, ownBindings } from './classes.ts';
import { givenToField } from './constructions.ts';
import { mayBeOfHeir } from './dispatch.ts';
import { elementsOf } from './elements.ts';
import { anyEnumValue, anyMember, enumMember, fieldOfMembers } from './enum-values.ts';
import type { Evaluator } from './evaluate.ts';
import { fieldArgument, isEnumeration } from './fields.ts';
import { ofInstance } from './handed.ts';
import { moduleNamed } from './libraries.ts';
import { textsOf } from './literals.ts';
import { isShort } from './made.ts';
import { setsAnyField } from './open-fields.ts';
import { memberNamed } from './qualified.ts';
import { recordField } from './records.ts';
import type { Block, ClassInfo, Scope } from './scopes.ts';
import { isKnown, merge, only, type Place, type Proof, unknown, type Value, type Values } from './values.ts';

/** Members of one value. */
export function memberOf(ev: Evaluator, v: Value, attr: string, proof: Proof): Values {
  switch (v.k) {
    case 'name':
      return only({ k: 'name', q: memberNamed(ev.table, v.q, attr) }, proof);
    case 'module':
      return ev.imports.exported(v.module, attr) ?? unknown('no such member');
    case 'namespace': {
      const got = ev.graph.at(v.root, `${v.name}.${attr}`);
      return got ? only(got, proof) : unknown('no such module');
    }
    case 'instance':
    case 'class':
      if (attr === '__class__' && v.k === 'instance')
        return only({ k: 'class', cls: v.cls, viaSelf: v.viaSelf, free: v.free }, proof);
      return (
        (attr === 'value' && v.k === 'instance' ? anyEnumValue(ev, v) : null) ??
        (v.k === 'instance' ? fieldOfMembers(ev, v, attr) : memberOfEnum(ev, v.cls, attr)) ??
        givenField(ev, v, attr) ??
        members(ev, v, attr) ??
        externalMember(ev, v, attr, proof) ??
        unknown('no such attribute')
      );
    case 'external':
      // tasks and futures know their loop
      return attr === 'get_loop' ? only({ k: 'name', q: 'TASK.get_loop' }, proof) : unknown();
    case 'result': {
      const how = proof === 'inherited' ? proof : 'returned';
      return ev.ofResult(v, (value) => (value.k === 'none' ? new Map() : ev.attribute(value, attr, how)));
    }
    case 'display':
      return recordField(ev, v, attr) ?? unknown();
    case 'function':
      // other ways to name the function itself
      if (attr === '__call__' || attr === '__wrapped__') return only(v, proof);
      return attr === '__func__' ? only({ ...v, self: null }, proof) : unknown();
    default:
      return isShort(v) ? only({ k: 'unknown', why: 'unknown', of: { base: v, attr } }, 'unknown') : unknown();
  }
}

function members(ev: Evaluator, v: Extract<Value, { k: 'instance' | 'class' }>, attr: string): Values | null {
  const got = classMember(ev, v, attr);
  if (!got || v.k !== 'instance') return got;
  const found = ofInstance(ev, got, v);
  const started = [...got.values()].filter((x) => STARTED.has(x.value.k));
  if (!started.length) return found;
  const isOpen = started.some((x) => x.proof !== 'method') && setsAnyField(ev, v.cls);
  const own =
    isOpen || lineage(ev, v.cls).some((c) => c.scope.bindings.has('__getattribute__'))
      ? merge(new Map(found), unknown('field'))
      : found;
  if (!mayBeOfHeir(v)) return own;
  const given = givenToField(ev, v.cls, attr);
  return given.size ? merge(new Map(own), given) : own;
}

function memberOfEnum(ev: Evaluator, cls: ClassInfo, name: string): Values | null {
  const member = enumMember(ev, cls, name);
  return member && only(member, 'attribute');
}

/** A default of these kinds is not all that a field may hold; of others nothing is started. */
const STARTED: ReadonlySet<Value['k']> = new Set(['function', 'lambda', 'partial', 'display']);

/**
 * What the call that made an instance gives to a field of its class, such as that of a dataclass, or what that field is
 * declared to be; null when its default holds.
 */
function givenField(ev: Evaluator, v: Value, attr: string): Values | null {
  if (v.k !== 'instance' || !v.call) return null;
  for (const cls of lineage(ev, v.cls))
    for (const b of ownBindings(cls, attr)) {
      const given = b.kind === 'annotated' ? fieldArgument(ev, v, attr) : null;
      if (!given || b.kind !== 'annotated') continue;
      const values = given === 'unknown' ? unknown('field') : ev.valueAt(given.place);
      return isKnown(values) ? values : (annotationValue(ev, b.annotation, b.scope, b.block) ?? values);
    }
  return null;
}

export function subscript(ev: Evaluator, n: Extract<Expr, { kind: 'Subscript' }>, scope: Scope, block: Block): Values {
  const index = n.slice;
  const place = { node: n.value, scope, block };
  for (const { value } of ev.valueAt(place).values()) {
    if (value.k === 'name' && value.q === 'sys.modules' && index.kind === 'Constant')
      return moduleNamed(ev, String(index.value), scope);
    if (value.k === 'name' && value.q === 'sys.modules' && index.kind === 'Name' && index.id === '__name__')
      return only({ k: 'module', module: scope.module }, 'import_module');
    if (value.k === 'external' && value.q === 'builtins.globals') return globalNamed(ev, index, scope, block);
    // `Job["A"]`: one of its members
    if (value.k === 'class' && isEnumeration(ev, value.cls))
      return (
        (index.kind === 'Constant' ? memberOfEnum(ev, value.cls, String(index.value)) : null) ??
        anyMember(ev, value.cls)
      );
    // `list[Engine]`, `Box[int]`: as a type
    if (value.k === 'name' || value.k === 'class') return only({ k: 'type', place: { node: n, scope, block } }, 'type');
  }
  if (index.kind === 'UnaryOp' && index.op === '-' && index.operand.kind === 'Constant' && index.operand.type === 'int')
    return elementsOf(ev, place, [-Number(index.operand.value)], true);
  if (index.kind === 'Constant' && index.type === 'int') return elementsOf(ev, place, [index.value as number], true);
  if (index.kind === 'Constant' && index.type === 'str') return elementsOf(ev, place, [index.value as string], true);
  if (index.kind === 'Slice') return slice(ev, { node: n, scope, block }, ev.valueAt(place));
  return elementsOf(ev, place, ['*'], true);
}

/** A part of a list that is known is one itself. */
function slice(ev: Evaluator, place: Place, of: Values): Values {
  const all = [...ev.settled(of).values()].map((v) => v.value.k);
  return all.some((k) => k === 'display' || k === 'declared')
    ? only({ k: 'display', place }, 'display')
    : unknown('slice');
}

/** `globals()["run_x"]`. */
function globalNamed(ev: Evaluator, index: Expr, scope: Scope, block: Block): Values {
  const out: Values = new Map();
  for (const name of textsOf(ev, { node: index, scope, block }) ?? [])
    merge(out, ev.imports.exported(scope.module, name) ?? unknown('no such global'));
  return out.size ? out : unknown('globals');
}
