/** Seconds between two rounds of a loop: the sleeps on the path of a good round. */
import { type Frame, type FunctionInfo, type Place, sequenceOf } from '../semantics/index.ts';
import {
  type Call,
  childrenOf,
  type For,
  type Node,
  type Stmt,
  type Try,
  type While,
  type With,
} from '../syntax/index.ts';
import { boundsOf, isUntilMidnight } from './delay.ts';
import type { Awaited } from './follow.ts';
import { constantTest } from './loop-exits.ts';
import type { Loops } from './loops.ts';
import { nodesBelow } from './own-nodes.ts';
import type { Project } from './project.ts';
import {
  either,
  isNothing,
  noWait,
  plus,
  type Step,
  shorter,
  times,
  together,
  type Wait,
  type Within,
} from './waits.ts';

const TIMEOUTS = new Set([
  'asyncio.timeout',
  'anyio.move_on_after',
  'anyio.fail_after',
  'trio.move_on_after',
  'async_timeout.timeout',
]);

export class Periods {
  private depth = 0;
  /** Does the wait of an awaited coroutine of the project count? */
  private deep = false;

  constructor(
    private readonly project: Project,
    private readonly loops: Loops,
  ) {}

  /** The wait of one good round of a loop. */
  ofLoop(loop: While | For, fn: FunctionInfo, frame: Frame): Wait {
    const direct = this.round(loop, fn, frame);
    if (!isNothing(direct) || this.depth > 3) return direct;
    // no sleep in the loop itself: one in the coroutines that it awaits each round
    const inner = this.deeper(() => this.round(loop, fn, frame));
    return isNothing(inner) ? direct : inner;
  }

  private deeper<T>(ask: () => T): T {
    const before = this.deep;
    this.deep = true;
    this.depth++;
    try {
      return ask();
    } finally {
      this.deep = before;
      this.depth--;
    }
  }

  private round(loop: While | For, fn: FunctionInfo, frame: Frame): Wait {
    const test = loop.kind === 'While' ? this.below([loop.test], fn, frame) : this.tick(loop, fn, frame);
    const body = this.path(loop.body, fn, frame);
    return body.endless ? body.wait : plus(test, body.wait);
  }

  /** What a generator of the project waits before it hands on the next element. */
  private tick(loop: For, fn: FunctionInfo, frame: Frame): Wait {
    if (!loop.isAsync || this.depth > 3) return noWait();
    for (const g of this.loops.generators(loop.iter, fn, frame)) {
      let form = this.loops.find(g.fn, g.frame);
      while (form.kind === 'delegated') form = form.inner;
      if (form.kind !== 'loop') continue;
      const { node, fn: inner, frame: at } = form;
      this.depth++;
      try {
        return this.ofLoop(node, inner, at);
      } finally {
        this.depth--;
      }
    }
    return noWait();
  }

  /** The wait of a straight run through statements. */
  path(body: readonly Stmt[], fn: FunctionInfo, frame: Frame): Step {
    let wait = noWait();
    for (const s of body) {
      const step = this.statement(s, fn, frame);
      if (step.endless) return step;
      wait = plus(wait, step.wait);
      if (step.ends) return { ...step, wait };
    }
    return { wait, ends: false };
  }

  private statement(s: Stmt, fn: FunctionInfo, frame: Frame): Step {
    switch (s.kind) {
      case 'Continue':
      case 'Break':
      case 'Return':
        return { wait: this.expressions(s, fn, frame), ends: true };
      case 'Raise':
        return { wait: this.expressions(s, fn, frame), ends: true, raised: [s] };
      case 'If':
        return this.branches(s, fn, frame);
      case 'For':
      case 'While':
        return this.nestedLoop(s, fn, frame);
      case 'With':
        return this.withBlock(s, fn, frame);
      case 'Try':
        return this.tryBlock(s, fn, frame);
      case 'Match': {
        const all = s.cases.map((c) => this.path(c.body, fn, frame)).filter((p) => !p.ends);
        return { wait: all.length ? all.map((p) => p.wait).reduce(either) : noWait(), ends: false };
      }
      case 'FunctionDef':
      case 'ClassDef':
        return { wait: noWait(), ends: false };
      default:
        return { wait: this.expressions(s, fn, frame), ends: false };
    }
  }

  /** Handlers are the bad path: a sleep there is back-off. They are the only path where what always raises is taken. */
  private tryBlock(s: Try, fn: FunctionInfo, frame: Frame): Step {
    const body = this.path(s.body, fn, frame);
    if (body.endless) return body;
    const rest = body.ends ? this.handled(s, body, fn, frame) : this.path(s.orelse, fn, frame);
    if (rest.endless) return rest;
    const last = this.path(s.finalbody, fn, frame);
    return {
      wait: plus(plus(body.wait, rest.wait), last.wait),
      ends: rest.ends || last.ends,
      raised: last.ends ? last.raised : rest.raised,
    };
  }

  /** What follows a body that always ends: the handlers that may take what it raises. */
  private handled(s: Try, { raised }: Step, fn: FunctionInfo, frame: Frame): Step {
    const { exceptions } = this.loops.questions(fn, frame);
    const taking = s.handlers.filter((h) => raised?.some((r) => exceptions.takes(h.type, r.exc) !== false));
    const all = taking.map((h) => this.path(h.body, fn, frame));
    const ways = all.filter((way) => !way.ends);
    if (ways.length) return { wait: ways.map((way) => way.wait).reduce(either), ends: false };
    const again = all.every((way) => way.raised) ? all.flatMap((way) => way.raised!) : undefined;
    return { wait: noWait(), ends: true, raised: taking.length ? again : raised };
  }

  private branches(s: Extract<Stmt, { kind: 'If' }>, fn: FunctionInfo, frame: Frame): Step {
    const fixed = constantTest(s.test);
    if (fixed !== null) return this.path(fixed ? s.body : s.orelse, fn, frame);
    const test = this.below([s.test], fn, frame);
    const a = this.path(s.body, fn, frame);
    const b = this.path(s.orelse, fn, frame);
    if (a.ends && b.ends) {
      const raised = a.raised && b.raised && [...a.raised, ...b.raised];
      return { wait: plus(test, either(a.wait, b.wait)), ends: true, raised };
    }
    // a branch that starts the next round early, or never, is another path than the normal one
    if (a.ends || (a.endless && !b.endless)) return { ...b, wait: b.endless ? b.wait : plus(test, b.wait) };
    if (b.ends || (b.endless && !a.endless)) return { ...a, wait: a.endless ? a.wait : plus(test, a.wait) };
    if (a.endless && b.endless) return { wait: either(a.wait, b.wait), ends: true, endless: true };
    return { wait: plus(test, either(a.wait, b.wait)), ends: false };
  }

  private nestedLoop(s: For | While, fn: FunctionInfo, frame: Frame): Step {
    if (this.loops.isEndless(s, fn, frame)) return { wait: this.round(s, fn, frame), ends: true, endless: true };
    const once = this.path(s.body, fn, frame).wait;
    if (isNothing(once)) return { wait: once, ends: false };
    const rounds = s.kind === 'For' ? this.rounds(s, fn, frame) : null;
    if (rounds !== null) return { wait: times(once, rounds), ends: false };
    const [first] = once.parts;
    const why = 'a sleep in an inner loop of unknown length';
    return {
      wait: { ...noWait(), opaque: once.opaque ?? { node: first?.node ?? s, fn: first?.fn ?? fn, why } },
      ends: false,
    };
  }

  private rounds(s: For, fn: FunctionInfo, frame: Frame): number | null {
    const { iter } = s;
    const elements = sequenceOf(this.project.ev, this.project.place(fn.module, iter), frame);
    if (elements) return elements.length;
    if (iter.kind !== 'Call' || iter.func.kind !== 'Name' || iter.func.id !== 'range') return null;
    const args = iter.args.map((a) => this.project.folder.fold(this.project.place(fn.module, a), frame)?.value);
    if (!args.every((v) => typeof v === 'number')) return null;
    const [a = 0, b, step = 1] = args as number[];
    return Math.max(0, Math.ceil(((b ?? a) - (b === undefined ? 0 : a)) / step));
  }

  private withBlock(s: With, fn: FunctionInfo, frame: Frame): Step {
    const inner = this.managed(s, fn, frame);
    if (inner.endless) return inner;
    for (const item of s.items) {
      const call = item.contextExpr;
      if (call.kind !== 'Call') continue;
      const names = this.project.namesOf(fn.module, call);
      if (names.some((q) => this.project.table.groupKinds.has(q)))
        return { ...inner, wait: together(inner.wait, this.members(s.body, fn, frame)) };
      // `async with asyncio.timeout(2.5): await event.wait()` waits at most that long
      if (!this.project.namesOf(fn.module, call.func).some((q) => TIMEOUTS.has(q))) continue;
      const waits = nodesBelow(s.body).some((n) => n.kind === 'Await' && isEventWait(n.value));
      const delay = call.args[0] ?? call.keywords[0]?.value;
      if (waits && delay) {
        // whatever else the block waits for is within the limit
        const limit = this.sleep(this.project.place(fn.module, delay), call, fn, frame);
        return { wait: limit, ends: inner.ends };
      }
    }
    return inner;
  }

  /** `with suppress(X):` goes on after an X. */
  private managed(s: With, fn: FunctionInfo, frame: Frame): Step {
    const inner = this.path(s.body, fn, frame);
    if (!inner.raised) return inner;
    const { exceptions } = this.loops.questions(fn, frame);
    const taken = inner.raised.every((r) => exceptions.suppressed(r.exc, s));
    return taken ? { wait: inner.wait, ends: false } : inner;
  }

  /** The tasks of a group run at once, and the block waits for the longest. */
  private members(body: readonly Stmt[], fn: FunctionInfo, frame: Frame): Wait {
    let wait = noWait();
    for (const n of nodesBelow(body)) {
      if (n.kind !== 'Call') continue;
      const row = this.project.namesOf(fn.module, n.func).map((q) => this.project.table.rows.get(q))[0];
      if (row?.structured && row.takes === 'coroutine')
        wait = together(wait, this.alternatives(this.loops.follow.awaited(this.project.place(fn.module, n), frame)));
    }
    return wait;
  }

  private expressions(s: Node, fn: FunctionInfo, frame: Frame): Wait {
    return this.below(childrenOf(s), fn, frame);
  }

  private below(nodes: readonly Node[], fn: FunctionInfo, frame: Frame): Wait {
    let wait = noWait();
    for (const n of nodesBelow(nodes)) {
      if (n.kind === 'Await') {
        const all = this.loops.follow.awaited(this.project.place(fn.module, n.value), frame);
        wait = plus(wait, this.alternatives(all));
      } else if (n.kind === 'Call' && n.args[0] && this.blocks(n, fn)) {
        wait = plus(wait, this.sleep(this.project.place(fn.module, n.args[0]), n, fn, frame));
      }
    }
    return wait;
  }

  /** `time.sleep(5)` in a coroutine holds everything up, and this loop too. */
  private blocks(call: Call, fn: FunctionInfo): boolean {
    const name = call.func.kind === 'Attribute' ? call.func.attr : call.func.kind === 'Name' ? call.func.id : '';
    if (call.parent?.kind === 'Await' || !name.toLowerCase().includes('sleep')) return false;
    return this.project.namesOf(fn.module, call.func).includes('time.sleep');
  }

  // ---- what is awaited ----

  private alternatives(all: readonly Awaited[]): Wait {
    const waits = all.map((a) => this.waitOf(a));
    return waits.length ? waits.reduce(either) : noWait();
  }

  private waitOf(a: Awaited): Wait {
    switch (a.k) {
      case 'sleep':
        return this.sleep(a.delay, a.call.node, a.call.scope, a.frame);
      case 'group':
        return a.first ? this.first(a) : a.of.map((x) => this.waitOf(x)).reduce(together, noWait());
      case 'limited': {
        const inner = this.alternatives(a.of);
        const told = a.of.some(isEvent) || mentionsEvent(a.call.node);
        if (!told && isNothing(inner)) return inner;
        const limit = this.sleep(a.timeout, a.call.node, a.call.scope, a.frame);
        return told ? limit : shorter(inner, limit);
      }
      case 'coroutine':
        return this.deep ? this.bodyOf(a) : noWait();
      default:
        return noWait();
    }
  }

  /** `wait({sleep(5), stop.wait()}, return_when=FIRST_COMPLETED)` sleeps, unless it is told to stop. */
  private first({ of, open }: Extract<Awaited, { k: 'group' }>): Wait {
    const sleeps = of.filter((x) => x.k === 'sleep');
    if (!sleeps.length || open || of.some((x) => x.k !== 'sleep' && x.k !== 'event')) return noWait();
    return sleeps.map((x) => this.waitOf(x)).reduce(shorter);
  }

  /** The wait in the body of an awaited coroutine. */
  private bodyOf(a: Extract<Awaited, { k: 'coroutine' }>): Wait {
    if (this.depth > 4) return noWait();
    const before = this.deep;
    this.depth++;
    this.deep = false;
    try {
      const direct = this.path(a.fn.node.body, a.fn, a.frame).wait;
      if (!isNothing(direct)) return direct;
      return this.deeper(() => this.path(a.fn.node.body, a.fn, a.frame).wait);
    } finally {
      this.deep = before;
      this.depth--;
    }
  }

  /** The wait of one sleep. */
  sleep(place: Place, call: Node, at: Within, frame: Frame): Wait {
    const fn: Within = { module: at.module };
    const got = boundsOf(this.project, place, frame);
    if (got?.span) {
      const why = 'a timedelta is no number of seconds: it fails when it runs';
      return { ...noWait(), opaque: { node: call, fn, why } };
    }
    if (got) {
      // sleep(0) only yields
      if (got.bounds.max <= 0) return { ...noWait(), yields: { node: call, fn } };
      const bounds = { min: Math.max(0, got.bounds.min), max: got.bounds.max };
      return { bounds, parts: [{ node: call, fn, note: got.via.join(', ') }], opaque: null, midnight: false };
    }
    const midnight = isUntilMidnight(this.project, place);
    if (midnight === 'here')
      return {
        bounds: { min: 86400, max: 86400 },
        parts: [{ node: call, fn, note: 'until the next midnight' }],
        opaque: null,
        midnight: true,
      };
    return {
      ...noWait(),
      opaque: { node: call, fn, why: 'its length is computed at run time' },
      midnight: midnight === 'elsewhere',
    };
  }
}

function isEvent(a: Awaited): boolean {
  return a.k === 'event' || (a.k === 'group' && a.of.some(isEvent));
}

function mentionsEvent(call: Call): boolean {
  const [subject] = call.args;
  return subject !== undefined && nodesBelow([subject]).some((n) => isEventWait(n));
}

function isEventWait(n: Node): boolean {
  return n.kind === 'Call' && n.func.kind === 'Attribute' && /^wait(_for_shutdown)?$/.test(n.func.attr);
}
