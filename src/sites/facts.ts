/** Everything derived about one coroutine, each fact with the line that proves it. */
import type { CalledName, Evidence, Lifecycle, LoopFacts } from '../model/index.ts';
import type { Frame, FunctionInfo } from '../semantics/index.ts';
import type { Call, For, Node, Stmt, While } from '../syntax/index.ts';
import { asAsked } from './brief.ts';
import type { ContextVariables } from './context.ts';
import { emptyFacts } from './facts-shape.ts';
import { findHeartbeat } from './heartbeat.ts';
import { isPlain, type LoopForm, Loops } from './loops.ts';
import { nodesBelow, ownNodes } from './own-nodes.ts';
import { Periods } from './period.ts';
import { dottedName, type Project } from './project.ts';
import { noWait, plus, type Wait, type Within } from './waits.ts';

const EXECUTORS =
  /(^|\.)(run_in_executor|to_thread_sync|start_new_thread)$|^threading\.Thread$|^concurrent\.futures\.(Thread|Process)PoolExecutor$/;

export class Facts {
  readonly loops: Loops;
  readonly periods: Periods;
  private readonly asked = new Map<FunctionInfo, LoopFacts>();
  private readonly callsOf = new Map<FunctionInfo, Pick<LoopFacts, 'calls' | 'executorCalls'>>();

  constructor(
    private readonly project: Project,
    private readonly variables: ContextVariables,
    /** What is not asked for is not derived. */
    private readonly brief = false,
  ) {
    this.loops = new Loops(project);
    this.periods = new Periods(project, this.loops);
  }

  of(fn: FunctionInfo, frame: Frame): LoopFacts {
    if (!isPlain(fn, frame)) return this.found(fn, frame);
    if (this.brief) {
      const known = this.asked.get(fn) ?? this.found(fn, frame);
      this.asked.set(fn, known);
      return known;
    }
    const facts = this.project.ev.fact(fn.module, fn, 'facts', () => this.derive(fn, frame));
    return { ...facts, evidence: [...facts.evidence] };
  }

  private found(fn: FunctionInfo, frame: Frame): LoopFacts {
    if (!this.brief) return this.derive(fn, frame);
    return asAsked(lifecycleOf(this.loops.find(fn, frame)), () => this.derive(fn, frame));
  }

  private derive(fn: FunctionInfo, frame: Frame): LoopFacts {
    const form = this.loops.find(fn, frame);
    const evidence: Evidence[] = [this.evidence('definition', fn, fn.node, this.header(fn))];
    const facts = emptyFacts({
      lifecycle: lifecycleOf(form),
      evidence,
      setsTraceId: this.variables.setsIn(fn.scope, fn.node).some((s) => s.role === 'trace'),
      ...this.called(fn),
    });
    this.period(form, fn, frame, facts);
    const loop = loopOf(form);
    if (loop) {
      facts.diesOnException = !catchesExceptions(loop.node.body);
      facts.swallowsCancellation = this.swallows(loop.node, loop.fn);
    }
    facts.heartbeat = findHeartbeat(this.project, fn, loop);
    if (facts.heartbeat)
      evidence.push({
        fact: 'heartbeat',
        file: facts.heartbeat.file,
        line: facts.heartbeat.line,
        text: facts.heartbeat.variable,
      });
    return facts;
  }

  private header(fn: FunctionInfo): string {
    return `${fn.node.isAsync ? 'async def' : 'def'} ${fn.node.name}(…)`;
  }

  private evidence(fact: string, fn: Within, node: Node, text?: string): Evidence {
    const raw = text ?? this.project.text(fn.module, node).split(/\r\n|\r|\n/, 1)[0]!;
    return {
      fact,
      file: fn.module.file,
      line: this.project.line(fn.module, node.start),
      text: raw.length > 120 ? `${raw.slice(0, 117)}…` : raw,
    };
  }

  private period(form: LoopForm, fn: FunctionInfo, frame: Frame, facts: LoopFacts): void {
    if (form.kind === 'none') return;
    if (form.kind === 'unknown') {
      facts.evidence.push(this.evidence('lifecycle', form.fn, form.at));
      facts.periodSource = form.why;
      return;
    }
    facts.initialDelaySeconds = this.initialDelay(fn, form, frame);
    let inner = form;
    while (inner.kind === 'delegated') {
      facts.evidence.push(this.evidence('delegates', inner.fn, inner.at));
      inner = inner.inner as Exclude<LoopForm, { kind: 'none' | 'unknown' }>;
    }
    facts.evidence.push(
      this.evidence('loop', inner.fn, inner.kind === 'loop' ? inner.node : (inner as { at: Node }).at),
    );
    const wait =
      inner.kind === 'loop'
        ? this.periods.ofLoop(inner.node, inner.fn, inner.frame)
        : this.recursiveWait(inner as Extract<LoopForm, { kind: 'recursive' }>);
    this.applyWait(wait, inner.fn, facts);
  }

  /** A coroutine that awaits or starts itself again: what it sleeps on the way, and the delay of the timer. */
  private recursiveWait(form: Extract<LoopForm, { kind: 'recursive' }>): Wait {
    if (form.mutual)
      return { ...noWait(), opaque: { node: form.at, fn: form.fn, why: 'coroutines that call each other' } };
    const direct = this.periods.path(form.fn.node.body, form.fn, form.frame).wait;
    return form.delay ? plus(direct, this.periods.sleep(form.delay, form.at, form.fn, form.frame)) : direct;
  }

  private applyWait(wait: Wait, fn: FunctionInfo, facts: LoopFacts): void {
    const { bounds, parts, opaque } = wait;
    for (const p of parts) facts.evidence.push(this.evidence('period', p.fn, p.node));
    if (opaque) {
      facts.evidence.push(this.evidence('period-unknown', opaque.fn, opaque.node));
      facts.periodSource = `${this.where(opaque.fn, opaque.node)}: ${opaque.why}`;
      if (wait.midnight) facts.nominalPeriodSeconds = 86400;
      return;
    }
    if (!parts.length && wait.yields) {
      facts.periodSource = `${this.where(wait.yields.fn, wait.yields.node)} only lets others run: no pause between two rounds`;
      return;
    }
    if (!parts.length) {
      facts.periodSource = `no sleep in the loop: driven by events (${fn.module.file}:${this.project.line(fn.module, fn.node.start)})`;
      return;
    }
    const source = parts.map((p) => this.where(p.fn, p.node) + (p.note ? ` (${p.note})` : '')).join(' + ');
    facts.periodSource = source;
    if (bounds.min === bounds.max) {
      facts.periodSeconds = round(bounds.min);
      facts.nominalPeriodSeconds = facts.periodSeconds;
    } else {
      facts.periodRange = { min: round(bounds.min), max: round(bounds.max) };
    }
  }

  private where(fn: Within, node: Node): string {
    const e = this.evidence('', fn, node);
    return `${e.text} at ${e.file}:${e.line}`;
  }

  private initialDelay(fn: FunctionInfo, form: LoopForm, frame: Frame): number | null {
    const at = form.kind === 'loop' ? form.node : form.kind === 'delegated' ? form.at : null;
    if (!at) return null;
    const before: Stmt[] = [];
    for (const s of fn.node.body) {
      if (s.start >= at.start || (s.start < at.start && s.end >= at.end)) {
        if (s.kind === 'Try' || s.kind === 'With') before.push(...s.body.filter((x) => x.end <= at.start));
        break;
      }
      before.push(s);
    }
    const { bounds, parts } = this.periods.path(before, fn, frame).wait;
    return parts.length && bounds.min === bounds.max ? round(bounds.min) : null;
  }

  /** What it calls is the same at every site that starts it. */
  private called(fn: FunctionInfo): Pick<LoopFacts, 'calls' | 'executorCalls'> {
    let found = this.callsOf.get(fn);
    if (!found) {
      found = { calls: this.calls(fn), executorCalls: this.executors(fn) };
      this.callsOf.set(fn, found);
    }
    return found;
  }

  private calls(fn: FunctionInfo): CalledName[] {
    const out: CalledName[] = [];
    for (const n of ownNodes(fn.node)) {
      if (n.kind !== 'Call') continue;
      const name = dottedName(n.func);
      if (!name) continue;
      const p = this.project.range(fn.module, n.start, n.end);
      out.push({ name, qualifiedName: this.qualified(fn, n), file: p.file, line: p.line, column: p.column });
    }
    return out;
  }

  private qualified(fn: FunctionInfo, call: Call): string | null {
    for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, call.func)).values()) {
      if (value.k === 'name') return value.q;
      if (value.k === 'function') return this.project.qualifiedName(value.fn);
      if (value.k === 'class') return `${value.cls.module.name}.${value.cls.qualname}`;
    }
    return null;
  }

  private executors(fn: FunctionInfo): Evidence[] {
    const out: Evidence[] = [];
    for (const n of ownNodes(fn.node)) {
      if (n.kind !== 'Call') continue;
      const name = this.qualified(fn, n) ?? dottedName(n.func) ?? '';
      if (EXECUTORS.test(name)) out.push(this.evidence('executor', fn, n));
    }
    return out;
  }

  /** A handler in the loop that catches CancelledError and goes on. */
  private swallows(loop: While | For, fn: FunctionInfo): Evidence | null {
    for (const n of nodesBelow(loop.body)) {
      if (n.kind !== 'Try') continue;
      for (const h of n.handlers) {
        const names = h.type
          ? (h.type.kind === 'Tuple' ? h.type.elts : [h.type]).map((t) => dottedName(t)?.split('.').pop() ?? '')
          : ['BaseException'];
        const catches = names.some((x) => x === 'BaseException' || x === 'CancelledError');
        if (catches && !leaves(h.body)) return this.evidence('swallows-cancellation', fn, h);
        // an earlier clause took the cancellation
        if (names.includes('CancelledError')) break;
      }
    }
    return null;
  }
}

function lifecycleOf({ kind }: LoopForm): Lifecycle {
  return kind === 'none' ? 'one-shot' : kind === 'unknown' ? 'unknown' : 'loop';
}

function loopOf(form: LoopForm): { node: While | For; fn: FunctionInfo } | null {
  let f = form;
  while (f.kind === 'delegated') f = f.inner;
  return f.kind === 'loop' ? { node: f.node, fn: f.fn } : null;
}

/** Does every way through the handler leave the loop? */
function leaves(body: readonly Stmt[]): boolean {
  return body.some(
    (s) =>
      s.kind === 'Raise' ||
      s.kind === 'Return' ||
      s.kind === 'Break' ||
      (s.kind === 'If' && leaves(s.body) && leaves(s.orelse)) ||
      (s.kind === 'With' && leaves(s.body)),
  );
}

/** Does the round's work stand in a try that catches Exception and goes on? */
function catchesExceptions(body: readonly Stmt[]): boolean {
  for (const n of nodesBelow(body)) {
    if (n.kind !== 'Try') continue;
    for (const h of n.handlers) {
      const names = h.type
        ? (h.type.kind === 'Tuple' ? h.type.elts : [h.type]).map((t) => dottedName(t)?.split('.').pop() ?? '')
        : ['BaseException'];
      if (names.some((x) => x === 'Exception' || x === 'BaseException') && !leaves(h.body)) return true;
    }
  }
  // a loop that only waits has nothing to fail
  return !nodesBelow(body).some((n) => n.kind === 'Call' && !isWaiting(n));
}

function isWaiting(call: Call): boolean {
  const name = dottedName(call.func)?.split('.').pop() ?? '';
  return ['sleep', 'wait', 'wait_for', 'is_set', 'total_seconds', 'clear'].includes(name);
}

function round(n: number): number {
  return Math.round(n * 1e6) / 1e6;
}
