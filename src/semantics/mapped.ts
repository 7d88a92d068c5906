/** `map(lambda f: f(), jobs)`: what the function makes of each element. */
import type { Call, Expr } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { type LambdaInfo, positionalArgs } from './scopes.ts';
import { type CallPlace, merge, type Proof, type Value, type Values } from './values.ts';

/** The elements of `map(function, iterable)`, given those of the iterable. */
export function mappedValues(ev: Evaluator, map: CallPlace, elements: () => Values): Values {
  const out: Values = new Map();
  for (const { value, proof } of ev.valueAt({ ...map, node: map.node.args[0]! }).values())
    merge(
      out,
      (value.k === 'lambda' ? applied(ev, value.fn, elements) : null) ?? ev.called(value, proof, callOfEach(map), []),
    );
  return out;
}

/** A lambda that calls its parameter, hands it back, or does something else that does not depend on its type. */
function applied(ev: Evaluator, fn: LambdaInfo, elements: () => Values): Values | null {
  const { body, args } = fn.node;
  const [param] = positionalArgs(args);
  const isParam = (n: { kind: string; id?: string }): boolean => n.kind === 'Name' && n.id === param?.arg;
  if (isParam(body)) return elements();
  if (body.kind !== 'Call') return null;
  const at: CallPlace = { node: body, scope: fn.scope, block: fn.scope.root };
  const out: Values = new Map();
  const over = (next: (value: Value, proof: Proof) => Values): Values => {
    for (const { value, proof } of elements().values()) merge(out, next(value, proof));
    return out;
  };
  if (isParam(body.func)) return over((value, proof) => ev.called(value, proof, at, []));
  const { func } = body;
  if (func.kind === 'Attribute' && isParam(func.value))
    return over((value, proof) => {
      const got: Values = new Map();
      for (const m of ev.attribute(value, func.attr, proof).values()) merge(got, ev.called(m.value, m.proof, at, []));
      return got;
    });
  return new Map(ev.returned(fn));
}

const each = new WeakMap<Call, Call>();

/** `map(function, jobs)` calls `function(next(jobs))`. */
function callOfEach({ node, scope, block }: CallPlace): CallPlace {
  const known = each.get(node);
  if (known) return { node: known, scope, block };
  const { start, end, open } = node;
  const [func, ...iterables] = node.args;
  const next: Expr = { kind: 'Name', id: 'next', ctx: 'load', start, end, parent: null };
  const args = iterables.map(
    (of): Call => ({ kind: 'Call', func: next, args: [of], keywords: [], open, start, end, parent: null }),
  );
  const call: Call = { kind: 'Call', func: func!, args, keywords: [], open, start, end, parent: node };
  each.set(node, call);
  return { node: call, scope, block };
}
