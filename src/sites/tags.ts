/** The project id that is already in force for a target, and where it is set. */
import { tail } from '../model/identifier.ts';
import type { Tag } from '../model/index.ts';
import {
  argumentFor,
  callsOf,
  codeScope,
  type Frame,
  type FunctionInfo,
  type ModuleScopes,
  positionalArgs,
} from '../semantics/index.ts';
import { type Call, type Expr, encloses, type Node, type Span } from '../syntax/index.ts';
import { isAlwaysDone } from './always-done.ts';
import type { ContextSet, ContextVariables, HelperShape, Helpers } from './context.ts';
import type { SpawnEvent } from './flow.ts';
import { idArgument } from './helper-calls.ts';
import { setsTraceAt } from './helper-signature.ts';
import type { Loops } from './loops.ts';
import { dottedName, outerExtent, type Project } from './project.ts';
import type { Alternative, Passage } from './targets.ts';
import { branchesOf } from './use.ts';
import { wrapperSteps } from './wrapper-steps.ts';

interface TagFacts {
  tag: Tag | null;
  traceId: boolean;
}

export class Tags {
  private readonly setters = new Map<FunctionInfo, { call: Call; id: Expr } | null>();

  constructor(
    private readonly project: Project,
    private readonly variables: ContextVariables,
    private readonly helpers: Helpers,
    private readonly loops: Loops,
  ) {}

  of(event: SpawnEvent, alternative: Extract<Alternative, { kind: 'coroutine' | 'external' }>): TagFacts {
    const traced =
      this.tracedByContext(event) ||
      [...alternative.through, ...wrapperSteps(this.project.ev, event).flatMap((s) => [s.passage, ...s.helpers])].some(
        (p) => p?.helper && setsTraceAt(p.helper, p.call.node),
      );
    // the innermost setting wins: the body, then the nearest wrapper outward
    const body = alternative.kind === 'coroutine' ? this.inBody(alternative.fn, alternative.frame) : null;
    if (body) return { tag: body, traceId: traced };
    const decorated = alternative.kind === 'coroutine' ? this.byDecorator(alternative.fn) : null;
    if (decorated) return { tag: decorated, traceId: traced };
    for (const p of [...alternative.through].reverse()) {
      const tag = this.byPassage(p, event);
      if (tag) return { tag, traceId: traced };
    }
    const context = this.byContextArgument(event);
    if (context) return { tag: context, traceId: traced };
    return { tag: this.byWrapper(event), traceId: traced };
  }

  /** Of a spawn of which is not known what it starts: what stands at the call. */
  atCall(event: SpawnEvent): Tag | null {
    const passages = event.alternatives.flatMap((a) => (a.kind === 'unknown' ? (a.through ?? []) : []));
    for (const p of passages.reverse()) {
      const tag = this.byPassage(p, event);
      if (tag) return tag;
    }
    return this.byContextArgument(event);
  }

  private inBody(fn: FunctionInfo, frame: Frame): Tag | null {
    const inForce = this.setsInForce(fn, frame);
    const at = (node: Expr, value: Expr | null): Tag => {
      const v = value ? this.project.folder.fold(this.project.place(fn.module, value), frame)?.value : null;
      return this.tagAt(fn.module, node, v, 'loop-body');
    };
    const tags = inForce.map((s) => at(s.call.node, s.value));
    const [first] = tags;
    // in one case and not in the other, or different ids: what holds is known at run time only
    const same = tags.every((t) => t.projectId === first?.projectId);
    const always =
      same &&
      isAlwaysDone(
        inForce.map((s) => s.call.node),
        fn.node,
      );
    if (first) return always ? first : { ...first, projectId: null };
    const set = this.setterIn(fn);
    return set && at(set.call, set.id);
  }

  /** The first call in a function that sets the id by way of another one. */
  private setterIn(fn: FunctionInfo): { call: Call; id: Expr } | null {
    let found = this.setters.get(fn);
    if (found === undefined) {
      found = null;
      for (const call of this.callsIn(fn)) {
        const id = this.setterArgument(fn, call);
        if (!id) continue;
        found = { call, id };
        break;
      }
      this.setters.set(fn, found);
    }
    return found;
  }

  /** The settings that hold while the coroutine works: the last one before its loop, or those of its last branches. */
  private setsInForce(fn: FunctionInfo, frame: Frame): ContextSet[] {
    const form = this.loops.find(fn, frame);
    const loop = form.kind === 'loop' && form.fn === fn ? form.node : null;
    const sets = this.variables
      .setsIn(fn.scope, fn.node)
      .filter((s) => s.role === 'project' && !isInHandler(s.call.node) && !(loop && s.call.node.start > loop.end))
      .filter((s) => !(loop && this.isReset(fn, s.call.node, loop.start)));
    const before = loop ? sets.filter((s) => s.call.node.start < loop.start) : sets;
    const chosen = before.length ? before : sets.slice(0, 1);
    const last = chosen.map((s) => branchesOf(s.call.node).length === 0).lastIndexOf(true);
    const after = chosen.slice(last + 1);
    return after.length ? chosen.slice(Math.max(0, last)) : chosen.slice(-1);
  }

  /** `token = var.set("x"); var.reset(token)` before the loop: no longer in force in it. */
  private isReset(fn: FunctionInfo, set: Call, loopStart: number): boolean {
    const target = set.parent?.kind === 'Assign' ? set.parent.targets[0] : null;
    if (target?.kind !== 'Name') return false;
    return this.callsIn(fn).some((c) => {
      const [token] = c.args;
      const resets =
        c.func.kind === 'Attribute' && c.func.attr === 'reset' && token?.kind === 'Name' && token.id === target.id;
      return resets && c.start > set.end && c.start < loopStart;
    });
  }

  private callsIn(fn: FunctionInfo): Call[] {
    return callsOf(fn.scope).map((c) => c.node);
  }

  /** `set_project("awoooi")`, `with project_scope("awoooi"):`, `await with_project("awoooi", job())`: the id that a project function sets. */
  private setterArgument(fn: FunctionInfo, call: Call): Expr | null {
    if (!call.args.length && !call.keywords.length) return null;
    for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, call.func)).values()) {
      if (value.k !== 'function' || value.fn === fn) continue;
      const set = this.variables
        .setsIn(value.fn.scope, value.fn.node)
        .find((s) => s.role === 'project' && s.value?.kind === 'Name');
      if (!set) continue;
      const id = (set.value as Extract<Expr, { kind: 'Name' }>).id;
      const arg = [...positionalArgs(value.fn.node.args), ...value.fn.node.args.kwonly].find((a) => a.arg === id);
      const given = arg ? argumentFor(value.fn, arg, call, value.self ? 1 : 0) : null;
      if (given && given !== 'unknown') return given;
    }
    return null;
  }

  private byPassage(p: Passage, event: SpawnEvent): Tag | null {
    if (!p.helper) {
      // a coroutine on the way that sets the variable itself
      if (p.of?.type !== 'function' || !p.inner) return null;
      const calls = [{ place: p.call, skip: p.self ? 1 : 0, frame: null }];
      return this.inBody(p.of, p.frame ?? { fn: p.of, self: p.self, calls });
    }
    const id = idArgument(this.project.ev, p, null);
    const module = p.call.scope.module;
    const v = id ? this.project.folder.fold(id.place, id.frame ?? undefined)?.value : null;
    const tag = this.tagAt(module, p.call.node, v, 'wrapper');
    const here = module === event.module && encloses(event.call.node, p.call.node);
    // the default of a parameter stands in the helper, not in its call
    if (here && id && p.inner && isPlain(p.call.node) && encloses(p.call.node, id.place.node)) {
      tag.wrapping = {
        helper: dottedName(p.call.node.func) ?? p.name,
        call: outerExtent(p.call.node),
        inner: outerExtent(p.inner.node),
        id: outerExtent(id.place.node),
      };
    }
    return tag;
  }

  /** `create_task(run_x(), context=_project_context("awoooi"))`, or a copied context that the id was set in. */
  private byContextArgument(event: SpawnEvent, frame?: Frame): Tag | null {
    const context = event.call.node.keywords.find((k) => k.arg === 'context')?.value;
    if (context?.kind === 'Name') return this.setInContext(event, context);
    if (context?.kind !== 'Call') return null;
    for (const { name, shape } of this.contextHelpers(event, context)) {
      if (!shape?.buildsContext && name !== '_project_context') continue;
      const named = context.keywords.find((k) => k.arg === (shape?.idParamName ?? 'project_id'));
      const id = context.args[shape ? shape.idParam : 0] ?? named?.value;
      const v = id ? this.project.folder.fold(this.project.place(event.module, id), frame)?.value : null;
      return this.tagAt(event.module, context, v, 'context-argument');
    }
    return null;
  }

  /** What makes the context: by its name where it is out of reach, by its shape where it is not. */
  private contextHelpers(event: SpawnEvent, { func }: Call): { name: string; shape: HelperShape | null }[] {
    return [...this.project.ev.valueAt(this.project.place(event.module, func)).values()].map(({ value }) => ({
      name: value.k === 'name' ? tail(value.q) : '',
      shape: value.k === 'function' ? this.helpers.shape(value.fn) : null,
    }));
  }

  /** `context=_project_context("awoooi", trace=True)` */
  private tracedByContext(event: SpawnEvent): boolean {
    const context = event.call.node.keywords.find((k) => k.arg === 'context')?.value;
    if (context?.kind !== 'Call') return false;
    return this.contextHelpers(event, context).some(({ shape }) => shape?.buildsContext && setsTraceAt(shape, context));
  }

  /** `c = copy_context(); c.run(var.set, "awoooi"); create_task(job(), context=c)` */
  private setInContext(event: SpawnEvent, context: Extract<Expr, { kind: 'Name' }>): Tag | null {
    for (const { node, scope, block } of callsOf(codeScope(event.call.scope))) {
      const { func, args } = node;
      if (
        func.kind !== 'Attribute' ||
        func.attr !== 'run' ||
        func.value.kind !== 'Name' ||
        func.value.id !== context.id
      )
        continue;
      const [setter, id] = args;
      if (setter?.kind !== 'Attribute' || setter.attr !== 'set' || node.start > event.call.node.start) continue;
      const sets = [...this.project.ev.value(setter.value, scope, block).values()].some(
        (x) => this.variables.role(x.value) === 'project',
      );
      if (!sets) continue;
      const v = id ? this.project.folder.fold({ node: id, scope, block })?.value : null;
      return this.tagAt(event.module, node, v, 'context-argument');
    }
    return null;
  }

  private tagAt(module: ModuleScopes, { start }: Span, id: unknown, via: Tag['via']): Tag {
    const projectId = typeof id === 'string' ? id : null;
    return { projectId, via, file: module.file, line: this.project.line(module, start) };
  }

  /** The project wrappers on the way tag what they are given: the nearest to the coroutine wins. */
  private byWrapper(event: SpawnEvent): Tag | null {
    const steps = wrapperSteps(this.project.ev, event);
    for (const { passage, helpers, frame } of steps) {
      const helper = [passage, ...helpers].find((p) => p?.helper);
      if (!helper) continue;
      const id = idArgument(this.project.ev, helper, frame);
      const v = id ? this.project.folder.fold(id.place, id.frame ?? undefined)?.value : null;
      return this.tagAt(helper.call.scope.module, helper.call.node, v, 'caller');
    }
    for (const { use, frame } of steps) {
      const context = this.byContextArgument(use.inner, frame);
      if (context) return { ...context, via: 'caller' };
    }
    return null;
  }

  /** `@with_project("awoooi")` above the coroutine. */
  private byDecorator(fn: FunctionInfo): Tag | null {
    for (const d of fn.node.decorators) {
      const callee = d.kind === 'Call' ? d.func : d;
      for (const { value } of this.project.ev.valueAt(this.project.place(fn.module, callee)).values()) {
        if (value.k !== 'function') continue;
        const set = this.variables.setsIn(value.fn.scope, value.fn.node, true).find((s) => s.role === 'project');
        if (!set) continue;
        const frame: Frame =
          d.kind === 'Call'
            ? {
                fn: value.fn,
                self: null,
                calls: [{ place: { ...this.project.place(fn.module, d), node: d }, skip: 0, frame: null }],
              }
            : { fn: value.fn, self: null, calls: [] };
        const v = set.value
          ? this.project.folder.fold(this.project.place(value.fn.module, set.value), frame)?.value
          : null;
        return this.tagAt(fn.module, d, v, 'decorator');
      }
    }
    return null;
  }
}

/** No argument comes out of a starred one. */
function isPlain(call: Call): boolean {
  return !call.args.some((a) => a.kind === 'Starred') && !call.keywords.some((k) => k.arg === null);
}

function isInHandler(node: Node): boolean {
  for (let n: Node | null = node; n && n.kind !== 'FunctionDef'; n = n.parent)
    if (n.kind === 'ExceptHandler') return true;
  return false;
}
