/** The way through a coroutine that awaits its parameters (supervisors, helpers, closures) to the coroutines given to it. */
import {
  argumentThrough,
  type CallPlace,
  type Frame,
  type FramedPlace,
  type FunctionInfo,
  frameOf,
  frameOfCall,
  only,
  type Place,
  type Value,
  whereIs,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import type { Alternative, Passage } from './alternatives.ts';
import { ownNodes } from './own-nodes.ts';
import type { Targets } from './targets.ts';

type Coroutine = Extract<Value, { k: 'coroutine' }>;

/** A way through, with what may be at its end. */
interface Through {
  passage: Passage;
  alternatives: Alternative[];
}

/** The coroutines that a coroutine awaits through its parameters; null when it works on its own. */
export function passages(t: Targets, v: Coroutine, at: Place, depth: number): Through[] | null {
  const { fn } = v;
  const helper = t.helpers.shape(fn);
  const found = awaitedParams(fn);
  const out: Through[] = [];
  for (const { owner, arg, called, role } of found) {
    const maker = owner === fn ? { place: v.call, frame: null } : madeBy(t, owner, v, at);
    const owned = maker?.place;
    if (!owned) {
      // a closure over a parameter of the function that spawns it
      out.push({
        passage: {
          of: fn,
          name: fn.node.name,
          call: v.call,
          self: v.self,
          helper,
          inner: null,
          called: called ?? undefined,
        },
        alternatives: [{ kind: 'parameter', owner, arg, role, mode: called ? 'callable' : 'coroutine', weak: false }],
      });
      continue;
    }
    const from = { place: owned, skip: skipOf(v, owner), frame: maker.frame };
    const given = role === 'normal' ? argumentThrough(t.ev, owner, arg, from) : null;
    if (!given || given === 'unknown') continue;
    const inner = givenAt(t, given);
    const useful = t
      .preferKnown(t.expanded(inner, called !== null, depth + 1), inner)
      .filter(
        (a) =>
          a.kind === 'coroutine' ||
          a.kind === 'parameter' ||
          (a.kind === 'external' && (helper || (a.q !== null && !(called && isTool(t, a.q))))),
      );
    const made: Frame = { fn: owner, self: null, calls: [from], outer: makerOf(t, owned) };
    const frame: Frame = { ...frameOfCall(v)!, outer: owner === fn ? undefined : made };
    // `supervised("feed", fn, *args)` calls fn with arguments of its own
    if (called) {
      for (const a of useful)
        if (a.kind === 'coroutine') {
          const skip = a.frame.self ? 1 : 0;
          a.frame = { ...a.frame, calls: [{ place: called, skip, frame }, ...a.frame.calls.slice(1)] };
        }
    }
    if (useful.length)
      out.push({
        passage: { of: fn, name: fn.node.name, call: owned, self: v.self, helper, inner, frame },
        alternatives: useful,
      });
  }
  return out.length ? out : null;
}

/** `poll(asyncio.sleep)`: what a loop waits with is not its work. */
function isTool({ project }: Targets, q: string): boolean {
  return project.table.ends.has(q) || /\.sleep(_until|_forever)?$/.test(q);
}

/** How many parameters a call of the function binds by itself. */
function skipOf(v: Coroutine, owner: FunctionInfo): number {
  return owner === v.fn ? (v.self ? 1 : 0) : owner.cls ? 1 : 0;
}

/** The call of an outer function whose body made the closure, or handed back what the closure makes. */
function madeBy(t: Targets, owner: FunctionInfo, { closure, frame }: Coroutine, at: Place): Made | null {
  const place = (closure && callOf(t, owner, closure)) ?? callOf(t, owner, at);
  if (place) return { place, frame: null };
  return (frame && frameOf(owner, frame)?.calls[0]) ?? null;
}

interface Made {
  place: CallPlace;
  frame: Frame | null;
}

/** What a parameter of a known call is given, in the end. */
function givenAt(t: Targets, given: FramedPlace): Place {
  let { place, frame } = given;
  for (let i = 0; frame && i < 6; i++) {
    const [only, ...more] = [...t.ev.valueAt(place).values()];
    if (only?.value.k !== 'param' || more.length || only.value.owner.type !== 'function') break;
    const { owner, arg, role } = only.value;
    const call = role === 'normal' ? frameOf(owner as FunctionInfo, frame)?.calls[0] : undefined;
    const next = call && argumentThrough(t.ev, owner as FunctionInfo, arg, call);
    if (!next || next === 'unknown') break;
    ({ place, frame } = next);
  }
  return place;
}

function callOf(t: Targets, owner: FunctionInfo, at: Place): CallPlace | null {
  const n = at.node;
  if (n.kind !== 'Call') return null;
  // `tagged("x")(poll)` calls what the decorator hands back
  for (const { value, proof } of t.ev.settled(t.ev.value(n.func, at.scope, at.block)).values()) {
    const called = value.k === 'instance' ? t.ev.attribute(value, '__call__', proof) : only(value, proof);
    for (const { value: f } of called.values()) if (f.k === 'function' && f.fn === owner) return { ...at, node: n };
  }
  return null;
}

/** The call that handed back the function which is called: `tagged("x")` in `tagged("x")(poll)`. */
function makerOf(t: Targets, { node, scope, block }: CallPlace): Frame | undefined {
  const [first, ...more] = [...t.ev.value(node.func, scope, block).values()];
  const frame = first?.value.k === 'result' && !more.length ? frameOfCall(first.value) : null;
  return frame ?? undefined;
}

interface AwaitedParam {
  owner: FunctionInfo;
  arg: Arg;
  role: 'normal' | 'vararg' | 'kwarg';
  /** The call of `await fn(...)`; null for `await coro`. */
  called: CallPlace | null;
}

const awaited = new WeakMap<FunctionInfo, AwaitedParam[]>();

/** Parameters (own, or of enclosing functions) that a coroutine awaits, or calls and awaits. */
function awaitedParams(fn: FunctionInfo): AwaitedParam[] {
  const known = awaited.get(fn);
  if (known) return known;
  const out: AwaitedParam[] = [];
  for (const n of ownNodes(fn.node)) {
    if (n.kind !== 'Await') continue;
    const called = n.value.kind === 'Call' ? { node: n.value, ...whereIs(fn.module, n.value) } : null;
    const name = n.value.kind === 'Call' ? n.value.func : n.value;
    if (name.kind !== 'Name') continue;
    const found = paramNamed(fn, name.id);
    if (found && !out.some((o) => o.arg === found.arg)) out.push({ ...found, called });
  }
  awaited.set(fn, out);
  return out;
}

function paramNamed(fn: FunctionInfo, id: string): Omit<AwaitedParam, 'called'> | null {
  for (let s: FunctionInfo['scope'] | null = fn.scope; s; s = s.parent) {
    const list = s.bindings.get(id);
    if (!list?.length) continue;
    const [b] = list;
    if (
      b?.kind === 'param' &&
      list.length === 1 &&
      b.owner.type === 'function' &&
      b.role === 'normal' &&
      s.self?.name !== id
    )
      return { owner: b.owner, arg: b.arg, role: b.role };
    return null;
  }
  return null;
}
