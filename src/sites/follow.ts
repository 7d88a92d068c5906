/** What does awaiting an expression wait for? Tasks, gathered coroutines, parameters and overridden methods are followed. */
import {
  argumentThrough,
  type CallPlace,
  dispatched,
  elementsOf,
  type Frame,
  type FunctionInfo,
  type Instance,
  lineage,
  methodClass,
  type Place,
  placesOf,
  realSelf,
  returnsOf,
  superMethod,
  type Value,
} from '../semantics/index.ts';
import { type Expr, isSuper } from '../syntax/index.ts';
import type { Project } from './project.ts';

export type Awaited =
  /** A coroutine of the project, with what is known of its call. */
  | { k: 'coroutine'; fn: FunctionInfo; frame: Frame; place: Place }
  | { k: 'sleep'; delay: Place; call: CallPlace; frame: Frame }
  /** `gather`, `wait`: all of them, or (`first`) the first that ends; `open`: there are others of which nothing is known. */
  | { k: 'group'; of: Awaited[]; first: boolean; open?: boolean }
  /** `wait_for(x, timeout)`: x for at most so long. */
  | { k: 'limited'; of: Awaited[]; timeout: Place; call: CallPlace; frame: Frame }
  /** `event.wait()` and the like: for as long as it takes. */
  | { k: 'event' };

const SLEEPS = new Set(['asyncio.sleep', 'anyio.sleep', 'trio.sleep', 'time.sleep', 'curio.sleep', 'gevent.sleep']);
const THREADS: Record<string, number> = {
  'asyncio.to_thread': 0,
  'anyio.to_thread.run_sync': 0,
  'trio.to_thread.run_sync': 0,
  'starlette.concurrency.run_in_threadpool': 0,
  'fastapi.concurrency.run_in_threadpool': 0,
  'LOOP.run_in_executor': 1,
};

export function isSleepName(q: string): boolean {
  return SLEEPS.has(q);
}

export class Follow {
  constructor(private readonly project: Project) {}

  /** The possibilities; empty when nothing is known of it. */
  awaited(place: Place, frame: Frame, depth = 0): Awaited[] {
    if (depth > 10) return [];
    const n = place.node;
    const at = (node: Expr): Awaited[] => this.awaited({ ...place, node }, frame, depth + 1);
    switch (n.kind) {
      case 'Call':
        return this.call({ ...place, node: n }, frame, depth);
      case 'IfExp':
        return [...at(n.body), ...at(n.orelse)];
      case 'BoolOp':
        return n.values.flatMap(at);
      case 'NamedExpr':
        return at(n.value);
      default:
        return this.values(place, frame, depth);
    }
  }

  private values(place: Place, frame: Frame, depth: number): Awaited[] {
    const out: Awaited[] = [];
    for (const { value } of this.project.ev.valueAt(place).values())
      out.push(...this.value(value, place, frame, depth));
    return out;
  }

  private value(v: Value, place: Place, frame: Frame, depth: number): Awaited[] {
    if (v.k === 'coroutine') return [this.started(v, place, frame)];
    if (v.k === 'external' || v.k === 'task' || v.k === 'result')
      return v.call.node === place.node ? [] : this.call(v.call, frame, depth + 1);
    if (v.k === 'param' && v.owner.type === 'function') {
      const given = this.argument(v.owner, v.arg, frame);
      return given ? this.awaited(given.place, given.frame ?? { fn: null, self: null, calls: [] }, depth + 1) : [];
    }
    return [];
  }

  private argument(owner: FunctionInfo, arg: Parameters<typeof argumentThrough>[2], frame: Frame) {
    for (let f: Frame | null | undefined = frame, i = 0; f && i < 8; f = f.calls[0]?.frame, i++) {
      if (f.fn !== owner) continue;
      for (const call of f.calls) {
        const given = argumentThrough(this.project.ev, owner, arg, call);
        if (given === 'unknown') return null;
        if (given) return given;
      }
    }
    return null;
  }

  // ---- calls ----

  private call(place: CallPlace, frame: Frame, depth: number): Awaited[] {
    const up = this.superCall(place, frame, depth);
    if (up) return up;
    const out: Awaited[] = [];
    for (const { value } of this.project.ev.value(place.node.func, place.scope, place.block).values()) {
      if (value.k === 'name') {
        const got = this.library(value.q, place, frame, depth);
        if (got) return got;
      } else if (value.k === 'function' && !value.fn.node.isAsync)
        out.push(...this.handedBack(value.fn, this.frameIn(value.fn, value.self, place, frame), depth));
      else if (value.k === 'lambda') {
        const { node, scope } = value.fn;
        out.push(...this.awaited({ node: node.body, scope, block: scope.root }, frame, depth + 1));
      } else if (value.k === 'param' && value.owner.type === 'function')
        out.push(...this.calledParameter(value.owner, value.arg, place, frame));
    }
    if (!out.length) out.push(...this.values(place, frame, depth + 1));
    const { func } = place.node;
    if (!out.length && func.kind === 'Attribute' && /^wait(_for_shutdown)?$/.test(func.attr)) return [{ k: 'event' }];
    return out;
  }

  /** What a plain function of the project hands back: `spawn(run())` returns a task. */
  private handedBack(fn: FunctionInfo, frame: Frame, depth: number): Awaited[] {
    return fn.isGenerator ? [] : returnsOf(fn).flatMap((p) => this.awaited(p, frame, depth + 2));
  }

  private frameIn(fn: FunctionInfo, self: Instance | null, place: CallPlace, frame: Frame): Frame {
    return { fn, self: this.realSelf(self, frame), calls: [{ place, skip: self ? 1 : 0, frame }] };
  }

  /** `await fn(*args)` of a callable that the known call gives. */
  private calledParameter(
    owner: FunctionInfo,
    arg: Parameters<typeof argumentThrough>[2],
    place: CallPlace,
    frame: Frame,
  ): Awaited[] {
    const given = this.argument(owner, arg, frame);
    if (!given) return [];
    const out: Awaited[] = [];
    for (const { value } of this.project.ev.valueAt(given.place).values()) {
      const base = value.k === 'partial' ? value.base : value;
      if (base.k !== 'function' || !base.fn.node.isAsync) continue;
      const skip = base.self ? 1 : 0;
      const calls = [{ place, skip, frame }];
      if (value.k === 'partial') calls.push({ place: value.call, skip: skip - 1, frame: given.frame ?? frame });
      out.push({ k: 'coroutine', fn: base.fn, frame: { fn: base.fn, self: base.self, calls }, place });
    }
    return out;
  }

  private library(q: string, place: CallPlace, frame: Frame, depth: number): Awaited[] | null {
    const { args, keywords } = place.node;
    const given = (i: number, ...names: string[]): Expr | undefined =>
      args[i] ?? keywords.find((k) => k.arg && names.includes(k.arg))?.value;
    const follow = (node: Expr | undefined): Awaited[] =>
      node ? this.awaited({ ...place, node }, frame, depth + 1) : [];
    if (SLEEPS.has(q)) {
      // `sleep(**options)`: of a length that is not known
      const delay = given(0, 'delay', 'seconds') ?? (keywords.some((k) => k.arg === null) ? place.node : undefined);
      return delay ? [{ k: 'sleep', delay: { ...place, node: delay }, call: place, frame }] : [];
    }
    if (q in THREADS) {
      const fn = args[THREADS[q]!];
      const delay = args[THREADS[q]! + 1];
      const sleeps = fn && this.project.namesOf(place.scope.module, fn).includes('time.sleep');
      return sleeps && delay ? [{ k: 'sleep', delay: { ...place, node: delay }, call: place, frame }] : [];
    }
    if (q === 'asyncio.gather') return [{ k: 'group', of: this.members(place, args, frame, depth), first: false }];
    if (q === 'asyncio.wait') {
      const of = args[0] ? this.elements({ ...place, node: args[0] }, frame, depth) : [];
      const first = keywords.some((k) => k.arg === 'return_when' && endsWithName(k.value, 'FIRST_COMPLETED'));
      const open = args[0] !== undefined && this.isOpen({ ...place, node: args[0] }, frame, depth);
      return limited([{ k: 'group', of, first, open }], given(99, 'timeout'), place, frame);
    }
    if (q === 'asyncio.wait_for') return limited(follow(given(0, 'fut')), given(1, 'timeout'), place, frame);
    if (q === 'asyncio.shield') return follow(given(0, 'arg'));
    const row = this.project.table.rows.get(q);
    if (row && !row.scheduled && row.takes === 'coroutine')
      return follow(given(row.argument.position, row.argument.keyword));
    return null;
  }

  private members(place: CallPlace, args: readonly Expr[], frame: Frame, depth: number): Awaited[] {
    return args.flatMap((a) =>
      a.kind === 'Starred'
        ? this.elements({ ...place, node: a.value }, frame, depth)
        : this.awaited({ ...place, node: a }, frame, depth + 1),
    );
  }

  /** Of a list, set or comprehension of coroutines or tasks. */
  private elements(place: Place, frame: Frame, depth: number): Awaited[] {
    const places = placesOf(this.project.ev, place, [], false);
    const out = places.flatMap((p) => this.awaited(p, frame, depth + 1));
    if (places.length) return out;
    for (const { value } of elementsOf(this.project.ev, place, [], false).values())
      out.push(...this.value(value, place, frame, depth + 1));
    return out;
  }

  /** Is nothing known of one of its elements? */
  private isOpen(place: Place, frame: Frame, depth: number): boolean {
    return placesOf(this.project.ev, place, [], false).some((p) => !this.awaited(p, frame, depth + 1).length);
  }

  // ---- methods ----

  private started(v: Extract<Value, { k: 'coroutine' }>, place: Place, frame: Frame): Awaited {
    const self = this.realSelf(v.self, frame);
    const found = dispatched(this.project.ev, v.fn, v.call, v.self, self);
    const fn = found.node.isAsync ? found : v.fn;
    const skip = v.self ? 1 : 0;
    const from = v.frame ?? frame;
    const calls = [
      { place: v.call, skip, frame: from },
      ...v.partial.map((p) => ({ place: p, skip: skip - 1, frame: from })),
    ];
    const outer = v.closure ? this.closureFrame(v.fn, v.closure, frame) : undefined;
    return { k: 'coroutine', fn, frame: { fn, self, calls, outer }, place };
  }

  /** The call of the function that made a closure. */
  private closureFrame(fn: FunctionInfo, call: CallPlace, frame: Frame): Frame | undefined {
    const maker = fn.outer.fn;
    if (!maker) return undefined;
    return { fn: maker, self: null, calls: [{ place: call, skip: maker.cls ? 1 : 0, frame }] };
  }

  realSelf(self: Instance | null, frame: Frame): Instance | null {
    return realSelf(this.project.ev, self, frame);
  }

  /** `super().run()`: the next class after the one that the method stands in, as seen from the real class. */
  private superCall(place: CallPlace, frame: Frame, depth: number): Awaited[] | null {
    const { func } = place.node;
    if (func.kind !== 'Attribute' || !isSuper(func.value)) return null;
    const own = methodClass(place);
    if (!own) return null;
    const { ev } = this.project;
    const self = frame.self && lineage(ev, frame.self.cls).includes(own) ? frame.self : null;
    const fn = superMethod(ev, own, self?.cls ?? own, func.attr);
    if (!fn) return [];
    const inner: Frame = { fn, self: self ?? frame.self, calls: [{ place, skip: 1, frame }] };
    return fn.node.isAsync ? [{ k: 'coroutine', fn, frame: inner, place }] : this.handedBack(fn, inner, depth);
  }
}

function limited(of: Awaited[], timeout: Expr | undefined, place: CallPlace, frame: Frame): Awaited[] {
  if (!timeout || (timeout.kind === 'Constant' && timeout.type === 'none')) return of;
  return [{ k: 'limited', of, timeout: { ...place, node: timeout }, call: place, frame }];
}

function endsWithName(n: Expr, name: string): boolean {
  return (n.kind === 'Attribute' && n.attr === name) || (n.kind === 'Name' && n.id === name);
}
