/** What an expression may be. A set, since several definitions can reach one name. */
import type { Arg, Call, Expr } from '../syntax/index.ts';
import type { Frame } from './frames.ts';
import type { Block, ClassInfo, FunctionInfo, LambdaInfo, ModuleScopes, Scope } from './scopes.ts';

/** An expression with the place that it is evaluated in. */
export interface Place {
  node: Expr;
  scope: Scope;
  block: Block;
}

export interface CallPlace {
  node: Call;
  scope: Scope;
  block: Block;
}

export type Value =
  /** A qualified name outside the project (`asyncio.create_task`), or an object kind (`LOOP`) and its members. */
  | { k: 'name'; q: string }
  | { k: 'module'; module: ModuleScopes }
  | { k: 'namespace'; root: string; name: string }
  /** `closure`: the call of the outer function that made it, when it is handed back by one. */
  | { k: 'function'; fn: FunctionInfo; self: Instance | null; closure?: CallPlace }
  | { k: 'lambda'; fn: LambdaInfo }
  /** `viaSelf`: known as `cls` or `type(self)`, so it may be a subclass. */
  | { k: 'class'; cls: ClassInfo; viaSelf?: boolean; free?: true }
  | Instance
  /** Something of a declared type that holds others: `list[Engine]`, `dict[str, Engine]`, `tuple[int, Engine]`. */
  | { k: 'declared'; shape: 'sequence' | 'mapping' | 'tuple'; items: readonly Place[] }
  /** A type that is no class: `Optional[Engine]`, `list[Engine]`. */
  | { k: 'type'; place: Place }
  /** A coroutine object of the project; `call` made it. */
  | {
      k: 'coroutine';
      fn: FunctionInfo;
      self: Instance | null;
      call: CallPlace;
      partial: CallPlace[];
      closure?: CallPlace;
      /** What is known of the call that ran `call`, when it stands in a function that handed the coroutine back. */
      frame?: Frame;
    }
  /** What a call of a plain project function or lambda returns, not looked into yet. */
  | {
      k: 'result';
      fn: FunctionInfo | LambdaInfo;
      self: Instance | null;
      call: CallPlace;
      partial: CallPlace[];
      frame?: Frame;
    }
  /** What a call of something outside the project returns. */
  | { k: 'external'; q: string; call: CallPlace }
  | { k: 'partial'; base: Value; call: CallPlace }
  | { k: 'task'; call: CallPlace }
  /** `stored`: put into a container by its function, and taken out of it elsewhere. */
  | { k: 'param'; owner: FunctionInfo | LambdaInfo; arg: Arg; role: 'normal' | 'vararg' | 'kwarg'; stored?: true }
  /** An element of something iterable that is not known itself. */
  | { k: 'element'; of: Value }
  /**
   * `frame`: what is known of the call that made it, when it stands in a function that handed it back. `named`: under
   * which name that handed it back, for what is put into it.
   */
  | { k: 'display'; place: Place; frame?: Frame; named?: Place }
  | { k: 'none' }
  /** `of`: what it is made of, by which it is known where the parameters are. */
  | { k: 'unknown'; why: string; of?: Made };

/** The call of a parameter, or (`attr`) an attribute of it; of what such a call gives, and so on. */
export type Made = { base: Value } & ({ attr: string } | { call: CallPlace; partial: CallPlace[] });

export interface Instance {
  k: 'instance';
  cls: ClassInfo;
  /** The constructor call, when one is known. */
  call: CallPlace | null;
  /** Known through `self` (or, with a call, made by `cls(…)`): the real class may be a subclass. */
  viaSelf: boolean;
  /** It was `self` in some other call: not what the call at hand is made on. */
  free?: true;
  /** What is known of the call that ran the constructor call, when it stands in a factory. */
  frame?: Frame;
  /** `super()`: members are looked for in the classes that follow this one. */
  after?: ClassInfo;
  /** `call` copies this one, and changes the fields that it names. */
  copyOf?: Instance;
}

/** By which way a value is known. */
export type Proof =
  | 'alias'
  | 'annotation'
  | 'assign'
  | 'async-with'
  | 'attribute'
  | 'awaited'
  | 'builtin'
  | 'callable'
  | 'chain'
  | 'cycle'
  | 'declared'
  | 'declared only'
  | 'definition'
  | 'display'
  | 'element'
  | 'enter-context'
  | 'getattr'
  | 'getattr-default'
  | 'import'
  | 'import_module'
  | 'inherited'
  | 'lambda'
  | 'method'
  | 'none'
  | 'param-default'
  | 'parameter'
  | 'partial'
  | 'result'
  | 'returned'
  | 'self'
  | 'self-attr'
  | 'star'
  | 'star-maybe'
  | 'stored'
  | 'subclass'
  | 'submodule'
  | 'super'
  | 'type'
  | 'type-checking-only'
  | 'unknown'
  | 'with';

/** Proofs that prove little: the name may well be something else at run time. */
export const WEAK_PROOFS: ReadonlySet<Proof> = new Set<Proof>([
  'param-default',
  'getattr-default',
  'star-maybe',
  'type-checking-only',
]);

export type Values = Map<string, { value: Value; proof: Proof }>;

const ids = new WeakMap<object, number>();
let next = 0;

export function idOf(o: object): number {
  let id = ids.get(o);
  if (id === undefined) {
    id = next++;
    ids.set(o, id);
  }
  return id;
}

/** Which calls a frame speaks of. */
export function frameKey(frame: Frame | null | undefined): string {
  if (!frame) return '';
  const self = frame.self ? `<${keyOf(frame.self)}>` : '';
  return frame.calls.map((c) => `@${idOf(c.place.node)}${frameKey(c.frame)}`).join('') + self;
}

export function keyOf(v: Value): string {
  switch (v.k) {
    case 'name':
      return `n:${v.q}`;
    case 'module':
      return `m:${v.module.file}`;
    case 'namespace':
      return `s:${v.root}:${v.name}`;
    case 'function':
      return `f:${idOf(v.fn)}:${v.self ? keyOf(v.self) : ''}:${v.closure ? idOf(v.closure.node) : ''}`;
    case 'lambda':
      return `l:${idOf(v.fn)}`;
    case 'class':
      return `c:${idOf(v.cls)}${v.viaSelf ? '~' : ''}${v.free ? '*' : ''}`;
    case 'instance':
      return `i:${idOf(v.cls)}:${v.call ? idOf(v.call.node) : ''}${v.viaSelf ? '~' : ''}${v.free ? '*' : ''}${v.after ? '^' : ''}${frameKey(v.frame)}${v.copyOf ? `=${keyOf(v.copyOf)}` : ''}`;
    case 'declared':
      return `k:${v.shape}:${v.items.map((p) => idOf(p.node)).join()}`;
    case 'type':
      return `y:${idOf(v.place.node)}`;
    case 'coroutine':
    case 'result':
      return `${v.k}:${idOf(v.fn)}:${idOf(v.call.node)}:${v.self ? keyOf(v.self) : ''}${frameKey(v.frame)}`;
    case 'external':
      return `x:${v.q}:${idOf(v.call.node)}`;
    case 'partial':
      return `p:${keyOf(v.base)}:${idOf(v.call.node)}`;
    case 'task':
      return `t:${idOf(v.call.node)}`;
    case 'param':
      return `a:${idOf(v.arg)}:${v.stored ? 's' : ''}`;
    case 'element':
      return `e:${keyOf(v.of)}`;
    case 'display':
      return `d:${idOf(v.place.node)}${frameKey(v.frame)}${v.named ? `=${idOf(v.named.node)}` : ''}`;
    case 'none':
      return 'none';
    case 'unknown':
      return v.of ? `?${keyOf(v.of.base)}${'attr' in v.of ? `.${v.of.attr}` : `(${idOf(v.of.call.node)})`}` : '?';
  }
}

export function only(value: Value, proof: Proof): Values {
  return new Map([[keyOf(value), { value, proof }]]);
}

export function unknown(why = 'unknown'): Values {
  return only({ k: 'unknown', why }, why === 'cycle' ? why : 'unknown');
}

/** Adds `more` to `into`; a new proof replaces theirs unless theirs is weak. */
export function merge(into: Values, more: Values, proof?: Proof): Values {
  for (const [key, v] of more) {
    if (into.has(key)) continue;
    into.set(key, { value: v.value, proof: WEAK_PROOFS.has(v.proof) ? v.proof : (proof ?? v.proof) });
  }
  return into;
}

/** All of them. What was evaluated is never changed, so that one alone stands for itself. */
export function union(all: readonly Values[]): Values {
  if (all.length === 1) return all[0]!;
  const out: Values = new Map();
  for (const values of all) merge(out, values);
  return out;
}

export function add(into: Values, value: Value, proof: Proof): void {
  const key = keyOf(value);
  if (!into.has(key)) into.set(key, { value, proof });
}

/** Known by its annotation alone: it may be of a subclass. */
export function isDeclared(v: Value): boolean {
  return v.k === 'instance' && !v.call && !v.viaSelf;
}

/** The classes among some values, and those of objects. */
export function classesIn(values: readonly Value[]): ClassInfo[] {
  return values.flatMap((value) => (value.k === 'instance' || value.k === 'class' ? [value.cls] : []));
}

/** Does it say which object it is, without anything left open? */
export function isKnown(values: Values): boolean {
  const all = [...values.values()].filter((v) => v.value.k !== 'none');
  return all.length > 0 && all.every(({ value }) => !OPEN.has(value.k));
}
const OPEN: ReadonlySet<Value['k']> = new Set([
  'unknown',
  'param',
  'element',
  'external',
  'result',
  'task',
  'partial',
  'type',
]);

/** The qualified names among the values. */
export function namesIn(values: Values): string[] {
  const out: string[] = [];
  for (const { value } of values.values()) if (value.k === 'name') out.push(value.q);
  return out;
}

/** What is said of the keys of `**keywords` and the like: nothing. */
export const NAMES: Expr = { kind: 'Constant', type: 'none', value: null, start: 0, end: 0, parent: null };
