/** `create_task(service.run())` where `service` is a parameter: callers know which object that is. */
import {
  boundAt,
  type Evaluator,
  isAbstract,
  isDeclared,
  lineage,
  type Place,
  wholeValue,
} from '../semantics/index.ts';
import type { Call, Expr } from '../syntax/index.ts';
import type { Alternative, ObjectParameter } from './alternatives.ts';
import type { Targets } from './targets.ts';

/** The parameter, or what holds the object among its elements, by which a method is called. */
export function objectCalled(ev: Evaluator, { func }: Call, place: Place): ObjectParameter | undefined {
  if (func.kind !== 'Attribute') return undefined;
  for (const { value } of ev.value(func.value, place.scope, place.block).values()) {
    const made = value.k === 'unknown' && value.of && 'call' in value.of ? value.of : undefined;
    const from = made ? made.base : value;
    const of = from.k === 'element' ? from.of : from;
    if (of.k !== 'param') continue;
    const { owner, arg, role } = of;
    return { owner, arg, role, iterable: from.k === 'element', method: func.attr, ...(made && { made }) };
  }
  return undefined;
}

/** Callers are asked for objects, too, whose declared class leaves it to others what the method does. */
export function declaredObjects(t: Targets, n: Call, place: Place, all: Alternative[]): Alternative[] {
  const object = abstractMethod(t.ev, n, place) && declaredParameter(t.ev, n, place);
  return object ? all.map((a) => (a.kind === 'coroutine' ? { ...a, object } : a)) : all;
}

function abstractMethod(ev: Evaluator, { func }: Call, place: Place): boolean {
  if (func.kind !== 'Attribute') return false;
  for (const { value } of ev.value(func, place.scope, place.block).values())
    if (value.k === 'function' && value.self && isDeclared(value.self) && isAbstract(ev, value.fn)) return true;
  return false;
}

function declaredParameter(ev: Evaluator, { func }: Call, place: Place): ObjectParameter | null {
  if (func.kind !== 'Attribute') return null;
  const b = func.value.kind === 'Name' ? onlyBinding(func.value, place.scope) : undefined;
  const iterable = b?.kind === 'for' && !b.path.length;
  const from =
    iterable && (b.kind === 'for' || b.kind === 'async for')
      ? parameterAt(ev, { node: b.iter, scope: b.iterScope, block: b.block })
      : parameterAt(ev, { ...place, node: func.value });
  return from && { ...from, iterable, method: func.attr };
}

type Parameter = Pick<ObjectParameter, 'owner' | 'arg' | 'role'>;

/** The parameter that a name stands for, or `self.name`, be it copied: `self.workers = list(workers)`. */
function parameterAt(ev: Evaluator, { node, ...at }: Place, depth = 0): Parameter | null {
  if (depth > 3) return null;
  if (node.kind === 'Call' && node.func.kind === 'Name' && COPIES.has(node.func.id) && node.args.length === 1)
    return parameterAt(ev, { ...at, node: node.args[0]! }, depth + 1);
  const b =
    node.kind === 'Name' ? onlyBinding(node, at.scope) : node.kind === 'Attribute' ? setOn(ev, { ...at, node }) : null;
  if (b?.kind === 'param') return b;
  const whole = b && wholeValue(b);
  return b && whole ? parameterAt(ev, { node: whole, scope: b.scope, block: b.block }, depth + 1) : null;
}

const COPIES: ReadonlySet<string> = new Set(['list', 'tuple', 'set', 'sorted']);

/** The only thing that an attribute of `self` is set to. */
function setOn(ev: Evaluator, { node, ...at }: Place & { node: Extract<Place['node'], { kind: 'Attribute' }> }) {
  const [self, ...others] = [...ev.valueAt({ ...at, node: node.value }).values()];
  if (self?.value.k !== 'instance' || others.length) return undefined;
  const all = lineage(ev, self.value.cls).flatMap((c) => c.scope.attributes.get(node.attr) ?? []);
  return all.length === 1 ? all[0] : undefined;
}

function onlyBinding(name: Expr, scope: Place['scope']) {
  const [b, ...more] = boundAt(name, scope);
  return more.length ? undefined : b;
}
