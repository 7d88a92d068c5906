/** From one value to what it comes down to when it is spawned: a coroutine, a call out of reach, a parameter. */
import { tail } from '../model/identifier.ts';
import {
  argumentFor,
  type CallPlace,
  type ClassInfo,
  type Evaluator,
  type FunctionInfo,
  frameOfCall,
  givenFor,
  handedValues,
  isAbstract,
  isDispatching,
  keyOf,
  type LambdaInfo,
  lineage,
  type Made,
  overridden,
  ownInit,
  type Place,
  positionalArgs,
  returnsOf,
  type Value,
  type Values,
} from '../semantics/index.ts';
import type { Call } from '../syntax/index.ts';
import { type Alternative, outOfReach, type Passage, parameterIn, passing } from './alternatives.ts';
import { isTested } from './coroutine-tests.ts';
import { helperArgument } from './helper-calls.ts';
import { notSpawnable } from './not-spawnable.ts';
import { passages } from './passages.ts';
import { dottedName } from './project.ts';
import { callHolding, nameFor } from './stand-ins.ts';
import type { Targets } from './targets.ts';

const MAX_DEPTH = 12;

/** Where a value comes from, and whether it is spawned itself or (`callable`) called by what spawns it. */
interface Asked {
  at: Place;
  callable: boolean;
  depth: number;
}

type Of<K extends Value['k']> = Extract<Value, { k: K }>;
type Of2<K extends Alternative['kind']> = Extract<Alternative, { kind: K }>;

type CallMade = Extract<Made, { call: CallPlace }>;

/** What a call of the project's own gives. */
type OwnCall = Of<'coroutine' | 'result'>;

export function expandAll(t: Targets, values: Values, asked: Asked): Alternative[] {
  return [...values.values()].flatMap(({ value }) => expand(t, value, asked));
}

export function expand(t: Targets, v: Value, asked: Asked): Alternative[] {
  const { at, callable, depth } = asked;
  if (depth > MAX_DEPTH) return [];
  switch (v.k) {
    case 'coroutine':
    case 'result':
      return dispatchedOn(t, v).flatMap((m) => (m.k === 'coroutine' ? ofMethod(t, m, at, depth) : result(t, m, asked)));
    case 'function':
      return callable ? called(t, v, at, depth) : unknown(`${v.fn.node.name} is a function, not a coroutine`);
    case 'lambda':
    case 'partial':
      return callable ? called(t, v, at, depth) : unknown('a callable, not a coroutine');
    case 'instance':
      return instance(t, v, at, depth);
    case 'external':
      return external(t, v, depth);
    case 'task':
      return [{ kind: 'task', name: 'task' }];
    case 'param':
      return parameter(t, v, asked);
    case 'element':
      return element(v, callable);
    case 'name':
      if (!callable) return unknown(`${v.q} is defined outside the project`);
      return [{ kind: 'external', q: v.q, name: dottedName(at.node) ?? v.q, call: null, through: [] }];
    case 'none':
      return [];
    case 'unknown':
      return outOfParameter(t, v, asked);
    default:
      return unknown(v.k === 'display' && v.place.node.kind === 'Subscript' ? 'slice' : v.k);
  }
}

/** `made = f()`, which is spawned afterwards; a call that is spawned where it stands is looked at as it is written. */
function outOfParameter(t: Targets, v: Of<'unknown'>, { at, callable }: Asked): Alternative[] {
  if (callable || at.node.kind === 'Call' || !v.of || !('call' in v.of)) return unknown(v.why);
  const { call } = v.of;
  const name = dottedName(call.node.func);
  if (!name) return unknown(v.why);
  const found = madeOf(t, v.of, at, outOfReach(name, call));
  return found.length ? found : unknown(v.why);
}

function unknown(why: string): Alternative[] {
  return [{ kind: 'unknown', why }];
}

function element(v: Of<'element'>, callable: boolean): Alternative[] {
  const of = parameterIn(v);
  if (!of) return unknown('an element of something unknown');
  const { owner, arg, role, stored } = of;
  const mode = callable ? 'iterable-callable' : 'iterable';
  return [{ kind: 'parameter', owner, arg, role, mode, weak: callable || owner.type === 'lambda', stored }];
}

/** A parameter; that of a lambda handed to `call_soon(lambda c: …, job())` is known from the same call. */
function parameter(t: Targets, v: Of<'param'>, { at, callable, depth }: Asked): Alternative[] {
  const { owner, arg, role, stored } = v;
  if (!stored && owner.type === 'lambda' && owner.node.parent?.kind === 'Call') {
    const host = owner.node.parent;
    const given = host.args[host.args.indexOf(owner.node) + 1 + positionalArgs(owner.node.args).indexOf(arg)];
    if (host.args.includes(owner.node) && given && given !== owner.node)
      return t.expanded(t.project.place(owner.module, given), callable, depth + 1);
  }
  const mode = callable ? 'callable' : 'coroutine';
  const tested = isTested(t.project, at) || undefined;
  return [{ kind: 'parameter', owner, arg, role, mode, weak: callable || owner.type === 'lambda', stored, tested }];
}

/** A callable given to an API that calls it itself. */
function called(t: Targets, v: Value, at: Place, depth: number): Alternative[] {
  const got = t.ev.called(v, 'callable', callHolding(at), []);
  return expandAll(t, got, { at, callable: false, depth: depth + 1 });
}

/** The call with each method that it may reach. */
function dispatchedOn({ ev }: Targets, v: OwnCall): OwnCall[] {
  const { fn, self } = v;
  if (fn.type !== 'function') return [v];
  const others = overridden(ev, fn, self, v.call);
  const all = others.map((m): OwnCall => {
    const k = m.fn.node.isAsync && !m.fn.isGenerator ? 'coroutine' : 'result';
    return { ...v, k, fn: m.fn, self: { ...self!, cls: m.cls } };
  });
  return others.length && isAbstract(ev, fn) ? all : [v, ...all];
}

function ofMethod(t: Targets, v: Of<'coroutine'>, at: Place, depth: number): Alternative[] {
  const found = passages(t, v, at, depth);
  const self: Alternative = {
    kind: 'coroutine',
    fn: v.fn,
    frame: frameOfCall(v)!,
    name: nameFor(t.ev, v, at),
    through: [],
  };
  if (!found) return [self];
  return found.flatMap(({ passage, alternatives }) =>
    alternatives.map((a): Alternative => {
      if (a.kind === 'coroutine' || a.kind === 'external') return { ...a, through: [passage, ...a.through] };
      if (a.kind !== 'parameter') return self;
      const weak = a.weak || (passage.inner !== null && passage.helper === null);
      // the closure was made elsewhere, and put where the site finds it
      const stored = a.stored ?? (isAround(a.owner, at.scope) ? undefined : true);
      return { ...a, weak, stored, fallback: a.stored && a.fallback ? passing(a.fallback, passage) : self, passage };
    }),
  );
}

function result(t: Targets, v: Of<'result'>, asked: Asked): Alternative[] {
  const { fn } = v;
  const wrong = fn.type === 'function' ? notSpawnable(t.ev, fn) : null;
  if (wrong) {
    const away = isTested(t.project, asked.at) || isTested(t.project, v.call) || undefined;
    return [{ ...wrong, name: dottedName(v.call.node.func) ?? wrong.name, away }];
  }
  const helper = fn.type === 'function' ? t.helpers.shape(fn) : null;
  if (helper && fn.type === 'function' && !helper.buildsContext) {
    const inner = helperArgument(t.ev, fn, helper, v.call, v.self ? 1 : 0);
    if (inner) {
      const passage: Passage = { of: fn, name: fn.node.name, call: v.call, self: v.self, helper, inner };
      return t.resolve(inner, false).map((a) => passing(a, passage));
    }
  }
  const got = returnedBy(t, v, asked);
  if (!got.every((a) => a.kind === 'unknown'))
    return got.some((a) => a.kind === 'parameter') ? [...got, ...parametersMade(t, v, asked.at)] : got;
  const name = dottedName(v.call.node.func);
  if (!name) return unknown('what the function returns is not known');
  const q = fn.type === 'function' ? t.project.qualifiedName(fn) : null;
  return ofParameters(t, v, asked.at, { kind: 'external', q, name, call: v.call, through: [], made: true });
}

/** Its result is what a parameter of the function around the site gives: callers know. */
function ofParameters(t: Targets, v: Of<'result'>, place: Place, itself: Of2<'external'>): Alternative[] {
  const out = made(t, v).flatMap((of) => madeOf(t, of, place, itself));
  return out.length ? out : [itself];
}

function made(t: Targets, v: Of<'result'>): CallMade[] {
  const settled = t.ev.settled(new Map([[keyOf(v), { value: v, proof: 'returned' }]]));
  return [...settled.values()].flatMap(({ value }) =>
    value.k === 'unknown' && value.of && 'call' in value.of ? [value.of] : [],
  );
}

/** `return fn if iscoroutine(fn) else fn()`: beside the parameter itself, what a call of it makes. */
function parametersMade(t: Targets, v: Of<'result'>, place: Place): Alternative[] {
  const name = dottedName(v.call.node.func) ?? '';
  return made(t, v).flatMap((of) =>
    madeOf(t, of, place, outOfReach(name, v.call)).filter((a) => a.kind === 'parameter'),
  );
}

/** The parameter that is called, or whose method is; `itself` is what the call is taken for where no caller is known. */
function madeOf(t: Targets, made: CallMade, place: Place, itself: Of2<'external'>): Alternative[] {
  const { base, call } = made;
  const method = base.k === 'unknown' && base.of && 'attr' in base.of ? base.of : null;
  const of = method ? method.base : base;
  const inner = parameterIn(of);
  if (!inner) return [];
  const { owner, arg, role } = inner;
  const iterable = of.k === 'element';
  if (method) return [{ ...itself, object: { owner, arg, role, iterable, method: method.attr } }];
  const mode = iterable ? 'iterable-callable' : 'callable';
  const stored = inner.stored ?? (isAround(owner, place.scope) ? undefined : true);
  const tested = isTested(t.project, place) || isTested(t.project, call) || undefined;
  return [{ kind: 'parameter', owner, arg, role, mode, weak: true, stored, tested, fallback: itself }];
}

/** Is it run before the site, for the same object or the same call? */
export function isAround(owner: FunctionInfo | LambdaInfo, scope: Place['scope']): boolean {
  if (owner.type === 'function' && owner.node.name === '__init__') return true;
  for (let s: Place['scope'] | null = scope; s; s = s.parent) if (s === owner.scope) return true;
  return false;
}

function returnedBy(t: Targets, v: Of<'result'>, { at, callable, depth }: Asked): Alternative[] {
  const { fn } = v;
  const places = fn.type === 'lambda' ? [{ node: fn.node.body, scope: fn.scope, block: fn.scope.root }] : returnsOf(fn);
  const frame = frameOfCall(v);
  const others = fn.type === 'function' && isDispatching(fn) ? unknown('what is registered for other types') : [];
  const own = places.flatMap((place) => {
    const from = fn.type === 'function' && v.call === at ? at : place;
    return [...t.ev.valueAt(place).values()].flatMap(({ value, proof }) => {
      if (!frame) return expand(t, value, { at: from, callable, depth: depth + 1 });
      const given = value.k === 'param' ? givenFor(t.ev, value, frame) : null;
      const where = given && given !== 'unknown' ? given.place : from;
      return expandAll(t, handedValues(t.ev, value, proof, frame), { at: where, callable, depth: depth + 1 });
    });
  });
  return [...own, ...others];
}

function instance(t: Targets, v: Of<'instance'>, at: Place, depth: number): Alternative[] {
  const helper = t.helpers.shape(v.cls);
  const init = initOf(t.ev, v.cls);
  if (v.call && init && (helper || isAwaitable(v.cls))) {
    const param = helper ? positionalArgs(init.node.args)[helper.coroParam + 1] : positionalArgs(init.node.args)[1];
    const given = param ? argumentFor(init, param, v.call.node, 1) : null;
    if (given && given !== 'unknown') {
      const inner: Place = { node: given, scope: v.call.scope, block: v.call.block };
      const passage: Passage = { of: v.cls, name: v.cls.node.name, call: v.call, self: null, helper, inner };
      return t.preferKnown(t.expanded(inner, false, depth + 1), inner).map((a) => passing(a, passage));
    }
  }
  const name = (at.node.kind === 'Call' && dottedName(at.node.func)) || v.cls.node.name;
  return [outOfReach(name, v.call)];
}

function initOf(ev: Evaluator, cls: ClassInfo): FunctionInfo | null {
  for (const c of lineage(ev, cls)) {
    const init = ownInit(c);
    if (init) return init;
  }
  return null;
}

function isAwaitable(cls: ClassInfo): boolean {
  return cls.scope.bindings.has('__await__') || (cls.scope.bindings.has('send') && cls.scope.bindings.has('throw'));
}

function external(t: Targets, v: Of<'external'>, depth: number): Alternative[] {
  const name = dottedName(v.call.node.func) ?? v.q;
  const last = tail(v.q);
  const spawned = t.project.table.rows.get(v.q);
  if (last === 'create_future' || v.q === 'asyncio.Future' || (spawned && !spawned.scheduled))
    return [{ kind: 'task', name }];
  if (v.q === 'asyncio.wait_for' && waitsForEver(v.call.node)) {
    const [arg] = v.call.node.args;
    const inner = arg ? t.resolve({ ...v.call, node: arg }, false).filter(isPassed) : [];
    if (inner.length) return inner;
  }
  if (v.q === 'asyncio.gather' || v.q === 'asyncio.shield') {
    const inner = inside(t, v.call, depth);
    if (inner.length) return inner.map((a) => (a.kind === 'coroutine' ? { ...a, inside: v.q } : a));
  }
  return [{ kind: 'external', q: v.q, name, call: v.call, through: [] }];
}

/** The coroutines, or parameters that bring them, that gather or shield starts. */
function inside(t: Targets, call: CallPlace, depth: number): Alternative[] {
  return call.node.args
    .flatMap((arg) =>
      arg.kind === 'Starred'
        ? t.elements({ ...call, node: arg.value })
        : t.expanded({ ...call, node: arg }, false, depth + 1),
    )
    .filter(isPassed);
}

function isPassed(a: Alternative): boolean {
  return a.kind === 'coroutine' || a.kind === 'parameter';
}

/** `wait_for(x, None)`: no deadline at all. */
function waitsForEver(call: Call): boolean {
  const timeout = call.args[1] ?? call.keywords.find((k) => k.arg === 'timeout')?.value;
  return timeout?.kind === 'Constant' && timeout.type === 'none';
}
