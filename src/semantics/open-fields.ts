/** Classes that set fields of any name: `for k, v in given.items(): setattr(self, k, v)`, `self.__dict__.update(given)`. */
import type { Expr } from '../syntax/index.ts';
import { wholeValue } from './aliases.ts';
import { holdsText, objectsAt } from './changed-objects.ts';
import { lineage } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { perModule } from './lookups.ts';
import { modulesCalling } from './name-index.ts';
import { findScope } from './reaching.ts';
import { allArgs, type CallRecord, type ClassInfo, type ModuleScopes, methodScope, type Scope } from './scopes.ts';
import { classesIn, type Place } from './values.ts';

/** May a field of an object hold something else than what assignments to it tell? */
export function setsAnyField(ev: Evaluator, cls: ClassInfo): boolean {
  return lineage(ev, cls).some((c) => settersIn(c.module).own.has(c));
}

/** The same, by functions that are handed such objects. */
export function isSetByOthers(ev: Evaluator, cls: ClassInfo): boolean {
  const line = lineage(ev, cls);
  const mayBeIt = (c: ClassInfo): boolean => line.includes(c) || lineage(ev, c).includes(cls);
  const naming = cls.node.name;
  const isIt = (place: Place): boolean =>
    knowing(ev, place).some((m) => holdsText(m, naming)) && classesIn(objectsAt(ev, place, { naming })).some(mayBeIt);
  return ev.graph.modules().some((m) => settersIn(m).others.some(isIt));
}

/** The modules that can know which object it is: those which may hand it over to a function. */
function knowing(ev: Evaluator, { node, scope }: Place): readonly ModuleScopes[] {
  const fn = node.kind === 'Name' ? findScope(node.id, scope)?.fn : null;
  const own = fn && node.kind === 'Name' && allArgs(fn.node.args).some(({ arg }) => arg.arg === node.id);
  return own ? modulesCalling(ev.graph, fn.node.name) : [scope.module];
}

/** Classes that do so themselves, and the objects of whichever classes to which others do. */
interface Setters {
  own: ReadonlySet<ClassInfo>;
  others: readonly Place[];
}

const settersIn = perModule((m: ModuleScopes): Setters => {
  const own = new Set<ClassInfo>();
  const others: Place[] = [];
  if (!/setattr|__dict__|\bvars\b/.test(m.text)) return { own, others };
  const note = (node: Expr | null, { scope, block }: Omit<Place, 'node'>): void => {
    const cls = node && classOf(node, scope);
    if (cls) own.add(cls);
    else if (node) others.push({ node, scope, block });
  };
  for (const call of m.calls) note(setBy(call), call);
  for (const store of m.stores) if (store.key.kind !== 'Constant') note(ofDict(store.object), store);
  for (const grown of m.grown) note(ofDict(grown.object), grown);
  for (const store of m.attributeStores.get('__dict__') ?? []) note(store.object, store);
  for (const cls of m.classes) if (cls.scope.attributes.has('__dict__')) own.add(cls);
  return { own, others };
});

/** The object whose fields a call sets. */
function setBy({ node: { func, args } }: CallRecord): Expr | null {
  const [object, name] = args;
  if (func.kind === 'Name' && func.id === 'setattr') return isOpen(name) ? object! : null;
  if (func.kind !== 'Attribute') return null;
  if (func.attr === '__setattr__') {
    if (args.length > 2) return isOpen(name) ? object! : null;
    return isOpen(object) ? func.value : null;
  }
  return func.attr === 'update' ? ofDict(func.value) : null;
}

/** May it be any name? */
function isOpen(name: Expr | undefined): boolean {
  return name !== undefined && name.kind !== 'Constant';
}

/** `x` of `x.__dict__` and `vars(x)`. */
export function ofDict(n: Expr): Expr | null {
  if (n.kind === 'Attribute') return n.attr === '__dict__' ? n.value : null;
  return n.kind === 'Call' && n.func.kind === 'Name' && n.func.id === 'vars' ? (n.args[0] ?? null) : null;
}

/** The class of `self`, `cls` and `super()`; a class of the module, and what it makes. */
function classOf(object: Expr, scope: Scope): ClassInfo | null {
  if (object.kind === 'Call')
    return object.func.kind === 'Name' && object.func.id === 'super' ? (methodScope(scope)?.self.cls ?? null) : null;
  return object.kind === 'Name' ? (classNamed(object.id, scope) ?? classMaking(object.id, scope)) : null;
}

function classNamed(id: string, scope: Scope): ClassInfo | null {
  const self = methodScope(scope)?.self;
  if (self?.name === id) return self.cls;
  for (const b of findScope(id, scope)?.bindings.get(id) ?? []) if (b.kind === 'class') return b.cls;
  return null;
}

/** `new = cls()` */
function classMaking(id: string, scope: Scope): ClassInfo | null {
  for (const b of findScope(id, scope)?.bindings.get(id) ?? []) {
    const made = wholeValue(b);
    const cls = made?.kind === 'Call' && made.func.kind === 'Name' ? classNamed(made.func.id, b.scope) : null;
    if (cls) return cls;
  }
  return null;
}
