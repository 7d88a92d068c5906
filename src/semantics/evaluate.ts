/** Which values may an expression have? Scope-aware, flow-aware within a function, across files; it never guesses. */
import { type Call, descendants, type Expr } from '../syntax/index.ts';
import { annotationValue } from './annotations.ts';
import { classMember, externalMember } from './classes.ts';
import { elementsOf } from './elements.ts';
import { BUILTIN_NAMES, callExternal, canonicalName, enteredContext, type LibraryTable } from './libraries.ts';
import type { ModuleGraph } from './modules.ts';
import { findScope, reaching, visibleFromOutside } from './reaching.ts';
import { returnsOf } from './returns.ts';
import {
  type Binding,
  type Block,
  type FunctionInfo,
  type LambdaInfo,
  type ModuleScopes,
  type Scope,
  whereIs,
} from './scopes.ts';
import {
  add,
  type CallPlace,
  type Instance,
  merge,
  only,
  type Place,
  unknown,
  type Value,
  type Values,
} from './values.ts';

/** Deeper chains of names and calls are not followed: each level takes several frames of the stack. */
const MAX_NESTING = 120;

export class Evaluator {
  private readonly memo = new Map<object, Values>();
  private readonly busy = new Set<object>();
  private cycles = 0;

  constructor(
    readonly graph: ModuleGraph,
    readonly table: LibraryTable,
  ) {}

  value(node: Expr, scope: Scope, block: Block): Values {
    return this.once(node, () => this.compute(node, scope, block));
  }

  valueAt(place: Place): Values {
    return this.value(place.node, place.scope, place.block);
  }

  /** Memoised; a result cut short by a cycle is not kept. */
  private once(key: object, compute: () => Values): Values {
    const known = this.memo.get(key);
    if (known) return known;
    if (this.busy.has(key) || this.busy.size > MAX_NESTING) {
      this.cycles++;
      return unknown('cycle');
    }
    this.busy.add(key);
    const before = this.cycles;
    let got: Values;
    try {
      got = compute();
    } finally {
      this.busy.delete(key);
    }
    if (this.cycles === before || this.busy.size === 0) this.memo.set(key, got);
    return got;
  }

  private compute(n: Expr, scope: Scope, block: Block): Values {
    switch (n.kind) {
      case 'Name':
        return this.name(n.id, n.start, scope, block);
      case 'Attribute': {
        const out: Values = new Map();
        const base = this.value(n.value, scope, block);
        for (const { value, proof } of base.values()) {
          if (value.k === 'none' && base.size > 1) continue; // None has no such attribute
          merge(out, this.attribute(value, n.attr, proof));
        }
        return out.size ? out : unknown('unknown');
      }
      case 'Call':
        return this.call(n, scope, block);
      case 'Await':
        return this.awaited(this.value(n.value, scope, block));
      case 'IfExp':
        return merge(new Map(this.value(n.body, scope, block)), this.value(n.orelse, scope, block));
      case 'BoolOp': {
        const out: Values = new Map();
        for (const v of n.values) merge(out, this.value(v, scope, block));
        return out;
      }
      case 'NamedExpr':
        return this.value(n.value, scope, block);
      case 'Subscript':
        return this.subscript(n, scope, block);
      case 'Lambda': {
        return only({ k: 'lambda', fn: scope.module.lambdaOf.get(n)! }, 'lambda');
      }
      case 'List':
      case 'Tuple':
      case 'Set':
      case 'Dict':
      case 'ListComp':
      case 'SetComp':
      case 'DictComp':
      case 'GeneratorExp':
        return only({ k: 'display', place: { node: n, scope, block } }, 'display');
      case 'BinOp':
        // lists added up, a list repeated
        return n.op === '+' || n.op === '*' || n.op === '|'
          ? only({ k: 'display', place: { node: n, scope, block } }, 'display')
          : unknown('unknown');
      case 'Constant':
        return n.type === 'none' ? only({ k: 'none' }, 'none') : unknown('constant');
      default:
        return unknown('unknown');
    }
  }

  private awaited(values: Values): Values {
    const out: Values = new Map();
    for (const { value, proof } of values.values()) {
      if (value.k === 'coroutine') {
        const got = this.awaitedReturn(value.fn);
        if (got.size) merge(out, got, 'awaited');
        else add(out, { k: 'unknown', why: 'awaited' }, 'awaited');
        continue;
      }
      const opaque = value.k === 'result' || value.k === 'external' || value.k === 'task';
      if (opaque) add(out, { k: 'unknown', why: 'awaited' }, 'awaited');
      else add(out, value, proof);
    }
    return out;
  }

  /** Objects that an awaited coroutine hands back: instances and functions of the project. */
  private awaitedReturn(fn: FunctionInfo): Values {
    return this.once(fn.scope, () => {
      const out: Values = new Map();
      if (fn.isGenerator) return out;
      for (const place of returnsOf(fn))
        for (const { value, proof } of this.valueAt(place).values())
          if (value.k === 'instance' || value.k === 'function' || value.k === 'class') add(out, value, proof);
      return out;
    });
  }

  /** Members of one value. */
  attribute(v: Value, attr: string, proof: string): Values {
    switch (v.k) {
      case 'name':
        return only({ k: 'name', q: canonicalName(`${v.q}.${attr}`) }, proof);
      case 'module':
        return this.exported(v.module, attr) ?? unknown('no such member');
      case 'namespace': {
        const got = this.graph.at(v.root, `${v.name}.${attr}`);
        return got ? only(got, proof) : unknown('no such module');
      }
      case 'instance':
      case 'class':
        return classMember(this, v, attr) ?? externalMember(this, v, attr, proof) ?? unknown('no such attribute');
      case 'external':
        // tasks and futures know their loop
        return attr === 'get_loop' ? only({ k: 'name', q: 'TASK.get_loop' }, proof) : unknown('unknown');
      case 'result': {
        return this.ofResult(v, (value) => this.attribute(value, attr, proof === 'inherited' ? proof : 'returned'));
      }
      default:
        return unknown('unknown');
    }
  }

  /** Goes on with what a function returns; a function that returns its own result leads nowhere. */
  private ofResult(v: Extract<Value, { k: 'result' }>, next: (value: Value) => Values): Values {
    if (this.opening.has(v.fn)) return unknown('cycle');
    this.opening.add(v.fn);
    try {
      const out: Values = new Map();
      for (const { value } of this.returned(v.fn).values()) merge(out, next(value));
      return out.size ? out : unknown('unknown');
    } finally {
      this.opening.delete(v.fn);
    }
  }
  private readonly opening = new Set<object>();

  /** What a project function returns, by its return statements; generators and coroutines return nothing here. */
  returned(fn: FunctionInfo | LambdaInfo): Values {
    return this.once(fn, () => {
      const out: Values = new Map();
      if (fn.type === 'lambda') return this.value(fn.node.body, fn.scope, fn.scope.root);
      if (fn.isGenerator || fn.node.isAsync) return out;
      for (const place of returnsOf(fn)) merge(out, this.valueAt(place));
      return out;
    });
  }

  /** A name of a module as seen by an importer; null when the module does not bind it. */
  exported(module: ModuleScopes, name: string): Values | null {
    const bindings = module.scope.bindings.get(name);
    if (bindings?.length) {
      const out: Values = new Map();
      for (const b of visibleFromOutside(bindings, module.scope)) merge(out, this.binding(b));
      return out.size ? out : unknown('no value');
    }
    const star = this.starred(module, name);
    if (star) return star;
    const sub = this.graph.submodule(module, name);
    return sub ? only(sub, 'submodule') : null;
  }

  /** A name that only a star import can bind. */
  private starred(module: ModuleScopes, name: string): Values | null {
    // modules may star-import each other
    const key = `${module.file}*${name}`;
    if (!module.stars.length || this.starring.has(key)) return null;
    this.starring.add(key);
    try {
      return this.starredIn(module, name);
    } finally {
      this.starring.delete(key);
    }
  }
  private readonly starring = new Set<string>();

  private starredIn(module: ModuleScopes, name: string): Values | null {
    for (let i = module.stars.length - 1; i >= 0; i--) {
      const star = module.stars[i]!;
      const from = this.graph.load(module, star.level, star.module);
      if (from?.k === 'module') {
        if (!this.graph.exportsByStar(from.module, name)) continue;
        const got = this.exported(from.module, name);
        if (got) return got;
      } else if (!star.level && star.module === 'asyncio' && this.table.starNames.has(name)) {
        const last = i === module.stars.length - 1;
        return only({ k: 'name', q: canonicalName(`asyncio.${name}`) }, last ? 'star' : 'star-maybe');
      }
    }
    return null;
  }

  name(id: string, pos: number, scope: Scope, block: Block): Values {
    const where = findScope(id, scope);
    if (!where) {
      const star = this.starred(scope.module, id);
      if (star) return star;
      if (BUILTIN_NAMES.has(id)) return only({ k: 'name', q: `builtins.${id}` }, 'builtin');
      return unknown(scope.module.stars.length ? 'unbound-with-star' : 'unbound');
    }
    const out: Values = new Map();
    for (const b of reaching(where, id, scope, pos, block)) {
      const got = this.binding(b);
      if (where.kind === 'class' && where.parent && got.size === 1 && got.get('?')?.proof === 'cycle') continue;
      merge(out, got);
    }
    return out.size ? out : unknown('no value');
  }

  binding(b: Binding): Values {
    return this.once(b, () => this.computeBinding(b));
  }

  private computeBinding(b: Binding): Values {
    switch (b.kind) {
      case 'import':
        return this.imported(b.scope.module, 0, b.module, b.typingOnly);
      case 'from':
        return this.importedMember(b);
      case 'def':
        return only({ k: 'function', fn: b.fn, self: null }, 'definition');
      case 'class':
        return only({ k: 'class', cls: b.cls }, 'definition');
      case 'assign':
        if (b.path.length) return elementsOf(this, { node: b.value, scope: b.scope, block: b.block }, b.path, true);
        return weaken(this.value(b.value, b.scope, b.block));
      case 'for':
        return elementsOf(this, { node: b.iter, scope: b.iterScope, block: b.block }, b.path, false);
      case 'with':
        return this.entered(b);
      case 'annotated': {
        const got = b.value ? weaken(this.value(b.value, b.scope, b.block)) : null;
        if (
          got &&
          [...got.values()].some((v) => v.value.k !== 'unknown' && v.value.k !== 'none' && v.value.k !== 'external')
        )
          return got;
        return annotationValue(this, b.annotation, b.scope, b.block) ?? got ?? only({ k: 'none' }, 'declared only');
      }
      case 'param':
        return this.parameter(b);
      default:
        return unknown('unknown');
    }
  }

  private imported(from: ModuleScopes, level: number, module: string | null, typingOnly: boolean): Values {
    const proof = typingOnly ? 'type-checking-only' : 'import';
    const got = this.graph.load(from, level, module);
    if (got) return only(got, proof);
    if (level || !module) return unknown('relative-import');
    return only({ k: 'name', q: canonicalName(module) }, proof);
  }

  private importedMember(b: Extract<Binding, { kind: 'from' }>): Values {
    const proof = b.typingOnly ? 'type-checking-only' : 'import';
    const from = this.graph.load(b.scope.module, b.level, b.module);
    if (from?.k === 'module') {
      const got = this.exported(from.module, b.member);
      // a package that imports a name from itself while it is being made: the submodule is meant
      const cyclic = got && got.size === 1 && got.get('?')?.proof === 'cycle';
      const sub = !got || cyclic ? this.graph.submodule(from.module, b.member) : null;
      if (sub) return only(sub, proof);
      return got
        ? merge(new Map(), got, b.typingOnly ? proof : undefined)
        : unknown(`${b.member} is not defined in ${from.module.name}`);
    }
    if (from?.k === 'namespace') {
      const got = this.graph.at(from.root, from.name ? `${from.name}.${b.member}` : b.member);
      return got ? only(got, proof) : unknown('no such module');
    }
    if (b.level || !b.module) return unknown('relative-import');
    return only({ k: 'name', q: canonicalName(`${b.module}.${b.member}`) }, proof);
  }

  private entered(b: Extract<Binding, { kind: 'with' }>): Values {
    if (b.path.length) return unknown('unknown');
    const got = this.value(b.value, b.scope, b.block);
    const out: Values = new Map();
    for (const { value, proof } of got.values()) {
      if (value.k === 'name' && this.table.groupKinds.has(value.q)) add(out, value, b.isAsync ? 'async-with' : proof);
      else if (value.k === 'name' && this.table.kinds.has(value.q)) add(out, value, b.isAsync ? 'async-with' : 'with');
      else if (value.k === 'result' && value.fn.type === 'function') merge(out, this.yielded(value.fn));
      else if (value.k === 'instance') add(out, value, 'with');
      else add(out, { k: 'unknown', why: 'unknown' }, 'unknown');
    }
    return out;
  }

  /** What a context manager made by `@asynccontextmanager` hands on. */
  private yielded(fn: FunctionInfo): Values {
    const out: Values = new Map();
    for (const n of descendants(fn.node)) {
      if (n.kind !== 'Yield' || !n.value) continue;
      for (const { value, proof } of this.valueAt({ node: n.value, ...whereIs(fn.module, n.value) }).values()) {
        if (value.k === 'name' || value.k === 'instance') add(out, value, proof);
      }
    }
    return out.size ? out : unknown('unknown');
  }

  private parameter(b: Extract<Binding, { kind: 'param' }>): Values {
    const scope = b.scope;
    if (scope.self && scope.self.name === b.name && b.role === 'normal') {
      const self: Instance = { k: 'instance', cls: scope.self.cls, call: null, viaSelf: true };
      return scope.self.classMethod ? only({ k: 'class', cls: scope.self.cls }, 'self') : only(self, 'self');
    }
    const out: Values = new Map();
    if (b.role === 'normal') {
      const outer = scope.parent ?? scope;
      const note = b.arg.annotation ? annotationValue(this, b.arg.annotation, outer, b.block) : null;
      if (note) return note;
      if (b.arg.default) {
        for (const { value } of this.value(b.arg.default, outer, outer.root).values())
          if (value.k !== 'none') add(out, value, 'param-default');
      }
    }
    add(out, { k: 'param', owner: b.owner, arg: b.arg, role: b.role }, 'parameter');
    out.delete('?');
    return out;
  }

  private subscript(n: Extract<Expr, { kind: 'Subscript' }>, scope: Scope, block: Block): Values {
    const index = n.slice;
    const place = { node: n.value, scope, block };
    if (
      index.kind === 'UnaryOp' &&
      index.op === '-' &&
      index.operand.kind === 'Constant' &&
      index.operand.type === 'int'
    )
      return elementsOf(this, place, [-Number(index.operand.value)], true);
    if (index.kind === 'Constant' && index.type === 'int')
      return elementsOf(this, place, [index.value as number], true);
    if (index.kind === 'Constant' && index.type === 'str')
      return elementsOf(this, place, [index.value as string], true);
    if (index.kind === 'Slice') return unknown('slice');
    return elementsOf(this, place, ['*'], true);
  }

  // ---- calls ----

  private call(n: Call, scope: Scope, block: Block): Values {
    const place: CallPlace = { node: n, scope, block };
    const entered = enteredContext(this, place) ?? this.containerMethod(n, scope, block);
    if (entered) return entered;
    const out: Values = new Map();
    for (const { value, proof } of this.value(n.func, scope, block).values())
      merge(out, this.called(value, proof, place, []));
    return out.size ? out : unknown('unknown');
  }

  /** `JOBS.get("b")`, `JOBS.pop()`: an element of a known container. */
  private containerMethod(n: Call, scope: Scope, block: Block): Values | null {
    if (n.func.kind !== 'Attribute' || !['get', 'pop', 'popleft', 'popitem', 'setdefault'].includes(n.func.attr))
      return null;
    const object = this.value(n.func.value, scope, block);
    if (![...object.values()].some((v) => v.value.k === 'display')) return null;
    const key = n.args[0];
    const step =
      key?.kind === 'Constant' && (key.type === 'str' || key.type === 'int') ? (key.value as string | number) : '*';
    const place = { node: n.func.value, scope, block };
    const isDict = [...object.values()].some((v) => v.value.k === 'display' && v.value.place.node.kind === 'Dict');
    return isDict ? elementsOf(this, place, [step], true) : elementsOf(this, place, [], false);
  }

  /** The result of calling one value. `partial` holds the `functools.partial` calls on the way, outermost first. */
  called(v: Value, proof: string, call: CallPlace, partial: CallPlace[]): Values {
    switch (v.k) {
      case 'name':
        return callExternal(this, v.q, proof, call);
      case 'function': {
        const { fn, self } = v;
        // `test.support.import_module("asyncio")` and the like hand on what they are named after
        if (fn.node.name === 'import_module')
          return callExternal(this, fn.qualname.includes('.') ? fn.qualname : `.${fn.qualname}`, proof, call);
        if (fn.node.isAsync && !fn.isGenerator)
          return only({ k: 'coroutine', fn, self, call, partial, closure: v.closure }, proof);
        const note =
          fn.node.returns && !fn.isGenerator ? annotationValue(this, fn.node.returns, fn.outer, fn.outer.root) : null;
        if (note) return note;
        return only({ k: 'result', fn, self, call, partial }, proof);
      }
      case 'lambda':
        return only({ k: 'result', fn: v.fn, self: null, call, partial }, proof);
      case 'class':
        return only({ k: 'instance', cls: v.cls, call, viaSelf: false }, proof);
      case 'partial':
        return this.called(v.base, 'partial', call, [v.call, ...partial]);
      case 'instance': {
        const method = classMember(this, v, '__call__');
        const out: Values = new Map();
        for (const m of method?.values() ?? [])
          if (m.value.k === 'function') merge(out, this.called(m.value, proof, call, partial));
        return out.size ? out : unknown('call of an instance');
      }
      case 'result': {
        return this.ofResult(v, (value) => {
          const made = value.k === 'function' ? { ...value, closure: v.call } : value;
          return this.called(made, proof, call, partial);
        });
      }
      case 'param':
      case 'element':
        return only({ k: 'unknown', why: 'call of a parameter' }, 'parameter');
      default:
        return unknown('unknown');
    }
  }
}

/** Through an assignment, a plain import becomes an alias and a chained call an assignment. */
function weaken(values: Values): Values {
  const out: Values = new Map();
  for (const [key, { value, proof }] of values) {
    out.set(key, { value, proof: proof === 'import' ? 'alias' : proof === 'chain' ? 'assign' : proof });
  }
  return out;
}
