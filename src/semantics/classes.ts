/** Class hierarchies and the members of classes and instances. */
import { annotationValue } from './annotations.ts';
import type { Evaluator } from './evaluate.ts';
import { visibleFromOutside } from './reaching.ts';
import type { Binding, ClassInfo, FunctionInfo } from './scopes.ts';
import { add, type Instance, merge, only, unknown, type Value, type Values } from './values.ts';

/** Of each analysis by itself: a base class may be another one in the next, while the class is still the same. */
const lines = new WeakMap<Evaluator, WeakMap<ClassInfo, ClassInfo[]>>();

/** The class and its project bases, nearest first (depth first, each once): close to Python's order, exact without diamonds. */
export function lineage(ev: Evaluator, cls: ClassInfo): ClassInfo[] {
  const own = lines.get(ev) ?? new WeakMap<ClassInfo, ClassInfo[]>();
  lines.set(ev, own);
  const known = own.get(cls);
  if (known) return known;
  const out: ClassInfo[] = [cls];
  own.set(cls, out); // a cycle ends here
  for (const base of basesOf(ev, cls)) for (const c of lineage(ev, base)) if (!out.includes(c)) out.push(c);
  return out;
}

function basesOf(ev: Evaluator, cls: ClassInfo): ClassInfo[] {
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

/** A member of a class or instance; null when nothing in the project defines it. */
export function classMember(ev: Evaluator, of: Instance | Extract<Value, { k: 'class' }>, attr: string): Values | null {
  const out: Values = new Map();
  for (const [i, cls] of lineage(ev, of.cls).entries()) {
    const inherited = i > 0 ? 'inherited' : null;
    if (of.k === 'instance')
      for (const b of cls.scope.attributes.get(attr) ?? []) merge(out, ev.binding(b), inherited ?? 'self-attr');
    for (const b of ownBindings(cls, attr)) addMember(ev, out, of, b, inherited);
    if (out.size) return out;
  }
  return null;
}

/** A member that a base outside the project brings: `class Group(asyncio.TaskGroup)`. */
export function externalMember(
  ev: Evaluator,
  of: Instance | Extract<Value, { k: 'class' }>,
  attr: string,
  proof: string,
): Values | null {
  if (of.k !== 'instance') return null;
  for (const cls of lineage(ev, of.cls)) {
    const at = cls.module.scopeOf.get(cls.node)!;
    for (const base of cls.node.bases) {
      for (const { value } of ev.value(base, at.scope, at.block).values()) {
        const kind = value.k === 'name' ? ev.table.types.get(value.q) : undefined;
        if (kind) return only({ k: 'name', q: `${kind}.${attr}` }, proof);
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
  inherited: string | null,
): void {
  if (b.kind === 'def') {
    if (isProperty(b.fn)) merge(out, propertyValue(ev, b.fn), inherited ?? undefined);
    else for (const v of boundMethod(b.fn, of)) add(out, v, inherited ?? 'method');
    return;
  }
  for (const { value, proof } of ev.binding(b).values()) {
    // a plain function stored on a class becomes a bound method: not the function any more
    if (of.k === 'instance' && value.k === 'name' && isFunctionName(ev, value.q)) continue;
    add(out, value, inherited ?? (of.k === 'instance' ? 'self-attr' : proof));
  }
}

function isFunctionName(ev: Evaluator, q: string): boolean {
  return q.includes('.') && !ev.table.groupKinds.has(q);
}

function decoratorNames(fn: FunctionInfo): string[] {
  return fn.node.decorators.map((d) => (d.kind === 'Name' ? d.id : d.kind === 'Attribute' ? d.attr : ''));
}

function isProperty(fn: FunctionInfo): boolean {
  return decoratorNames(fn).some((n) => n === 'property' || n === 'cached_property');
}

function propertyValue(ev: Evaluator, fn: FunctionInfo): Values {
  const note = fn.node.returns ? annotationValue(ev, fn.node.returns, fn.outer, fn.outer.root) : null;
  if (note) return note;
  const got = ev.returned(fn);
  return got.size ? got : unknown('property');
}

function boundMethod(fn: FunctionInfo, of: Instance | Extract<Value, { k: 'class' }>): Value[] {
  const names = decoratorNames(fn);
  if (names.includes('staticmethod')) return [{ k: 'function', fn, self: null }];
  if (names.includes('classmethod')) {
    return [
      {
        k: 'function',
        fn,
        self: { k: 'instance', cls: of.cls, call: null, viaSelf: of.k === 'instance' && of.viaSelf },
      },
    ];
  }
  return [{ k: 'function', fn, self: of.k === 'instance' ? of : null }];
}
