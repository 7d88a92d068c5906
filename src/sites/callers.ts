/** From what kind of code does control come to a spawn that stands in an ordinary function? */
import type { CalledFrom, SpawnSite } from '../model/index.ts';
import { isTestFile } from '../model/test-file.ts';
import {
  attributeLoadsOf,
  codeScope,
  type FunctionInfo,
  functionAround,
  type LoadRecord,
  loadsOf,
  type ModuleScopes,
  push,
  type Scope,
  type Value,
} from '../semantics/index.ts';
import type { Call, Node } from '../syntax/index.ts';
import { dottedName, type Project } from './project.ts';
import { Related } from './related.ts';
import { controlPath } from './use.ts';

/** How far callers of callers are looked for. */
const ROUNDS = 3;
const ON_REQUEST = /^(add_api_route|add_route|add_websocket_route|add_exception_handler|add_middleware|Depends)$/;

/** Where a function is called or handed on. */
interface Use {
  kind: CalledFrom | null;
  /** The function that holds it, when nothing is known of that one either. */
  by: FunctionInfo | null;
}

/** Fills in `shape.calledFrom` of the sites whose own function says nothing, or only by its name (`run_…`). */
export function findCallers(project: Project, files: readonly string[], sites: readonly SpawnSite[]): void {
  const open = new Map<SpawnSite, FunctionInfo>();
  const loops = startedBy(project, sites, true);
  for (const site of sites) {
    const { path } = site.shape;
    if (path === 'request' || path === 'module' || site.targets.every((t) => t.facts.lifecycle === 'loop')) continue;
    const fn = holderOf(project, site);
    if (fn && loops.has(fn)) site.shape.calledFrom = ['task'];
    else if (fn && path === 'unknown' && goesOn(site)) open.set(site, fn);
  }
  if (!open.size) return;
  const callers = new Callers(project, files, startedBy(project, sites, false));
  callers.find(new Set(open.values()));
  for (const [site, fn] of open) site.shape.calledFrom = callers.kindsOf(fn);
}

/** Can it outlive the function that starts it? Of what that function awaits, and of tests, nothing more need be known. */
function goesOn({ range, shape: { use } }: SpawnSite): boolean {
  return use !== 'awaited' && use !== 'returned' && !isTestFile(range.file);
}

function holderOf(project: Project, site: SpawnSite): FunctionInfo | null {
  const m = project.loaded(site.range.file)?.scopes;
  return m ? functionAround(m, site.range) : null;
}

/** Everything that some site starts; or only what goes round in it. */
function startedBy(project: Project, sites: readonly SpawnSite[], looping: boolean): ReadonlySet<FunctionInfo> {
  const lines = new Map<string, Set<number>>();
  for (const { file, line, facts } of sites.flatMap((s) => s.targets)) {
    if (file === null || line === null || (looping && facts.lifecycle !== 'loop')) continue;
    lines.set(file, (lines.get(file) ?? new Set()).add(line));
  }
  const out = new Set<FunctionInfo>();
  for (const [file, wanted] of lines)
    for (const f of project.loaded(file)?.scopes.functions ?? [])
      if (wanted.has(project.line(f.module, f.node.start))) out.add(f);
  return out;
}

class Callers {
  private readonly uses = new Map<FunctionInfo, Use[]>();

  constructor(
    private readonly project: Project,
    private readonly files: readonly string[],
    private readonly started: ReadonlySet<FunctionInfo>,
  ) {}

  find(first: ReadonlySet<FunctionInfo>): void {
    let open = new Set(first);
    for (let round = 0; round < ROUNDS && open.size; round++) {
      for (const fn of open) this.uses.set(fn, this.started.has(fn) ? [{ kind: 'task', by: null }] : []);
      const wanted = new Map<string, FunctionInfo[]>();
      for (const fn of open) if (!this.started.has(fn)) push(wanted, calledName(fn), fn);
      for (const m of this.holding(wanted)) this.look(m, wanted);
      const next = [...open].flatMap((fn) => this.uses.get(fn)!.flatMap((u) => u.by ?? []));
      open = new Set(next.filter((fn) => !this.uses.has(fn)));
    }
  }

  kindsOf(fn: FunctionInfo): CalledFrom[] {
    const kinds = new Set<CalledFrom>();
    const seen = new Set<FunctionInfo>();
    const visit = (f: FunctionInfo): void => {
      if (seen.has(f)) return;
      seen.add(f);
      for (const u of this.uses.get(f) ?? []) {
        if (u.kind) kinds.add(u.kind);
        if (u.by) visit(u.by);
      }
    };
    visit(fn);
    return [...kinds].sort();
  }

  /** The modules in which one of the functions may be named. */
  private *holding(wanted: ReadonlyMap<string, FunctionInfo[]>): Generator<ModuleScopes> {
    if (!wanted.size) return;
    const { project } = this;
    const related = new Related(project.fs, wanted);
    for (const file of project.filesWith(this.files, related)) {
      const got = project.loaded(file);
      if (got) yield got.scopes;
    }
  }

  private look(m: ModuleScopes, wanted: ReadonlyMap<string, FunctionInfo[]>): void {
    for (const [name, fns] of wanted) this.named(m, name, fns);
    for (const list of m.scope.bindings.values())
      for (const b of list)
        if (b.kind === 'from' && !wanted.has(b.name) && wanted.has(b.member))
          this.named(m, b.name, wanted.get(b.member)!);
  }

  private named(m: ModuleScopes, name: string, fns: readonly FunctionInfo[]): void {
    for (const load of loadsOf(m, name)) this.used(load, fns);
    for (const load of attributeLoadsOf(m, name)) this.used(load, fns);
  }

  private used({ node, scope, block }: LoadRecord, named: readonly FunctionInfo[]): void {
    const values = [...this.project.ev.value(node, scope, block).values()].map((v) => v.value);
    for (const fn of named) {
      const sure = values.some((v) => isOf(v, fn));
      // a method of an object that is not known may be this one
      const maybe = node.kind === 'Attribute' && fn.cls !== null && values.every((v) => v.k === 'unknown');
      if (sure || maybe) this.uses.get(fn)!.push(this.use(node, scope, sure));
    }
  }

  private use(node: Node, scope: Scope, sure: boolean): Use {
    const registered = registration(node);
    if (registered) return { kind: registered, by: null };
    const path = controlPath(scope);
    if (path !== 'unknown') return { kind: sure || path === 'request' ? path : null, by: null };
    let at: Scope | null = codeScope(scope);
    while (at && !at.fn) at = at.parent;
    return { kind: null, by: sure ? (at?.fn ?? null) : null };
  }
}

/** By which name it is called: an `__init__` by that of its class. */
function calledName(fn: FunctionInfo): string {
  const special = /^__\w+__$/.test(fn.node.name);
  return special && fn.cls ? fn.cls.node.name : fn.node.name;
}

function isOf(value: Value, fn: FunctionInfo): boolean {
  if (value.k === 'function') return value.fn === fn;
  return value.k === 'class' && value.cls === fn.cls && fn.node.name.startsWith('__');
}

/** `app.add_event_handler("startup", fn)`, `Starlette(on_startup=[fn])`, `Depends(fn)`. */
function registration(node: Node): CalledFrom | null {
  for (let n: Node = node; n.parent && n.kind !== 'FunctionDef'; n = n.parent) {
    const p = n.parent;
    if (p.kind === 'Keyword' && /^(on_startup|lifespan)$/.test(p.arg ?? '')) return 'startup';
    if (p.kind !== 'Call' || p.func === n) continue;
    const name = dottedName(p.func)?.split('.').pop() ?? '';
    if (ON_REQUEST.test(name)) return 'request';
    if (name === 'add_event_handler' && isText(p, 'startup')) return 'startup';
  }
  return null;
}

function isText(call: Call, text: string): boolean {
  const [first] = call.args;
  return first?.kind === 'Constant' && first.value === text;
}
