/** Classes that set fields of any name: `for k, v in given.items(): setattr(self, k, v)`, `self.__dict__.update(given)`. */
import type { Expr } from '../syntax/index.ts';
import { wholeValue } from './aliases.ts';
import { lineage } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { perModule } from './lookups.ts';
import { findScope } from './reaching.ts';
import type { CallRecord, ClassInfo, ModuleScopes, Scope } from './scopes.ts';

/** May a field of an object hold something else than what assignments to it tell? */
export function setsAnyField(ev: Evaluator, cls: ClassInfo): boolean {
  return lineage(ev, cls).some((c) => settersIn(c.module).has(c));
}

const settersIn = perModule((m: ModuleScopes): ReadonlySet<ClassInfo> => {
  const out = new Set<ClassInfo>();
  const note = (object: Expr | null, scope: Scope): void => {
    const cls = object && classOf(object, scope);
    if (cls) out.add(cls);
  };
  for (const call of m.calls) note(setBy(call), call.scope);
  for (const { object, key, scope } of m.stores) if (key.kind !== 'Constant') note(ofDict(object), scope);
  for (const { object, scope } of m.grown) note(ofDict(object), scope);
  for (const { object, scope } of m.attributeStores.get('__dict__') ?? []) note(object, scope);
  for (const cls of m.classes) if (cls.scope.attributes.has('__dict__')) out.add(cls);
  return out;
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
    return object.func.kind === 'Name' && object.func.id === 'super' ? (selfOf(scope)?.cls ?? null) : null;
  return object.kind === 'Name' ? (classNamed(object.id, scope) ?? classMaking(object.id, scope)) : null;
}

function classNamed(id: string, scope: Scope): ClassInfo | null {
  const self = selfOf(scope);
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

function selfOf(scope: Scope): Scope['self'] {
  for (let s: Scope | null = scope; s; s = s.parent) if (s.self) return s.self;
  return null;
}
