/** Scopes, bindings and blocks of one module: who binds which name, where, under what condition. */
import type {
  Arg,
  Arguments,
  Attribute,
  Call,
  ClassDef,
  Expr,
  FunctionDef,
  Import,
  ImportFrom,
  Lambda,
  Module,
  Name,
  Node,
  Subscript,
} from '../syntax/index.ts';

export type ScopeKind = 'module' | 'function' | 'lambda' | 'class' | 'comprehension' | 'typeparams';

/** A run of statements that execute together; a branch is a child of the block it stands in. */
export interface Block {
  parent: Block | null;
  depth: number;
}

export interface Scope {
  kind: ScopeKind;
  parent: Scope | null;
  node: Node;
  name: string;
  module: ModuleScopes;
  /** The block in which the scope's own statements start. */
  root: Block;
  bindings: Map<string, Binding[]>;
  globals: ReadonlySet<string>;
  nonlocals: ReadonlySet<string>;
  /** Where names of the scope are deleted. */
  deleted: ReadonlyMap<string, number[]>;
  /** Class scopes: attributes assigned through the first parameter of methods. */
  attributes: ReadonlyMap<string, Binding[]>;
  /** Method scopes: the class and the name of the first parameter. */
  self: { cls: ClassInfo; name: string; classMethod: boolean } | null;
  fn: FunctionInfo | null;
  cls: ClassInfo | null;
}

/**
 * One step into a value: an index (negative: from the end), a key, `*` for any element, or `a:b` for the part that a
 * starred target takes, from index a to b before the end.
 */
export type Step = number | string;

interface BindingBase {
  name: string;
  /** Offset from which the binding is in force. */
  pos: number;
  block: Block;
  /** The scope in which its value is evaluated. */
  scope: Scope;
  /** Bound through `global` or `nonlocal` from another function. */
  remote: boolean;
}

export type Binding = BindingBase &
  (
    | { kind: 'import'; module: string; typingOnly: boolean; node: Import }
    | { kind: 'from'; module: string | null; level: number; member: string; typingOnly: boolean; node: ImportFrom }
    | { kind: 'def'; fn: FunctionInfo }
    | { kind: 'class'; cls: ClassInfo }
    | { kind: 'assign'; value: Expr; path: Step[]; walrus?: boolean }
    | { kind: 'annotated'; value: Expr | null; annotation: Expr }
    | { kind: 'with'; value: Expr; isAsync: boolean; path: Step[] }
    | { kind: 'for' | 'async for'; iter: Expr; path: Step[]; iterScope: Scope }
    | { kind: 'param'; owner: FunctionInfo | LambdaInfo; arg: Arg; role: 'normal' | 'vararg' | 'kwarg' }
    | { kind: 'augmented'; op: string; value: Expr }
    | { kind: 'other' }
  );

export interface FunctionInfo {
  type: 'function';
  node: FunctionDef;
  module: ModuleScopes;
  scope: Scope;
  /** The scope in which the `def` stands. */
  outer: Scope;
  /** The class whose body holds the `def`, if any. */
  cls: ClassInfo | null;
  /** Dotted, without `<locals>`. */
  qualname: string;
  isGenerator: boolean;
}

export interface LambdaInfo {
  type: 'lambda';
  node: Lambda;
  module: ModuleScopes;
  scope: Scope;
  outer: Scope;
  qualname: string;
}

export interface ClassInfo {
  type: 'class';
  node: ClassDef;
  module: ModuleScopes;
  scope: Scope;
  outer: Scope;
  qualname: string;
}

export interface CallRecord {
  node: Call;
  scope: Scope;
  block: Block;
}

export interface LoadRecord {
  node: Name | Attribute;
  scope: Scope;
  block: Block;
}

/** `object.attr = value` outside of the object's own methods; `value` is null when it is no expression of its own. */
export interface AttributeStore {
  object: Expr;
  value: Expr | null;
  scope: Scope;
  block: Block;
  pos: number;
}

interface StarImport {
  module: string | null;
  level: number;
}

export interface ModuleScopes {
  file: string;
  name: string;
  isPackage: boolean;
  text: string;
  tree: Module;
  scope: Scope;
  calls: CallRecord[];
  loads: LoadRecord[];
  stars: StarImport[];
  /** `object[key] = value`, for containers that are filled step by step. */
  stores: { object: Expr; key: Expr; value: Expr; scope: Scope; block: Block }[];
  /** `object[key] += value`, `object.attr |= value`, and the same of names: what may grow in place. */
  grown: { object: Name | Attribute | Subscript; value: Expr; scope: Scope; block: Block }[];
  attributeStores: Map<string, AttributeStore[]>;
  functions: FunctionInfo[];
  lambdas: LambdaInfo[];
  lambdaOf: Map<Node, LambdaInfo>;
  classes: ClassInfo[];
  /** Scope and block of each statement; for a lambda or comprehension, of what is inside. */
  scopeOf: Map<Node, { scope: Scope; block: Block }>;
}

export function isWithin(block: Block, ancestor: Block): boolean {
  let b: Block | null = block;
  while (b && b.depth > ancestor.depth) b = b.parent;
  return b === ancestor;
}

type MethodScope = Scope & { self: NonNullable<Scope['self']> };

const hasSelf = (scope: Scope): scope is MethodScope => scope.self !== null;

/** The scope of the method in which code stands, in a function or comprehension of it too; null outside of methods. */
export function methodScope(scope: Scope): MethodScope | null {
  for (let s: Scope | null = scope; s; s = s.parent) if (hasSelf(s)) return s;
  return null;
}

/** The function-like scope that holds a comprehension's code. */
export function codeScope(scope: Scope): Scope {
  let s = scope;
  while (s.kind === 'comprehension') s = s.parent!;
  return s;
}

/** The dotted name of a scope inside its module; `<module>` at top level. */
export function scopePath(scope: Scope): string {
  const parts: string[] = [];
  for (let s: Scope | null = scope; s; s = s.parent) {
    if (s.kind === 'function' || s.kind === 'class' || s.kind === 'lambda') parts.push(s.name);
  }
  return parts.length ? parts.reverse().join('.') : '<module>';
}

export function allArgs(a: Arguments): { arg: Arg; role: 'normal' | 'vararg' | 'kwarg' }[] {
  const out: { arg: Arg; role: 'normal' | 'vararg' | 'kwarg' }[] = [];
  for (const arg of a.posonly) out.push({ arg, role: 'normal' });
  for (const arg of a.args) out.push({ arg, role: 'normal' });
  if (a.vararg) out.push({ arg: a.vararg, role: 'vararg' });
  for (const arg of a.kwonly) out.push({ arg, role: 'normal' });
  if (a.kwarg) out.push({ arg: a.kwarg, role: 'kwarg' });
  return out;
}

/** Parameters that take positional arguments, in order. */
export function positionalArgs(a: Arguments): Arg[] {
  return [...a.posonly, ...a.args];
}

/** Scope and block in force at an expression. */
export function whereIs(m: ModuleScopes, node: Node): { scope: Scope; block: Block } {
  let child: Node = node;
  for (let n: Node | null = node.parent; n; n = n.parent) {
    const own = m.scopeOf.get(n);
    // the first iterable of a comprehension, and a lambda's defaults, belong to the scope around it
    const outside =
      (n.kind === 'Lambda' && child === n.args) ||
      ('generators' in n &&
        child === n.generators[0] &&
        node.start >= n.generators[0].iter.start &&
        node.end <= n.generators[0].iter.end);
    if (own && !outside) return own;
    child = n;
  }
  return { scope: m.scope, block: m.scope.root };
}
