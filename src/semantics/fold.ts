/** Constant folding across names, modules, defaults and instances: how long is a sleep? */
import type { Arg, Expr } from '../syntax/index.ts';
import { argumentThrough } from './arguments.ts';
import { lineage } from './classes.ts';
import { dispatched, overridden, realSelf } from './dispatch.ts';
import { allPlacesOf } from './element-places.ts';
import type { Evaluator } from './evaluate.ts';
import { foldExternal, foldMethod } from './fold-calls.ts';
import { Members } from './fold-members.ts';
import { type Frame, frameOf, NO_FRAME } from './frames.ts';
import { mappingOf } from './mapping.ts';
import { bindingsAt } from './narrowing.ts';
import { findScope, visibleFromOutside } from './reaching.ts';
import { onObject } from './rearranged.ts';
import { returnsOf } from './returns.ts';
import { agree, binary, compare, type Folded, isTimedelta, truthy } from './scalars.ts';
import type { Binding, FunctionInfo, ModuleScopes, Scope } from './scopes.ts';
import type { CallPlace, Place } from './values.ts';

export { argumentThrough } from './arguments.ts';
export { type Frame, frameOf, NO_FRAME } from './frames.ts';
export { isTimedelta, roundPython } from './scalars.ts';

/** How many expressions one question may look at. */
const FUEL = 5000;

export class Folder {
  private depth = 0;
  private fuel = 0;
  private readonly members: Members;
  /** Bindings that are being looked at: what depends on itself is not constant. */
  private readonly busy: { binding: Binding; frame: Frame }[] = [];

  private readonly opening = new Set<ModuleScopes>();

  constructor(readonly ev: Evaluator) {
    this.members = new Members(this);
  }

  /** null when the value is not statically known. */
  fold(place: Place, frame: Frame = NO_FRAME): Folded | null {
    if (this.depth === 0) this.fuel = FUEL;
    if (this.depth > 40 || this.fuel-- <= 0) return null;
    this.depth++;
    try {
      return this.compute(place, frame);
    } finally {
      this.depth--;
    }
  }

  private compute(place: Place, frame: Frame): Folded | null {
    const n = place.node;
    const at = (node: Expr): Folded | null => this.fold({ ...place, node }, frame);
    switch (n.kind) {
      case 'Constant':
        if (n.type === 'none') return { value: null, via: [] };
        return n.value === null || n.type === 'bytes' ? null : { value: n.value, via: [] };
      case 'UnaryOp':
        return unary(n.op, at(n.operand));
      case 'BinOp': {
        const left = at(n.left);
        return left && binary(n.op, left, at(n.right));
      }
      case 'BoolOp':
        return this.boolean(n.op, n.values, at);
      case 'Compare':
        return this.compared(n, at);
      case 'IfExp': {
        const test = at(n.test);
        const got = test ? at(truthy(test.value) ? n.body : n.orelse) : this.all([n.body, n.orelse], at);
        return got && test ? { ...got, via: [...got.via, ...test.via] } : got;
      }
      case 'NamedExpr':
        return at(n.value);
      case 'Name':
        return this.name(place, n.id, frame);
      case 'Attribute':
        return this.members.attribute(place, n, frame);
      case 'Subscript':
        return this.subscript(place, n, frame);
      case 'Call':
        return this.call({ ...place, node: n }, frame);
      default:
        return null;
    }
  }

  /** All of them known and equal. */
  private all<T>(items: readonly T[] | null, fold: (item: T) => Folded | null): Folded | null {
    return items && agree(lazily(items, fold));
  }

  private boolean(op: 'and' | 'or', values: readonly Expr[], at: (n: Expr) => Folded | null): Folded | null {
    let last: Folded | null = null;
    for (const node of values) {
      const v = at(node);
      if (!v) return null;
      // what was passed over says where the value comes from, too
      last = last ? { ...v, via: [...v.via, ...last.via] } : v;
      if (truthy(v.value) === (op === 'or')) return last;
    }
    return last;
  }

  private compared(n: Extract<Expr, { kind: 'Compare' }>, at: (n: Expr) => Folded | null): Folded | null {
    const via: string[] = [];
    let left = at(n.left);
    for (const [i, op] of n.ops.entries()) {
      const right = left && at(n.comparators[i]!);
      const holds = left && right ? compare(op, left.value, right.value) : null;
      if (holds === null) return null;
      via.push(...left!.via, ...right!.via);
      if (!holds) return { value: false, via };
      left = right;
    }
    return { value: true, via };
  }

  private subscript(place: Place, n: Extract<Expr, { kind: 'Subscript' }>, frame: Frame): Folded | null {
    const index = this.fold({ ...place, node: n.slice }, frame)?.value;
    if (typeof index !== 'string' && typeof index !== 'number') return null;
    const object = { ...place, node: n.value };
    const mapping = mappingOf(this.ev, object, frame);
    if (mapping) {
      const found = mapping.get(index);
      return found ? this.fold(found.place, found.frame ?? NO_FRAME) : null;
    }
    if (typeof index === 'string') {
      const member = this.members.enumMember(object, index);
      if (member) return member;
    }
    const pair = n.value.kind === 'Call' ? foldMethod(this, { ...object, node: n.value }, frame, index) : null;
    return pair ?? this.all(allPlacesOf(this.ev, object, [index], true), (p) => this.fold(p, frame));
  }

  // ---- names ----

  private name(place: Place, id: string, frame: Frame): Folded | null {
    const where = findScope(id, place.scope);
    if (!where) return this.starred(place.scope.module, id);
    const bindings = bindingsAt(where, id, place, (test) => {
      const v = this.fold(test, frame);
      return v && truthy(v.value);
    });
    const got = this.all(this.present(bindings), (b) => this.binding(b, frame));
    return got && where.kind === 'module' ? { ...got, via: [id, ...got.via] } : got;
  }

  binding(b: Binding, frame: Frame): Folded | null {
    if (this.busy.some((x) => x.binding === b && x.frame === frame)) return null;
    this.busy.push({ binding: b, frame });
    try {
      return this.bound(b, frame);
    } finally {
      this.busy.pop();
    }
  }

  private bound(b: Binding, frame: Frame): Folded | null {
    switch (b.kind) {
      case 'assign': {
        const value = { node: b.value, scope: b.scope, block: b.block };
        return this.all(allPlacesOf(this.ev, value, b.path, true), (p) => this.fold(p, frame));
      }
      case 'annotated':
        return b.value ? this.fold({ node: b.value, scope: b.scope, block: b.block }, frame) : null;
      case 'augmented':
        return this.augmented(b, frame);
      case 'from': {
        const from = this.ev.graph.load(b.scope.module, b.level, b.module);
        return from?.k === 'module' ? this.exported(from.module.scope, b.member) : null;
      }
      case 'param':
        return b.role === 'normal' && b.owner.type === 'function' ? this.parameter(b.owner, b.arg, frame) : null;
      case 'for': {
        const iter = { node: b.iter, scope: b.iterScope, block: b.block };
        return this.all(allPlacesOf(this.ev, iter, b.path, false), (p) => this.fold(p, frame));
      }
      default:
        return null;
    }
  }

  /** `every *= 60` after `every = 5`; in a loop it depends on itself. */
  private augmented(b: Extract<Binding, { kind: 'augmented' }>, frame: Frame): Folded | null {
    const statement = b.value.parent;
    if (statement?.kind !== 'AugAssign' || statement.target.kind !== 'Name') return null;
    const before = this.fold({ node: statement.target, scope: b.scope, block: b.block }, frame);
    return before && binary(b.op, before, this.fold({ node: b.value, scope: b.scope, block: b.block }, frame));
  }

  exported(scope: Scope, name: string): Folded | null {
    const bindings = visibleFromOutside(scope, name);
    if (!bindings.length) return this.starred(scope.module, name);
    return this.all(this.present(bindings), (b) => this.binding(b, NO_FRAME));
  }

  /** A constant that only a star import brings. */
  private starred(module: ModuleScopes, name: string): Folded | null {
    if (this.opening.has(module)) return null;
    this.opening.add(module);
    try {
      for (const star of [...module.stars].reverse()) {
        const from = this.ev.graph.load(module, star.level, star.module);
        if (from?.k !== 'module') return null;
        if (!this.ev.graph.exportsByStar(from.module, name)) continue;
        const got = this.exported(from.module.scope, name);
        if (got) return got;
      }
      return null;
    } finally {
      this.opening.delete(module);
    }
  }

  /** Without the imports of modules that the project does not have, where there is something else to fall back on. */
  private present(bindings: Binding[]): Binding[] {
    const there = bindings.filter(
      (b) => b.kind !== 'from' || b.level === 0 || this.ev.graph.load(b.scope.module, b.level, b.module) !== null,
    );
    return there.length ? there : bindings;
  }

  /** The argument that the known call gives to a parameter, else its default. */
  private parameter(fn: FunctionInfo, arg: Arg, frame: Frame): Folded | null {
    const making = fn.node.name === '__init__' && fn.cls !== null;
    const known = frameOf(fn, frame) ?? (making ? this.constructing(fn, frame) : NO_FRAME);
    if (!known) return null;
    for (const call of known.calls) {
      const given = argumentThrough(this.ev, fn, arg, call);
      if (given === 'unknown') return null;
      if (!given) continue;
      const v = this.fold(given.place, given.frame ?? NO_FRAME);
      return v && { ...v, via: [`argument for parameter ${arg.arg}`, ...v.via] };
    }
    if (!arg.default) return null;
    const outer = fn.scope.parent ?? fn.scope;
    const v = this.fold({ node: arg.default, scope: outer, block: outer.root }, NO_FRAME);
    return v && { ...v, via: [`default of parameter ${arg.arg}`, ...v.via] };
  }

  /** The frame of `__init__`, for a value that it made and a method reads. */
  private constructing(fn: FunctionInfo, frame: Frame): Frame | null {
    if (!fn.cls || !frame.self) return null;
    if (!lineage(this.ev, frame.self.cls).includes(fn.cls)) return null;
    return this.members.initFrame(frame.self, fn);
  }

  // ---- calls ----

  private call(place: CallPlace, frame: Frame): Folded | null {
    const n = place.node;
    const method = foldMethod(this, place, frame, null);
    if (method) return method;
    if (n.func.kind === 'Name' && !place.scope.module.stars.length && !findScope(n.func.id, place.scope)) {
      const builtin = foldExternal(this, `builtins.${n.func.id}`, place, frame);
      if (builtin) return builtin;
    }
    const values = [...this.ev.value(n.func, place.scope, place.block).values()];
    return this.all(values, ({ value }) => {
      if (value.k === 'name' || value.k === 'external') return foldExternal(this, value.q, place, frame);
      if (value.k === 'lambda')
        return this.fold({ node: value.fn.node.body, scope: value.fn.scope, block: value.fn.scope.root }, frame);
      if (value.k !== 'function') return null;
      const own = value.self ? null : onObject(this.ev, value.fn, place);
      const seen = own?.self ?? value.self;
      // called on its class with an object that is not known
      if (!seen && value.fn.scope.self && !value.fn.scope.self.classMethod) return null;
      const self = realSelf(this.ev, seen, frame);
      const fn = own ? value.fn : dispatched(this.ev, value.fn, place, seen, self);
      const call = { place: own?.call ?? place, skip: seen ? 1 : 0, frame };
      const heirs = overridden(this.ev, fn, self, place).map((m) => ({
        fn: m.fn,
        self: self && { ...self, cls: m.cls },
      }));
      return this.all([{ fn, self }, ...heirs], (run) =>
        run.fn.node.isAsync ? null : this.returned(run.fn, { ...run, calls: [call] }),
      );
    });
  }

  /** What a function gives back, when all its returns agree. */
  returned(fn: FunctionInfo, frame: Frame): Folded | null {
    return this.all(returnsOf(fn), (p) => this.fold(p, frame));
  }

  /** An attribute as if it were written `object.name`. */
  attributeOf(place: Place, object: Expr, name: string, frame: Frame): Folded | null {
    const node = {
      kind: 'Attribute',
      value: object,
      attr: name,
      attrStart: place.node.start,
      ctx: 'load',
      start: place.node.start,
      end: place.node.end,
      parent: place.node,
    } as const;
    return this.members.attribute({ ...place, node }, node, frame);
  }
}

function* lazily<T>(items: readonly T[], fold: (item: T) => Folded | null): Generator<Folded | null> {
  for (const item of items) yield fold(item);
}

function unary(op: string, v: Folded | null): Folded | null {
  if (!v) return null;
  if (op === 'not') return { ...v, value: !truthy(v.value) };
  if (isTimedelta(v.value) && op === '-') return { ...v, value: { seconds: -v.value.seconds } };
  if (typeof v.value !== 'number') return null;
  return { ...v, value: op === '-' ? -v.value : op === '+' ? v.value : ~v.value };
}
