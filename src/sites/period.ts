/** Seconds between two rounds of a loop: the sleeps on the path of a good round. */
import type { Frame, FunctionInfo } from '../semantics/index.ts';
import {
  type Call,
  childrenOf,
  type Expr,
  type For,
  type Node,
  type Stmt,
  type While,
  type With,
} from '../syntax/index.ts';
import { type Bounds, boundsOf, isUntilMidnight } from './delay.ts';
import { nodesBelow } from './own-nodes.ts';
import type { Project } from './project.ts';

/** What one path through some statements waits. */
export interface Wait {
  bounds: Bounds;
  /** Sleeps that count, in order. */
  parts: { node: Node; fn: FunctionInfo; note: string }[];
  /** A sleep whose length cannot be known at all. */
  opaque: { node: Node; fn: FunctionInfo; why: string } | null;
  midnight: boolean;
}

const SLEEPS = new Set(['asyncio.sleep', 'anyio.sleep', 'trio.sleep', 'time.sleep', 'curio.sleep']);
const TIMEOUTS = new Set([
  'asyncio.timeout',
  'anyio.move_on_after',
  'anyio.fail_after',
  'trio.move_on_after',
  'async_timeout.timeout',
]);

export function noWait(): Wait {
  return { bounds: { min: 0, max: 0 }, parts: [], opaque: null, midnight: false };
}

function plus(a: Wait, b: Wait): Wait {
  return {
    bounds: { min: a.bounds.min + b.bounds.min, max: a.bounds.max + b.bounds.max },
    parts: [...a.parts, ...b.parts],
    opaque: a.opaque ?? b.opaque,
    midnight: a.midnight || b.midnight,
  };
}

function either(a: Wait, b: Wait): Wait {
  return {
    bounds: { min: Math.min(a.bounds.min, b.bounds.min), max: Math.max(a.bounds.max, b.bounds.max) },
    parts: [...a.parts, ...b.parts],
    opaque: a.opaque ?? b.opaque,
    midnight: a.midnight || b.midnight,
  };
}

export class Periods {
  private depth = 0;

  constructor(private readonly project: Project) {}

  /** The wait of one good round of a loop. */
  ofLoop(loop: While | For, fn: FunctionInfo, frame: Frame): Wait {
    const direct = this.path(loop.body, fn, frame).wait;
    if (direct.parts.length || direct.opaque) return direct;
    return this.delegated(loop.body, fn, frame);
  }

  /** The wait of a straight run through statements; `ends` when it leaves the round early. */
  path(body: readonly Stmt[], fn: FunctionInfo, frame: Frame): { wait: Wait; ends: boolean } {
    let wait = noWait();
    for (const s of body) {
      const step = this.statement(s, fn, frame);
      wait = plus(wait, step.wait);
      if (step.ends) return { wait, ends: true };
    }
    return { wait, ends: false };
  }

  private statement(s: Stmt, fn: FunctionInfo, frame: Frame): { wait: Wait; ends: boolean } {
    switch (s.kind) {
      case 'Continue':
      case 'Break':
      case 'Return':
      case 'Raise':
        return { wait: s.kind === 'Return' ? this.expressions(s, fn, frame) : noWait(), ends: true };
      case 'If':
        return this.branches(s, fn, frame);
      case 'For':
      case 'While':
        return { wait: this.nestedLoop(s, fn, frame), ends: false };
      case 'With':
        return this.withBlock(s, fn, frame);
      case 'Try': {
        // handlers are the bad path: a sleep there is back-off
        const body = this.path(s.body, fn, frame);
        const rest = body.ends ? noWait() : this.path(s.orelse, fn, frame).wait;
        const last = this.path(s.finalbody, fn, frame);
        return { wait: plus(plus(body.wait, rest), last.wait), ends: body.ends || last.ends };
      }
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

  private branches(s: Extract<Stmt, { kind: 'If' }>, fn: FunctionInfo, frame: Frame): { wait: Wait; ends: boolean } {
    const test = this.project.folder.fold(this.project.place(fn.module, s.test), frame);
    const constant = test && s.test.kind === 'Constant';
    if (constant) return this.path(test.value ? s.body : s.orelse, fn, frame);
    const a = this.path(s.body, fn, frame);
    const b = this.path(s.orelse, fn, frame);
    if (a.ends && b.ends) return { wait: either(a.wait, b.wait), ends: true };
    // a branch that starts the next round early is another path than the normal one
    if (a.ends) return { wait: b.wait, ends: false };
    if (b.ends) return { wait: a.wait, ends: false };
    return { wait: either(a.wait, b.wait), ends: false };
  }

  private nestedLoop(s: For | While, fn: FunctionInfo, frame: Frame): Wait {
    const once = this.path(s.body, fn, frame).wait;
    if (!once.parts.length && !once.opaque) return once;
    const times = s.kind === 'For' ? this.rounds(s, fn, frame) : null;
    if (times === null) {
      const [first] = once.parts;
      return {
        ...noWait(),
        opaque: once.opaque ?? { node: first?.node ?? s, fn, why: 'a sleep in an inner loop of unknown length' },
      };
    }
    return { ...once, bounds: { min: once.bounds.min * times, max: once.bounds.max * times } };
  }

  private rounds(s: For, fn: FunctionInfo, frame: Frame): number | null {
    const { iter } = s;
    if (iter.kind === 'Tuple' || iter.kind === 'List') return iter.elts.length;
    if (iter.kind !== 'Call' || iter.func.kind !== 'Name' || iter.func.id !== 'range') return null;
    const args = iter.args.map((a) => this.project.folder.fold(this.project.place(fn.module, a), frame)?.value);
    if (!args.every((v) => typeof v === 'number')) return null;
    const [a = 0, b, step = 1] = args as number[];
    return Math.max(0, Math.ceil(((b ?? a) - (b === undefined ? 0 : a)) / step));
  }

  /** `async with asyncio.timeout(2.5): await event.wait()` waits at most that long. */
  private withBlock(s: With, fn: FunctionInfo, frame: Frame): { wait: Wait; ends: boolean } {
    const inner = this.path(s.body, fn, frame);
    for (const item of s.items) {
      const call = item.contextExpr;
      if (call.kind !== 'Call' || !this.calls(call, fn, TIMEOUTS)) continue;
      const waits = [...nodesBelow(s.body)].some(
        (n) => n.kind === 'Await' && n.value.kind === 'Call' && isEventWait(n.value),
      );
      const delay = call.args[0] ?? call.keywords[0]?.value;
      if (waits && delay) return { wait: plus(inner.wait, this.sleep(delay, call, fn, frame)), ends: inner.ends };
    }
    return inner;
  }

  private expressions(s: Node, fn: FunctionInfo, frame: Frame): Wait {
    let wait = noWait();
    for (const n of nodesBelow(childrenOf(s))) {
      if (n.kind === 'Await' && n.value.kind === 'Call') wait = plus(wait, this.awaited(n.value, fn, frame));
    }
    return wait;
  }

  private awaited(call: Call, fn: FunctionInfo, frame: Frame): Wait {
    if (this.calls(call, fn, SLEEPS)) {
      const delay = call.args[0] ?? call.keywords.find((k) => k.arg === 'delay' || k.arg === 'seconds')?.value;
      return delay ? this.sleep(delay, call, fn, frame) : noWait();
    }
    const timeout = this.timedWait(call, fn);
    return timeout ? this.sleep(timeout, call, fn, frame) : noWait();
  }

  /** `wait_for(event.wait(), timeout=30)`, `asyncio.wait([…event.wait()…], timeout=30)`. */
  private timedWait(call: Call, fn: FunctionInfo): Expr | null {
    const waitFor = this.calls(call, fn, new Set(['asyncio.wait_for']));
    const wait = this.calls(call, fn, new Set(['asyncio.wait']));
    if (!waitFor && !wait) return null;
    const subject = call.args[0];
    if (!subject || ![...nodesBelow([subject])].some((n) => n.kind === 'Call' && isEventWait(n))) return null;
    return (waitFor ? call.args[1] : undefined) ?? call.keywords.find((k) => k.arg === 'timeout')?.value ?? null;
  }

  private calls(call: Call, fn: FunctionInfo, names: ReadonlySet<string>): boolean {
    return this.project.namesOf(fn.module, call.func).some((q) => names.has(q));
  }

  private sleep(delay: Expr, call: Node, fn: FunctionInfo, frame: Frame): Wait {
    const place = this.project.place(fn.module, delay);
    const got = boundsOf(this.project, place, frame);
    if (got) {
      // sleep(0) only yields
      if (got.bounds.max === 0) return noWait();
      return {
        bounds: got.bounds,
        parts: [{ node: call, fn, note: got.via.join(', ') }],
        opaque: null,
        midnight: false,
      };
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

  /** No sleep in the loop itself: one in the coroutines that it awaits each round. */
  private delegated(body: readonly Stmt[], fn: FunctionInfo, frame: Frame): Wait {
    if (this.depth > 3) return noWait();
    this.depth++;
    try {
      let wait = noWait();
      for (const n of nodesBelow(body)) {
        if (n.kind !== 'Await' || n.value.kind !== 'Call' || inHandler(n, body)) continue;
        for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, n.value)).values()) {
          if (value.k !== 'coroutine' || value.fn === fn) continue;
          const self = value.self?.viaSelf && frame.self ? frame.self : value.self;
          const inner: Frame = { fn: value.fn, self, calls: [{ place: value.call, skip: value.self ? 1 : 0, frame }] };
          const direct = this.path(value.fn.node.body, value.fn, inner).wait;
          wait = plus(
            wait,
            direct.parts.length || direct.opaque ? direct : this.delegated(value.fn.node.body, value.fn, inner),
          );
        }
      }
      return wait;
    } finally {
      this.depth--;
    }
  }
}

function inHandler(n: Node, body: readonly Stmt[]): boolean {
  for (let p: Node | null = n.parent; p && !body.includes(p as Stmt); p = p.parent)
    if (p.kind === 'ExceptHandler') return true;
  return false;
}

function isEventWait(call: Call): boolean {
  return call.func.kind === 'Attribute' && (call.func.attr === 'wait' || call.func.attr === 'wait_for_shutdown');
}
