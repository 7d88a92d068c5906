/** Does a coroutine run for ever? Where is the loop that does? */
import { type Frame, type FunctionInfo, type Place, returnsOf } from '../semantics/index.ts';
import type { Call, Expr, For, Node, Stmt, While, With } from '../syntax/index.ts';
import { decoratorsOf, replacements } from './decorated.ts';
import { Exceptions } from './exceptions.ts';
import { type Awaited, Follow, isSleepName } from './follow.ts';
import {
  constantTest,
  finishingExit,
  hasBreak,
  isCancelled,
  isTruthyConstant,
  type LoopQuestions,
  leaves,
} from './loop-exits.ts';
import { nodesBelow, ownNodes } from './own-nodes.ts';
import type { Project } from './project.ts';
import { isAlwaysReached, isMadeAgain } from './recursion.ts';
import { findRespawn } from './respawn.ts';
import { classifyTest } from './stop-tests.ts';
import { leftOpen } from './stubs.ts';

export type LoopForm =
  | { kind: 'loop'; node: While | For; fn: FunctionInfo; frame: Frame; why: string }
  /** It awaits (or starts, as a group) another coroutine that loops. */
  | { kind: 'delegated'; inner: LoopForm; at: Node; fn: FunctionInfo; via: FunctionInfo }
  /** It awaits or starts itself again. */
  | { kind: 'recursive'; at: Node; fn: FunctionInfo; frame: Frame; delay?: Place | null; mutual?: boolean }
  | { kind: 'none' }
  | { kind: 'unknown'; at: Node; fn: FunctionInfo; why: string };

type Kind = 'forever' | 'bounded' | 'unknown';

const TIMEOUT =
  /^(asyncio\.timeout(_at)?|anyio\.(move_on|fail)_after|trio\.(move_on|fail)_(after|at)|async_timeout\.timeout)$/;

const NONE: LoopForm = { kind: 'none' };

function endless(form: LoopForm): boolean {
  return form.kind === 'loop' || form.kind === 'delegated' || form.kind === 'recursive';
}

/** Is a function the same whoever calls it: without parameters, closure, or decorator? */
export function isPlain({ node, outer }: FunctionInfo, frame: Frame): boolean {
  const { posonly, args, vararg, kwonly, kwarg } = node.args;
  const takes = posonly.length || args.length || vararg || kwonly.length || kwarg || node.decorators.length;
  return !takes && outer.kind === 'module' && !frame.self && !frame.outer && frame.calls.every((c) => !c.frame);
}

const SOMETIMES = 'it starts itself again in some cases only';

/** Does it go round by way of others? */
function isMutual(form: LoopForm): boolean {
  return form.kind === 'delegated' ? isMutual(form.inner) : form.kind === 'recursive' && form.mutual === true;
}

export class Loops {
  private readonly busy: FunctionInfo[] = [];
  private readonly found = new WeakMap<FunctionInfo | Frame, LoopForm>();
  readonly follow: Follow;

  constructor(private readonly project: Project) {
    this.follow = new Follow(project);
  }

  /** The endless loop of a coroutine, if it has one. */
  find(fn: FunctionInfo, frame: Frame): LoopForm {
    // what is being looked at decides what counts as a way back, so only an answer from outside is kept
    if (this.busy.length || frame.fn !== fn) return this.look(fn, frame);
    const key = isPlain(fn, frame) ? fn : frame;
    let form = this.found.get(key);
    if (!form) {
      form = this.look(fn, frame);
      this.found.set(key, form);
    }
    return form;
  }

  private look(fn: FunctionInfo, frame: Frame): LoopForm {
    if (this.busy.includes(fn) || this.busy.length > 12) return NONE;
    this.busy.push(fn);
    try {
      const found = this.inBody(fn.node.body, fn, frame);
      if (found.kind !== 'none') return found;
      const again = findRespawn(this.project, fn);
      if (again) return this.again({ kind: 'recursive', fn, frame, ...again });
      return leftOpen(this.project, fn) ?? this.byDecorator(fn, frame);
    } finally {
      this.busy.pop();
    }
  }

  /** `@forever(30)` above it: what the decorator puts in its place repeats it. */
  private byDecorator(fn: FunctionInfo, frame: Frame): LoopForm {
    for (const d of decoratorsOf(this.project, fn)) {
      const { made, itself } = replacements(this.project, d);
      for (const inner of made) {
        const form = this.replaced(inner, { fn: inner, self: frame.self, calls: frame.calls, outer: d.frame });
        if (!endless(form)) continue;
        if (itself) return { kind: 'unknown', at: d.at, fn, why: 'a decorator repeats it in some cases only' };
        return { kind: 'delegated', inner: form, at: d.at, fn, via: inner };
      }
    }
    return NONE;
  }

  /** A plain function in the place of a coroutine function hands back a coroutine. */
  private replaced(fn: FunctionInfo, frame: Frame): LoopForm {
    if (fn.node.isAsync) return this.find(fn, frame);
    for (const place of returnsOf(fn)) {
      const found = this.among(this.follow.awaited(place, frame), place.node, fn, frame);
      if (found) return found;
    }
    return NONE;
  }

  private inBody(body: readonly Stmt[], fn: FunctionInfo, frame: Frame): LoopForm {
    let best: LoopForm = NONE;
    for (const s of body) {
      const found = this.inStatement(s, fn, frame);
      if (endless(found)) return found;
      if (found.kind === 'unknown') best = found;
      // what comes after never runs
      if (leaves(s)) break;
    }
    return best;
  }

  private inStatement(s: Stmt, fn: FunctionInfo, frame: Frame): LoopForm {
    switch (s.kind) {
      case 'While':
      case 'For':
        return this.inLoop(s, fn, frame);
      case 'If': {
        const fixed = constantTest(s.test);
        if (fixed !== null) return this.inBody(fixed ? s.body : s.orelse, fn, frame);
        const test = this.delegation(s.test, fn, frame);
        if (endless(test)) return test;
        const a = this.inBody(s.body, fn, frame);
        return endless(a) ? a : this.better(a, this.inBody(s.orelse, fn, frame));
      }
      case 'With': {
        const inner = this.inBody(s.body, fn, frame);
        return inner.kind !== 'none' && this.isLimited(s, fn) ? NONE : inner;
      }
      case 'Try': {
        let best: LoopForm = NONE;
        for (const p of [s.body, s.orelse, s.finalbody]) best = this.better(best, this.inBody(p, fn, frame));
        return best;
      }
      case 'Match': {
        let best: LoopForm = NONE;
        for (const c of s.cases) best = this.better(best, this.inBody(c.body, fn, frame));
        return best;
      }
      case 'FunctionDef':
      case 'ClassDef':
        return NONE;
      default:
        return this.delegation(s, fn, frame);
    }
  }

  private inLoop(s: While | For, fn: FunctionInfo, frame: Frame): LoopForm {
    if (s.kind === 'While' && constantTest(s.test) === false) return this.inBody(s.orelse, fn, frame);
    const { kind, why } = s.kind === 'While' ? this.classifyWhile(s, fn, frame) : this.classifyFor(s, fn, frame);
    if (kind === 'forever') return { kind: 'loop', node: s, fn, frame, why };
    const inner = this.inBody(s.body, fn, frame);
    if (inner.kind !== 'none') return inner;
    if (kind === 'unknown') return { kind: 'unknown', at: s, fn, why };
    return this.inBody(s.orelse, fn, frame);
  }

  private better(a: LoopForm, b: LoopForm): LoopForm {
    const rank = (f: LoopForm): number => (f.kind === 'none' ? 0 : f.kind === 'unknown' ? 1 : 2);
    return rank(b) > rank(a) ? b : a;
  }

  /** `async with asyncio.timeout(10):` ends whatever stands in it, unless the deadline is moved on. */
  private isLimited(s: With, fn: FunctionInfo): boolean {
    for (const item of s.items) {
      const call = item.contextExpr;
      if (call.kind !== 'Call' || !this.project.namesOf(fn.module, call.func).some((q) => TIMEOUT.test(q))) continue;
      const delay = call.args[0] ?? call.keywords[0]?.value;
      if (!delay || (delay.kind === 'Constant' && delay.type === 'none')) continue;
      const name = item.optionalVars?.kind === 'Name' ? item.optionalVars.id : null;
      const moved = nodesBelow(s.body).some(
        (n) =>
          (n.kind === 'Attribute' && n.value.kind === 'Name' && n.value.id === name) ||
          (n.kind === 'Call' && n.args.some((a) => a.kind === 'Name' && a.id === name)),
      );
      if (!moved) return true;
    }
    return false;
  }

  // ---- one loop statement ----

  /** Is a loop, once entered, never left but by an exception or an order to stop? */
  isEndless(s: While | For, fn: FunctionInfo, frame: Frame): boolean {
    if (s.kind === 'For' && !s.isAsync && s.iter.kind !== 'Call') return false;
    if (hasBreak(s)) return false;
    return (s.kind === 'While' ? this.classifyWhile(s, fn, frame) : this.classifyFor(s, fn, frame)).kind === 'forever';
  }

  private classifyWhile(s: While, fn: FunctionInfo, frame: Frame): { kind: Kind; why: string } {
    const always = this.isAlways(s.test, fn, frame);
    if (!always) {
      const test = this.stopHelper(s.test, fn, frame) ?? classifyTest(s.test, s.body);
      if (test === 'finish') return { kind: 'bounded', why: 'ends when its condition is met' };
      if (test === 'unknown') return { kind: 'unknown', why: 'the condition of the while is not known' };
    }
    if (this.finishes(s, fn, frame)) return { kind: 'bounded', why: 'leaves the loop when its work is done' };
    return { kind: 'forever', why: always ? 'while True' : 'while until told to stop' };
  }

  private finishes(s: While | For, fn: FunctionInfo, frame: Frame): boolean {
    return finishingExit(s, this.questions(fn, frame)) !== null;
  }

  questions(fn: FunctionInfo, frame: Frame): LoopQuestions {
    const exceptions = new Exceptions(this.project, fn.module);
    return { isOrder: (test) => this.stopHelper(test, fn, frame) === 'stop', exceptions };
  }

  private isAlways(test: Expr, fn: FunctionInfo, frame: Frame): boolean {
    if (constantTest(test) !== null) return constantTest(test)!;
    if (test.kind === 'BoolOp') {
      const kinds = test.values.map((v) => this.isAlways(v, fn, frame));
      return test.op === 'or' ? kinds.includes(true) : !kinds.includes(false);
    }
    // `while await asyncio.sleep(5, True):`
    if (test.kind === 'Await' && test.value.kind === 'Call') {
      const result = test.value.args[1] ?? test.value.keywords.find((k) => k.arg === 'result')?.value;
      const sleeps = this.project.namesOf(fn.module, test.value.func).some(isSleepName);
      return sleeps && result !== undefined && constantTest(result) === true;
    }
    const constant = this.project.folder.fold(this.project.place(fn.module, test), frame);
    return constant !== null && isTruthyConstant(test, constant.value);
  }

  /** `while not await self.wait_stop(8):` asks a helper that waits for an event. */
  private stopHelper(test: Expr, fn: FunctionInfo, frame: Frame): 'stop' | null {
    const n = test.kind === 'UnaryOp' ? test.operand : test;
    if (n.kind !== 'Await') return null;
    const waits = (a: Awaited, depth: number): boolean => {
      if (a.k === 'event') return true;
      if (a.k === 'limited') return a.of.some((x) => waits(x, depth));
      if (a.k !== 'coroutine' || depth > 2) return false;
      return ownNodes(a.fn.node).some(
        (x) =>
          x.kind === 'Await' &&
          this.follow.awaited(this.project.place(a.fn.module, x.value), a.frame).some((y) => waits(y, depth + 1)),
      );
    };
    return this.follow.awaited(this.project.place(fn.module, n.value), frame).some((a) => waits(a, 0)) ? 'stop' : null;
  }

  private classifyFor(s: For, fn: FunctionInfo, frame: Frame): { kind: Kind; why: string } {
    if (this.finishes(s, fn, frame)) return { kind: 'bounded', why: 'leaves the loop when its work is done' };
    if (s.isAsync) return this.classifyAsyncFor(s.iter, fn, frame);
    if (s.iter.kind !== 'Call') return { kind: 'bounded', why: 'for over a collection' };
    const call = s.iter;
    for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, call.func)).values()) {
      if (value.k !== 'name') continue;
      if (value.q === 'itertools.count' || value.q === 'itertools.cycle') return { kind: 'forever', why: value.q };
      if (value.q === 'itertools.repeat' && call.args.length === 1 && !call.keywords.length)
        return { kind: 'forever', why: value.q };
      if (value.q === 'builtins.iter' && call.args.length === 2) return this.sentinelIter(call, fn);
    }
    return { kind: 'bounded', why: 'for over a collection' };
  }

  /** `iter(int, 1)` never ends: `int()` is 0. */
  private sentinelIter(call: Call, fn: FunctionInfo): { kind: Kind; why: string } {
    const [maker, sentinel] = call.args;
    const never = maker?.kind === 'Name' && { int: 0, float: 0, bool: false, str: '' }[maker.id];
    const value = sentinel && this.project.folder.fold(this.project.place(fn.module, sentinel));
    if (never !== undefined && never !== false && value && value.value !== never)
      return { kind: 'forever', why: 'iter that never meets its sentinel' };
    return { kind: 'unknown', why: 'iter with a sentinel' };
  }

  private classifyAsyncFor(iter: Expr, fn: FunctionInfo, frame: Frame): { kind: Kind; why: string } {
    const all = this.generators(iter, fn, frame);
    if (!all.length) return { kind: 'forever', why: 'async for over a stream' };
    const kind = all.some((g) => endless(this.find(g.fn, g.frame))) ? 'forever' : 'bounded';
    return { kind, why: 'async for over a generator of the project' };
  }

  /** The project's asynchronous generators that an `async for` runs over. */
  generators(iter: Expr, fn: FunctionInfo, frame: Frame): { fn: FunctionInfo; frame: Frame }[] {
    const out: { fn: FunctionInfo; frame: Frame }[] = [];
    for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, iter)).values()) {
      if (value.k !== 'result' || value.fn.type !== 'function') continue;
      const self = this.follow.realSelf(value.self, frame);
      const skip = value.self ? 1 : 0;
      out.push({ fn: value.fn, frame: { fn: value.fn, self, calls: [{ place: value.call, skip, frame }] } });
    }
    return out;
  }

  // ---- delegation ----

  private delegation(s: Node, fn: FunctionInfo, frame: Frame): LoopForm {
    for (const n of nodesBelow([s])) {
      const found =
        n.kind === 'Await'
          ? this.awaitedLoop(n, fn, frame)
          : n.kind === 'Call'
            ? this.groupMember(n, fn, frame)
            : n.kind === 'Comprehension' && n.isAsync
              ? this.comprehension(n.iter, n, fn, frame)
              : null;
      if (found) return found;
    }
    return NONE;
  }

  private awaitedLoop(n: Extract<Node, { kind: 'Await' }>, fn: FunctionInfo, frame: Frame): LoopForm | null {
    if (isCancelled(n.value, fn)) return null;
    return this.among(this.follow.awaited(this.project.place(fn.module, n.value), frame), n, fn, frame);
  }

  /** The first endless loop that awaiting these waits for. */
  private among(all: readonly Awaited[], at: Node, fn: FunctionInfo, frame: Frame): LoopForm | null {
    for (const a of all) {
      if (a.k === 'coroutine') {
        // by way of others, too: `ping` awaits `pong`, which awaits `ping`
        const first = this.busy.indexOf(a.fn);
        if (first >= 0) {
          if (!isMadeAgain(a.frame, this.busy, first)) continue;
          // made for each of some things, and then awaited together
          const made = a.frame.calls[0]?.place.node;
          const place = made && made.start >= at.start && made.end <= at.end ? made : at;
          return this.again({ kind: 'recursive', at: place, fn, frame, mutual: a.fn !== fn });
        }
        const inner = this.find(a.fn, a.frame);
        if (isMutual(inner) && !this.isCertain(at, fn, frame)) return { kind: 'unknown', at, fn, why: SOMETIMES };
        if (endless(inner)) return { kind: 'delegated', inner, at, fn, via: a.fn };
      } else if (a.k === 'group') {
        const found = this.among(a.of, at, fn, frame);
        // the first that ends: all of them must be endless, or wait to be told
        const ends = a.first && a.of.some((x) => x.k !== 'event' && !this.among([x], at, fn, frame));
        if (found && !ends) return found;
      }
    }
    return null;
  }

  private again(form: Extract<LoopForm, { kind: 'recursive' }>): LoopForm {
    const { at, fn } = form;
    return this.isCertain(at, fn, form.frame) ? form : { kind: 'unknown', at, fn, why: SOMETIMES };
  }

  private isCertain(at: Node, fn: FunctionInfo, frame: Frame): boolean {
    return isAlwaysReached(at, fn, this.questions(fn, frame));
  }

  private comprehension(iter: Expr, at: Node, fn: FunctionInfo, frame: Frame): LoopForm | null {
    for (const g of this.generators(iter, fn, frame)) {
      const inner = this.find(g.fn, g.frame);
      if (endless(inner)) return { kind: 'delegated', inner, at, fn, via: g.fn };
    }
    return null;
  }

  /** Inside `async with TaskGroup()`, a member that loops keeps the block from ending. */
  private groupMember(call: Call, fn: FunctionInfo, frame: Frame): LoopForm | null {
    for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, call.func)).values()) {
      const row = value.k === 'name' ? this.project.table.rows.get(value.q) : undefined;
      const arg = call.args[row?.argument.position ?? 0];
      if (!row?.structured || !arg) continue;
      const place = this.project.place(fn.module, arg);
      if (row.takes === 'coroutine') return this.among(this.follow.awaited(place, frame), call, fn, frame);
      for (const { value: v } of this.project.ev.valueAt(place).values()) {
        if (v.k !== 'function' || v.fn === fn) continue;
        const self = this.follow.realSelf(v.self, frame);
        // the arguments stand after the callable
        const at = { ...place, node: { ...call, args: call.args.slice(1) } };
        const inner = this.find(v.fn, { fn: v.fn, self, calls: [{ place: at, skip: v.self ? 1 : 0, frame }] });
        if (endless(inner)) return { kind: 'delegated', inner, at: call, fn, via: v.fn };
      }
    }
    return null;
  }
}
