/** What the engine knows of code outside the project: the spawn-API tables and a few calls that pass values on. */
import type { Expr } from '../syntax/index.ts';
import { annotationValue } from './annotations.ts';
import { methodClass } from './dispatch.ts';
import { elementsOf } from './elements.ts';
import type { Evaluator } from './evaluate.ts';
import { dictCalled } from './keyword-dicts.ts';
import { textsOf } from './literals.ts';
import type { Scope } from './scopes.ts';
import { PASSES_FIRST, PASSES_SECOND } from './sequences.ts';
import { add, type CallPlace, isKnown, merge, only, type Proof, union, unknown, type Values } from './values.ts';

/** The spawn-API tables, merged. */
export interface LibraryTable {
  /** Call of a qualified name → object kind (`asyncio.get_running_loop` → `LOOP`). */
  makers: Map<string, string>;
  /** Type name → object kind of its instances (`asyncio.AbstractEventLoop` → `LOOP`). */
  types: Map<string, string>;
  /** Object kinds that a `with` hands on: task groups and nurseries. */
  groupKinds: Set<string>;
  /** Attributes of object kinds that are one. */
  attributes: Map<string, string>;
  /** All object kinds. */
  kinds: Set<string>;
  /** Names that `from asyncio import *` binds. */
  starNames: Set<string>;
  /** Top-level packages that are never looked for in the project. */
  roots: Set<string>;
}

export const BUILTIN_NAMES: ReadonlySet<string> = new Set(
  'getattr globals map __import__ iter int float max min round abs sum str list tuple set dict frozenset sorted reversed zip enumerate range next super isinstance callable bool filter len any all print type property staticmethod classmethod'.split(
    ' ',
  ),
);

export function moduleNamed(ev: Evaluator, name: string, scope: Scope): Values {
  return only(ev.graph.load(scope.module, 0, name) ?? { k: 'name', q: name }, 'import_module');
}

/** The result of calling something outside the project. */
export function callExternal(ev: Evaluator, q: string, proof: Proof, call: CallPlace): Values {
  const kind = ev.table.makers.get(q);
  if (kind) return only({ k: 'name', q: kind }, kind === 'LOOP' && proof === 'import' ? 'chain' : proof);
  const owner = q.slice(0, Math.max(0, q.lastIndexOf('.')));
  if (ev.table.kinds.has(owner) && /\.__a?enter__$/.test(q)) return only({ k: 'name', q: owner }, proof);
  const arg = call.node.args[0];
  const second = call.node.args[1];
  const at = (node: Expr): Values => ev.value(node, call.scope, call.block);
  const names = q === 'builtins.getattr' && arg && second ? textsOf(ev, { ...call, node: second }) : null;
  if (names) {
    const out: Values = new Map();
    for (const { value, proof: p } of at(arg!).values())
      for (const name of names) merge(out, ev.attribute(value, name, p), 'getattr');
    const fallback = call.node.args[2];
    if (fallback)
      for (const { value } of at(fallback).values()) if (value.k !== 'none') add(out, value, 'getattr-default');
    return out;
  }
  // a static method is what it is made of, bound to nothing
  if ((q === 'functools.partial' || q === 'builtins.staticmethod') && arg) {
    const out: Values = new Map();
    for (const { value } of at(arg).values()) {
      if (value.k !== 'unknown') add(out, { k: 'partial', base: value, call }, 'partial');
    }
    return out.size ? out : unknown('partial');
  }
  if ((q === 'typing.cast' || q === 'typing_extensions.cast') && arg && second) {
    const got = at(second);
    return (isKnown(got) ? null : annotationValue(ev, arg, call.scope, call.block)) ?? new Map(got);
  }
  const field = FIELD.test(q) ? fieldDefault(ev, call, proof) : null;
  if (field) return field;
  if (q === 'builtins.type' && arg && !second) return classesOf(at(arg));
  if ((q.endsWith('.import_module') || q === 'builtins.__import__') && arg?.kind === 'Constant' && arg.type === 'str') {
    return moduleNamed(ev, String(arg.value), call.scope);
  }
  if (q === 'builtins.super') {
    const cls = methodClass(call);
    if (cls) return only({ k: 'instance', cls, call: null, viaSelf: true, after: cls }, 'super');
  }
  // a view of the mapping
  if (q === 'types.MappingProxyType' && arg) return new Map(at(arg));
  if (q === 'builtins.next' && arg)
    return elementsOf(ev, { node: arg, scope: call.scope, block: call.block }, [], false);
  if (q === 'builtins.dict' && (call.node.keywords.length || !arg))
    return only({ k: 'display', place: { ...call, node: dictCalled(call.node) } }, 'builtin');
  if (PICKS.has(q) && arg) {
    const one = call.node.args.length === 1;
    const picked = one ? elementsOf(ev, { ...call, node: arg }, [], false) : union(call.node.args.map(at));
    if (isKnown(picked)) return picked;
  }
  if (PASSES_ITERABLE.has(q) || (q === 'builtins.sum' && second)) return only({ k: 'display', place: call }, 'builtin');
  return only({ k: 'external', q, call }, proof);
}

const FIELD = /^(dataclasses\.field|attrs?\.(ib|field|attrib)|pydantic\.Field)$/;

/** What `field(default=run)` or `field(default_factory=lambda: [run])` is; null where the project does not say it. */
function fieldDefault(ev: Evaluator, call: CallPlace, proof: Proof): Values | null {
  const given = (name: string): Expr | undefined => call.node.keywords.find((k) => k.arg === name)?.value;
  const plain = given('default');
  if (plain) return ev.valueAt({ ...call, node: plain });
  const factory = given('default_factory') ?? given('factory');
  if (!factory) return null;
  const out: Values = new Map();
  for (const { value } of ev.valueAt({ ...call, node: factory }).values())
    if (value.k === 'function' || value.k === 'lambda') merge(out, ev.settled(ev.called(value, proof, bare(call), [])));
  return out.size ? out : null;
}

const bareCalls = new WeakMap<CallPlace['node'], CallPlace['node']>();

/** The call as of somebody who gives nothing. */
function bare(call: CallPlace): CallPlace {
  const node = bareCalls.get(call.node) ?? { ...call.node, args: [], keywords: [] };
  bareCalls.set(call.node, node);
  return { ...call, node };
}

/** `type(engine)`. */
function classesOf(values: Values): Values {
  const out: Values = new Map();
  for (const { value } of values.values())
    if (value.k === 'instance')
      add(out, { k: 'class', cls: value.cls, viaSelf: value.viaSelf, free: value.free }, 'type');
  return out.size ? out : unknown('what type() gives');
}

/** What gives one of some. */
const PICKS = new Set(['builtins.max', 'builtins.min', 'heapq.heappop', 'random.choice']);

const PASSES_ITERABLE = new Set([
  ...PASSES_FIRST,
  ...PASSES_SECOND,
  ...['zip', 'enumerate', 'dict', 'map'].map((n) => `builtins.${n}`),
  ...['chain', 'chain.from_iterable', 'starmap'].map((n) => `itertools.${n}`),
]);

/** `stack.enter_async_context(TaskGroup())` hands the group on, whatever the stack is. */
export function enteredContext(ev: Evaluator, call: CallPlace): Values | null {
  const { func, args } = call.node;
  const arg = args[0];
  if (func.kind !== 'Attribute' || !arg) return null;
  if (func.attr !== 'enter_async_context' && func.attr !== 'enter_context') return null;
  const out: Values = new Map();
  for (const { value } of ev.value(arg, call.scope, call.block).values()) {
    const group = value.k === 'name' && (ev.table.groupKinds.has(value.q) || value.q === 'RUNNER');
    if (group || value.k === 'instance') add(out, value, 'enter-context');
  }
  return out.size ? out : null;
}
