/** What is iterated or indexed, where it is had from `self` or from a declared object: subclasses may have their own. */

import { isSuper } from '../syntax/index.ts';
import { wholeValue } from './aliases.ts';
import { awaitedValues } from './awaited.ts';
import { isProperty, lineage, ownBindings } from './classes.ts';
import { isAbstract, mayBeOfHeir } from './dispatch.ts';
import type { Evaluator } from './evaluate.ts';
import type { Frame } from './frames.ts';
import { type Heir, membersOfEach } from './heirs.ts';
import { findScope, reaching } from './reaching.ts';
import { returnsOf } from './returns.ts';
import type { ClassInfo } from './scopes.ts';
import { merge, type Place, type Value, type Values } from './values.ts';

/** The values of one subclass. */
interface OfHeir {
  heir: ClassInfo;
  values: Values;
}

/** What objects of subclasses have in the place of `self.jobs`, `self.jobs()` or `await self.jobs()`. */
export function saidAnewAt(ev: Evaluator, place: Place, depth = 0): OfHeir[] {
  const { node } = place;
  switch (node.kind) {
    case 'Attribute':
      return isSuper(node.value) ? [] : members(ev, { ...place, node });
    case 'Call': {
      const { func } = node;
      if (func.kind !== 'Attribute' || isSuper(func.value)) return [];
      return members(ev, { ...place, node: func }).map(({ heir, values }) => ({
        heir,
        values: each(values, (v) => ev.called(v, 'inherited', { ...place, node }, [])),
      }));
    }
    case 'Await':
      return saidAnewAt(ev, { ...place, node: node.value }, depth).map(({ heir, values }) => ({
        heir,
        values: awaitedValues(ev, values),
      }));
    case 'IfExp':
    case 'BoolOp':
    case 'NamedExpr':
      return depth < MAX_DEPTH ? armsOf(node).flatMap((arm) => saidAnewAt(ev, { ...place, node: arm }, depth + 1)) : [];
    case 'Name': {
      const given = depth < MAX_DEPTH ? givenTo(place, node.id) : null;
      return given ? saidAnewAt(ev, given, depth + 1) : [];
    }
    default:
      return [];
  }
}

type AttributePlace = Place & { node: Extract<Place['node'], { kind: 'Attribute' }> };

/** The expressions of which one is the value. */
function armsOf(node: Place['node']): readonly Place['node'][] {
  switch (node.kind) {
    case 'IfExp':
      return [node.body, node.orelse];
    case 'BoolOp':
      return node.values;
    case 'NamedExpr':
      return [node.value];
    default:
      return [];
  }
}

function members(ev: Evaluator, { node, ...at }: AttributePlace): OfHeir[] {
  const out: OfHeir[] = [];
  for (const { value: of } of ev.valueAt({ ...at, node: node.value }).values())
    if (isOpen(of)) out.push(...membersOfEach(ev, of, node.attr));
  return out;
}

const MAX_DEPTH = 4;

function isOpen(v: Value): v is Heir {
  return v.k === 'class' ? v.viaSelf === true : v.k === 'instance' && mayBeOfHeir(v);
}

function each(values: Values, next: (v: Value) => Values): Values {
  const out: Values = new Map();
  for (const { value } of values.values()) merge(out, next(value));
  return out;
}

/** `jobs = self.jobs`, and nothing else. */
function givenTo(place: Place, id: string): Place | null {
  const where = findScope(id, place.scope);
  const [b, ...more] = where ? reaching(where, id, place.scope, place.node.start) : [];
  const node = b && !more.length ? wholeValue(b) : null;
  return b && node ? { node, scope: b.scope, block: b.block } : null;
}

/**
 * What subclasses have in the place of an object, be it made of something that they say anew: `self.worker`, where that
 * was set to `self.worker_class()`.
 */
export function objectsAnew(ev: Evaluator, place: Place, seen: Set<Place['node']> = new Set()): Values {
  const { node } = place;
  const out: Values = new Map();
  if (seen.has(node) || seen.size > MAX_SOURCES) return out;
  seen.add(node);
  const at = (of: Place['node']): Values => objectsAnew(ev, { ...place, node: of }, seen);
  for (const { values } of node.kind === 'Call' || node.kind === 'Attribute' ? saidAnewAt(ev, place) : [])
    merge(out, values);
  if (node.kind === 'Call')
    merge(
      out,
      each(at(node.func), (v) => ev.called(v, 'inherited', { ...place, node }, [])),
    );
  else if (node.kind === 'Await') merge(out, awaitedValues(ev, at(node.value)));
  for (const source of sourcesAt(ev, place)) merge(out, objectsAnew(ev, source, seen));
  return out;
}

/** So many expressions are looked at on the way to one object. */
const MAX_SOURCES = 40;

/** The expressions that an object comes from, as far as its class or a method of it tells. */
function sourcesAt(ev: Evaluator, place: Place): Place[] {
  const { node } = place;
  if (node.kind === 'Name') return [givenTo(place, node.id)].filter((p) => p !== null);
  if (node.kind === 'Call') return node.func.kind === 'Attribute' ? returnedBy(ev, { ...place, node: node.func }) : [];
  return node.kind === 'Attribute'
    ? assignedTo(ev, { ...place, node })
    : armsOf(node).map((arm) => ({ ...place, node: arm }));
}

/** What the method returns that is called on `self`. */
function returnedBy(ev: Evaluator, place: Place): Place[] {
  return [...ev.valueAt(place).values()].flatMap(({ value: v }) =>
    v.k === 'function' && v.self && mayBeOfHeir(v.self) && !v.fn.isGenerator ? returnsOf(v.fn) : [],
  );
}

/** What an attribute of `self` is set to, or its property returns. */
function assignedTo(ev: Evaluator, { node, ...at }: AttributePlace): Place[] {
  const out: Place[] = [];
  for (const { value: of } of ev.valueAt({ ...at, node: node.value }).values()) {
    if (!isOpen(of)) continue;
    const cls = lineage(ev, of.cls).find((c) => hasOwn(c, node.attr));
    for (const b of cls ? [...(cls.scope.attributes.get(node.attr) ?? []), ...ownBindings(cls, node.attr)] : []) {
      const value = wholeValue(b);
      if (value) out.push({ node: value, scope: b.scope, block: b.block });
      else if (b.kind === 'def' && isProperty(b.fn)) out.push(...returnsOf(b.fn));
    }
  }
  return out;
}

function hasOwn({ scope }: ClassInfo, name: string): boolean {
  return scope.attributes.has(name) || scope.bindings.has(name);
}

/** Is it what a method hands back that is there to be overridden? */
export function isLeftToHeirs(ev: Evaluator, place: Place): boolean {
  const all = [...ev.valueAt(place).values()];
  return (
    all.length > 0 && all.every(({ value: v }) => v.k === 'result' && v.fn.type === 'function' && isAbstract(ev, v.fn))
  );
}

/** Whose objects have it: those of one subclass (null: of the class itself), where others say it anew, too. */
export interface Whose {
  heir: ClassInfo | null;
  heirs: readonly ClassInfo[];
}

/** Is the object of a known call none of them? */
export function isOther(ev: Evaluator, { heir, heirs }: Whose, { self }: Frame): boolean {
  if (!self || mayBeOfHeir(self)) return false;
  const line = lineage(ev, self.cls);
  const base = heirs.every((h) => lineage(ev, h).includes(self.cls));
  const nearest = line.find((c) => heirs.includes(c));
  return (base || nearest !== undefined) && (nearest ?? null) !== heir;
}
