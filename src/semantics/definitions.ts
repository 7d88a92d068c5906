/** Scopes that definitions make: functions and classes, their parameters and type parameters. */
import {
  type Arguments,
  type ClassDef,
  childrenOf,
  type FunctionDef,
  type Node,
  type Stmt,
  type TypeParam,
} from '../syntax/index.ts';
import type { Collector } from './collect.ts';
import { allArgs, type ClassInfo, type FunctionInfo, type LambdaInfo, type Scope, scopePath } from './scopes.ts';

export function functionDef(c: Collector, n: FunctionDef): void {
  for (const d of n.decorators) c.expr(d);
  for (const { arg } of allArgs(n.args)) if (arg.default) c.expr(arg.default);
  const owner = c.scope;
  const params = typeParams(c, n.typeParams, n);
  if (params) c.scope = params;
  for (const { arg } of allArgs(n.args)) if (arg.annotation) c.expr(arg.annotation);
  if (n.returns) c.expr(n.returns);
  const scope = c.makeScope('function', c.scope, n, c.child(), n.name);
  c.scope = owner;
  const fn: FunctionInfo = {
    type: 'function',
    node: n,
    module: c.module,
    scope,
    outer: owner,
    cls: owner.kind === 'class' ? owner.cls : null,
    qualname: scopePath(scope),
    isGenerator: hasYield(n.body),
  };
  scope.fn = fn;
  c.module.functions.push(fn);
  c.bind({ kind: 'def', name: n.name, fn }, n.start);
  linkSelf(n, owner, scope);
  bindParams(c, n.args, fn, scope);
  prescan(c, n.body, scope);
  c.within(scope, () => c.statements(n.body));
}

function linkSelf(n: FunctionDef, owner: Scope, scope: Scope): void {
  if (!owner.cls || owner.kind !== 'class') return;
  const decorated = (name: string) => n.decorators.some((d) => d.kind === 'Name' && d.id === name);
  const first = n.args.posonly[0] ?? n.args.args[0];
  if (first && !decorated('staticmethod'))
    scope.self = { cls: owner.cls, name: first.arg, classMethod: decorated('classmethod') || ON_CLASS.has(n.name) };
}

/** Methods that are given the class without being told to. */
const ON_CLASS: ReadonlySet<string> = new Set(['__new__', '__init_subclass__', '__class_getitem__']);

export function bindParams(c: Collector, args: Arguments, owner: FunctionInfo | LambdaInfo, scope: Scope): void {
  c.within(scope, () => {
    for (const { arg, role } of allArgs(args))
      c.bind({ kind: 'param', name: arg.arg, owner, arg, role }, args.start, scope);
  });
}

export function typeParams(c: Collector, params: TypeParam[], node: Node): Scope | null {
  if (!params.length) return null;
  const scope = c.makeScope('typeparams', c.scope, node, c.block, '<type params>');
  const saved = c.scope;
  c.scope = scope;
  for (const p of params) {
    c.bind({ kind: 'other', name: p.name }, p.start);
    if (p.bound) c.expr(p.bound);
    if (p.default) c.expr(p.default);
  }
  c.scope = saved;
  return scope;
}

export function classDef(c: Collector, n: ClassDef): void {
  for (const d of n.decorators) c.expr(d);
  const owner = c.scope;
  const params = typeParams(c, n.typeParams, n);
  if (params) c.scope = params;
  for (const b of n.bases) c.expr(b);
  for (const k of n.keywords) c.expr(k.value);
  const scope = c.makeScope('class', c.scope, n, c.child(), n.name);
  c.scope = owner;
  const cls: ClassInfo = {
    type: 'class',
    node: n,
    module: c.module,
    scope,
    outer: owner,
    qualname: scopePath(scope),
  };
  scope.cls = cls;
  c.module.classes.push(cls);
  prescan(c, n.body, scope);
  c.within(scope, () => c.statements(n.body));
  c.bind({ kind: 'class', name: n.name, cls }, n.start);
}

/** `global` and `nonlocal` hold for the whole function, also before the statement. */
function prescan(c: Collector, body: Stmt[], scope: Scope): void {
  const stack: Node[] = [...body];
  while (stack.length) {
    const n = stack.pop()!;
    if (n.kind === 'Global') c.declare(scope, 'globals', n.names);
    else if (n.kind === 'Nonlocal') c.declare(scope, 'nonlocals', n.names);
    else if (isStatementWithBody(n)) for (const c of childrenOf(n)) if (!isExpressionKind(c)) stack.push(c);
  }
}

const BODIES = new Set(['For', 'While', 'If', 'With', 'Try', 'Match', 'MatchCase', 'ExceptHandler']);

function isStatementWithBody(n: Node): boolean {
  return BODIES.has(n.kind);
}

function isExpressionKind(n: Node): boolean {
  return !(BODIES.has(n.kind) || n.kind === 'Global' || n.kind === 'Nonlocal');
}

/** Does a function's own body (not its nested functions) yield? */
function hasYield(body: Stmt[]): boolean {
  const stack: Node[] = [...body];
  while (stack.length) {
    const n = stack.pop()!;
    if (n.kind === 'Yield' || n.kind === 'YieldFrom') return true;
    if (n.kind === 'FunctionDef' || n.kind === 'ClassDef' || n.kind === 'Lambda') continue;
    if (n.kind === 'Constant' || n.kind === 'Name') continue;
    for (const c of childrenOf(n)) stack.push(c);
  }
  return false;
}
