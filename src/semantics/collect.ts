/** One pass over a tree: makes the scopes, records bindings, calls and loads. */
import type { Module, Node, Stmt } from '../syntax/index.ts';
import { expression } from './expressions.ts';
import { push } from './lookups.ts';
import type { Binding, Block, ModuleScopes, Scope, ScopeKind } from './scopes.ts';
import { statement } from './statements.ts';

type Loose<T> = T extends unknown ? Omit<T, 'pos' | 'block' | 'scope' | 'remote'> : never;
/** What a binding says of itself; where it stands is the collector's to add. */
export type NewBinding = Loose<Binding>;

interface Place {
  scope: Scope;
  block: Block;
}

interface ModuleHead {
  file: string;
  name: string;
  isPackage: boolean;
  text: string;
}

export function collectScopes(head: ModuleHead, tree: Module): ModuleScopes {
  return new Collector(head, tree).module;
}

// what most scopes have none of takes no memory in them
const NO_NAMES: ReadonlySet<string> = new Set();
const NO_OFFSETS: ReadonlyMap<string, number[]> = new Map();
const NO_BINDINGS: ReadonlyMap<string, Binding[]> = new Map();

/** Where the pass stands, and what it has found. */
export class Collector {
  readonly module: ModuleScopes;
  scope: Scope;
  block: Block;
  typingOnly = 0;
  private bindPos: number | null = null;
  private place: Place;

  constructor(head: ModuleHead, tree: Module) {
    const root: Block = { parent: null, depth: 0 };
    const module = {
      ...head,
      tree,
      calls: [],
      loads: [],
      stars: [],
      stores: [],
      grown: [],
      attributeStores: new Map(),
      functions: [],
      lambdas: [],
      lambdaOf: new Map(),
      classes: [],
      scopeOf: new Map(),
    } as unknown as ModuleScopes;
    this.module = module;
    this.block = root;
    module.scope = this.scope = this.makeScope('module', null, tree, root, '<module>');
    this.place = { scope: this.scope, block: root };
    this.statements(tree.body);
  }

  statements(body: Stmt[]): void {
    for (const s of body) statement(this, s);
  }

  expr(root: Node): void {
    expression(this, root);
  }

  makeScope(kind: ScopeKind, parent: Scope | null, node: Node, root: Block, name: string): Scope {
    return {
      kind,
      parent,
      node,
      name,
      module: this.module,
      root,
      bindings: new Map(),
      globals: NO_NAMES,
      nonlocals: NO_NAMES,
      deleted: NO_OFFSETS,
      attributes: NO_BINDINGS,
      self: null,
      fn: null,
      cls: null,
    };
  }

  declare(scope: Scope, what: 'globals' | 'nonlocals', names: readonly string[]): void {
    scope[what] = new Set([...scope[what], ...names]);
  }

  deleteName(name: string, offset: number): void {
    const { deleted } = this.scope;
    this.scope.deleted = new Map(deleted).set(name, [...(deleted.get(name) ?? []), offset]);
  }

  addAttribute(cls: Scope, binding: Binding): void {
    const known = cls.attributes.get(binding.name);
    if (known) known.push(binding);
    else if (cls.attributes === NO_BINDINGS) cls.attributes = new Map([[binding.name, [binding]]]);
    else (cls.attributes as Map<string, Binding[]>).set(binding.name, [binding]);
  }

  /** Scope and block where the pass stands; the same object as long as it does. */
  here(): Place {
    if (this.place.scope !== this.scope || this.place.block !== this.block)
      this.place = { scope: this.scope, block: this.block };
    return this.place;
  }

  /** A branch of the current block. */
  child(): Block {
    return { parent: this.block, depth: this.block.depth + 1 };
  }

  branch(body: Stmt[]): void {
    if (body.length) this.inChild(() => this.statements(body));
  }

  inChild(run: () => void): void {
    const saved = this.block;
    this.block = this.child();
    run();
    this.block = saved;
  }

  within(scope: Scope, run: () => void): void {
    const { scope: s, block: b } = this;
    this.scope = scope;
    this.block = scope.root;
    run();
    this.scope = s;
    this.block = b;
  }

  /** Binds names as in force from `pos` on, wherever they stand. */
  after(pos: number, run: () => void): void {
    const saved = this.bindPos;
    this.bindPos = pos;
    run();
    this.bindPos = saved;
  }

  bind(binding: NewBinding, pos: number, scope: Scope = this.scope): void {
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
    push(owner.bindings, name, full);
  }
}
