/** Classes that set fields of any name: `for k, v in given.items(): setattr(self, k, v)`, `self.__dict__.update(given)`. */
import type { Expr } from '../syntax/index.ts';
import { lineage } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { perModule } from './lookups.ts';
import type { CallRecord, ClassInfo, ModuleScopes, Scope } from './scopes.ts';

/** May a field of an object hold something else than what assignments to it tell? */
export function setsAnyField(ev: Evaluator, cls: ClassInfo): boolean {
  return lineage(ev, cls).some((c) => settersIn(c.module).has(c));
}

const settersIn = perModule((m: ModuleScopes): ReadonlySet<ClassInfo> => {
  const out = new Set<ClassInfo>();
  for (const call of m.calls) {
    const object = setBy(call);
    const cls = object && classOf(object, call.scope);
    if (cls) out.add(cls);
  }
  for (const { object, key, scope } of m.stores) {
    const owner = key.kind === 'Constant' ? null : ofDict(object);
    const cls = owner && classOf(owner, scope);
    if (cls) out.add(cls);
  }
  return out;
});

/** The object whose fields a call sets. */
function setBy({ node: { func, args } }: CallRecord): Expr | null {
  const [object, name] = args;
  if (func.kind === 'Name' && func.id === 'setattr') return object && name && name.kind !== 'Constant' ? object : null;
  return func.kind === 'Attribute' && func.attr === 'update' ? ofDict(func.value) : null;
}

/** `x` of `x.__dict__` and `vars(x)`. */
function ofDict(n: Expr): Expr | null {
  if (n.kind === 'Attribute') return n.attr === '__dict__' ? n.value : null;
  return n.kind === 'Call' && n.func.kind === 'Name' && n.func.id === 'vars' ? (n.args[0] ?? null) : null;
}

/** The class of `self`. */
function classOf(object: Expr, scope: Scope): ClassInfo | null {
  if (object.kind !== 'Name') return null;
  for (let s: Scope | null = scope; s; s = s.parent)
    if (s.self) return s.self.name === object.id && !s.self.classMethod ? s.self.cls : null;
  return null;
}
