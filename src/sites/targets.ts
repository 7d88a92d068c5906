/** From the spawned expression to the coroutines it may be: through variables, factories, wrappers and helpers. */
import {
  argumentFor,
  type CallPlace,
  type ClassInfo,
  type Evaluator,
  elementsOf,
  type Frame,
  type FunctionInfo,
  type LambdaInfo,
  lineage,
  type Place,
  positionalArgs,
  returnsOf,
  type Value,
  type Values,
} from '../semantics/index.ts';
import type { Arg, Call } from '../syntax/index.ts';
import type { HelperShape, Helpers } from './context.ts';
import { ownNodes } from './own-nodes.ts';
import { dottedName, type Project } from './project.ts';

/** One thing that a spawned expression may be. */
export type Alternative =
  | {
      kind: 'coroutine';
      fn: FunctionInfo;
      frame: Frame;
      name: string;
      /** Coroutines that await this one, outermost first: helpers, supervisors. */
      through: Passage[];
      /** `asyncio.gather` or `asyncio.shield` stands between the spawn and the coroutine. */
      inside?: string;
    }
  | { kind: 'external'; q: string | null; name: string; call: CallPlace | null; through: Passage[] }
  | { kind: 'generator'; fn: FunctionInfo; name: string }
  | { kind: 'task'; name: string }
  | {
      kind: 'parameter';
      owner: FunctionInfo | LambdaInfo;
      arg: Arg;
      role: 'normal' | 'vararg' | 'kwarg';
      mode: ParameterMode;
      weak: boolean;
      fallback?: Alternative;
      passage?: Passage;
    }
  | { kind: 'unknown'; why: string };

export type ParameterMode = 'coroutine' | 'callable' | 'iterable' | 'iterable-callable';

/** A project coroutine (or class) on the way to the one that does the work. */
export interface Passage {
  of: FunctionInfo | ClassInfo | null;
  /** Name as written, for helpers out of reach. */
  name: string;
  call: CallPlace;
  self: Frame['self'];
  helper: HelperShape | null;
  /** The expression that is the coroutine inside, at the call. */
  inner: Place | null;
}

const MAX_DEPTH = 12;

export class Targets {
  private readonly ev: Evaluator;

  constructor(
    private readonly project: Project,
    private readonly helpers: Helpers,
  ) {
    this.ev = project.ev;
  }

  /** Alternatives of an expression that is a coroutine, or (`callable`) a function that makes one. */
  resolve(place: Place, callable: boolean): Alternative[] {
    const unnamed = this.unresolvedHelper(place);
    if (unnamed) return this.withPassage(unnamed, this.resolve(unnamed.inner!, false));
    const out: Alternative[] = [];
    for (const { value } of this.ev.valueAt(place).values()) this.expand(value, place, callable, [], 0, out);
    return dedupe(this.preferKnown(out, place));
  }

  /** Alternatives of the elements of an iterable, of what a mapping holds, or of the entries of its entries. */
  elements(place: Place, callable = false): Alternative[] {
    const out: Alternative[] = [];
    this.collect(place, callable, 0, out);
    if (place.node.kind === 'GeneratorExp' || place.node.kind === 'ListComp') {
      const own = this.project.place(place.scope.module, place.node.elt);
      return dedupe(this.preferKnown(out, own));
    }
    const known = out.filter((a) => a.kind !== 'unknown');
    return dedupe(known.length ? known : out);
  }

  /** Alternatives of one entry of a literal list, tuple or mapping. */
  at(place: Place, index: number, key: string): Alternative[] {
    const out: Alternative[] = [];
    const mapping = [...this.ev.valueAt(place).values()].some(
      (v) => v.value.k === 'display' && v.value.place.node.kind === 'Dict',
    );
    for (const { value } of elementsOf(this.ev, place, [mapping ? key : index], true).values())
      this.expand(value, place, false, [], 0, out);
    return out;
  }

  private collect(place: Place, callable: boolean, depth: number, out: Alternative[]): void {
    const values: Values = new Map(elementsOf(this.ev, place, [], false));
    const mapping = [...this.ev.valueAt(place).values()].some(
      (v) => v.value.k === 'display' && v.value.place.node.kind === 'Dict',
    );
    if (mapping) for (const [key, v] of elementsOf(this.ev, place, ['*'], true)) values.set(key, v);
    for (const { value } of values.values()) {
      if (value.k === 'display' && depth < 2) this.collect(value.place, callable, depth + 1, out);
      else this.expand(value, value.k === 'function' ? this.nameless(value.fn, place) : place, callable, [], 0, out);
    }
  }

  /** A stand-in expression for a function that comes out of a container: it is named after its definition. */
  private nameless(fn: FunctionInfo, place: Place): Place {
    const { name, nameSpan } = fn.node;
    return {
      ...place,
      node: { kind: 'Name', id: name, ctx: 'load', start: nameSpan.start, end: nameSpan.end, parent: null },
    };
  }

  /** An unknown among knowns is dropped when the expression is a choice; alone it stays, named after the call. */
  private preferKnown(all: Alternative[], place: Place): Alternative[] {
    const known = all.filter((a) => a.kind !== 'unknown');
    if (known.length) return known;
    const n = place.node;
    if (n.kind === 'Call') {
      const name = dottedName(n.func);
      const callee = [...this.ev.value(n.func, place.scope, place.block).values()];
      for (const { value } of callee) {
        let of: Value = value;
        while (of.k === 'element') of = of.of;
        if (of.k !== 'param') continue;
        const fallback: Alternative = {
          kind: 'external',
          q: null,
          name: name ?? of.arg.arg,
          call: { ...place, node: n },
          through: [],
        };
        const mode = value.k === 'element' ? 'iterable-callable' : 'callable';
        return [{ kind: 'parameter', owner: of.owner, arg: of.arg, role: of.role, mode, weak: true, fallback }];
      }
      if (name) return [{ kind: 'external', q: null, name, call: { ...place, node: n }, through: [] }];
    }
    return all.length ? all : [{ kind: 'unknown', why: 'not a call' }];
  }

  private expand(v: Value, at: Place, callable: boolean, stack: CallPlace[], depth: number, out: Alternative[]): void {
    if (depth > MAX_DEPTH) return;
    switch (v.k) {
      case 'coroutine':
        this.coroutine(v, at, depth, out);
        return;
      case 'result':
        this.result(v, at, callable, stack, depth, out);
        return;
      case 'function':
        if (callable) this.called(v, at, [], depth, out);
        else out.push({ kind: 'unknown', why: `${v.fn.node.name} is a function, not a coroutine` });
        return;
      case 'lambda':
      case 'partial':
        if (callable) this.called(v, at, [], depth, out);
        else out.push({ kind: 'unknown', why: 'a callable, not a coroutine' });
        return;
      case 'instance':
        this.instance(v, at, depth, out);
        return;
      case 'external':
        this.external(v, depth, out);
        return;
      case 'task':
        out.push({ kind: 'task', name: 'task' });
        return;
      case 'param':
        this.parameter(v, callable, depth, out);
        return;
      case 'element': {
        let of: Value = v.of;
        while (of.k === 'element') of = of.of;
        if (of.k === 'param')
          out.push({
            kind: 'parameter',
            owner: of.owner,
            arg: of.arg,
            role: of.role,
            mode: callable ? 'iterable-callable' : 'iterable',
            weak: callable || of.owner.type === 'lambda',
          });
        else out.push({ kind: 'unknown', why: 'an element of something unknown' });
        return;
      }
      case 'name': {
        if (callable) {
          const name = dottedName(at.node) ?? v.q;
          out.push({ kind: 'external', q: v.q, name, call: null, through: [] });
        } else out.push({ kind: 'unknown', why: `${v.q} is defined outside the project` });
        return;
      }
      case 'none':
        return;
      default:
        out.push({ kind: 'unknown', why: v.k === 'unknown' ? v.why : v.k });
    }
  }

  /** A parameter; that of a lambda handed to `call_soon(lambda c: …, job())` is known from the same call. */
  private parameter(v: Extract<Value, { k: 'param' }>, callable: boolean, depth: number, out: Alternative[]): void {
    const { owner, arg, role } = v;
    if (owner.type === 'lambda' && owner.node.parent?.kind === 'Call') {
      const host = owner.node.parent;
      const given = host.args[host.args.indexOf(owner.node) + 1 + positionalArgs(owner.node.args).indexOf(arg)];
      if (host.args.includes(owner.node) && given && given !== owner.node) {
        const place = this.project.place(owner.module, given);
        for (const { value } of this.ev.valueAt(place).values())
          this.expand(value, place, callable, [], depth + 1, out);
        return;
      }
    }
    const mode = callable ? 'callable' : 'coroutine';
    out.push({ kind: 'parameter', owner, arg, role, mode, weak: callable || owner.type === 'lambda' });
  }

  /** A callable given to an API that calls it itself. */
  private called(v: Value, at: Place, partial: CallPlace[], depth: number, out: Alternative[]): void {
    const host = callHolding(at);
    const got: Values = this.ev.called(v, 'callable', host, partial);
    for (const { value } of got.values()) this.expand(value, at, false, [], depth + 1, out);
  }

  private frameOf(v: Extract<Value, { k: 'coroutine' | 'result' }>): Frame {
    const skip = v.self ? 1 : 0;
    const calls = [
      { place: v.call, skip, frame: null },
      ...v.partial.map((p) => ({ place: p, skip: skip - 1, frame: null })),
    ];
    return { fn: v.fn.type === 'function' ? v.fn : null, self: v.self, calls };
  }

  private coroutine(v: Extract<Value, { k: 'coroutine' }>, at: Place, depth: number, out: Alternative[]): void {
    const passages = this.passages(v, at, depth);
    const self: Extract<Alternative, { kind: 'coroutine' }> = {
      kind: 'coroutine',
      fn: v.fn,
      frame: this.frameOf(v),
      name: this.nameFor(v, at),
      through: [],
    };
    if (!passages) {
      out.push(self);
      return;
    }
    for (const { passage, alternatives } of passages) {
      for (const a of alternatives) {
        if (a.kind === 'coroutine' || a.kind === 'external') out.push({ ...a, through: [passage, ...a.through] });
        else if (a.kind === 'parameter')
          out.push({
            ...a,
            weak: a.weak || (passage.inner !== null && passage.helper === null),
            fallback: self,
            passage,
          });
        else out.push(self);
      }
    }
  }

  /** The coroutines that a coroutine awaits through its parameters; null when it works on its own. */
  private passages(
    v: Extract<Value, { k: 'coroutine' }>,
    at: Place,
    depth: number,
  ): { passage: Passage; alternatives: Alternative[] }[] | null {
    const { fn } = v;
    const helper = this.helpers.shape(fn);
    const found = awaitedParams(fn);
    const out: { passage: Passage; alternatives: Alternative[] }[] = [];
    for (const { owner, arg, called, role } of found) {
      const owned = owner === fn ? v.call : (this.madeBy(owner, v.closure) ?? this.callOf(owner, at));
      if (!owned) {
        // a closure over a parameter of the function that spawns it
        out.push({
          passage: { of: fn, name: fn.node.name, call: v.call, self: v.self, helper, inner: null },
          alternatives: [{ kind: 'parameter', owner, arg, role, mode: called ? 'callable' : 'coroutine', weak: false }],
        });
        continue;
      }
      const given =
        role === 'normal' ? argumentFor(owner, arg, owned.node, owner === fn && v.self ? 1 : owner.cls ? 1 : 0) : null;
      if (!given || given === 'unknown') continue;
      const inner: Place = { node: given, scope: owned.scope, block: owned.block };
      const alternatives: Alternative[] = [];
      for (const { value } of this.ev.valueAt(inner).values())
        this.expand(value, inner, called, [], depth + 1, alternatives);
      const useful = alternatives.filter(
        (a) => a.kind === 'coroutine' || a.kind === 'parameter' || (a.kind === 'external' && (helper || a.q !== null)),
      );
      // `supervised("feed", fn, *args)` calls fn with arguments of its own: defaults are all that is known
      if (called) for (const a of useful) if (a.kind === 'coroutine') a.frame = { ...a.frame, calls: [] };
      if (useful.length)
        out.push({
          passage: { of: fn, name: fn.node.name, call: owned, self: v.self, helper, inner },
          alternatives: useful,
        });
    }
    return out.length ? out : null;
  }

  /** The call of an outer function whose body made the closure. */
  private madeBy(owner: FunctionInfo, closure: CallPlace | undefined): CallPlace | null {
    return closure ? this.callOf(owner, closure) : null;
  }

  private callOf(owner: FunctionInfo, at: Place): CallPlace | null {
    const n = at.node;
    if (n.kind !== 'Call') return null;
    for (const { value } of this.ev.value(n.func, at.scope, at.block).values())
      if (value.k === 'function' && value.fn === owner) return { ...at, node: n };
    return null;
  }

  private result(
    v: Extract<Value, { k: 'result' }>,
    at: Place,
    callable: boolean,
    stack: CallPlace[],
    depth: number,
    out: Alternative[],
  ): void {
    const { fn } = v;
    if (fn.type === 'function' && fn.isGenerator && fn.node.isAsync) {
      out.push({ kind: 'generator', fn, name: fn.node.name });
      return;
    }
    const places =
      fn.type === 'lambda' ? [{ node: fn.node.body, scope: fn.scope, block: fn.scope.root }] : returnsOf(fn);
    const helper = fn.type === 'function' ? this.helpers.shape(fn) : null;
    if (helper && fn.type === 'function' && !helper.buildsContext) {
      const inner = this.helperArgument(fn, helper, v.call, v.self ? 1 : 0);
      if (inner) {
        const passage: Passage = { of: fn, name: fn.node.name, call: v.call, self: v.self, helper, inner };
        for (const a of this.resolve(inner, false)) out.push(passing(a, passage));
        return;
      }
    }
    const before = out.length;
    for (const place of places) {
      for (const { value } of this.ev.valueAt(place).values()) {
        if (value.k === 'param' && value.owner === fn) this.substitute(value, v, callable, depth, out);
        else
          this.expand(
            value,
            fn.type === 'function' && v.call === at ? at : place,
            callable,
            [...stack, v.call],
            depth + 1,
            out,
          );
      }
    }
    if (out.length === before || out.slice(before).every((a) => a.kind === 'unknown')) {
      out.length = before;
      const name = dottedName(v.call.node.func);
      out.push(
        name
          ? {
              kind: 'external',
              q: fn.type === 'function' ? this.project.qualifiedName(fn) : null,
              name,
              call: v.call,
              through: [],
            }
          : { kind: 'unknown', why: 'what the function returns is not known' },
      );
    }
  }

  /** A function that hands back its own parameter. */
  private substitute(
    p: Extract<Value, { k: 'param' }>,
    v: Extract<Value, { k: 'result' }>,
    callable: boolean,
    depth: number,
    out: Alternative[],
  ): void {
    if (v.fn.type !== 'function') return;
    const given = argumentFor(v.fn, p.arg, v.call.node, v.self ? 1 : 0);
    if (!given || given === 'unknown') return;
    const inner = { node: given, scope: v.call.scope, block: v.call.block };
    for (const { value } of this.ev.valueAt(inner).values()) this.expand(value, inner, callable, [], depth + 1, out);
  }

  private instance(v: Extract<Value, { k: 'instance' }>, at: Place, depth: number, out: Alternative[]): void {
    const helper = this.helpers.shape(v.cls);
    const init = initOf(this.ev, v.cls);
    if (v.call && init && (helper || isAwaitable(v.cls))) {
      const param = helper ? positionalArgs(init.node.args)[helper.coroParam + 1] : positionalArgs(init.node.args)[1];
      const given = param ? argumentFor(init, param, v.call.node, 1) : null;
      if (given && given !== 'unknown') {
        const inner: Place = { node: given, scope: v.call.scope, block: v.call.block };
        const passage: Passage = { of: v.cls, name: v.cls.node.name, call: v.call, self: null, helper, inner };
        const alternatives: Alternative[] = [];
        for (const { value } of this.ev.valueAt(inner).values())
          this.expand(value, inner, false, [], depth + 1, alternatives);
        for (const a of this.preferKnown(alternatives, inner)) out.push(passing(a, passage));
        return;
      }
    }
    const name = (at.node.kind === 'Call' && dottedName(at.node.func)) || v.cls.node.name;
    out.push({ kind: 'external', q: null, name, call: v.call, through: [] });
  }

  private external(v: Extract<Value, { k: 'external' }>, depth: number, out: Alternative[]): void {
    const name = dottedName(v.call.node.func) ?? v.q;
    const last = v.q.slice(v.q.lastIndexOf('.') + 1);
    const spawned = this.project.table.rows.get(v.q);
    if (last === 'create_future' || v.q === 'asyncio.Future' || (spawned && !spawned.scheduled)) {
      out.push({ kind: 'task', name });
      return;
    }
    if (v.q === 'asyncio.wait_for' && waitsForEver(v.call.node)) {
      const [arg] = v.call.node.args;
      const inner = arg ? this.resolve({ ...v.call, node: arg }, false).filter((a) => a.kind === 'coroutine') : [];
      if (inner.length) {
        out.push(...inner);
        return;
      }
    }
    if (v.q === 'asyncio.gather' || v.q === 'asyncio.shield') {
      const inner = this.inside(v.call, depth);
      if (inner.length) {
        out.push(...inner.map((a) => (a.kind === 'coroutine' ? { ...a, inside: v.q } : a)));
        return;
      }
    }
    out.push({ kind: 'external', q: v.q, name, call: v.call, through: [] });
  }

  /** The coroutines that gather or shield starts. */
  private inside(call: CallPlace, depth: number): Alternative[] {
    const out: Alternative[] = [];
    for (const arg of call.node.args) {
      if (arg.kind === 'Starred') out.push(...this.elements({ ...call, node: arg.value }));
      else
        for (const { value } of this.ev.value(arg, call.scope, call.block).values())
          this.expand(value, { ...call, node: arg }, false, [], depth + 1, out);
    }
    return out.filter((a) => a.kind === 'coroutine');
  }

  private helperArgument(fn: FunctionInfo, helper: HelperShape, call: CallPlace, skip: number): Place | null {
    const params = [...positionalArgs(fn.node.args), ...fn.node.args.kwonly];
    const arg = params[helper.coroParam];
    const given = arg ? argumentFor(fn, arg, call.node, skip) : null;
    return given && given !== 'unknown' ? { node: given, scope: call.scope, block: call.block } : null;
  }

  /** A call of the policy's helper whose definition is out of reach, trusted by its name. */
  private unresolvedHelper(place: Place): Passage | null {
    const n = place.node;
    if (n.kind !== 'Call' || n.args.length < 1) return null;
    const name = dottedName(n.func);
    if (!name || name.slice(name.lastIndexOf('.') + 1) !== this.project.options.helper) return null;
    const external = [...this.ev.value(n.func, place.scope, place.block).values()].every(
      (v) => v.value.k === 'name' || v.value.k === 'unknown',
    );
    if (!external) return null;
    const helper: HelperShape = {
      coroParam: 0,
      idParam: 1,
      idParamName: 'project_id',
      returnsResult: true,
      setsTraceId: false,
      buildsContext: false,
    };
    return { of: null, name, call: { ...place, node: n }, self: null, helper, inner: { ...place, node: n.args[0]! } };
  }

  private withPassage(passage: Passage, inner: Alternative[]): Alternative[] {
    return inner.map((a) => passing(a, passage));
  }

  /** The name as written where the coroutine is made, unless that is a mere variable. */
  private nameFor(v: Extract<Value, { k: 'coroutine' }>, at: Place): string {
    const func = v.call.node.func;
    const given = madeUp.has(v.call.node) ? at.node : func;
    const host = madeUp.has(v.call.node) || v.call.node === at.node || at.node.kind !== 'Call' ? given : null;
    const name = host ? dottedName(host) : null;
    if (!name) return v.fn.node.name;
    if (host!.kind !== 'Name') return name;
    if (host!.parent === null) return name;
    const written = this.ev.value(host!, v.call.scope, v.call.block);
    const direct = [...written.values()].every((x) => x.proof === 'import' || x.proof === 'definition');
    return direct && written.size === 1 ? name : v.fn.node.name;
  }
}

/** The alternative as it is seen through a coroutine around it. */
function passing(a: Alternative, passage: Passage): Alternative {
  if (a.kind === 'parameter')
    return { ...a, passage: a.passage ?? passage, fallback: a.fallback && passing(a.fallback, passage) };
  return 'through' in a ? { ...a, through: [passage, ...a.through] } : a;
}

function initOf(ev: Evaluator, cls: ClassInfo): FunctionInfo | null {
  for (const c of lineage(ev, cls)) {
    const init = c.scope.bindings.get('__init__')?.find((b) => b.kind === 'def');
    if (init?.kind === 'def') return init.fn;
  }
  return null;
}

function isAwaitable(cls: ClassInfo): boolean {
  return cls.scope.bindings.has('__await__') || (cls.scope.bindings.has('send') && cls.scope.bindings.has('throw'));
}

/** `wait_for(x, None)`: no deadline at all. */
function waitsForEver(call: Call): boolean {
  const timeout = call.args[1] ?? call.keywords.find((k) => k.arg === 'timeout')?.value;
  return timeout?.kind === 'Constant' && timeout.type === 'none';
}

/** A stand-in call for a callable that the API calls itself: the API's own call, its leading arguments dropped by the caller. */
const madeUp = new WeakSet<Call>();

function callHolding(at: Place): CallPlace {
  const p = at.node.parent;
  const rest = p?.kind === 'Call' ? p.args.slice(p.args.indexOf(at.node) + 1) : [];
  const { start, end, parent } = at.node;
  const node: Call = { kind: 'Call', func: at.node, args: rest, keywords: [], open: end, start, end, parent };
  madeUp.add(node);
  return { node, scope: at.scope, block: at.block };
}

interface AwaitedParam {
  owner: FunctionInfo;
  arg: Arg;
  role: 'normal' | 'vararg' | 'kwarg';
  /** `await fn(...)` rather than `await coro`. */
  called: boolean;
}

const awaited = new WeakMap<FunctionInfo, AwaitedParam[]>();

/** Parameters (own, or of enclosing functions) that a coroutine awaits, or calls and awaits. */
function awaitedParams(fn: FunctionInfo): AwaitedParam[] {
  const known = awaited.get(fn);
  if (known) return known;
  const out: AwaitedParam[] = [];
  for (const n of ownNodes(fn.node)) {
    if (n.kind !== 'Await') continue;
    const called = n.value.kind === 'Call';
    const name = n.value.kind === 'Call' ? n.value.func : n.value;
    if (name.kind !== 'Name') continue;
    const found = paramNamed(fn, name.id);
    if (found && !out.some((o) => o.arg === found.arg)) out.push({ ...found, called });
  }
  awaited.set(fn, out);
  return out;
}

function paramNamed(fn: FunctionInfo, id: string): Omit<AwaitedParam, 'called'> | null {
  for (let s: FunctionInfo['scope'] | null = fn.scope; s; s = s.parent) {
    const list = s.bindings.get(id);
    if (!list?.length) continue;
    const [b] = list;
    if (
      b?.kind === 'param' &&
      list.length === 1 &&
      b.owner.type === 'function' &&
      b.role === 'normal' &&
      s.self?.name !== id
    )
      return { owner: b.owner, arg: b.arg, role: b.role };
    return null;
  }
  return null;
}

function dedupe(all: Alternative[]): Alternative[] {
  const seen = new Set<unknown>();
  return all.filter((a) => {
    const key =
      a.kind === 'coroutine'
        ? a.frame.calls[0]?.place.node
        : a.kind === 'parameter'
          ? a.arg
          : a.kind === 'external'
            ? `${a.q}:${a.name}`
            : a.kind;
    const id =
      a.kind === 'coroutine'
        ? `${a.fn.module.file}:${a.fn.node.start}:${(key as { start?: number })?.start ?? ''}`
        : key;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
