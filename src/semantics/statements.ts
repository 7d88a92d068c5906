/** What each kind of statement binds, and in which block the statements inside it stand. */
import { childrenOf, type Expr, type Pattern, type Stmt } from '../syntax/index.ts';
import type { Collector, NewBinding } from './collect.ts';
import { classDef, functionDef, typeParams } from './definitions.ts';
import type { Step } from './scopes.ts';
import { bindAttribute, bindTarget, stepAt } from './unpacking.ts';

type Of<K extends Stmt['kind']> = Extract<Stmt, { kind: K }>;

export function statement(c: Collector, n: Stmt): void {
  c.module.scopeOf.set(n, c.here());
  switch (n.kind) {
    case 'FunctionDef':
      functionDef(c, n);
      return;
    case 'ClassDef':
      classDef(c, n);
      return;
    case 'Assign':
      assign(c, n);
      return;
    case 'AnnAssign':
      annAssign(c, n);
      return;
    case 'AugAssign':
      augAssign(c, n);
      return;
    case 'For':
      forStatement(c, n);
      return;
    case 'While':
      c.expr(n.test);
      c.branch(n.body);
      c.branch(n.orelse);
      return;
    case 'If':
      ifStatement(c, n);
      return;
    case 'With':
      withStatement(c, n);
      return;
    case 'Try':
      tryStatement(c, n);
      return;
    case 'Match':
      matchStatement(c, n);
      return;
    case 'Import':
    case 'ImportFrom':
      importStatement(c, n);
      return;
    case 'Delete':
      deleteStatement(c, n);
      return;
    // what they say holds from the start: it was read before
    case 'Global':
    case 'Nonlocal':
      return;
    case 'TypeAlias':
      typeAlias(c, n);
      return;
    default:
      for (const child of childrenOf(n)) c.expr(child as Expr);
  }
}

function assign(c: Collector, n: Of<'Assign'>): void {
  c.expr(n.value);
  const value = n.value;
  for (const t of n.targets)
    c.after(n.end, () =>
      bindTarget(c, t, (name, path) => ({ kind: 'assign', name, value, path }) as NewBinding, value),
    );
}

function annAssign(c: Collector, n: Of<'AnnAssign'>): void {
  c.expr(n.annotation);
  if (n.value) c.expr(n.value);
  const { value, annotation, target } = n;
  const binding = (name: string): NewBinding => ({ kind: 'annotated', name, value, annotation });
  if (target.kind === 'Name') c.after(n.end, () => c.bind(binding(target.id), target.start));
  else if (target.kind === 'Attribute') {
    bindAttribute(c, target.value, target.attr, binding(target.attr), target.start);
    c.expr(target.value);
  } else c.expr(target);
}

function augAssign(c: Collector, n: Of<'AugAssign'>): void {
  c.expr(n.value);
  const { op, value, target } = n;
  const isGrown = op === '+' || op === '|';
  if (isGrown && (target.kind === 'Name' || target.kind === 'Attribute' || target.kind === 'Subscript'))
    c.module.grown.push({ object: target, value, scope: c.scope, block: c.block });
  c.after(n.end, () => bindTarget(c, n.target, (name) => ({ kind: 'augmented', name, op, value }) as NewBinding, null));
}

function forStatement(c: Collector, n: Of<'For'>): void {
  c.expr(n.iter);
  const iter = n.iter;
  const kind = n.isAsync ? 'async for' : 'for';
  const iterScope = c.scope;
  c.after(n.iter.end, () =>
    bindTarget(c, n.target, (name, path) => ({ kind, name, iter, path, iterScope }) as NewBinding, null),
  );
  c.branch(n.body);
  c.branch(n.orelse);
}

function ifStatement(c: Collector, first: Of<'If'>): void {
  // an elif chain is walked in a loop: it may be thousands long
  const saved = c.block;
  let n: Of<'If'> | null = first;
  while (n) {
    c.expr(n.test);
    const t: Expr = n.test;
    const guard =
      (t.kind === 'Name' && t.id === 'TYPE_CHECKING') || (t.kind === 'Attribute' && t.attr === 'TYPE_CHECKING');
    c.typingOnly += guard ? 1 : 0;
    c.branch(n.body);
    c.typingOnly -= guard ? 1 : 0;
    const rest: Stmt[] = n.orelse;
    if (rest.length === 1 && rest[0]!.kind === 'If') {
      c.block = c.child();
      n = rest[0] as Of<'If'>;
    } else {
      c.branch(rest);
      n = null;
    }
  }
  c.block = saved;
}

function withStatement(c: Collector, n: Of<'With'>): void {
  const { isAsync } = n;
  for (const { contextExpr: value, optionalVars } of n.items) {
    c.expr(value);
    if (optionalVars)
      bindTarget(c, optionalVars, (name, path) => ({ kind: 'with', name, value, isAsync, path }) as NewBinding, null);
  }
  c.statements(n.body); // the body of a with always runs: same block
}

function tryStatement(c: Collector, n: Of<'Try'>): void {
  c.branch(n.body);
  for (const h of n.handlers) {
    if (h.type) c.expr(h.type);
    c.inChild(() => {
      if (h.name) c.bind({ kind: 'other', name: h.name }, h.nameSpan?.start ?? h.start);
      c.statements(h.body);
    });
  }
  c.branch(n.orelse);
  c.statements(n.finalbody); // always runs: same block
}

function matchStatement(c: Collector, n: Of<'Match'>): void {
  c.expr(n.subject);
  for (const one of n.cases) {
    c.inChild(() => {
      pattern(c, one.pattern, { value: n.subject, path: [] });
      if (one.guard) c.expr(one.guard);
      c.statements(one.body);
    });
  }
}

/** What a pattern is held against: the subject, or what a path leads to in it. */
interface Matched {
  value: Expr;
  path: Step[];
}

function pattern(c: Collector, p: Pattern, matched: Matched | null): void {
  if (p.kind === 'MatchAs' && p.name) {
    const { name, pattern: inner } = p;
    // `case Engine() as e` says what e is, `case e` that it is the subject
    if (inner?.kind === 'MatchClass') c.bind({ kind: 'annotated', name, value: null, annotation: inner.cls }, p.start);
    else bindMatched(c, name, p.start, matched);
  } else if (p.kind === 'MatchStar' && p.name) bindMatched(c, p.name, p.start, matched);
  if (p.kind === 'MatchMapping' && p.rest) c.bind({ kind: 'other', name: p.rest }, p.start);
  for (const child of childrenOf(p)) {
    if (child.kind.startsWith('Match')) pattern(c, child as Pattern, matched && partOf(p, child as Pattern, matched));
    else c.expr(child as Expr);
  }
}

function bindMatched(c: Collector, name: string, at: number, matched: Matched | null): void {
  c.bind(matched ? { kind: 'assign', name, ...matched } : { kind: 'other', name }, at);
}

/** What a pattern within a pattern is held against; null where that is an attribute. */
function partOf(p: Pattern, child: Pattern, { value, path }: Matched): Matched | null {
  if (p.kind === 'MatchAs' || p.kind === 'MatchOr') return { value, path };
  if (p.kind === 'MatchSequence') {
    const star = p.patterns.findIndex((x) => x.kind === 'MatchStar');
    return { value, path: [...path, stepAt(p.patterns.indexOf(child), star, p.patterns.length)] };
  }
  const key = p.kind === 'MatchMapping' ? p.keys[p.patterns.indexOf(child)] : undefined;
  return key?.kind === 'Constant' && key.type === 'str' ? { value, path: [...path, String(key.value)] } : null;
}

function importStatement(c: Collector, n: Of<'Import' | 'ImportFrom'>): void {
  const typingOnly = c.typingOnly > 0;
  for (const a of n.names) {
    if (n.kind === 'Import') {
      const name = a.asname ?? a.name.split('.', 1)[0]!;
      c.bind({ kind: 'import', name, module: a.asname ? a.name : name, typingOnly, node: n }, n.start);
    } else if (a.name === '*') {
      c.module.stars.push({ module: n.module, level: n.level });
    } else {
      const { module, level } = n;
      c.bind({ kind: 'from', name: a.asname ?? a.name, module, level, member: a.name, typingOnly, node: n }, n.start);
    }
  }
}

function deleteStatement(c: Collector, n: Of<'Delete'>): void {
  for (const t of n.targets) {
    // a deleted name is local to its scope but has no value
    if (t.kind === 'Name') {
      if (!c.scope.bindings.has(t.id)) c.scope.bindings.set(t.id, []);
      c.deleteName(t.id, t.start);
    } else c.expr(t);
  }
}

function typeAlias(c: Collector, n: Of<'TypeAlias'>): void {
  c.bind({ kind: 'assign', name: n.name.id, value: n.value, path: [] }, n.name.start);
  const inner = typeParams(c, n.typeParams, n);
  const saved = c.scope;
  if (inner) c.scope = inner;
  c.expr(n.value);
  c.scope = saved;
}
