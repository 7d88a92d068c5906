/** `create_task(service.run())` where `service` is a parameter: callers know which object that is. */
import { type Evaluator, findScope, isAbstract, isDeclared, type Place, reaching } from '../semantics/index.ts';
import type { Call } from '../syntax/index.ts';
import type { Alternative, ObjectParameter } from './alternatives.ts';
import type { Targets } from './targets.ts';

/** The parameter, or what holds the object among its elements, by which a method is called. */
export function objectCalled(ev: Evaluator, { func }: Call, place: Place): ObjectParameter | undefined {
  if (func.kind !== 'Attribute') return undefined;
  for (const { value } of ev.value(func.value, place.scope, place.block).values()) {
    const of = value.k === 'element' ? value.of : value;
    if (of.k !== 'param') continue;
    const iterable = value.k === 'element';
    return { owner: of.owner, arg: of.arg, role: of.role, iterable, method: func.attr };
  }
  return undefined;
}

/** Callers are asked for objects, too, whose declared class leaves it to others what the method does. */
export function declaredObjects(t: Targets, n: Call, place: Place, all: Alternative[]): Alternative[] {
  const object = abstractMethod(t.ev, n, place) && declaredParameter(n, place);
  return object ? all.map((a) => (a.kind === 'coroutine' ? { ...a, object } : a)) : all;
}

function abstractMethod(ev: Evaluator, { func }: Call, place: Place): boolean {
  if (func.kind !== 'Attribute' || func.value.kind !== 'Name') return false;
  for (const { value } of ev.value(func, place.scope, place.block).values())
    if (value.k === 'function' && value.self && isDeclared(value.self) && isAbstract(ev, value.fn)) return true;
  return false;
}

function declaredParameter({ func }: Call, { scope }: Place): ObjectParameter | null {
  if (func.kind !== 'Attribute' || func.value.kind !== 'Name') return null;
  const b = onlyBinding(func.value, scope);
  const iterable = b?.kind === 'for' && !b.path.length && b.iter.kind === 'Name';
  const from = iterable && b.iter.kind === 'Name' ? onlyBinding(b.iter, b.iterScope) : b;
  if (from?.kind !== 'param') return null;
  const { owner, arg, role } = from;
  return { owner, arg, role, iterable, method: func.attr };
}

function onlyBinding({ id, start }: { id: string; start: number }, scope: Place['scope']) {
  const where = findScope(id, scope);
  const [b, ...more] = where ? reaching(where, id, scope, start) : [];
  return more.length ? undefined : b;
}
