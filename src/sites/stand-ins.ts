/** Nodes for calls and names that are written nowhere, and the name that a coroutine goes by. */
import type { CallPlace, Evaluator, FunctionInfo, Place, Value } from '../semantics/index.ts';
import type { Attribute, Call, Expr } from '../syntax/index.ts';
import { dottedName } from './project.ts';

/** A stand-in call for a callable that the API calls itself: the API's own call, its leading arguments dropped by the caller. */
const madeUp = new WeakSet<Call>();

export function callHolding(at: Place): CallPlace {
  const p = at.node.parent;
  const rest = p?.kind === 'Call' ? p.args.slice(p.args.indexOf(at.node) + 1) : [];
  const { start, end, parent } = at.node;
  const node: Call = { kind: 'Call', func: at.node, args: rest, keywords: [], open: end, start, end, parent };
  madeUp.add(node);
  return { node, scope: at.scope, block: at.block };
}

/** The member that is called, or handed on to be called: `worker.run` of `worker.run()`, and its call. */
export function memberCalled(place: Place): { member: Attribute | null; call: CallPlace } {
  const { node } = place;
  const member = node.kind === 'Call' ? node.func : node;
  const call: CallPlace = node.kind === 'Call' ? { ...place, node } : callHolding(place);
  return { member: member.kind === 'Attribute' ? member : null, call };
}

/** A stand-in for a call whose arguments are not known. */
export function unknownCall({ node, scope, block }: CallPlace): CallPlace {
  const { start, end, parent, func, open } = node;
  const star: Expr = { kind: 'Starred', value: func, ctx: 'load', start, end, parent: null };
  const call: Call = { kind: 'Call', func, args: [star], keywords: [], open, start, end, parent };
  madeUp.add(call);
  return { node: call, scope, block };
}

/** A stand-in expression for a function that comes out of a container: it is named after its definition. */
export function nameless(fn: FunctionInfo, place: Place): Place {
  const { name, nameSpan } = fn.node;
  return {
    ...place,
    node: { kind: 'Name', id: name, ctx: 'load', start: nameSpan.start, end: nameSpan.end, parent: null },
  };
}

/** The name as written where the coroutine is made, unless that is a mere variable. */
export function nameFor(ev: Evaluator, v: Extract<Value, { k: 'coroutine' }>, at: Place): string {
  const func = v.call.node.func;
  const given = madeUp.has(v.call.node) ? at.node : func;
  const host = madeUp.has(v.call.node) || v.call.node === at.node || at.node.kind !== 'Call' ? given : null;
  const name = host ? dottedName(host) : null;
  if (!name) return v.fn.node.name;
  if (host!.kind !== 'Name') return name;
  if (host!.parent === null) return name;
  const written = ev.value(host!, v.call.scope, v.call.block);
  const direct = [...written.values()].every((x) => x.proof === 'import' || x.proof === 'definition');
  return direct && written.size === 1 ? name : v.fn.node.name;
}
