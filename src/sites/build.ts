/** From spawn events to the sites of the data model. */
import type { Certainty, LoopFacts, SiteShape, SpawnSite, Target } from '../model/index.ts';
import { byStart } from '../model/order.ts';
import {
  callsWithin,
  type Evaluator,
  type Frame,
  type FunctionInfo,
  isAbstract,
  type LambdaInfo,
  scopePath,
} from '../semantics/index.ts';
import type { Expr, Keyword } from '../syntax/index.ts';
import type { Attempts } from './attempts.ts';
import { briefShape } from './brief.ts';
import { handsBackBelow, isReplaced } from './decorated.ts';
import type { Facts } from './facts.ts';
import { emptyFacts } from './facts-shape.ts';
import type { SpawnEvent } from './flow.ts';
import { ownGroup } from './groups.ts';
import { handsSpawn } from './handed-receivers.ts';
import { outerExtent, type Project } from './project.ts';
import { unresolvedBecause } from './reasons.ts';
import { Refusals } from './refusals.ts';
import { spreadContext } from './spreads.ts';
import type { Tags } from './tags.ts';
import type { Alternative } from './targets.ts';
import { branchesOf, controlPath, fstringQuotes, statementOf, taskUse } from './use.ts';
import { calledWith, wrapperSteps } from './wrapper-steps.ts';

export class SiteBuilder {
  private readonly refusals: Refusals;

  constructor(
    private readonly project: Project,
    private readonly facts: Facts,
    private readonly tags: Tags,
    private readonly attempts: Attempts,
    /** Only what counting takes. */
    private readonly brief = false,
  ) {
    this.refusals = new Refusals(project);
  }

  /** Sites of the given events, sorted, with ids. */
  build(events: readonly SpawnEvent[]): SpawnSite[] {
    const sites = merge(events.map((e) => this.known(e)));
    sites.sort((a, b) => byStart(a.range, b.range) || a.range.end - b.range.end);
    const seen = new Map<string, number>();
    for (const s of sites) {
      const n = (seen.get(s.id) ?? 0) + 1;
      seen.set(s.id, n);
      if (n > 1) s.id = `${s.id}#${n}`;
    }
    return sites;
  }

  /** A site in which no other module has a hand is found out once. */
  private known(event: SpawnEvent): SpawnSite {
    const { module, call, wrapper, mode } = event;
    if (this.brief || !this.project.memory.stays || !isOwn(event)) return this.site(event);
    const what = wrapper ? `site ${mode} ${wrapper.fn.module.file} ${wrapper.arg.start}` : 'site';
    return copyOf(this.project.ev.fact(module, call.node, what, () => this.site(event)));
  }

  private site(event: SpawnEvent): SpawnSite {
    const { module, call } = event;
    const node = call.node;
    const range = this.project.range(module, node.start, node.end);
    const given =
      event.argument.kind === 'given'
        ? event.argument.place.node
        : event.argument.kind === 'many'
          ? event.argument.places[0]!.node
          : null;
    const extent = given && !(event.argument.kind === 'given' && event.argument.inPartial) ? outerExtent(given) : null;
    const shown = given ? outerExtent(given) : null;
    const targets = this.targetsOf(event);
    const unresolved = targets.length ? whyWrong(event) : this.why(event);
    const tag = targets.length ? null : this.tags.atCall(event);
    const enclosing = scopePath(call.scope);
    const names = targets.map((t) => t.name).join('|') || '?';
    return {
      id: `${module.name}:${enclosing}:${names}`,
      module: module.name,
      range,
      api: event.wrapper ? `wrapper:${this.wrapperName(event.wrapper.fn)}` : event.row.api,
      takes: event.mode.endsWith('callable') ? 'callable' : 'coroutine',
      enclosing,
      argument: shown ? module.text.slice(shown.start, shown.end) : '',
      argumentExtent: extent,
      targets,
      ...(tag && { tag }),
      unresolved,
      certainty: this.brief ? 'unknown' : this.certainty(event, targets),
      shape: this.brief ? briefShape(this.project, event) : this.shape(event, given),
      evidence: [
        {
          fact: event.spawn
            ? `call of ${event.row.api} (${event.spawn.proof})`
            : `call of the wrapper ${event.wrapper!.fn.qualname}`,
          file: range.file,
          line: range.line,
          text: firstLine(module.text.slice(node.start, node.end)),
        },
      ],
    };
  }

  /** A constructor goes by the name of its class. */
  private wrapperName(fn: FunctionInfo | LambdaInfo): string {
    return this.project.qualifiedName(fn).replace(/\.__init__$/, '');
  }

  private targetsOf(event: SpawnEvent): Target[] {
    const out: Target[] = [];
    for (const a of event.alternatives) {
      const known = a.kind === 'parameter' ? a.fallback : a;
      if (known?.kind === 'coroutine')
        out.push(this.coroutineTarget(event, { ...known, frame: calledWith(this.project.ev, event, known.frame) }));
      else if (known?.kind === 'external') out.push(this.externalTarget(event, known));
      else if (known?.kind === 'not-spawnable') out.push(this.wrongTarget(known.fn, known.name));
    }
    return distinct(out);
  }

  private coroutineTarget(event: SpawnEvent, a: Extract<Alternative, { kind: 'coroutine' }>): Target {
    let facts = this.facts.of(a.fn, a.frame);
    if (facts.lifecycle !== 'loop') {
      for (const p of repeatersOf(this.project.ev, event, a)) {
        const outer = this.facts.of(p.fn, p.frame);
        if (outer.lifecycle !== 'loop') continue;
        // a function that repeats what it is given is itself what a direct spawn starts, but for a decorator's closure
        if (
          !event.wrapper &&
          !p.frame.outer &&
          outer.periodSource &&
          (outer.periodSeconds !== null || outer.periodRange)
        )
          return this.described(event, a, p.fn, p.name, outer);
        facts = { ...outer, evidence: [...facts.evidence, ...outer.evidence] };
      }
    }
    return this.described(event, a, a.fn, a.name, facts);
  }

  private described(
    event: SpawnEvent,
    a: Extract<Alternative, { kind: 'coroutine' }>,
    fn: FunctionInfo,
    name: string,
    facts: LoopFacts,
  ): Target {
    const { tag, traceId } = this.tags.of(event, a);
    return {
      name,
      qualifiedName: this.project.qualifiedName(fn),
      file: fn.module.file,
      line: this.project.line(fn.module, fn.node.start),
      facts,
      tag,
      // read when it is asked for, as the facts are
      get traceId() {
        return traceId || facts.setsTraceId;
      },
      inherited: tag || this.brief ? null : this.attempts.inherited(event),
    };
  }

  private externalTarget(event: SpawnEvent, a: Extract<Alternative, { kind: 'external' }>): Target {
    const facts = emptyFacts(a.q && this.project.table.ends.has(a.q) ? { lifecycle: 'one-shot' } : {});
    const { tag, traceId } = this.tags.of(event, a);
    return { name: a.name, qualifiedName: a.q, file: null, line: null, facts, tag, traceId };
  }

  private wrongTarget(fn: FunctionInfo, name: string): Target {
    return {
      name,
      qualifiedName: this.project.qualifiedName(fn),
      file: fn.module.file,
      line: this.project.line(fn.module, fn.node.start),
      facts: emptyFacts(),
      tag: null,
      traceId: false,
    };
  }

  private why(event: SpawnEvent): string {
    if (event.argument.kind === 'missing') return 'no argument is given';
    if (event.argument.kind === 'starred') return 'the argument comes out of a starred or ** argument';
    for (const a of event.alternatives) {
      if (a.kind === 'task') return 'an existing task or future is passed on';
      if (a.kind === 'parameter')
        return `it is the parameter ${a.arg.arg} of ${a.owner.qualname}, and no caller is known`;
      if (a.kind === 'unknown') return unresolvedBecause(a.why);
    }
    return 'not known statically';
  }

  private certainty(event: SpawnEvent, targets: Target[]): Certainty {
    for (let e: SpawnEvent | undefined = event; e; e = e.wrapper?.inner)
      if (e.wrapper?.likely && targets.length) return 'likely';
    for (let [e, by]: [SpawnEvent | undefined, SpawnEvent?] = [event]; e; [e, by] = [e.wrapper?.inner, e])
      if (e.spawn?.certainty === 'likely' && !(by && e.spawn.handed && handsSpawn(this.project, by, e.spawn.handed)))
        return 'likely';
    if (!targets.length || targets.every((t) => t.qualifiedName === null)) return 'unknown';
    const decorated = event.alternatives.some(
      (a) => a.kind === 'coroutine' && (hasOpaqueDecorator(this.project, a.fn) || isAbstract(this.project.ev, a.fn)),
    );
    const open =
      event.alternatives.some((a) => a.kind === 'unknown' || (a.kind === 'external' && a.made)) ||
      targets.some((t) => t.qualifiedName === null);
    return decorated || open ? 'likely' : 'proven';
  }

  private shape(event: SpawnEvent, given: Expr | null): SiteShape {
    const { node, scope } = event.call;
    const statement = statementOf(node);
    const context = node.keywords.find((k) => k.arg === 'context');
    const name = node.keywords.find((k) => k.arg === 'name');
    const last = [...node.args, ...node.keywords].reduce(
      (end, a) => Math.max(end, outerExtent(a.kind === 'Keyword' ? a.value : a).end),
      -1,
    );
    const wrap = this.wrapExtents(event, given);
    const use = taskUse(this.project, event);
    const group = event.row.structured ? ownGroup(node) : null;
    return {
      use,
      statement: { start: statement.start, end: statement.end },
      fstringQuotes: fstringQuotes(node),
      lastArgumentEnd: last < 0 ? null : last,
      ...(event.mode.endsWith('callable') && given
        ? { passed: event.module.text.slice(given.end, Math.max(given.end, last)) }
        : {}),
      contextArgument: context ? this.contextArgument(event, context) : null,
      spreadContext: spreadContext(node),
      nameArgument: name ? event.module.text.slice(name.value.start, name.value.end) : null,
      path: controlPath(scope),
      ...(group ? { group: { ...group } } : {}),
      refusal: this.refusals.of(event, wrap),
      wrapExtents: wrap,
      starred: event.argument.kind === 'starred',
      ineffective: this.refusals.ineffective(event),
      branches: branchesOf(node),
      ineffectiveTag: this.attempts.ineffective(event),
      doneCallback: this.attempts.doneCallback(event, use),
    };
  }

  private wrapExtents(event: SpawnEvent, given: Expr | null): SiteShape['wrapExtents'] {
    if (event.argument.kind === 'many')
      return event.argument.places.some((p) => p.node.kind === 'Starred')
        ? []
        : event.argument.places.map((p) => outerExtent(p.node));
    return event.mode.startsWith('iterable') && given ? this.refusals.elementExtents(given) : [];
  }

  private contextArgument(event: SpawnEvent, context: Keyword): SiteShape['contextArgument'] {
    const { value } = context;
    const text = event.module.text.slice(value.start, value.end);
    const kind = this.contextKind(event, value);
    return { extent: outerExtent(context), value: text, kind };
  }

  private contextKind(event: SpawnEvent, value: Expr): 'copied' | 'shared' | 'project' | 'empty' | 'unknown' {
    if (value.kind === 'Constant') return 'empty';
    if (value.kind !== 'Call') return 'shared';
    const names = this.project.namesOf(event.module, value.func);
    if (names.includes('contextvars.copy_context') || (value.func.kind === 'Attribute' && value.func.attr === 'copy'))
      return 'copied';
    if (names.includes('contextvars.Context')) return 'empty';
    const [first] = event.alternatives;
    const tag = first?.kind === 'coroutine' || first?.kind === 'external' ? this.tags.of(event, first).tag : null;
    return tag?.via === 'context-argument' ? 'project' : 'unknown';
  }
}

/** Is it, down to the spawn at the end of the wrappers, just what the arguments tell? */
function isOwn({ alternatives, found, wrapper, spawn }: SpawnEvent): boolean {
  if (spawn?.handed) return false;
  const same = found?.length === alternatives.length && found.every((a, i) => a === alternatives[i]);
  return same && (!wrapper || isOwn(wrapper.inner));
}

/** To be completed by what is known of all sites together. */
function copyOf(site: SpawnSite): SpawnSite {
  const { group } = site.shape;
  return { ...site, shape: { ...site.shape, ...(group ? { group: { ...group } } : {}) } };
}

/** Why what is named cannot be spawned. */
function whyWrong({ alternatives, spawn }: SpawnEvent): string | null {
  // a wrapper may look at what it is given first
  if (!spawn) return null;
  const wrong = alternatives.find((a) => a.kind === 'not-spawnable');
  return wrong?.kind === 'not-spawnable' ? wrong.why : null;
}

/** Coroutines around the target that may repeat it, outermost first, each with what is known of its call. */
function repeatersOf(
  ev: Evaluator,
  event: SpawnEvent,
  a: Extract<Alternative, { kind: 'coroutine' }>,
): { fn: FunctionInfo; name: string; frame: Frame }[] {
  const around = wrapperSteps(ev, event).flatMap(({ passage, frame }) =>
    passage ? [{ p: passage, outer: frame }] : [],
  );
  return [...around, ...a.through.map((p) => ({ p, outer: null }))].flatMap(({ p, outer }) => {
    // a closure over the parameter of a wrapper is known by the call of the wrapper
    if (p.helper || p.of?.type !== 'function' || !(p.inner || outer)) return [];
    const calls = [{ place: p.call, skip: p.self ? 1 : 0, frame: outer }];
    const made: Frame = { fn: p.of, self: p.self, calls, outer: p.inner ? undefined : (outer ?? undefined) };
    const frame = (!outer && p.frame) || made;
    return [{ fn: p.of, name: p.name, frame }];
  });
}

/** Started twice alike (`gather(poll(), poll())`), it is one target; with another period or tag it is a second one. */
function distinct(targets: Target[]): Target[] {
  if (targets.length < 2) return targets;
  const key = ({ name, qualifiedName, file, line, facts, tag }: Target) =>
    JSON.stringify([name, qualifiedName, file, line, facts.periodSeconds, tag?.projectId, tag?.via]);
  return [...new Map(targets.map((t) => [key(t), t] as const).reverse()).values()].reverse();
}

/** One call may start several things (a wrapper with two coroutine parameters): one site. */
function merge(sites: SpawnSite[]): SpawnSite[] {
  const byPlace = new Map<string, SpawnSite>();
  for (const s of sites) {
    const key = `${s.range.file}:${s.range.start}:${s.range.end}`;
    const known = byPlace.get(key);
    if (!known) {
      byPlace.set(key, s);
      continue;
    }
    if (isSameArgument(known, s) && !known.targets.length !== !s.targets.length) {
      // taken as a coroutine and called as a function: it is one of them
      if (s.targets.length) byPlace.set(key, s);
      continue;
    }
    known.targets = distinct([...known.targets, ...s.targets]);
    known.id = known.id.replace(/[^:]*$/, known.targets.map((t) => t.name).join('|') || '?');
    if (known.argumentExtent && s.argumentExtent && known.argumentExtent.start !== s.argumentExtent.start) {
      const both = [
        ...(known.shape.wrapExtents.length ? known.shape.wrapExtents : [known.argumentExtent]),
        s.argumentExtent,
      ];
      known.shape.wrapExtents = both.sort((a, b) => a.start - b.start);
    }
  }
  return [...byPlace.values()];
}

function isSameArgument(a: SpawnSite, b: SpawnSite): boolean {
  return a.argumentExtent !== null && a.argumentExtent?.start === b.argumentExtent?.start;
}

const TRANSPARENT =
  /(^|\.)(wraps|staticmethod|classmethod|abstractmethod|override|final|coroutine|no_type_check|overload|asynccontextmanager)$/;

/** Does a decorator stand on it that may replace the coroutine by something else? */
function hasOpaqueDecorator(project: Project, fn: FunctionInfo): boolean {
  if (fn.cls && isReplaced(project, fn.cls)) return true;
  return fn.node.decorators.some((d) => {
    if (handsBackBelow(project, fn, d)) return false;
    const callee = d.kind === 'Call' ? d.func : d;
    const values = [...project.ev.valueAt(project.place(fn.module, callee)).values()];
    return !values.every(({ value }) => {
      if (value.k === 'name') return TRANSPARENT.test(value.q);
      if (value.k === 'function') return passesThrough(value.fn);
      return callee.kind === 'Name' && TRANSPARENT.test(callee.id);
    });
  });
}

/** A project decorator whose inner function calls what it decorates. */
function passesThrough(fn: FunctionInfo): boolean {
  const params = new Set([...fn.node.args.posonly, ...fn.node.args.args].map((a) => a.arg));
  for (const inner of fn.module.functions) {
    if (inner.node.start < fn.node.start || inner.node.end > fn.node.end) continue;
    for (const a of [...inner.node.args.posonly, ...inner.node.args.args]) params.add(a.arg);
  }
  return (
    callsWithin(fn.module, fn.node).some(({ node: { func } }) => func.kind === 'Name' && params.has(func.id)) ||
    fn.node.body.some((s) => s.kind === 'Return' && s.value?.kind === 'Name' && params.has(s.value.id))
  );
}

function firstLine(text: string): string {
  const line = text.split(/\r\n|\r|\n/, 1)[0]!;
  return line.length > 120 ? `${line.slice(0, 117)}…` : line;
}
