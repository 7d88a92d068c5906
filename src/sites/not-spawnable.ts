/** Calls that make something other than a coroutine: spawning it raises a TypeError. */

import { type Evaluator, type FunctionInfo, returnsOf } from '../semantics/index.ts';
import type { Expr } from '../syntax/index.ts';
import type { Alternative } from './alternatives.ts';
import { isStub } from './stubs.ts';

export function notSpawnable(ev: Evaluator, fn: FunctionInfo): Extract<Alternative, { kind: 'not-spawnable' }> | null {
  const { name, isAsync, decorators } = fn.node;
  const as = (async: boolean, why: string): ReturnType<typeof notSpawnable> => ({
    kind: 'not-spawnable',
    fn,
    name,
    async,
    why,
  });
  if (isAsync && fn.isGenerator)
    return as(true, `${name} is an async generator, not a coroutine: iterate over it in a coroutine`);
  // a decorator may make a coroutine of it
  if (isAsync || decorators.length) return null;
  if (fn.isGenerator) return as(false, `${name} is a generator, not a coroutine: it cannot be spawned`);
  if (isStub(fn)) return null;
  const returned = returnsOf(fn);
  if (!returned.every((place) => isPlain(place.node) || onlyNone(ev, place))) return null;
  const what = returned.every((place) => onlyNone(ev, place)) ? 'nothing' : 'a value that is not a coroutine';
  return as(false, `${name} is a plain function that returns ${what}: it cannot be spawned`);
}

function isPlain(n: Expr): boolean {
  if (n.kind === 'IfExp') return isPlain(n.body) && isPlain(n.orelse);
  return [
    'Constant',
    'JoinedStr',
    'List',
    'Tuple',
    'Dict',
    'Set',
    'ListComp',
    'SetComp',
    'DictComp',
    'Compare',
  ].includes(n.kind);
}

function onlyNone(ev: Evaluator, place: Parameters<Evaluator['valueAt']>[0]): boolean {
  const values = [...ev.valueAt(place).values()];
  return values.length > 0 && values.every((v) => v.value.k === 'none');
}
