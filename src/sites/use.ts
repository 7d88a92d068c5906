/** What becomes of a task, and where control comes from when it is made. */
import type { SiteShape, TaskUse } from '../model/index.ts';
import {
  codeScope,
  type FunctionInfo,
  findScope,
  indexIn,
  type LambdaInfo,
  type Scope,
  usesOf,
} from '../semantics/index.ts';
import type { Attribute, Expr, FunctionDef, Name, Node, Stmt } from '../syntax/index.ts';
import { givesBack } from './groups.ts';
import { dottedName, type Project } from './project.ts';
import type { SpawnEvent } from './spawn-events.ts';
import { lastSuspension } from './waits-for.ts';

const AWAITING = /^asyncio\.(gather|wait|wait_for|shield|as_completed|timeout)$/;

/** A plain function that waits for what it spawns (`run_coroutine_threadsafe(…).result()`) waits for its caller. */
export function taskUse(project: Project, { call, row, spawn, wrapper }: SpawnEvent): TaskUse {
  if (spawn?.row.structured) return 'structured';
  if (wrapper && !wrapper.decorates && !isAsync(wrapper.fn) && taskUse(project, wrapper.inner) === 'awaited')
    return 'awaited';
  return useOf({ project, blocks: row.api === 'asyncio.run_coroutine_threadsafe' }, call.node, call.scope, 0);
}

function isAsync(fn: FunctionInfo | LambdaInfo): boolean {
  return fn.type === 'function' && fn.node.isAsync;
}

/** What the use of a task is asked for. */
interface Asked {
  project: Project;
  /** A future of another thread: to ask it for its result is to wait for it. */
  blocks: boolean;
}

function useOf(asked: Asked, node: Node, scope: Scope, depth: number): TaskUse {
  const p = node.parent;
  if (!p || depth > 6) return 'passed';
  switch (p.kind) {
    case 'ExprStmt':
      // a call that is meant to fail starts nothing
      return isMeantToFail(p) ? 'passed' : 'dropped';
    case 'Await':
      return 'awaited';
    case 'Return':
    case 'Yield':
    case 'YieldFrom':
    case 'Lambda':
      return 'returned';
    case 'Assign':
      return assigned(asked, p.targets, scope, depth);
    case 'AnnAssign':
      return assigned(asked, [p.target], scope, depth);
    case 'NamedExpr':
      return assigned(asked, [p.target], scope, depth);
    case 'Attribute': {
      const called = p.parent?.kind === 'Call' && p.parent.func === p ? p.parent : null;
      if (!called) return 'passed';
      if (asksResult(p)) return 'awaited';
      // create_task(…).add_done_callback(…): the task itself is not kept; one that is cancelled at once need not be
      return called.parent?.kind === 'ExprStmt' && p.attr !== 'cancel' ? 'dropped' : 'passed';
    }
    case 'Keyword':
    case 'Starred':
      return useOf(asked, p, scope, depth + 1);
    case 'Call': {
      if (p.func === node) return 'passed';
      const names = asked.project.namesOf(scope.module, p.func);
      if (names.some((q) => AWAITING.test(q))) return 'awaited';
      const method = p.func.kind === 'Attribute' ? p.func.attr : '';
      return ['append', 'add', 'insert', 'appendleft', 'put_nowait'].includes(method) ? 'kept' : 'passed';
    }
    case 'IfExp':
      // what is only asked whether it is true is not the value
      return p.test === node ? 'passed' : useOf(asked, p, scope, depth + 1);
    case 'BoolOp':
      return useOf(asked, p, scope, depth + 1);
    case 'List':
    case 'Tuple':
    case 'Set':
    case 'Dict':
    case 'ListComp':
    case 'SetComp':
    case 'GeneratorExp':
    case 'DictComp': {
      const outer = useOf(asked, p, scope, depth + 1);
      return outer === 'passed' ? 'kept' : outer;
    }
    default:
      return 'passed';
  }
}

function asksResult({ attr }: Attribute): boolean {
  return attr === 'result' || attr === 'exception';
}

function assigned(asked: Asked, targets: Expr[], scope: Scope, depth: number): TaskUse {
  const [target] = targets;
  if (!target) return 'passed';
  if (target.kind !== 'Name') return 'kept';
  const where = findScope(target.id, codeScope(scope));
  if (!where || where.kind === 'module') return target.id === '_' ? 'dropped' : 'kept';
  const use = usesOfName(asked, target.id, where, depth);
  return use === 'dropped' && isHeld(target, where) ? 'held' : use;
}

/** A name may hold one task after another: what becomes of it is the same for all. */
const known = new WeakMap<Project, Map<Scope, Map<string, TaskUse>>>();

function usesOfName(asked: Asked, name: string, where: Scope, depth: number): TaskUse {
  const { project, blocks } = asked;
  const key = `${depth} ${blocks} ${name}`;
  const scopes = known.get(project) ?? new Map<Scope, Map<string, TaskUse>>();
  known.set(project, scopes);
  const ofScope = scopes.get(where) ?? new Map<string, TaskUse>();
  scopes.set(where, ofScope);
  let use = ofScope.get(key);
  if (use === undefined) {
    use = strongest(
      usesOf(where, name).map((l) =>
        l.node.parent?.kind === 'Attribute' && !(blocks && asksResult(l.node.parent))
          ? 'kept'
          : useOf(asked, l.node, l.scope, depth + 1),
      ),
    );
    ofScope.set(key, use);
  }
  return use;
}

function strongest(uses: readonly TaskUse[]): TaskUse {
  if (!uses.length) return 'dropped';
  for (const best of ['awaited', 'returned', 'kept', 'passed'] as const) if (uses.includes(best)) return best;
  return 'kept';
}

/**
 * A variable that nobody reads holds its task for as long as its function goes on: while it waits or, as a generator,
 * is waited for. One that the next round or a `del` takes it from does not.
 */
function isHeld(target: Name, where: Scope): boolean {
  if (where.kind !== 'function' || isRepeated(target)) return false;
  if (where.deleted.get(target.id)?.some((at) => at > target.start)) return false;
  return lastSuspension(where.node as FunctionDef) > target.end;
}

/** The last statement under `with pytest.raises(…)` or `self.assertRaises(…)`. */
function isMeantToFail(statement: Stmt): boolean {
  const block = statement.parent;
  if (block?.kind !== 'With' || block.body.at(-1) !== statement) return false;
  return block.items.some(
    ({ contextExpr: e }) => e.kind === 'Call' && /(^|\.)(raises|assertRaises(Regex)?)$/.test(dottedName(e.func) ?? ''),
  );
}

const ROUTE =
  /^(get|post|put|delete|patch|head|options|websocket|route|api_route|websocket_route|exception_handler|middleware|endpoint|on_message|handler|command|message|callback_query)$/;
const STARTUP =
  /(^|_)(startup|start_up|lifespan|boot|bootstrap|main|amain|serve|setup|init|on_start|before_server_start|before_serving|cleanup_ctx)(_|$)/i;
const RUN = /(^|_)run(_|$)/i;

/** Walks outward through the enclosing functions: the first that says something decides. */
export function controlPath(scope: Scope): SiteShape['path'] {
  let inFunction = false;
  for (let s: Scope | null = scope; s; s = s.parent) {
    if (s.kind === 'lambda') inFunction = true;
    if (s.kind !== 'function') continue;
    inFunction = true;
    const fn = s.node as FunctionDef;
    for (const d of fn.decorators) {
      const name =
        dottedName(d.kind === 'Call' ? d.func : d)
          ?.split('.')
          .pop() ?? '';
      if (
        name === 'on_event' ||
        name === 'asynccontextmanager' ||
        name === 'on_startup' ||
        name === 'listener' ||
        name === 'before_serving'
      )
        return 'startup';
      if (ROUTE.test(name) && (d.kind === 'Call' || d.kind === 'Attribute')) return 'request';
    }
    const params = [...fn.args.posonly, ...fn.args.args];
    const typed = params.some((a) =>
      /(^|\.)(Request|WebSocket|HTTPConnection)$/.test((a.annotation && dottedName(a.annotation)) ?? ''),
    );
    if (typed || params.some((a) => a.arg === 'request' || a.arg === 'websocket')) return 'request';
    if (/^(handle|on_request|dispatch)(_|$)/.test(fn.name)) return 'request';
    // `run_process(…)` that hands a result back is called for that, by anybody
    if (STARTUP.test(fn.name) || (RUN.test(fn.name) && !givesBack(fn))) return 'startup';
  }
  return inFunction ? 'unknown' : 'module';
}

/** The quotes of the f-strings around a node, outermost first. */
export function fstringQuotes(node: Node): string[] {
  const out: string[] = [];
  for (let p: Node | null = node; p; p = p.parent) if (p.kind === 'FormattedValue') out.push(p.quote);
  return out.reverse();
}

export function statementOf(node: Node): Stmt {
  let n: Node = node;
  while (n.parent && !isStatement(n)) n = n.parent;
  return n as Stmt;
}

function isStatement(n: Node): boolean {
  const p = n.parent;
  if (!p) return true;
  if (p.kind === 'Module') return true;
  for (const list of ['body', 'orelse', 'finalbody'] as const) {
    const body = (p as unknown as Record<string, unknown>)[list];
    if (Array.isArray(body) && standsIn(body as Node[], n)) return true;
  }
  return false;
}

function standsIn(list: readonly Node[], n: Node): boolean {
  return indexIn(list, n) >= 0;
}

/** Is it repeated by a loop or comprehension of its own function? */
function isRepeated(call: Node): boolean {
  for (let n: Node | null = call; n; n = n.parent) {
    if (n.kind === 'FunctionDef' || n.kind === 'Lambda' || n.kind === 'ClassDef') return false;
    const p: Node | null = n.parent;
    if (!p) return false;
    if ((p.kind === 'For' || p.kind === 'While') && standsIn(p.body, n)) return true;
    if ('generators' in p && p.generators[0] !== (n as Node)) return true;
  }
  return false;
}

/** The arms that hold a call, outermost first: `<offset of the statement>:<index of the arm>`. */
export function branchesOf(call: Node): string[] {
  const out: string[] = [];
  for (let n: Node = call; n.parent; n = n.parent) {
    const p = n.parent;
    if (p.kind === 'FunctionDef' || p.kind === 'Lambda') break;
    if (p.kind === 'If') out.push(`${p.start}:${standsIn(p.body, n) ? 0 : standsIn(p.orelse, n) ? 1 : -1}`);
    else if (p.kind === 'Match' && n.kind === 'MatchCase') out.push(`${p.start}:${indexIn(p.cases, n)}`);
    else if (p.kind === 'Try')
      out.push(n.kind === 'ExceptHandler' ? `${p.start}:${1 + p.handlers.indexOf(n)}` : `${p.start}:0`);
    else if (p.kind === 'IfExp') out.push(`${p.start}:${p.body === n ? 0 : p.orelse === n ? 1 : -1}`);
  }
  return out.filter((b) => !b.endsWith(':-1')).reverse();
}
