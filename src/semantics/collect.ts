/** One pass over a tree: makes the scopes, records bindings, calls and loads. */
import {
  type Arguments,
  type ClassDef,
  type Comprehension,
  childrenOf,
  type Expr,
  type FunctionDef,
  type Lambda,
  type Module,
  type Node,
  type Pattern,
  type Stmt,
  type TypeParam,
} from '../syntax/index.ts';
import {
  allArgs,
  type Binding,
  type Block,
  type ClassInfo,
  codeScope,
  type FunctionInfo,
  type LambdaInfo,
  type ModuleScopes,
  type Scope,
  type ScopeKind,
  type Step,
  scopePath,
} from './scopes.ts';

type Comp = Extract<Expr, { kind: 'ListComp' | 'SetComp' | 'DictComp' | 'GeneratorExp' }>;
type Loose<T> = T extends unknown ? Omit<T, 'pos' | 'block' | 'scope' | 'remote'> : never;
type NewBinding = Loose<Binding>;

export interface ModuleHead {
  file: string;
  name: string;
  isPackage: boolean;
  text: string;
}

export function collectScopes(head: ModuleHead, tree: Module): ModuleScopes {
  return new Collector(head, tree).module;
}

class Collector {
  readonly module: ModuleScopes;
  private scope: Scope;
  private block: Block;
  private typingOnly = 0;
  private bindPos: number | null = null;

  constructor(head: ModuleHead, tree: Module) {
    const root: Block = { parent: null, depth: 0 };
    const module = {
      ...head,
      tree,
      calls: [],
      loads: [],
      stars: [],
      stores: [],
      functions: [],
      lambdas: [],
      lambdaOf: new Map(),
      classes: [],
      scopeOf: new Map(),
    } as unknown as ModuleScopes;
    this.module = module;
    this.block = root;
    module.scope = this.scope = this.makeScope('module', null, tree, root, '<module>');
    this.statements(tree.body);
  }

  // ---- scopes, blocks, bindings ----

  private makeScope(kind: ScopeKind, parent: Scope | null, node: Node, root: Block, name: string): Scope {
    return {
      kind,
      parent,
      node,
      name,
      module: this.module,
      root,
      bindings: new Map(),
      globals: new Set(),
      nonlocals: new Set(),
      attributes: new Map(),
      self: null,
      fn: null,
      cls: null,
    };
  }

  private child(): Block {
    return { parent: this.block, depth: this.block.depth + 1 };
  }

  private branch(body: Stmt[]): void {
    if (!body.length) return;
    const saved = this.block;
    this.block = this.child();
    this.statements(body);
    this.block = saved;
  }

  private within(scope: Scope, run: () => void): void {
    const { scope: s, block: b } = this;
    this.scope = scope;
    this.block = scope.root;
    run();
    this.scope = s;
    this.block = b;
  }

  private after(pos: number, run: () => void): void {
    const saved = this.bindPos;
    this.bindPos = pos;
    run();
    this.bindPos = saved;
  }

  private bind(binding: NewBinding, pos: number, scope: Scope = this.scope): void {
    const name = binding.name;
    let owner = scope;
    let remote = false;
    if (scope.globals.has(name)) {
      owner = this.module.scope;
      remote = scope !== owner;
    } else if (scope.nonlocals.has(name)) {
      let s = scope.parent;
      while (s && !((s.kind === 'function' || s.kind === 'lambda') && s.bindings.has(name))) s = s.parent;
      owner = s ?? scope;
      remote = true;
    }
    const full = { ...binding, pos: this.bindPos ?? pos, block: this.block, scope: this.scope, remote } as Binding;
    const list = owner.bindings.get(name);
    if (list) list.push(full);
    else owner.bindings.set(name, [full]);
  }

  /** Binds an assignment target to the value, or to an element of it named by `path`. */
  private target(
    target: Expr,
    make: (name: string, path: Step[]) => NewBinding,
    value: Expr | null,
    path: Step[] = [],
  ): void {
    switch (target.kind) {
      case 'Name':
        this.bind(make(target.id, path), target.start);
        return;
      case 'Tuple':
      case 'List':
        this.unpack(target.elts, make, value, path);
        return;
      case 'Starred':
        this.target(target.value, make, null, path);
        return;
      case 'Subscript':
        if (target.value.kind === 'Name' && value && path.length === 0)
          this.module.stores.push({
            name: target.value.id,
            key: target.slice,
            value,
            scope: this.scope,
            block: this.block,
            pos: target.start,
          });
        this.expr(target);
        return;
      case 'Attribute':
        this.attributeTarget(target.value, target.attr, make(target.attr, path), target.start);
        this.expr(target.value);
        return;
      default:
        this.expr(target);
    }
  }

  private unpack(
    elts: Expr[],
    make: (name: string, path: Step[]) => NewBinding,
    value: Expr | null,
    path: Step[],
  ): void {
    const direct = path.length === 0 && value && (value.kind === 'Tuple' || value.kind === 'List') ? value : null;
    const star = elts.findIndex((e) => e.kind === 'Starred');
    const same =
      direct && star < 0 && direct.elts.length === elts.length && !direct.elts.some((e) => e.kind === 'Starred');
    elts.forEach((e, i) => {
      const element = same ? direct.elts[i]! : null;
      if (element) {
        this.target(e, (name, p) => ({ kind: 'assign', name, value: element, path: p }) as NewBinding, element);
        return;
      }
      const step: Step = i === star ? `${i}:${elts.length - 1 - i}` : star >= 0 && i > star ? i - elts.length : i;
      this.target(e, make, null, [...path, step]);
    });
  }

  /** `self.x = value` inside a method: an attribute of the class. */
  private attributeTarget(object: Expr, attr: string, binding: NewBinding, pos: number): void {
    if (object.kind !== 'Name') return;
    for (let s: Scope | null = this.scope; s; s = s.parent) {
      if (s.self?.name === object.id) {
        const full = { ...binding, name: attr, pos, block: this.block, scope: this.scope, remote: false } as Binding;
        const map = s.self.cls.scope.attributes;
        const list = map.get(attr);
        if (list) list.push(full);
        else map.set(attr, [full]);
        return;
      }
      if (s.bindings.has(object.id)) return;
    }
  }

  // ---- statements ----

  private statements(body: Stmt[]): void {
    for (const s of body) this.statement(s);
  }

  private statement(n: Stmt): void {
    this.module.scopeOf.set(n, { scope: this.scope, block: this.block });
    switch (n.kind) {
      case 'FunctionDef':
        this.functionDef(n);
        return;
      case 'ClassDef':
        this.classDef(n);
        return;
      case 'Assign': {
        this.expr(n.value);
        const value = n.value;
        for (const t of n.targets)
          this.after(n.end, () =>
            this.target(t, (name, path) => ({ kind: 'assign', name, value, path }) as NewBinding, value),
          );
        return;
      }
      case 'AnnAssign':
        this.annAssign(n);
        return;
      case 'AugAssign': {
        this.expr(n.value);
        const { op, value } = n;
        this.after(n.end, () =>
          this.target(n.target, (name) => ({ kind: 'augmented', name, op, value }) as NewBinding, null),
        );
        return;
      }
      case 'For': {
        this.expr(n.iter);
        const iter = n.iter;
        const kind = n.isAsync ? 'other' : 'for';
        const iterScope = this.scope;
        this.after(n.iter.end, () =>
          this.target(n.target, (name, path) => ({ kind, name, iter, path, iterScope }) as NewBinding, null),
        );
        this.branch(n.body);
        this.branch(n.orelse);
        return;
      }
      case 'While':
        this.expr(n.test);
        this.branch(n.body);
        this.branch(n.orelse);
        return;
      case 'If':
        this.ifStatement(n);
        return;
      case 'With':
        for (const item of n.items) {
          this.expr(item.contextExpr);
          if (item.optionalVars) {
            const value = item.contextExpr;
            const isAsync = n.isAsync;
            this.target(
              item.optionalVars,
              (name, path) => ({ kind: 'with', name, value, isAsync, path }) as NewBinding,
              null,
            );
          }
        }
        this.statements(n.body); // the body of a with always runs: same block
        return;
      case 'Try':
        this.tryStatement(n);
        return;
      case 'Match':
        this.expr(n.subject);
        for (const c of n.cases) {
          const saved = this.block;
          this.block = this.child();
          this.pattern(c.pattern);
          if (c.guard) this.expr(c.guard);
          this.statements(c.body);
          this.block = saved;
        }
        return;
      case 'Import':
      case 'ImportFrom':
        this.importStatement(n);
        return;
      case 'Delete':
        for (const t of n.targets) {
          // a deleted name is local to its scope but has no value
          if (t.kind === 'Name') {
            if (!this.scope.bindings.has(t.id)) this.scope.bindings.set(t.id, []);
          } else this.expr(t);
        }
        return;
      case 'Global':
        if (this.scope !== this.module.scope) for (const name of n.names) this.scope.globals.add(name);
        return;
      case 'Nonlocal':
        for (const name of n.names) this.scope.nonlocals.add(name);
        return;
      case 'TypeAlias': {
        this.bind({ kind: 'other', name: n.name.id }, n.name.start);
        const inner = this.typeParams(n.typeParams, n);
        const saved = this.scope;
        if (inner) this.scope = inner;
        this.expr(n.value);
        this.scope = saved;
        return;
      }
      default:
        for (const c of childrenOf(n)) this.expr(c as Expr);
    }
  }

  private annAssign(n: Extract<Stmt, { kind: 'AnnAssign' }>): void {
    this.expr(n.annotation);
    if (n.value) this.expr(n.value);
    const { value, annotation, target } = n;
    const binding = (name: string): NewBinding => ({ kind: 'annotated', name, value, annotation });
    if (target.kind === 'Name') this.after(n.end, () => this.bind(binding(target.id), target.start));
    else if (target.kind === 'Attribute') {
      this.attributeTarget(target.value, target.attr, binding(target.attr), target.start);
      this.expr(target.value);
    } else this.expr(target);
  }

  private ifStatement(first: Extract<Stmt, { kind: 'If' }>): void {
    // an elif chain is walked in a loop: it may be thousands long
    const saved = this.block;
    let n: Extract<Stmt, { kind: 'If' }> | null = first;
    while (n) {
      this.expr(n.test);
      const t: Expr = n.test;
      const guard =
        (t.kind === 'Name' && t.id === 'TYPE_CHECKING') || (t.kind === 'Attribute' && t.attr === 'TYPE_CHECKING');
      this.typingOnly += guard ? 1 : 0;
      this.branch(n.body);
      this.typingOnly -= guard ? 1 : 0;
      const rest: Stmt[] = n.orelse;
      if (rest.length === 1 && rest[0]!.kind === 'If') {
        this.block = this.child();
        n = rest[0] as Extract<Stmt, { kind: 'If' }>;
      } else {
        this.branch(rest);
        n = null;
      }
    }
    this.block = saved;
  }

  private tryStatement(n: Extract<Stmt, { kind: 'Try' }>): void {
    this.branch(n.body);
    for (const h of n.handlers) {
      if (h.type) this.expr(h.type);
      const saved = this.block;
      this.block = this.child();
      if (h.name) this.bind({ kind: 'other', name: h.name }, h.nameSpan?.start ?? h.start);
      this.statements(h.body);
      this.block = saved;
    }
    this.branch(n.orelse);
    this.statements(n.finalbody); // always runs: same block
  }

  private importStatement(n: Extract<Stmt, { kind: 'Import' | 'ImportFrom' }>): void {
    const typingOnly = this.typingOnly > 0;
    for (const a of n.names) {
      if (n.kind === 'Import') {
        const name = a.asname ?? a.name.split('.', 1)[0]!;
        this.bind({ kind: 'import', name, module: a.asname ? a.name : name, typingOnly, node: n }, n.start);
      } else if (a.name === '*') {
        this.module.stars.push({ module: n.module, level: n.level, pos: n.start, scope: this.scope });
      } else {
        const { module, level } = n;
        this.bind(
          { kind: 'from', name: a.asname ?? a.name, module, level, member: a.name, typingOnly, node: n },
          n.start,
        );
      }
    }
  }

  private pattern(p: Pattern): void {
    if ((p.kind === 'MatchAs' || p.kind === 'MatchStar') && p.name) this.bind({ kind: 'other', name: p.name }, p.start);
    if (p.kind === 'MatchMapping' && p.rest) this.bind({ kind: 'other', name: p.rest }, p.start);
    for (const c of childrenOf(p)) {
      if (c.kind.startsWith('Match')) this.pattern(c as Pattern);
      else this.expr(c as Expr);
    }
  }

  // ---- definitions ----

  private functionDef(n: FunctionDef): void {
    for (const d of n.decorators) this.expr(d);
    for (const { arg } of allArgs(n.args)) if (arg.default) this.expr(arg.default);
    const owner = this.scope;
    const params = this.typeParams(n.typeParams, n);
    if (params) this.scope = params;
    for (const { arg } of allArgs(n.args)) if (arg.annotation) this.expr(arg.annotation);
    if (n.returns) this.expr(n.returns);
    const scope = this.makeScope('function', this.scope, n, this.child(), n.name);
    this.scope = owner;
    const fn: FunctionInfo = {
      type: 'function',
      node: n,
      module: this.module,
      scope,
      outer: owner,
      cls: owner.kind === 'class' ? owner.cls : null,
      qualname: scopePath(scope),
      isGenerator: hasYield(n.body),
    };
    scope.fn = fn;
    this.module.functions.push(fn);
    this.bind({ kind: 'def', name: n.name, fn }, n.start);
    this.linkSelf(n, owner, scope);
    this.bindParams(n.args, fn, scope);
    prescan(n.body, scope);
    this.within(scope, () => this.statements(n.body));
  }

  private linkSelf(n: FunctionDef, owner: Scope, scope: Scope): void {
    if (!owner.cls || owner.kind !== 'class') return;
    const decorated = (name: string) => n.decorators.some((d) => d.kind === 'Name' && d.id === name);
    const first = n.args.posonly[0] ?? n.args.args[0];
    if (first && !decorated('staticmethod'))
      scope.self = { cls: owner.cls, name: first.arg, classMethod: decorated('classmethod') || n.name === '__new__' };
  }

  private bindParams(args: Arguments, owner: FunctionInfo | LambdaInfo, scope: Scope): void {
    this.within(scope, () => {
      for (const { arg, role } of allArgs(args))
        this.bind({ kind: 'param', name: arg.arg, owner, arg, role }, args.start, scope);
    });
  }

  private typeParams(params: TypeParam[], node: Node): Scope | null {
    if (!params.length) return null;
    const scope = this.makeScope('typeparams', this.scope, node, this.block, '<type params>');
    const saved = this.scope;
    this.scope = scope;
    for (const p of params) {
      this.bind({ kind: 'other', name: p.name }, p.start);
      if (p.bound) this.expr(p.bound);
      if (p.default) this.expr(p.default);
    }
    this.scope = saved;
    return scope;
  }

  private classDef(n: ClassDef): void {
    for (const d of n.decorators) this.expr(d);
    const owner = this.scope;
    const params = this.typeParams(n.typeParams, n);
    if (params) this.scope = params;
    for (const b of n.bases) this.expr(b);
    for (const k of n.keywords) this.expr(k.value);
    const scope = this.makeScope('class', this.scope, n, this.child(), n.name);
    this.scope = owner;
    const cls: ClassInfo = {
      type: 'class',
      node: n,
      module: this.module,
      scope,
      outer: owner,
      qualname: scopePath(scope),
    };
    scope.cls = cls;
    this.module.classes.push(cls);
    prescan(n.body, scope);
    this.within(scope, () => this.statements(n.body));
    this.bind({ kind: 'class', name: n.name, cls }, n.start);
  }

  // ---- expressions ----

  private expr(root: Node): void {
    // an explicit stack: a chain of operators may nest tens of thousands deep
    const stack: Node[] = [root];
    while (stack.length) {
      const n = stack.pop()!;
      switch (n.kind) {
        case 'Lambda':
          this.lambda(n);
          continue;
        case 'ListComp':
        case 'SetComp':
        case 'DictComp':
        case 'GeneratorExp':
          this.comprehension(n);
          continue;
        case 'NamedExpr':
          this.namedExpr(n);
          continue;
        case 'Call':
          this.module.calls.push({ node: n, scope: this.scope, block: this.block });
          break;
        case 'Name':
          if (n.ctx === 'load') this.module.loads.push({ node: n, scope: this.scope, block: this.block });
          continue;
        case 'Constant':
          continue;
        case 'Attribute':
          if (n.ctx === 'load') this.module.loads.push({ node: n, scope: this.scope, block: this.block });
          stack.push(n.value);
          continue;
      }
      const children = childrenOf(n);
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
    }
  }

  private lambda(n: Lambda): void {
    for (const { arg } of allArgs(n.args)) if (arg.default) this.expr(arg.default);
    const scope = this.makeScope('lambda', this.scope, n, this.child(), '<lambda>');
    const info: LambdaInfo = {
      type: 'lambda',
      node: n,
      module: this.module,
      scope,
      outer: this.scope,
      qualname: scopePath(scope),
    };
    this.module.lambdas.push(info);
    this.module.lambdaOf.set(n, info);
    this.module.scopeOf.set(n, { scope, block: scope.root });
    this.bindParams(n.args, info, scope);
    this.within(scope, () => this.expr(n.body));
  }

  private comprehension(n: Comp): void {
    const first = n.generators[0]!;
    this.expr(first.iter);
    const scope = this.makeScope('comprehension', this.scope, n, this.block, '<comp>');
    this.module.scopeOf.set(n, { scope, block: this.block });
    const saved = this.scope;
    this.scope = scope;
    n.generators.forEach((g: Comprehension, i) => {
      if (i) this.expr(g.iter);
      const iter = g.iter;
      const kind = g.isAsync ? 'other' : 'for';
      const iterScope = i ? scope : saved;
      this.target(g.target, (name, path) => ({ kind, name, iter, path, iterScope }) as NewBinding, null);
      for (const c of g.ifs) this.expr(c);
    });
    if (n.kind === 'DictComp') {
      this.expr(n.key);
      this.expr(n.value);
    } else this.expr(n.elt);
    this.scope = saved;
  }

  private namedExpr(n: Extract<Expr, { kind: 'NamedExpr' }>): void {
    this.expr(n.value);
    const saved = this.scope;
    const owner = codeScope(this.scope);
    this.scope = owner;
    this.after(n.end, () =>
      this.bind({ kind: 'assign', name: n.target.id, value: n.value, path: [], walrus: true }, n.target.start),
    );
    this.scope = saved;
  }
}

/** `global` and `nonlocal` hold for the whole function, also before the statement. */
function prescan(body: Stmt[], scope: Scope): void {
  const stack: Node[] = [...body];
  while (stack.length) {
    const n = stack.pop()!;
    if (n.kind === 'Global') for (const name of n.names) scope.globals.add(name);
    else if (n.kind === 'Nonlocal') for (const name of n.names) scope.nonlocals.add(name);
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
