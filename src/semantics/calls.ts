/** What calls give: instances, coroutines, results, what the library makes, elements taken out of containers. */
import type { Call, Expr } from '../syntax/index.ts';
import { classMember } from './classes.ts';
import { copied } from './copies.ts';
import { isDictOf, isMapping } from './element.ts';
import { elementsOf } from './elements.ts';
import { constantKey } from './entries.ts';
import type { Evaluator } from './evaluate.ts';
import { isTypedDict } from './fields.ts';
import { dictCalled } from './keyword-dicts.ts';
import { callExternal, enteredContext } from './libraries.ts';
import { textsOf } from './literals.ts';
import { isShort } from './made.ts';
import { takenNow } from './queues.ts';
import { onObject, withPartial } from './rearranged.ts';
import { namespaceMade, recordMade } from './records.ts';
import type { Block, Scope } from './scopes.ts';
import { type CallPlace, merge, only, type Proof, unknown, type Value, type Values } from './values.ts';

export function callValue(ev: Evaluator, n: Call, scope: Scope, block: Block): Values {
  const place: CallPlace = { node: n, scope, block };
  const entered =
    enteredContext(ev, place) ?? containerMethod(ev, n, scope, block) ?? takenNow(ev, place) ?? copied(ev, place);
  if (entered) return entered;
  const out: Values = new Map();
  const callees = ev.value(n.func, scope, block);
  // None is not called
  for (const { value, proof } of callees.values())
    if (value.k !== 'none' || callees.size === 1) merge(out, ev.called(value, proof, place, []));
  return out.size ? out : unknown();
}

/** `JOBS.get("b")`, `JOBS.pop()`: an element of a known container. */
function containerMethod(ev: Evaluator, n: Call, scope: Scope, block: Block): Values | null {
  if (n.func.kind !== 'Attribute' || !['get', 'pop', 'popleft', 'popitem', 'setdefault'].includes(n.func.attr))
    return null;
  const object = ev.settled(ev.value(n.func.value, scope, block));
  if (![...object.values()].some((v) => v.value.k === 'display' || v.value.k === 'declared')) return null;
  const key = n.args[0];
  const step =
    key?.kind === 'Constant' && (key.type === 'str' || key.type === 'int') ? (key.value as string | number) : '*';
  const place = { node: n.func.value, scope, block };
  const isDict = [...object.values()].some(({ value }) =>
    value.k === 'display'
      ? isMapping(value.place.node) || isDictOf(ev, value.place)
      : value.k === 'declared' && value.shape === 'mapping',
  );
  if (!isDict) return elementsOf(ev, place, [], false);
  const found = elementsOf(ev, place, [step], true);
  const otherwise = n.args[1];
  // a constant is nothing that is called, or taken a method of
  if (!otherwise || otherwise.kind === 'Constant') return found;
  if ([...object.values()].every(({ value }) => value.k === 'display' && isThere(value.place.node, step))) return found;
  return merge(new Map(found), ev.value(otherwise, scope, block), 'element');
}

/** Is a key written in a dict, so that no default counts? */
function isThere(dict: Expr, key: string | number): boolean {
  return dict.kind === 'Dict' && dict.keys.some((k) => k && constantKey(k) === key);
}

/** A loop, a task group and the like, by its annotation. */
function isKind(values: Values): boolean {
  return [...values.values()].every((v) => v.value.k === 'name');
}

/** The result of calling one value. `partial` holds the `functools.partial` calls on the way, outermost first. */
export function calledValue(ev: Evaluator, v: Value, proof: Proof, call: CallPlace, partial: CallPlace[]): Values {
  switch (v.k) {
    case 'name':
      return namespaceMade(v.q, withPartial(call, partial)) ?? callExternal(ev, v.q, proof, call);
    case 'function': {
      const { fn, self } = v;
      const own = self || partial.length ? null : onObject(ev, fn, call);
      // `Base.run(self)` means that very method, whatever the class of `self` is
      if (own && !own.self.viaSelf) return calledValue(ev, { ...v, self: own.self }, proof, own.call, partial);
      // `test.support.import_module("asyncio")` and the like hand on what they are named after
      if (fn.node.name === 'import_module')
        return callExternal(ev, fn.qualname.includes('.') ? fn.qualname : `.${fn.qualname}`, proof, call);
      if (fn.node.isAsync && !fn.isGenerator)
        return only({ k: 'coroutine', fn, self, call, partial, closure: v.closure }, proof);
      const made: Value = { k: 'result', fn, self, call, partial };
      const note = ev.declaredReturn(fn);
      if (!note || (!isKind(note) && ev.handedBack(fn) !== note)) return only(made, proof);
      return ev.ofResult(made, (value) => only(value, 'annotation'));
    }
    case 'lambda':
      return only({ k: 'result', fn: v.fn, self: null, call, partial }, proof);
    case 'class':
      if (isTypedDict(ev, v.cls))
        return only({ k: 'display', place: { ...call, node: dictCalled(withPartial(call, partial).node) } }, proof);
      return only(
        { k: 'instance', cls: v.cls, call: withPartial(call, partial), viaSelf: v.viaSelf ?? false, free: v.free },
        proof,
      );
    case 'type': {
      const head = v.place.node.kind === 'Subscript' ? ev.valueAt({ ...v.place, node: v.place.node.value }) : null;
      const generic = [...(head?.values() ?? [])].find((x) => x.value.k === 'class')?.value;
      return generic ? ev.called(generic, proof, call, partial) : unknown('call of a type');
    }
    case 'partial':
      return ev.called(v.base, 'partial', call, [v.call, ...partial]);
    case 'instance': {
      const method = classMember(ev, v, '__call__');
      const out: Values = new Map();
      for (const m of method?.values() ?? [])
        if (m.value.k === 'function') merge(out, ev.called(m.value, proof, call, partial));
      return out.size ? out : unknown('call of an instance');
    }
    case 'result': {
      return ev.ofResult(v, (value) => {
        const made = value.k === 'function' ? { ...value, closure: v.call } : value;
        return ev.called(made, proof, call, partial);
      });
    }
    case 'external':
      if (v.q === 'operator.methodcaller') return methodCalled(ev, v.call, call, partial);
      return recordMade(v, withPartial(call, partial)) ?? unknown();
    case 'param':
    case 'element':
      return ofCall(v, 'call of a parameter', call, partial);
    default:
      if (v.k === 'unknown' && v.of) return ofCall(v, v.why, call, partial);
      return v.k === 'unknown' ? unknown(v.why) : unknown();
  }
}

function ofCall(base: Value, why: string, call: CallPlace, partial: CallPlace[]): Values {
  return only({ k: 'unknown', why, ...(isShort(base) && { of: { base, call, partial } }) }, 'parameter');
}

/** `methodcaller("run", 3)(worker)` is `worker.run(3)`. */
function methodCalled(ev: Evaluator, made: CallPlace, call: CallPlace, partial: CallPlace[]): Values {
  const [name, ...args] = made.node.args;
  const [object] = call.node.args;
  const out: Values = new Map();
  if (!name || !object) return unknown();
  const inner: CallPlace = { ...made, node: { ...made.node, args } };
  for (const { value, proof } of ev.valueAt({ ...call, node: object }).values())
    for (const text of textsOf(ev, { ...made, node: name }) ?? [])
      for (const m of ev.attribute(value, text, proof).values())
        merge(out, ev.called(m.value, m.proof, inner, partial));
  return out.size ? out : unknown();
}
