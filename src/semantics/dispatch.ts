/** Which method runs, when `self` is known to be an instance of a subclass? */
import { isSuper, lastNameOf } from '../syntax/index.ts';
import { lineage, ownBindings } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import type { Frame } from './frames.ts';
import { type Inherited, methodsOfHeirs } from './heirs.ts';
import { instanceFrom, methods } from './receivers.ts';
import { type ClassInfo, type FunctionInfo, methodScope } from './scopes.ts';
import { type CallPlace, type Instance, isDeclared, namesIn, type Place } from './values.ts';

/** `self` is what the known call says it is. */
export function realSelf(ev: Evaluator, self: Instance | null, frame: Frame): Instance | null {
  return self && instanceFrom(ev, self, frame);
}

/** The method that a call reaches: the real class's own, or by `super()` the next one. */
export function dispatched(
  ev: Evaluator,
  fn: FunctionInfo,
  call: CallPlace,
  seen: Instance | null,
  real: Instance | null,
): FunctionInfo {
  const { func } = call.node;
  if (func.kind === 'Attribute' && isSuper(func.value)) {
    const own = methodClass(call);
    return (own && superMethod(ev, own, real?.cls ?? own, func.attr)) ?? fn;
  }
  if (!real || !seen || real === seen || !fn.cls || real.cls === seen.cls) return fn;
  return methods(ev, real, fn.node.name)[0] ?? fn;
}

/**
 * What may run in the place of a method that is called on `self`, or on an object of which only the type is known: the
 * same method of the subclasses.
 */
export function overridden(
  ev: Evaluator,
  fn: FunctionInfo,
  self: Instance | null,
  { node: { func } }: CallPlace,
): Inherited[] {
  if (!self || !fn.cls || !mayBeOfHeir(self) || (func.kind === 'Attribute' && isSuper(func.value))) return [];
  const { name } = fn.node;
  // looked up past the class
  if (!methods(ev, self, name).includes(fn)) return [];
  return methodsOfHeirs(ev, self, name).filter((m) => m.fn !== fn);
}

/** May it be of a subclass? */
export function mayBeOfHeir(self: Instance): boolean {
  return !self.after && (self.viaSelf || isDeclared(self));
}

/** Is a method there to be overridden: it never runs for an object? */
export function isAbstract(ev: Evaluator, { cls, node }: FunctionInfo): boolean {
  if (!cls) return false;
  return node.decorators.some((d) => lastNameOf(d).startsWith('abstract')) || raisesAlone(node) || isProtocol(ev, cls);
}

/** `raise NotImplementedError` is all that it does. */
function raisesAlone({ body }: FunctionInfo['node']): boolean {
  const [only, ...more] = body.filter((s) => s.kind !== 'ExprStmt' || s.value.kind !== 'Constant');
  if (only?.kind !== 'Raise' || more.length || !only.exc) return false;
  return lastNameOf(only.exc.kind === 'Call' ? only.exc.func : only.exc) === 'NotImplementedError';
}

/** `class Job(Protocol)`: its objects are of other classes, which need not derive from it. */
function isProtocol(ev: Evaluator, cls: ClassInfo): boolean {
  const at = cls.module.scopeOf.get(cls.node)!;
  return cls.node.bases.some((base) => {
    const node = base.kind === 'Subscript' ? base.value : base;
    return namesIn(ev.valueAt({ ...at, node })).some((q) => /(^|\.)Protocol$/.test(q));
  });
}

/** The method of the class that follows `own` in the order of the real class. */
export function superMethod(ev: Evaluator, own: ClassInfo, real: ClassInfo, name: string): FunctionInfo | null {
  const line = lineage(ev, real);
  const order = line.includes(own) ? line : lineage(ev, own);
  for (const cls of order.slice(order.indexOf(own) + 1)) {
    const found = ownBindings(cls, name).at(-1);
    if (found?.kind === 'def') return found.fn;
  }
  return null;
}

/** The class in whose method a place stands. */
export function methodClass(place: Omit<Place, 'node'>): ClassInfo | null {
  return methodScope(place.scope)?.self.cls ?? null;
}
