/** What `await` gives: what a coroutine of the project hands back. */
import type { Evaluator } from './evaluate.ts';
import { handedValues } from './handed.ts';
import { frameOfCall } from './receivers.ts';
import { namedAt, returnsOf } from './returns.ts';
import type { FunctionInfo } from './scopes.ts';
import { add, keyOf, merge, only, type Value, type Values } from './values.ts';

/** What an awaited coroutine may hand back so that something is known of it. */
const AWAITED: ReadonlySet<Value['k']> = new Set([
  'instance',
  'function',
  'class',
  'coroutine',
  'lambda',
  'partial',
  'declared',
  'display',
  'param',
  'element',
]);

/** What is awaited and hands back who knows what. */
const OPAQUE: ReadonlySet<Value['k']> = new Set(['external', 'task', 'param', 'element']);

export function awaitedValues(ev: Evaluator, values: Values): Values {
  const out: Values = new Map();
  for (const { value, proof } of values.values()) {
    if (value.k === 'coroutine') {
      const frame = frameOfCall(value)!;
      const got = [...awaitedReturn(ev, value.fn).values()];
      for (const { value: v } of got) merge(out, handedValues(ev, v, 'awaited', frame));
      if (!got.length) add(out, { k: 'unknown', why: 'awaited' }, 'awaited');
      continue;
    }
    if (value.k === 'result') {
      merge(out, awaitedResult(ev, value));
      continue;
    }
    if (OPAQUE.has(value.k) || (value.k === 'unknown' && value.of))
      add(out, { k: 'unknown', why: 'awaited' }, 'awaited');
    else add(out, value, proof);
  }
  return out;
}

/** Of a plain function that hands a coroutine back. */
function awaitedResult(ev: Evaluator, v: Extract<Value, { k: 'result' }>): Values {
  const coroutines = [...ev.settled(only(v, 'awaited')).values()].filter((x) => x.value.k === 'coroutine');
  if (!coroutines.length) return only({ k: 'unknown', why: 'awaited' }, 'awaited');
  return awaitedValues(ev, new Map(coroutines.map((x) => [keyOf(x.value), x])));
}

/** What an awaited coroutine hands back, where anything is known of it; its parameters are left as they are. */
function awaitedReturn(ev: Evaluator, fn: FunctionInfo): Values {
  return ev.once(fn.module, fn.scope, () => {
    const out: Values = new Map();
    let open = false;
    if (fn.isGenerator) return out;
    const all: Values = new Map();
    for (const place of returnsOf(fn)) merge(all, ev.settled(namedAt(place, ev.valueAt(place))));
    const note = ev.tells(all) ? null : ev.declaredReturn(fn);
    for (const { value, proof } of (note ?? all).values()) {
      if (AWAITED.has(value.k)) add(out, value, proof);
      else if (value.k !== 'none') open = true;
    }
    if (open && out.size) add(out, { k: 'unknown', why: 'awaited' }, 'awaited');
    return out;
  });
}
