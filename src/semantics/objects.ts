/** Which object does an expression mean? What is declared to be of a class is, in a known call, what that call gives. */
import { wholeValue } from './aliases.ts';
import { argumentThrough } from './arguments.ts';
import { lineage } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { fieldArgument } from './fields.ts';
import { type Frame, frameOf, NO_FRAME } from './frames.ts';
import type { FramedPlace } from './mapping.ts';
import { boundAt } from './reaching.ts';
import type { Binding, FunctionInfo } from './scopes.ts';
import { type Instance, isDeclared, isKnown, type Place, type Values } from './values.ts';

type Attribute = Extract<Place['node'], { kind: 'Attribute' }>;

const MAX_DEPTH = 8;

export interface Objects {
  readonly ev: Evaluator;
  /** The frame in which an `__init__` of the instance ran. */
  initFrame(instance: Instance, init: FunctionInfo): Frame | null;
}

/** The place at which the object was made or named, as far as the frame tells; the place itself where it does not. */
export function meantAt(o: Objects, place: Place, frame: Frame, depth = 0): FramedPlace {
  const here = { place, frame };
  if (depth > MAX_DEPTH || !isOnlyDeclared(o.ev.valueAt(place))) return here;
  const source = sourceOf(o, place, frame, depth);
  if (!source) return here;
  const found = meantAt(o, source.place, source.frame ?? NO_FRAME, depth + 1);
  // nothing more is known there than the type
  return isKnown(o.ev.settled(o.ev.valueAt(found.place))) ? found : here;
}

function isOnlyDeclared(values: Values): boolean {
  const all = [...values.values()].filter((v) => v.value.k !== 'none');
  return all.length > 0 && all.every((v) => isDeclared(v.value));
}

function sourceOf(o: Objects, place: Place, frame: Frame, depth: number): FramedPlace | null {
  const { node } = place;
  if (node.kind === 'Name') return ofName(o, place, frame);
  return node.kind === 'Attribute' ? ofAttribute(o, place, node, frame, depth) : null;
}

function ofName(o: Objects, place: Place, frame: Frame): FramedPlace | null {
  const [b, ...more] = boundAt(place.node, place.scope);
  if (!b || more.length) return null;
  return b.kind === 'param' ? ofParameter(o, b, frame) : assigned(b, frame);
}

function assigned(b: Binding, frame: Frame | null): FramedPlace | null {
  const node = wholeValue(b);
  return node && { place: { node, scope: b.scope, block: b.block }, frame };
}

function ofParameter(o: Objects, b: Extract<Binding, { kind: 'param' }>, frame: Frame): FramedPlace | null {
  const { owner, arg, role } = b;
  const known = role === 'normal' && owner.type === 'function' ? frameOf(owner, frame) : null;
  if (!known || owner.type !== 'function') return null;
  for (const call of known.calls) {
    const given = argumentThrough(o.ev, owner, arg, call);
    if (given) return given === 'unknown' ? null : given;
  }
  const outer = owner.scope.parent ?? owner.scope;
  return arg.default ? { place: { node: arg.default, scope: outer, block: outer.root }, frame: NO_FRAME } : null;
}

/** `self.config`, which `__init__` or the fields of a dataclass hold. */
function ofAttribute(o: Objects, place: Place, n: Attribute, frame: Frame, depth: number): FramedPlace | null {
  const owner = ownerOf(o, { ...place, node: n.value }, frame, depth);
  if (!owner?.call) return null;
  const given = fieldArgument(o.ev, owner, n.attr);
  if (given) return given === 'unknown' ? null : given;
  for (const cls of lineage(o.ev, owner.cls)) {
    const [b, ...more] = cls.scope.attributes.get(n.attr) ?? [];
    if (!b) continue;
    const { fn } = b.scope;
    if (more.length || !fn || fn.node.name !== '__init__') return null;
    const inner = o.initFrame(owner, fn);
    return inner && assigned(b, inner);
  }
  return null;
}

function ownerOf(o: Objects, place: Place, frame: Frame, depth: number): Instance | null {
  const meant = meantAt(o, place, frame, depth + 1);
  const [only, ...more] = [...o.ev.valueAt(meant.place).values()];
  if (only?.value.k !== 'instance' || more.length) return null;
  const seen = o.ev.seen(only.value, meant.frame ?? NO_FRAME);
  return seen.k === 'instance' ? seen : null;
}
