/** Context variables of the project: which calls set the project id or a trace id, and with what. */
import { tail } from '../model/identifier.ts';
import type { ContextHelper } from '../model/index.ts';
import { byPlace } from '../model/order.ts';
import {
  type CallPlace,
  type CallRecord,
  type ClassInfo,
  callsOf,
  callsWithin,
  type FunctionInfo,
  type ModuleScopes,
  methodsOf,
  ownInit,
  positionalArgs,
  type Scope,
  type Value,
} from '../semantics/index.ts';
import { type Call, descendants, type Expr, lastNameOf, type Node } from '../syntax/index.ts';
import { signatureOf } from './helper-signature.ts';
import type { Project } from './project.ts';

type VariableRole = 'project' | 'trace';

/** A call of `VAR.set(value)`. */
export interface ContextSet {
  role: VariableRole;
  call: CallPlace;
  /** What it is set to; null for a call without argument. */
  value: Expr | null;
}

/** Name and label of a ContextVar value, when it is one. */
function variableOf(value: Value): { name: string; label: string | null } | null {
  if (value.k === 'external' && value.q === 'contextvars.ContextVar') {
    const first = value.call.node.args[0];
    const label = first?.kind === 'Constant' && first.type === 'str' ? String(first.value) : null;
    return { name: assignedName(value.call.node), label };
  }
  // imported from a file that is out of reach: only its name is known
  if (value.k === 'name') return { name: tail(value.q), label: null };
  return null;
}

function assignedName(call: Call): string {
  const p = call.parent;
  const target = p?.kind === 'Assign' ? p.targets[0] : p?.kind === 'AnnAssign' ? p.target : null;
  return lastNameOf(target);
}

/** The name in `MODULE:NAME`, which is all of a plain one. */
export function variableName(configured: string): string {
  return configured.slice(configured.lastIndexOf(':') + 1);
}

const namingSet = new WeakMap<ModuleScopes, boolean>();

/** Does the word `set` stand in a module? Without it, nothing there sets a variable. */
function namesSet(m: ModuleScopes): boolean {
  let found = namingSet.get(m);
  if (found === undefined) {
    found = /\bset\b/.test(m.text);
    namingSet.set(m, found);
  }
  return found;
}

/** Is it spelled `….set(…)`? */
function isSetLike({ node: { func } }: CallRecord): boolean {
  return func.kind === 'Attribute' && func.attr === 'set';
}

export class ContextVariables {
  private readonly sets = new Map<Node, ContextSet[]>();

  constructor(private readonly project: Project) {}

  role(value: Value): VariableRole | null {
    const v = variableOf(value);
    if (!v) return null;
    const { contextVariable, traceVariable } = this.project.options;
    if (v.name === variableName(contextVariable) || v.label === 'project_id') return 'project';
    if (v.name === traceVariable || v.label === 'trace_id') return 'trace';
    return null;
  }

  /** The `VAR.set(…)` calls below a node, nested functions left out unless asked for. */
  setsIn(scope: Scope, root: Node, nested = false): ContextSet[] {
    const out: ContextSet[] = [];
    const calls = nested ? callsWithin(scope.module, root).filter(isSetLike) : this.setLike(scope);
    for (const record of calls) {
      if (record.node.start < root.start || record.node.end > root.end) continue;
      const set = this.setCall(record);
      if (set) out.push(set);
    }
    return out;
  }

  private setLike(scope: Scope): CallRecord[] {
    let list = this.spelled.get(scope);
    if (!list) {
      list = callsOf(scope).filter(isSetLike);
      this.spelled.set(scope, list);
    }
    return list;
  }
  private readonly spelled = new WeakMap<Scope, CallRecord[]>();

  /** The project-id variable that one of the calls sets, named by its definition. */
  setVariable(calls: readonly CallRecord[]): { module: string; name: string } | null {
    for (const c of calls) {
      const setters = [c.node.func, ...c.node.args].filter((n) => n.kind === 'Attribute' && n.attr === 'set');
      for (const n of setters) {
        const object = (n as Extract<Expr, { kind: 'Attribute' }>).value;
        for (const { value } of this.project.ev.value(object, c.scope, c.block).values()) {
          if (this.role(value) !== 'project' || value.k !== 'external') continue;
          return { module: value.call.scope.module.name, name: assignedName(value.call.node) };
        }
      }
    }
    return null;
  }

  private setCall(call: CallPlace): ContextSet | null {
    const known = this.sets.get(call.node);
    if (known) return known[0] ?? null;
    const func = call.node.func as Extract<Expr, { kind: 'Attribute' }>;
    let role: VariableRole | null = null;
    for (const { value } of this.project.ev.value(func.value, call.scope, call.block).values())
      role ??= this.role(value);
    const set = role ? { role, call, value: call.node.args[0] ?? call.node.keywords[0]?.value ?? null } : null;
    this.sets.set(call.node, set ? [set] : []);
    return set;
  }
}

/** A parameter that decides whether a helper sets a trace id. */
export interface TraceSwitch {
  name: string;
  /** Among the positional parameters; -1 for one that is keyword-only. */
  index: number;
  /** What it is where a call does not give it. */
  fallback: Expr | null;
}

/** How a function or class tags the coroutine that it is given. */
export interface HelperShape {
  coroParam: number;
  idParam: number;
  idParamName: string;
  returnsResult: boolean;
  setsTraceId: boolean;
  /** Below which parameter each setting of it stands, as in `if trace:`; null for one that needs none. */
  traceSwitches: readonly (TraceSwitch | null)[];
  /** It builds a context for `context=` instead of wrapping a coroutine. */
  buildsContext: boolean;
  /** The context variable that it sets, where its definition is in reach. */
  variable?: { module: string; name: string } | null;
}

/** Of a helper whose definition is out of reach, by its name alone. */
export const TRUSTED = {
  coroParam: 0,
  idParam: 1,
  idParamName: 'project_id',
  returnsResult: true,
  setsTraceId: false,
} satisfies Partial<HelperShape>;

/** The parameter below whose `if` a call stands; null when it needs none. */
function switchOf({ node: { args }, node }: FunctionInfo, call: Node): TraceSwitch | null {
  const positional = positionalArgs(args);
  const all = [...positional, ...args.kwonly];
  for (let n = call; n.parent && n !== node; n = n.parent) {
    const { parent } = n;
    if (parent.kind !== 'If' || parent.test.kind !== 'Name' || !parent.body.some((s) => s === n)) continue;
    const { id } = parent.test;
    const of = all.find((a) => a.arg === id);
    if (of) return { name: id, index: positional.indexOf(of), fallback: of.default };
  }
  return null;
}

/** Recognises context helpers by what they do. */
export class Helpers {
  private readonly shapes = new Map<FunctionInfo | ClassInfo, HelperShape | null>();

  constructor(
    private readonly project: Project,
    private readonly variables: ContextVariables,
  ) {}

  shape(of: FunctionInfo | ClassInfo): HelperShape | null {
    let got = this.shapes.get(of);
    if (got === undefined) {
      got = of.type === 'class' ? this.ofClass(of) : this.ofFunction(of);
      this.shapes.set(of, got);
    }
    return got;
  }

  private ofFunction(fn: FunctionInfo): HelperShape | null {
    const params = positionalArgs(fn.node.args).map((a) => a.arg);
    const all = [...params, ...fn.node.args.kwonly.map((a) => a.arg)];
    if (!all.length || !namesSet(fn.module)) return null;
    const calls = callsWithin(fn.module, fn.node);
    const sets = this.variables.setsIn(fn.scope, fn.node, true);
    let id = sets.find((s) => s.role === 'project' && s.value?.kind === 'Name' && all.includes(s.value.id))?.value as
      | { id: string }
      | undefined;
    const traces: Node[] = sets.flatMap((s) => (s.role === 'trace' ? [s.call.node] : []));
    let buildsContext = false;
    for (const c of calls) {
      // context.run(VAR.set, project_id)
      const [setter, value] = c.node.args;
      if (setter?.kind !== 'Attribute' || setter.attr !== 'set') continue;
      for (const { value: v } of this.project.ev.value(setter.value, c.scope, c.block).values()) {
        const role = this.variables.role(v);
        if (role === 'trace') traces.push(c.node);
        if (role === 'project' && value?.kind === 'Name' && all.includes(value.id)) {
          id = value;
          buildsContext = true;
        }
      }
    }
    if (!id) return null;
    const variable = this.variables.setVariable(calls);
    const coro = this.coroutineParam(fn, all, id.id);
    if (coro === null && !buildsContext) return null;
    return {
      coroParam: coro === null ? -1 : all.indexOf(coro),
      idParam: all.indexOf(id.id),
      idParamName: id.id,
      returnsResult: returnsAwaited(fn.node),
      setsTraceId: traces.length > 0,
      traceSwitches: traces.map((call) => switchOf(fn, call)),
      buildsContext: coro === null,
      variable,
    };
  }

  /** The parameter that is awaited, or handed to something that drives it. */
  private coroutineParam(fn: FunctionInfo, all: string[], id: string): string | null {
    for (const n of descendants(fn.node)) {
      if (n.kind === 'Await' && n.value.kind === 'Name' && n.value.id !== id && all.includes(n.value.id))
        return n.value.id;
      if (n.kind === 'YieldFrom')
        for (const x of descendants(n.value)) if (x.kind === 'Name' && x.id !== id && all.includes(x.id)) return x.id;
      if (
        n.kind === 'Attribute' &&
        ['send', 'throw', 'close', '__await__'].includes(n.attr) &&
        n.value.kind === 'Name' &&
        n.value.id !== id &&
        all.includes(n.value.id)
      )
        return n.value.id;
    }
    return null;
  }

  private ofClass(cls: ClassInfo): HelperShape | null {
    const init = ownInit(cls);
    if (!init) return null;
    const params = positionalArgs(init.node.args)
      .map((a) => a.arg)
      .slice(1);
    const sets = methodsOf(cls).flatMap((f) => this.variables.setsIn(f.scope, f.node, true));
    const project = sets.find((s) => s.role === 'project');
    if (!project?.value) return null;
    const id =
      project.value.kind === 'Name'
        ? project.value.id
        : project.value.kind === 'Attribute'
          ? this.initParam(cls, project.value.attr)
          : null;
    if (!id || !params.includes(id)) return null;
    const coro = params.find((p) => p !== id);
    if (!coro) return null;
    const trace = sets.some((s) => s.role === 'trace');
    return {
      coroParam: params.indexOf(coro),
      idParam: params.indexOf(id),
      idParamName: id,
      returnsResult: true,
      setsTraceId: trace,
      traceSwitches: [],
      buildsContext: false,
      variable: this.variables.setVariable(callsWithin(cls.module, cls.node)),
    };
  }

  private initParam(cls: ClassInfo, attr: string): string | null {
    for (const b of cls.scope.attributes.get(attr) ?? [])
      if (b.kind === 'assign' && b.value.kind === 'Name') return b.value.id;
    return null;
  }

  /** All helpers of the modules read, for reuse by the codemod. */
  list(): ContextHelper[] {
    const out: ContextHelper[] = [];
    const { graph, ev } = this.project;
    // more are read meanwhile
    for (const m of graph.modules()) out.push(...ev.fact(m, m, 'helpers', () => this.in(m)));
    return out.sort(byPlace);
  }

  private in(m: ModuleScopes): ContextHelper[] {
    const out: ContextHelper[] = [];
    for (const of of [
      ...m.functions.filter((f) => f.outer.kind === 'module'),
      ...m.classes.filter((c) => c.outer.kind === 'module'),
    ]) {
      const s = this.shape(of);
      if (!s || s.buildsContext) continue;
      const made = of.type === 'class' ? ownInit(of) : of;
      const signature = made && signatureOf(s, made.node.args, of.type === 'class' ? 1 : 0);
      if (!signature) continue;
      out.push({
        module: m.name,
        name: of.node.name,
        file: m.file,
        line: this.project.line(m, of.node.start),
        coroParam: s.coroParam,
        idParam: signature.idParam,
        idParamName: s.idParamName,
        returnsResult: s.returnsResult,
        ...signature.trace,
        variable: s.variable,
      });
    }
    return out;
  }

  /** Imports of the policy's helper from modules that are out of reach: trusted by their name, as at the sites. */
  imported(modules: readonly ModuleScopes[]): ContextHelper[] {
    const { helper } = this.project.options;
    const out: ContextHelper[] = [];
    for (const m of modules) {
      for (const b of m.scope.bindings.get(helper) ?? []) {
        if (b.kind !== 'from' || b.typingOnly || b.level || !b.module) continue;
        // loading it puts a helper that is in reach on the list
        if (this.project.graph.load(m, 0, b.module)) continue;
        out.push({
          module: b.module,
          name: b.member,
          file: '',
          line: 0,
          ...TRUSTED,
        });
      }
    }
    return out;
  }
}

/** Does the function hand back what it awaits? Sync helpers hand back the coroutine itself. */
function returnsAwaited(fn: FunctionInfo['node']): boolean {
  if (!fn.isAsync) {
    const inner = fn.body.find((s) => s.kind === 'FunctionDef' && s.isAsync);
    return inner?.kind === 'FunctionDef' ? returnsAwaited(inner) : true;
  }
  for (const n of descendants(fn)) {
    if (n.kind === 'Return' && n.value?.kind === 'Await') return true;
    if (n.kind === 'Return' && n.value?.kind === 'Name') return true;
  }
  return false;
}
