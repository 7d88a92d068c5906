/** Which values may an expression have? Scope-aware, flow-aware within a function, across files; it never guesses. */
import type { Expr } from '../syntax/index.ts';
import { annotationValue } from './annotations.ts';
import { storedAttribute } from './attribute-stores.ts';
import { awaitedValues } from './awaited.ts';
import { bindingValue } from './bindings.ts';
import { calledValue, callValue } from './calls.ts';
import { ContainerStates } from './container-states.ts';
import { elementsOf } from './elements.ts';
import { enumValue, membersMapping } from './enum-values.ts';
import type { Frame } from './frames.ts';
import { narrowed } from './guards.ts';
import { seenBy } from './handed.ts';
import { yieldsOf } from './held.ts';
import { Imports } from './imports.ts';
import { BUILTIN_NAMES, type LibraryTable } from './libraries.ts';
import { isGiven } from './made.ts';
import { memberOf, subscript } from './members.ts';
import type { Memory } from './memory.ts';
import type { ModuleGraph } from './modules.ts';
import { Provisional } from './provisional.ts';
import { queuedValues } from './queues.ts';
import { findScope, mayBeUnset, reaching } from './reaching.ts';
import { frameOfCall, seenFrom } from './receivers.ts';
import { isDispatching, namedAt, returnsOf } from './returns.ts';
import type { Binding, Block, FunctionInfo, LambdaInfo, ModuleScopes, Scope, Step } from './scopes.ts';
import { type Container, SharedContainers } from './shared.ts';
import {
  add,
  type CallPlace,
  isDeclared,
  isKnown,
  merge,
  namesIn,
  only,
  type Place,
  type Proof,
  union,
  unknown,
  type Value,
  type Values,
} from './values.ts';
import { Ways } from './ways.ts';

/** Deeper chains of names and calls are not followed: each level takes several frames of the stack. */
const MAX_NESTING = 120;

export class Evaluator {
  /** What is being evaluated, by how deep it is nested. */
  private readonly busy = new Map<object, number>();
  private readonly opening = new Set<object>();
  readonly ways = new Ways();
  /** Depth of the outermost evaluation at which the one under way was cut short, since it asks for itself. */
  private cut = Number.POSITIVE_INFINITY;
  private readonly provisional = new Provisional();
  readonly imports: Imports;
  readonly shared = new SharedContainers();
  private readonly states = new ContainerStates(this);

  constructor(
    readonly graph: ModuleGraph,
    readonly table: LibraryTable,
    readonly memory: Memory,
  ) {
    this.imports = new Imports(this);
  }

  value(node: Expr, scope: Scope, block: Block): Values {
    return this.once(scope.module, node, () => this.compute(node, scope, block));
  }

  /**
   * Something that rests on one module, on what that leads to, and on what others put into shared containers. As long as
   * not all modules are read, nobody knows the last; afterwards it holds as long as that is the same.
   *
   * @param of - what it is about.
   * @param what - what is said of it.
   */
  fact<T>(module: ModuleScopes, of: object, what: string, find: () => T): T {
    const asking = this.memory.enter(module, of);
    try {
      const { stage } = this.shared;
      const known = this.memory.fact(of, what, stage);
      if (known && this.states.hold(known)) {
        this.shared.touchAll(known.on);
        return known.result as T;
      }
      const found = this.shared.watched(find);
      this.memory.keepFact(of, what, stage, this.states.factOf(found));
      return found.result;
    } finally {
      this.memory.leave(asking);
    }
  }

  valueAt(place: Place): Values {
    return this.value(place.node, place.scope, place.block);
  }

  /** Memoised; a result cut short by a cycle holds only while the evaluation at which it was cut is under way. */
  once(module: ModuleScopes, key: object, compute: () => Values): Values {
    const asking = this.memory.enter(module, key);
    try {
      return this.inside(key, compute);
    } finally {
      this.memory.leave(asking);
    }
  }

  private inside(key: object, compute: () => Values): Values {
    const known = this.memory.value(key) ?? this.states.known(key);
    if (known) return known;
    const before = this.provisional.get(key);
    if (before) {
      this.cut = Math.min(this.cut, before.cut);
      this.shared.touchAll(before.on);
      return before.values;
    }
    const depth = this.busy.size;
    const asked = this.busy.get(key);
    if (asked !== undefined || depth > MAX_NESTING) {
      this.cut = Math.min(this.cut, asked ?? 0);
      return unknown('cycle');
    }
    this.busy.set(key, depth);
    const outerCut = this.cut;
    this.cut = Number.POSITIVE_INFINITY;
    const mark = this.provisional.mark();
    let got: Values;
    let on: ReadonlySet<Container> | null = null;
    const outer = this.shared.enter();
    let { cut } = this;
    const ways = this.ways.pause();
    try {
      got = compute();
    } finally {
      this.ways.resume(ways);
      on = this.shared.leave(outer);
      this.busy.delete(key);
      cut = this.cut;
      this.cut = Math.min(outerCut, cut < depth ? cut : Number.POSITIVE_INFINITY);
      if (cut >= depth) this.provisional.drop(mark);
      else this.provisional.defer(mark, cut);
    }
    if (cut < depth) this.provisional.keep(key, { values: got, on, cut });
    else if (on) this.states.keep(key, got, on);
    else this.memory.keepValue(key, got);
    return got;
  }

  private compute(n: Expr, scope: Scope, block: Block): Values {
    switch (n.kind) {
      case 'Name':
        return this.name(n.id, n.start, scope);
      case 'Attribute': {
        const ofEnum = n.attr === 'value' ? enumValue(this, { node: n, scope, block }) : null;
        if (ofEnum) return ofEnum;
        const base = this.object(n.value, scope, block);
        if (n.attr === '__members__') return membersMapping(this, { node: n.value, scope, block }, base) ?? unknown();
        const all: Values[] = [];
        for (const { value, proof } of base.values()) {
          if (value.k === 'none' && base.size > 1) continue; // None has no such attribute
          all.push(this.attribute(value, n.attr, proof));
        }
        const out = union(all);
        return storedAttribute(this, { node: n, scope, block }, base, out) ?? out;
      }
      case 'Call':
        return callValue(this, n, scope, block);
      case 'Await':
        return (
          queuedValues(this, { node: n.value, scope, block }) ?? awaitedValues(this, this.value(n.value, scope, block))
        );
      case 'IfExp':
        return union([this.value(n.body, scope, block), this.value(n.orelse, scope, block)]);
      case 'BoolOp':
        // what `and` stops at is false: nothing that is called, or taken an attribute of
        return union((n.op === 'and' ? n.values.slice(-1) : n.values).map((v) => this.value(v, scope, block)));
      case 'NamedExpr':
        return this.value(n.value, scope, block);
      case 'Subscript':
        return subscript(this, n, scope, block);
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
          : unknown();
      case 'Constant':
        return n.type === 'none' ? only({ k: 'none' }, 'none') : unknown('constant');
      default:
        return unknown();
    }
  }

  /** What an attribute is taken of. */
  private object(node: Expr, scope: Scope, block: Block): Values {
    const got = this.value(node, scope, block);
    const sure = isKnown(got) && ![...got.values()].some((v) => isDeclared(v.value));
    return (sure ? null : narrowed(this, { node, scope, block })) ?? got;
  }

  /** Members of one value. */
  attribute(v: Value, attr: string, proof: Proof): Values {
    return memberOf(this, v, attr, proof);
  }

  /** The result of calling one value. `partial` holds the `functools.partial` calls on the way, outermost first. */
  called(v: Value, proof: Proof, call: CallPlace, partial: CallPlace[]): Values {
    return calledValue(this, v, proof, call, partial);
  }

  /**
   * Goes on with what a function returns, its parameters being what the call gives them; a function that returns its own
   * result leads nowhere.
   */
  ofResult(v: Extract<Value, { k: 'result' }>, next: (value: Value) => Values): Values {
    return this.ways.counted(() => (this.ways.takeOne() ? this.resultOf(v, next) : unknown('too many ways')));
  }

  private resultOf(v: Extract<Value, { k: 'result' }>, next: (value: Value) => Values): Values {
    const out: Values = new Map();
    const given: Values = new Map();
    const frame = frameOfCall(v);
    const own = this.guarded(v.fn, () => {
      for (const [key, x] of this.handed(v.fn)) {
        if (frame && isGiven(x.value)) given.set(key, x);
        else merge(out, next(frame ? this.seen(x.value, frame) : x.value));
      }
    });
    if (!own) return unknown('cycle');
    // an argument may be what another call of the function hands back
    if (frame && given.size) {
      const all = this.guarded(v.call.node, () => {
        for (const { value } of seenBy(this, given, frame).values()) merge(out, next(value));
      });
      if (!all) merge(out, unknown('cycle'));
    }
    return out.size ? out : unknown();
  }

  /** What a function returns, its parameters left as they are. */
  bareResult(v: Extract<Value, { k: 'result' }>): Values {
    const out: Values = new Map();
    const frame = frameOfCall(v);
    for (const { value, proof } of this.handed(v.fn).values()) add(out, frame ? this.seen(value, frame) : value, proof);
    return out;
  }

  private handed(fn: FunctionInfo | LambdaInfo): Values {
    return fn.type === 'function' ? this.handedBack(fn) : this.returned(fn);
  }

  /** false where it is under way already. */
  private guarded(key: object, go: () => void): boolean {
    if (this.opening.has(key)) return false;
    this.opening.add(key);
    try {
      go();
    } finally {
      this.opening.delete(key);
    }
    return true;
  }

  /** A value in the body of a function, as it is for the call that the frame speaks of. */
  seen(value: Value, frame: Frame): Value {
    return seenFrom(this, value, frame);
  }

  /** What the annotation of a plain function says of what it returns. */
  declaredReturn(fn: FunctionInfo): Values | null {
    const { returns } = fn.node;
    return returns ? annotationValue(this, returns, fn.scope.parent ?? fn.outer, fn.outer.root) : null;
  }

  /** What a plain function returns by its return statements, or by its annotation where they do not tell. */
  handedBack(fn: FunctionInfo): Values {
    const got = this.returned(fn);
    const note = fn.isGenerator ? null : this.declaredReturn(fn);
    return note && !this.tells(this.settled(got)) ? note : got;
  }

  /** Is it more than an annotation says? A name outside of the project is not. */
  tells(values: Values): boolean {
    return isKnown(values) && namesIn(values).every((q) => this.table.kinds.has(q));
  }

  /** Results replaced by what they are. */
  settled(values: Values): Values {
    const out: Values = new Map();
    for (const { value, proof } of values.values())
      if (value.k === 'result')
        merge(
          out,
          this.ofResult(value, (v) => this.settled(only(v, proof))),
        );
      else add(out, value, proof);
    return out;
  }

  /** What a project function returns, by its return statements; generators and coroutines return nothing here. */
  returned(fn: FunctionInfo | LambdaInfo): Values {
    return this.once(fn.module, fn, () => {
      const out: Values = new Map();
      if (fn.type === 'lambda') return this.value(fn.node.body, fn.scope, fn.scope.root);
      if (fn.isGenerator || fn.node.isAsync) return out;
      for (const place of returnsOf(fn)) merge(out, namedAt(place, this.valueAt(place)));
      return isDispatching(fn) ? merge(out, unknown('what is registered for other types')) : out;
    });
  }

  /** What iterating gives, followed by a path; or (`indexing`) what the path leads to. */
  elementsOf(of: Place, path: readonly Step[], indexing: boolean): Values {
    return elementsOf(this, of, path, indexing);
  }

  /** What a generator function yields; one that yields from itself leads nowhere. */
  yielded(fn: FunctionInfo): Values {
    return this.once(fn.module, fn.node, () => yieldsOf(this, fn));
  }

  /** A name of a module as seen by an importer; null when the module does not bind it. */
  exported(module: ModuleScopes, name: string): Values | null {
    return this.imports.exported(module, name);
  }

  name(id: string, pos: number, scope: Scope): Values {
    const where = findScope(id, scope);
    if (!where) {
      const star = this.imports.starred(scope.module, id);
      if (star) return star;
      if (BUILTIN_NAMES.has(id)) return only({ k: 'name', q: `builtins.${id}` }, 'builtin');
      return unknown(scope.module.stars.length ? 'unbound-with-star' : 'unbound');
    }
    const all: Values[] = [];
    for (const b of reaching(where, id, scope, pos)) {
      const got = this.binding(b);
      if (where.kind === 'class' && where.parent && got.size === 1 && got.get('?')?.proof === 'cycle') continue;
      all.push(got);
    }
    // a class body that has not bound the name yet finds the module's
    if (mayBeUnset(where, id, scope, pos)) {
      const outer = [...this.name(id, pos, scope.module.scope)].filter(([, { value }]) => value.k !== 'unknown');
      all.push(new Map(outer));
    }
    const out = union(all);
    const declared = isKnown(out) ? null : this.declaredAhead(where, id);
    return declared ?? (out.size ? out : unknown('no value'));
  }

  /** `engine: Engine`, and a value later. */
  private declaredAhead(where: Scope, id: string): Values | null {
    const b = declarationIn(where.bindings.get(id) ?? []);
    return b ? annotationValue(this, b.annotation, b.scope, b.block) : null;
  }

  binding(b: Binding): Values {
    return this.once(b.scope.module, b, () => bindingValue(this, b));
  }
}

type Declaration = Extract<Binding, { kind: 'annotated' }>;
const declarations = new WeakMap<readonly Binding[], Declaration | null>();

/** The annotation without a value among the bindings of a name. */
function declarationIn(bindings: readonly Binding[]): Declaration | null {
  let found = declarations.get(bindings);
  if (found === undefined) {
    found =
      bindings.find(
        (b): b is Declaration => b.kind === 'annotated' && !b.value && b.annotation.parent?.kind === 'AnnAssign',
      ) ?? null;
    declarations.set(bindings, found);
  }
  return found;
}
