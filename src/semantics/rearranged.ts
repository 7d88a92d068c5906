/** Calls as if they were written in the usual way: `Worker.run(worker, 5)` as `worker.run(5)`, `partial(Worker, 5)()` as `Worker(5)`. */
import type { Call, Keyword } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import type { FunctionInfo } from './scopes.ts';
import type { CallPlace, Instance } from './values.ts';

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

const joined = new WeakMap<Call, Call>();

/** The call with what `functools.partial` gave before it, where that means the same at the call. */
export function withPartial(call: CallPlace, partial: readonly CallPlace[]): CallPlace {
  if (!partial.length || !partial.every((p) => meansTheSame(p, call))) return call;
  let node = joined.get(call.node);
  if (!node) {
    const named = new Map<string | Keyword, Keyword>();
    for (const k of [...partial.flatMap((p) => p.node.keywords), ...call.node.keywords]) named.set(k.arg ?? k, k);
    const args = [...partial.flatMap((p) => p.node.args.slice(1)), ...call.node.args];
    node = { ...call.node, args, keywords: [...named.values()] };
    joined.set(call.node, node);
  }
  return { ...call, node };
}

function meansTheSame(p: CallPlace, call: CallPlace): boolean {
  const given = [...p.node.args.slice(1), ...p.node.keywords.map((k) => k.value)];
  return (p.scope === call.scope && p.block === call.block) || given.every((e) => e.kind === 'Constant');
}
