/** Calls as if they were written in the usual way: `Worker.run(worker, 5)` as `worker.run(5)`, `partial(Worker, 5)()` as `Worker(5)`. */
import type { Call, Expr, Keyword } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { findScope } from './reaching.ts';
import type { FunctionInfo } from './scopes.ts';
import { type CallPlace, type Instance, idOf } from './values.ts';

const shifted = new WeakMap<Call, Call>();

/** A method that is called on its class, with its object as the first argument; null when it is not one, or not known. */
export function onObject(ev: Evaluator, fn: FunctionInfo, call: CallPlace): { self: Instance; call: CallPlace } | null {
  const own = fn.scope.self;
  if (!own || own.classMethod) return null;
  const named = call.node.keywords.find((k) => k.arg === own.name);
  const [first, ...rest] = named ? [named.value, ...call.node.args] : call.node.args;
  if (!first || first.kind === 'Starred') return null;
  const [only, ...more] = [...ev.valueAt({ ...call, node: first }).values()];
  if (only?.value.k !== 'instance' || more.length) return null;
  const node = shifted.get(call.node) ?? {
    ...call.node,
    args: rest,
    keywords: call.node.keywords.filter((k) => k !== named),
  };
  shifted.set(call.node, node);
  return { self: only.value, call: { ...call, node } };
}

/** By the call, then by the partial calls on the way to it: more than one may lead there. */
const joined = new WeakMap<Call, Map<string, Call>>();

/** The call with what `functools.partial` gave before it; what would mean something else at the call is not known there. */
export function withPartial(call: CallPlace, partial: readonly CallPlace[]): CallPlace {
  if (!partial.length) return call;
  const known = joined.get(call.node) ?? new Map<string, Call>();
  joined.set(call.node, known);
  const key = partial.map((p) => idOf(p.node)).join();
  const node = known.get(key) ?? withGiven(call, partial);
  known.set(key, node);
  return { ...call, node };
}

function withGiven(call: CallPlace, partial: readonly CallPlace[]): Call {
  const named = new Map<string | Keyword, Keyword>();
  for (const p of partial)
    for (const k of p.node.keywords) named.set(k.arg ?? k, { ...k, value: asSeen(k.value, p, call) });
  for (const k of call.node.keywords) named.set(k.arg ?? k, k);
  const args = [...partial.flatMap((p) => p.node.args.slice(1).map((e) => asSeen(e, p, call))), ...call.node.args];
  return { ...call.node, args, keywords: [...named.values()] };
}

/** An argument of a partial call as if it stood at the call itself. */
function asSeen(e: Expr, p: CallPlace, call: CallPlace): Expr {
  if (e.kind === 'Starred') return { ...e, value: asSeen(e.value, p, call) };
  const same = p.scope === call.scope && p.block === call.block;
  if (same || e.kind === 'Constant' || isGlobal(e, p, call)) return e;
  const { start, end, parent } = e;
  return { kind: 'Constant', type: 'ellipsis', value: null, start, end, parent };
}

/** A name of the module that is bound once. */
function isGlobal(e: Expr, { scope }: CallPlace, call: CallPlace): boolean {
  const where = e.kind === 'Name' ? findScope(e.id, scope) : null;
  if (e.kind !== 'Name' || where?.kind !== 'module') return false;
  return findScope(e.id, call.scope) === where && where.bindings.get(e.id)?.length === 1;
}
