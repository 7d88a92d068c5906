/** The way through a coroutine that awaits its parameters (supervisors, helpers, closures) to the coroutines given to it. */
import {
  argumentThrough,
  type CallPlace,
  type Frame,
  type FunctionInfo,
  type Place,
  type Value,
  whereIs,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import type { Alternative, Passage } from './alternatives.ts';
import { ownNodes } from './own-nodes.ts';
import type { Targets } from './targets.ts';

/** A way through, with what may be at its end. */
interface Through {
  passage: Passage;
  alternatives: Alternative[];
}

/** The coroutines that a coroutine awaits through its parameters; null when it works on its own. */
export function passages(
  t: Targets,
  v: Extract<Value, { k: 'coroutine' }>,
  at: Place,
  depth: number,
): Through[] | null {
  const { fn } = v;
  const helper = t.helpers.shape(fn);
  const found = awaitedParams(fn);
  const out: Through[] = [];
  for (const { owner, arg, called, role } of found) {
    const owned = owner === fn ? v.call : (madeBy(t, owner, v.closure) ?? callOf(t, owner, at));
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
    const from = { place: owned, skip: skipOf(v, owner), frame: null };
    const given = role === 'normal' ? argumentThrough(t.ev, owner, arg, from) : null;
    if (!given || given === 'unknown') continue;
    const inner = given.place;
    const useful = t
      .preferKnown(t.expanded(inner, called !== null, depth + 1), inner)
      .filter(
        (a) => a.kind === 'coroutine' || a.kind === 'parameter' || (a.kind === 'external' && (helper || a.q !== null)),
      );
    // `supervised("feed", fn, *args)` calls fn with arguments of its own
    if (called) {
      const made: Frame = { fn: owner, self: null, calls: [from] };
      const own = [{ place: v.call, skip: v.self ? 1 : 0, frame: null }];
      const frame: Frame = { fn, self: v.self, calls: own, outer: owner === fn ? undefined : made };
      for (const a of useful)
        if (a.kind === 'coroutine') {
          const skip = a.frame.self ? 1 : 0;
          a.frame = { ...a.frame, calls: [{ place: called, skip, frame }, ...a.frame.calls.slice(1)] };
        }
    }
    if (useful.length)
      out.push({
        passage: { of: fn, name: fn.node.name, call: owned, self: v.self, helper, inner },
        alternatives: useful,
      });
  }
  return out.length ? out : null;
}

/** How many parameters a call of the function binds by itself. */
function skipOf(v: Extract<Value, { k: 'coroutine' }>, owner: FunctionInfo): number {
  return owner === v.fn ? (v.self ? 1 : 0) : owner.cls ? 1 : 0;
}

/** The call of an outer function whose body made the closure. */
function madeBy(t: Targets, owner: FunctionInfo, closure: CallPlace | undefined): CallPlace | null {
  return closure ? callOf(t, owner, closure) : null;
}

function callOf(t: Targets, owner: FunctionInfo, at: Place): CallPlace | null {
  const n = at.node;
  if (n.kind !== 'Call') return null;
  for (const { value } of t.ev.value(n.func, at.scope, at.block).values())
    if (value.k === 'function' && value.fn === owner) return { ...at, node: n };
  return null;
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
