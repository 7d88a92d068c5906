/** Does a coroutine run for ever? Where is the loop that does? */
import type { Frame, FunctionInfo, Place } from '../semantics/index.ts';
import type { Call, Expr, For, Node, Stmt, While } from '../syntax/index.ts';
import { nodesBelow, ownNodes } from './own-nodes.ts';
import type { Project } from './project.ts';
import { classifyTest } from './stop-tests.ts';

export type LoopForm =
  | { kind: 'loop'; node: While | For; fn: FunctionInfo; frame: Frame; why: string }
  /** It awaits (or starts, as a group) another coroutine that loops. */
  | { kind: 'delegated'; inner: LoopForm; at: Node; fn: FunctionInfo; via: FunctionInfo }
  /** It awaits or starts itself again. */
  | { kind: 'recursive'; at: Node; fn: FunctionInfo; frame: Frame }
  | { kind: 'none' }
  | { kind: 'unknown'; at: Node; fn: FunctionInfo; why: string };

type Kind = 'forever' | 'bounded' | 'unknown';

export class Loops {
  private readonly busy = new Set<FunctionInfo>();

  constructor(private readonly project: Project) {}

  /** The endless loop of a coroutine, if it has one. */
  find(fn: FunctionInfo, frame: Frame): LoopForm {
    if (this.busy.has(fn) || this.busy.size > 12) return { kind: 'none' };
    this.busy.add(fn);
    try {
      const found = this.inBody(fn.node.body, fn, frame);
      if (found.kind !== 'none') return found;
      return this.respawn(fn, frame) ?? found;
    } finally {
      this.busy.delete(fn);
    }
  }

  private inBody(body: readonly Stmt[], fn: FunctionInfo, frame: Frame): LoopForm {
    let best: LoopForm = { kind: 'none' };
    for (const s of body) {
      const found = this.inStatement(s, fn, frame);
      if (found.kind === 'loop' || found.kind === 'delegated' || found.kind === 'recursive') return found;
      if (found.kind === 'unknown') best = found;
    }
    return best;
  }

  private inStatement(s: Stmt, fn: FunctionInfo, frame: Frame): LoopForm {
    switch (s.kind) {
      case 'While':
      case 'For': {
        const { kind, why } = s.kind === 'While' ? this.classifyWhile(s, fn, frame) : this.classifyFor(s, fn);
        if (kind === 'forever') return { kind: 'loop', node: s, fn, frame, why };
        const inner = this.inBody(s.body, fn, frame);
        if (inner.kind !== 'none') return inner;
        if (kind === 'unknown') return { kind: 'unknown', at: s, fn, why };
        return this.inBody(s.orelse, fn, frame);
      }
      case 'If': {
        const a = this.inBody(s.body, fn, frame);
        return a.kind === 'none' || a.kind === 'unknown' ? this.better(a, this.inBody(s.orelse, fn, frame)) : a;
      }
      case 'With':
        return this.inBody(s.body, fn, frame);
      case 'Try': {
        const parts = [s.body, s.orelse, s.finalbody];
        let best: LoopForm = { kind: 'none' };
        for (const p of parts) best = this.better(best, this.inBody(p, fn, frame));
        return best;
      }
      case 'Match': {
        let best: LoopForm = { kind: 'none' };
        for (const c of s.cases) best = this.better(best, this.inBody(c.body, fn, frame));
        return best;
      }
      case 'FunctionDef':
      case 'ClassDef':
        return { kind: 'none' };
      default:
        return this.delegation(s, fn, frame);
    }
  }

  private better(a: LoopForm, b: LoopForm): LoopForm {
    const rank = (f: LoopForm): number => (f.kind === 'none' ? 0 : f.kind === 'unknown' ? 1 : 2);
    return rank(b) > rank(a) ? b : a;
  }

  // ---- one loop statement ----

  private classifyWhile(s: While, fn: FunctionInfo, frame: Frame): { kind: Kind; why: string } {
    const place = this.project.place(fn.module, s.test);
    const constant = this.project.folder.fold(place, frame);
    const always = constant !== null && isTruthyConstant(s.test, constant.value);
    if (!always) {
      const test = classifyTest(s.test, s.body);
      if (test === 'finish') return { kind: 'bounded', why: 'ends when its condition is met' };
      if (test === 'unknown') return { kind: 'unknown', why: 'the condition of the while is not known' };
    }
    const exit = finishingExit(s);
    if (exit) return { kind: 'bounded', why: 'leaves the loop when its work is done' };
    return { kind: 'forever', why: always ? 'while True' : 'while until told to stop' };
  }

  private classifyFor(s: For, fn: FunctionInfo): { kind: Kind; why: string } {
    if (finishingExit(s)) return { kind: 'bounded', why: 'leaves the loop when its work is done' };
    if (s.isAsync) return this.classifyAsyncFor(s, fn);
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

  private classifyAsyncFor(s: For, fn: FunctionInfo): { kind: Kind; why: string } {
    let known: Kind | null = null;
    for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, s.iter)).values()) {
      if (value.k !== 'result' || value.fn.type !== 'function') continue;
      const form = this.find(value.fn, { fn: value.fn, self: value.self, calls: [] });
      known = form.kind === 'loop' || form.kind === 'delegated' ? 'forever' : 'bounded';
    }
    if (known) return { kind: known, why: 'async for over a generator of the project' };
    return { kind: 'forever', why: 'async for over a stream' };
  }

  // ---- delegation ----

  private delegation(s: Stmt, fn: FunctionInfo, frame: Frame): LoopForm {
    for (const n of nodesBelow([s])) {
      if (n.kind === 'Await') {
        const found = this.awaitedLoop(n.value, n, fn, frame);
        if (found) return found;
      }
      if (n.kind === 'Call') {
        const found = this.groupMember(n, fn, frame);
        if (found) return found;
      }
    }
    return { kind: 'none' };
  }

  private awaitedLoop(value: Expr, at: Node, fn: FunctionInfo, frame: Frame): LoopForm | null {
    if (value.kind !== 'Call') return null;
    const place = this.project.place(fn.module, value);
    for (const { value: v } of this.project.ev.valueAt(place).values()) {
      if (v.k === 'coroutine') {
        if (v.fn === fn) return { kind: 'recursive', at, fn, frame };
        const inner = this.find(v.fn, this.frameFor(v, frame));
        if (inner.kind === 'loop' || inner.kind === 'delegated' || inner.kind === 'recursive')
          return { kind: 'delegated', inner, at, fn, via: v.fn };
      }
      if (v.k === 'external' && /^asyncio\.(gather|wait|shield|wait_for|run_coroutine_threadsafe)$/.test(v.q)) {
        if (v.q === 'asyncio.wait_for' && !waitsForEver(value)) continue;
        for (const a of value.args) {
          const inner = this.awaitedLoop(a.kind === 'Starred' ? a.value : a, at, fn, frame);
          if (inner) return inner;
        }
      }
    }
    return null;
  }

  /** Inside `async with TaskGroup()`, a member that loops keeps the block from ending. */
  private groupMember(call: Call, fn: FunctionInfo, frame: Frame): LoopForm | null {
    for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, call.func)).values()) {
      const row = value.k === 'name' ? this.project.table.rows.get(value.q) : undefined;
      const arg = call.args[0];
      if (!row?.structured || !arg) continue;
      if (row.takes === 'coroutine') return this.awaitedLoop(arg, call, fn, frame);
      for (const { value: v } of this.project.ev.valueAt(this.project.place(fn.module, arg)).values()) {
        if (v.k !== 'function' || v.fn === fn) continue;
        const inner = this.find(v.fn, { fn: v.fn, self: v.self, calls: [] });
        if (inner.kind === 'loop' || inner.kind === 'delegated')
          return { kind: 'delegated', inner, at: call, fn, via: v.fn };
      }
    }
    return null;
  }

  private frameFor(v: { fn: FunctionInfo; self: Frame['self']; call: Place & { node: Call } }, outer: Frame): Frame {
    const self = v.self && outer.self && v.self.viaSelf && v.self.cls === outer.fn?.cls ? outer.self : v.self;
    return { fn: v.fn, self, calls: [{ place: v.call, skip: v.self ? 1 : 0, frame: outer }] };
  }

  /** Starts itself again: `create_task(run_again())`, `loop.call_later(30, …)`. */
  private respawn(fn: FunctionInfo, frame: Frame): LoopForm | null {
    for (const n of ownNodes(fn.node)) {
      if (n.kind !== 'Call') continue;
      for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, n.func)).values()) {
        const row = value.k === 'name' ? this.project.table.rows.get(value.q) : undefined;
        const arg = row && !row.scheduled ? n.args[row.argument.position] : undefined;
        if (!arg) continue;
        for (const { value: v } of this.project.ev.valueAt(this.project.place(fn.module, arg)).values())
          if ((v.k === 'coroutine' || v.k === 'function') && v.fn === fn)
            return { kind: 'recursive', at: n, fn, frame };
      }
    }
    return null;
  }
}

function waitsForEver(call: Call): boolean {
  const timeout = call.args[1] ?? call.keywords.find((k) => k.arg === 'timeout')?.value;
  return !timeout || (timeout.kind === 'Constant' && timeout.type === 'none');
}

function isTruthyConstant(test: Expr, value: unknown): boolean {
  // a flag that happens to start as True is a flag, not a constant
  if (test.kind === 'Constant' || test.kind === 'UnaryOp' || test.kind === 'Compare') return Boolean(value);
  if (test.kind === 'Name') return value === true && test.id === test.id.toUpperCase();
  return false;
}

/** A `break` or `return` that ends the loop because its work is done, not because it was told to stop. */
export function finishingExit(loop: While | For): Node | null {
  for (const exit of exitsOf(loop.body, true)) {
    if (isFinishing(exit, loop)) return exit;
  }
  return null;
}

function* exitsOf(body: readonly Stmt[], own: boolean): Generator<Stmt> {
  for (const s of body) {
    if (s.kind === 'Return' || (s.kind === 'Break' && own)) yield s;
    else if (s.kind === 'If') {
      yield* exitsOf(s.body, own);
      yield* exitsOf(s.orelse, own);
    } else if (s.kind === 'While' || s.kind === 'For') {
      yield* exitsOf(s.body, false);
      yield* exitsOf(s.orelse, own);
    } else if (s.kind === 'With') yield* exitsOf(s.body, own);
    else if (s.kind === 'Try') {
      yield* exitsOf(s.body, own);
      for (const h of s.handlers) yield* exitsOf(h.body, own);
      yield* exitsOf(s.orelse, own);
      yield* exitsOf(s.finalbody, own);
    } else if (s.kind === 'Match') for (const c of s.cases) yield* exitsOf(c.body, own);
  }
}

function isFinishing(exit: Stmt, loop: While | For): boolean {
  let guarded = false;
  for (let n: Node | null = exit.parent; n && n !== loop; n = n.parent) {
    // leaving on an exception is failing or being cancelled, not finishing
    if (n.kind === 'ExceptHandler') return false;
    if (n.kind === 'If') {
      guarded = true;
      if (classifyTest(n.test, loop.body) === 'stop') return false;
      if (waitsForStop(n.test)) return false;
    }
    if (n.kind === 'MatchCase') guarded = true;
  }
  // `try: await wait_for(stop.wait(), 30); break / except TimeoutError: pass` leaves when told to stop
  if (!guarded && followsStopWait(exit)) return false;
  return true;
}

function waitsForStop(test: Expr): boolean {
  for (const n of nodesBelow([test])) if (n.kind === 'Attribute' && n.attr === 'wait') return true;
  return false;
}

function followsStopWait(exit: Stmt): boolean {
  const p = exit.parent;
  if (p?.kind !== 'Try') return false;
  for (const s of [...p.body, ...p.orelse]) {
    for (const n of nodesBelow([s]))
      if (n.kind === 'Call' && n.func.kind === 'Attribute' && n.func.attr === 'wait') return true;
  }
  return false;
}
