/** Attributes that are set from outside: `app.state.spawn = spawn`, `bag.start = asyncio.create_task`. */
import type { Attribute, Expr } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { findScope } from './reaching.ts';
import type { AttributeStore, Block, ClassInfo, ModuleScopes, Scope } from './scopes.ts';
import { type Instance, isKnown, merge, type Value, type Values } from './values.ts';

/** What a module puts into an attribute that is not known otherwise (`known`); null when it puts nothing there. */
export function storedAttribute(ev: Evaluator, n: Attribute, scope: Scope, known: Values): Values | null {
  const stores = scope.module.attributeStores.get(n.attr);
  if (!stores || isKnown(known)) return null;
  const out: Values = new Map();
  for (const { object, value, scope: of, block } of stores)
    if (value && isSame(object, of, n.value, scope)) merge(out, ev.value(value, of, block), 'stored');
  return out.size ? out : null;
}

/** The same chain of attributes of a name that means the same in both places. */
function isSame(a: Expr, scopeOfA: Scope, b: Expr, scopeOfB: Scope): boolean {
  if (a.kind === 'Attribute' && b.kind === 'Attribute')
    return a.attr === b.attr && isSame(a.value, scopeOfA, b.value, scopeOfB);
  if (a.kind !== 'Name' || b.kind !== 'Name' || a.id !== b.id) return false;
  const where = findScope(a.id, scopeOfA);
  return where !== null && where === findScope(b.id, scopeOfB);
}

/** What holds at last: the stores that may be in force, and whether what the class itself gives may still be. */
export interface Outside {
  stores: readonly AttributeStore[];
  replaced: boolean;
}

/** `worker.every = 5`, in the module where the worker was made. */
export function setOnInstance(ev: Evaluator, { call, cls }: Instance, attr: string): Outside {
  const isIt = (v: Value): boolean => v.k === 'instance' && v.cls === cls && v.call?.node === call?.node;
  return call ? inForce(ev, call.scope.module, attr, call, isIt) : NOTHING;
}

/** `Worker.every = 5`, in the class's own module. */
export function setOnClass(ev: Evaluator, cls: ClassInfo, attr: string): Outside {
  const { outer, module } = cls;
  return inForce(ev, module, attr, { scope: outer, block: outer.root }, (v) => v.k === 'class' && v.cls === cls);
}

const NOTHING: Outside = { stores: [], replaced: false };

/** A store in the very block where the object is made comes about always: it replaces what was there before. */
function inForce(
  ev: Evaluator,
  module: ModuleScopes,
  attr: string,
  made: { scope: Scope; block: Block },
  isIt: (v: Value) => boolean,
): Outside {
  const all = (module.attributeStores.get(attr) ?? []).filter((s) =>
    [...ev.value(s.object, s.scope, s.block).values()].some((v) => isIt(v.value)),
  );
  const isSure = (s: AttributeStore): boolean => s.scope === made.scope && s.block === made.block;
  const sure = all.filter(isSure).at(-1);
  return { stores: all.filter((s) => s === sure || !isSure(s)), replaced: sure !== undefined };
}
