/** Tree → plain data: the names that a module binds and mentions. */
import type { ModuleBinding, ModuleLayout, ScopeNames } from '../model/index.ts';
import { byKey } from '../model/order.ts';
import {
  type Arguments,
  childrenOf,
  type Expr,
  type If,
  type Import,
  type ImportFrom,
  type Node,
  type Stmt,
} from '../syntax/index.ts';
import { absoluteModule, type LayoutSource, type LineFinder } from './layout-source.ts';

type Names = Pick<ModuleLayout, 'bound' | 'typeOnly' | 'scopes' | 'mentions'>;

interface Visit {
  node: Node;
  /** null: module level. A class body counts as nothing: its names are seen by no function. */
  scope: Set<string> | null | 'class';
  conditional: boolean;
}

const CONDITIONAL = new Set<string>(['If', 'Try', 'While', 'For', 'With', 'Match', 'ExceptHandler']);

/** Names bound at module level and inside functions, and how often each is mentioned. Iterative: trees may be deep. */
export function collectNames(source: LayoutSource, owner: LineFinder): Names {
  const bound: ModuleBinding[] = [];
  const scopes: (ScopeNames & { set: Set<string> })[] = [];
  const mentions = new Map<string, number>();
  const globals = new Set<string>();
  const typeOnly = new Set<string>();
  const stack: Visit[] = [{ node: source.tree, scope: null, conditional: false }];

  const bind = (visit: Visit, name: string, how: ModuleBinding['how'], more: Partial<ModuleBinding> = {}) => {
    if (visit.scope === 'class') return;
    if (visit.scope) visit.scope.add(name);
    else {
      const extent = { start: visit.node.start, end: visit.node.end };
      const line = owner(visit.node.start);
      bound.push({
        name,
        how,
        from: null,
        extent,
        conditional: visit.conditional,
        line,
        value: null,
        decorated: false,
        ...more,
      });
    }
  };

  while (stack.length > 0) {
    const visit = stack.pop()!;
    const { node } = visit;
    bindingsOf(node, visit, bind, source);
    if (node.kind === 'Name') mentions.set(node.id, (mentions.get(node.id) ?? 0) + 1);
    if (node.kind === 'If' && isTypeChecking(node)) for (const name of importedNames(node.body)) typeOnly.add(name);
    if (node.kind === 'Global') for (const name of node.names) globals.add(name);
    pushChildren(visit, stack, scopes);
  }
  for (const name of globals)
    bound.push({
      name,
      how: 'other',
      from: null,
      extent: { start: 0, end: 0 },
      conditional: true,
      line: 0,
      value: null,
      decorated: false,
    });
  bound.sort((a, b) => a.extent.start - b.extent.start);
  return {
    bound,
    typeOnly: [...typeOnly].sort(),
    scopes: scopes
      .map(({ extent, set }) => ({ extent, names: [...set].filter((name) => !globals.has(name)).sort() }))
      .sort((a, b) => a.extent.start - b.extent.start),
    mentions: Object.fromEntries([...mentions].sort(byKey)),
  };
}

type Bind = (visit: Visit, name: string, how: ModuleBinding['how'], more?: Partial<ModuleBinding>) => void;

function bindingsOf(node: Node, visit: Visit, bind: Bind, source: LayoutSource): void {
  if (node.kind === 'FunctionDef')
    bind(visit, node.name, 'function', {
      value: source.text.slice(node.start, node.end),
      decorated: node.decorators.length > 0,
    });
  else if (node.kind === 'ClassDef') bind(visit, node.name, 'class');
  else if (node.kind === 'Import' || node.kind === 'ImportFrom') bindImport(node, visit, bind, source);
  else if (node.kind === 'ExceptHandler' && node.name) bind(visit, node.name, 'other');
  else if (node.kind === 'MatchAs' && node.name) bind(visit, node.name, 'other');
  else if (node.kind === 'MatchStar' && node.name) bind(visit, node.name, 'other');
  else if (node.kind === 'Name' && node.ctx !== 'load') {
    const statement = node.parent;
    const assigned = statement?.kind === 'Assign' || statement?.kind === 'AnnAssign' ? statement : null;
    if (assigned?.kind === 'AnnAssign' && !assigned.value) return;
    const value = assigned?.value ? source.text.slice(assigned.value.start, assigned.value.end) : null;
    const extent = assigned ? { start: assigned.start, end: assigned.end } : { start: node.start, end: node.end };
    bind(visit, node.id, assigned ? 'assignment' : 'other', { value, extent });
  }
}

function bindImport(node: Import | ImportFrom, visit: Visit, bind: Bind, source: LayoutSource): void {
  for (const alias of node.names) {
    if (alias.name === '*') continue;
    if (node.kind === 'Import') {
      const module = alias.asname ? alias.name : alias.name.split('.')[0]!;
      bind(visit, alias.asname ?? module, 'import', { from: { module, name: null } });
    } else {
      const module = absoluteModule(source, node.level, node.module);
      bind(visit, alias.asname ?? alias.name, 'import', { from: { module, name: alias.name } });
    }
  }
}

function pushChildren(visit: Visit, stack: Visit[], scopes: (ScopeNames & { set: Set<string> })[]): void {
  const { node } = visit;
  if (node.kind === 'FunctionDef' || node.kind === 'Lambda') {
    const set = new Set(parameterNames(node.args));
    scopes.push({ extent: { start: node.start, end: node.end }, names: [], set });
    const body = new Set<Node>(node.kind === 'FunctionDef' ? node.body : [node.body]);
    for (const child of childrenOf(node))
      stack.push(body.has(child) ? { node: child, scope: set, conditional: false } : { ...visit, node: child });
    return;
  }
  if (node.kind === 'ClassDef') {
    const body = new Set<Node>(node.body);
    for (const child of childrenOf(node))
      stack.push({ ...visit, node: child, scope: body.has(child) ? 'class' : visit.scope });
    return;
  }
  const conditional = visit.conditional || CONDITIONAL.has(node.kind);
  const skipped = node.kind === 'If' && isTypeChecking(node) ? new Set<Node>(node.body) : null;
  for (const child of childrenOf(node))
    if (!skipped?.has(child)) stack.push({ node: child, scope: visit.scope, conditional });
}

function importedNames(body: readonly Stmt[]): string[] {
  return body.flatMap((statement) =>
    statement.kind === 'ImportFrom' || statement.kind === 'Import'
      ? statement.names.map(({ name, asname }) => asname ?? name)
      : [],
  );
}

function isTypeChecking(node: If): boolean {
  const test: Expr = node.test;
  return (
    (test.kind === 'Name' && test.id === 'TYPE_CHECKING') ||
    (test.kind === 'Attribute' && test.attr === 'TYPE_CHECKING')
  );
}

/** All parameter names of a function. */
function parameterNames(args: Arguments): string[] {
  const all = [...args.posonly, ...args.args, args.vararg, ...args.kwonly, args.kwarg];
  return all.flatMap((arg) => (arg ? [arg.arg] : []));
}
