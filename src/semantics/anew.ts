/** What is iterated or indexed, where it is had from `self` or from a declared object: subclasses may have their own. */
import { wholeValue } from './aliases.ts';
import { awaitedValues } from './awaited.ts';
import { lineage } from './classes.ts';
import { isAbstract, isSuper, mayBeOfHeir } from './dispatch.ts';
import type { Evaluator } from './evaluate.ts';
import type { Frame } from './frames.ts';
import { type Heir, membersOfEach } from './heirs.ts';
import { findScope, reaching } from './reaching.ts';
import type { ClassInfo } from './scopes.ts';
import { merge, type Place, type Value, type Values } from './values.ts';

/** The values of one subclass. */
export interface OfHeir {
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
    case 'NamedExpr': {
      const arms =
        node.kind === 'IfExp' ? [node.body, node.orelse] : node.kind === 'BoolOp' ? node.values : [node.value];
      return depth < 4 ? arms.flatMap((arm) => saidAnewAt(ev, { ...place, node: arm }, depth + 1)) : [];
    }
    case 'Name': {
      const given = depth < 4 ? givenTo(place, node.id) : null;
      return given ? saidAnewAt(ev, given, depth + 1) : [];
    }
    default:
      return [];
  }
}

function members(
  ev: Evaluator,
  { node, ...at }: Place & { node: Extract<Place['node'], { kind: 'Attribute' }> },
): OfHeir[] {
  const out: OfHeir[] = [];
  for (const { value: of } of ev.valueAt({ ...at, node: node.value }).values())
    if (isOpen(of)) out.push(...membersOfEach(ev, of, node.attr));
  return out;
}

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
