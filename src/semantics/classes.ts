/** Class hierarchies and the members of classes and instances. */
import { lastNameOf } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { memberNamed } from './qualified.ts';
import { visibleFromOutside } from './reaching.ts';
import type { Binding, ClassInfo, FunctionInfo } from './scopes.ts';
import { add, type Instance, merge, only, type Proof, unknown, type Value, type Values } from './values.ts';

/** Of each analysis by itself: a base class may be another one in the next, while the class is still the same. */
const lines = new WeakMap<Evaluator, WeakMap<ClassInfo, ClassInfo[]>>();

/** The class and its project bases in the order in which Python looks for members; where there is none, depth first. */
export function lineage(ev: Evaluator, cls: ClassInfo): ClassInfo[] {
  const own = lines.get(ev) ?? new WeakMap<ClassInfo, ClassInfo[]>();
  lines.set(ev, own);
  const known = own.get(cls);
  if (known) return known;
  const out: ClassInfo[] = [cls];
  own.set(cls, out); // a cycle ends here
  const bases = basesOf(ev, cls);
  const above = bases.map((base) => lineage(ev, base));
  const rest = (bases.length > 1 ? merged([...above, bases]) : null) ?? above.flat();
  for (const c of rest) if (!out.includes(c)) out.push(c);
  return out;
}

/** The lines in one, each in its own order, as Python merges them; null when they contradict each other. */
function merged(lines: readonly (readonly ClassInfo[])[]): ClassInfo[] | null {
  const out: ClassInfo[] = [];
  let open = lines.filter((l) => l.length);
  while (open.length) {
    const next = open.find(([first]) => open.every((l) => l.indexOf(first!) <= 0))?.[0];
    if (!next) return null;
    out.push(next);
    open = open.map((l) => (l[0] === next ? l.slice(1) : l)).filter((l) => l.length);
  }
  return out;
}

export function basesOf(ev: Evaluator, cls: ClassInfo): ClassInfo[] {
  const at = cls.module.scopeOf.get(cls.node)!;
  const out: ClassInfo[] = [];
  for (const base of cls.node.bases) {
    const expr = base.kind === 'Subscript' ? base.value : base;
    for (const { value } of ev.value(expr, at.scope, at.block).values()) if (value.k === 'class') out.push(value.cls);
  }
  return out;
}

/** The bindings of a name in the class's own body that an instance sees. */
export function ownBindings(cls: ClassInfo, name: string): Binding[] {
  return visibleFromOutside(cls.scope, name);
}

/** The `__init__` of the class's own body. */
export function ownInit(cls: ClassInfo): FunctionInfo | null {
  const init = ownBindings(cls, '__init__').find((b) => b.kind === 'def');
  return init?.kind === 'def' ? init.fn : null;
}

/** A member of a class or instance; null when nothing in the project defines it. */
export function classMember(ev: Evaluator, of: Instance | Extract<Value, { k: 'class' }>, attr: string): Values | null {
  const out: Values = new Map();
  const line = lineageOf(ev, of);
  const bound = of.k === 'instance' && of.after ? { ...of, after: undefined } : of;
  for (const cls of line) {
    if (of.k === 'instance' && !of.after)
      for (const b of cls.scope.attributes.get(attr) ?? [])
        merge(out, ev.binding(b), cls === of.cls || isStable(b) ? 'self-attr' : 'inherited');
    for (const b of ownBindings(cls, attr)) addMember(ev, out, bound, b, cls === of.cls || isStable(b));
    if (out.size) return out;
  }
  return null;
}

/** The classes in which members are looked for. */
function lineageOf(ev: Evaluator, of: Instance | Extract<Value, { k: 'class' }>): ClassInfo[] {
  const line = lineage(ev, of.cls);
  return of.k === 'instance' && of.after ? line.slice(line.indexOf(of.after) + 1) : line;
}

/** Does it hold in a subclass too? What some other method than `__init__` sets may be anything by then. */
function isStable(b: Binding): boolean {
  return b.kind === 'annotated' || b.kind === 'def' || b.scope.fn?.node.name === '__init__';
}

/** A member that a base outside the project brings: `class Group(asyncio.TaskGroup)`. */
export function externalMember(
  ev: Evaluator,
  of: Instance | Extract<Value, { k: 'class' }>,
  attr: string,
  proof: Proof,
): Values | null {
  if (of.k !== 'instance') return null;
  for (const cls of of.after ? [of.after, ...lineageOf(ev, of)] : lineage(ev, of.cls)) {
    const at = cls.module.scopeOf.get(cls.node)!;
    for (const base of cls.node.bases) {
      for (const { value } of ev.value(base, at.scope, at.block).values()) {
        const kind = value.k === 'name' ? ev.table.types.get(value.q) : undefined;
        if (kind) return only({ k: 'name', q: memberNamed(ev.table, kind, attr) }, proof);
      }
    }
  }
  return null;
}

function addMember(
  ev: Evaluator,
  out: Values,
  of: Instance | Extract<Value, { k: 'class' }>,
  b: Binding,
  stable: boolean,
): void {
  const inherited = stable ? null : 'inherited';
  if (b.kind === 'def') {
    const getter = isProperty(b.fn) ? b.fn : getterOf(b.fn);
    if (getter) merge(out, propertyValue(ev, getter, of), inherited ?? undefined);
    else for (const v of boundMethod(b.fn, of)) add(out, v, inherited ?? 'method');
    return;
  }
  for (const { value, proof } of ev.binding(b).values()) {
    // a plain function stored on a class becomes a bound method: not the function any more
    if (of.k === 'instance' && value.k === 'name' && isFunctionName(ev, value.q)) continue;
    const method =
      value.k === 'function' && !value.self ? boundMethod(value.fn, of) : (partialMethods(ev, value, of) ?? [value]);
    for (const v of method) add(out, v, inherited ?? proof);
  }
}

function isFunctionName(ev: Evaluator, q: string): boolean {
  return q.includes('.') && !ev.table.kinds.has(q);
}

function decoratorNames(fn: FunctionInfo): string[] {
  return fn.node.decorators.map(lastNameOf);
}

export function isProperty(fn: FunctionInfo): boolean {
  return decoratorNames(fn).some((n) => n === 'property' || n === 'cached_property');
}

/** `@jobs.setter` */
export function isSetter({ node }: FunctionInfo): boolean {
  return node.decorators.some((d) => d.kind === 'Attribute' && d.attr === 'setter');
}

/** `@jobs.setter` above a second `def jobs`: what reads it is the first. */
function getterOf({ node, outer }: FunctionInfo): FunctionInfo | null {
  if (!node.decorators.some((d) => d.kind === 'Attribute' && ACCESSORS.has(d.attr))) return null;
  for (const b of outer.bindings.get(node.name) ?? []) if (b.kind === 'def' && isProperty(b.fn)) return b.fn;
  return null;
}

const ACCESSORS: ReadonlySet<string> = new Set(['setter', 'deleter']);

function propertyValue(ev: Evaluator, fn: FunctionInfo, of: Instance | Extract<Value, { k: 'class' }>): Values {
  const out: Values = new Map();
  const frame = { fn, self: of.k === 'instance' ? of : null, calls: [] };
  for (const { value, proof } of ev.handedBack(fn).values()) add(out, ev.seen(value, frame), proof);
  return out.size ? out : unknown('property');
}

function boundMethod(fn: FunctionInfo, of: Instance | Extract<Value, { k: 'class' }>): Value[] {
  const names = decoratorNames(fn);
  if (names.includes('staticmethod')) return [{ k: 'function', fn, self: null }];
  if (names.includes('classmethod')) {
    return [
      {
        k: 'function',
        fn,
        self: { k: 'instance', cls: of.cls, call: null, viaSelf: of.viaSelf ?? false, free: of.free },
      },
    ];
  }
  return [{ k: 'function', fn, self: of.k === 'instance' ? of : null }];
}

/** `fast = functools.partialmethod(run, 5)`. */
function partialMethods(ev: Evaluator, v: Value, of: Instance | Extract<Value, { k: 'class' }>): Value[] | null {
  const [arg] = v.k === 'external' && v.q === 'functools.partialmethod' ? v.call.node.args : [];
  if (v.k !== 'external' || !arg) return null;
  return [...ev.valueAt({ ...v.call, node: arg }).values()].flatMap(({ value }) =>
    value.k === 'function'
      ? boundMethod(value.fn, of).map((base): Value => ({ k: 'partial', base, call: v.call }))
      : [],
  );
}
