/** Attributes that are set from outside: `app.state.spawn = spawn`, `bag.start = asyncio.create_task`. */
import type { Attribute, Expr } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { findScope } from './reaching.ts';
import type { Scope } from './scopes.ts';
import { isKnown, merge, type Values } from './values.ts';

/** What a module puts into an attribute that is not known otherwise (`known`); null when it puts nothing there. */
export function storedAttribute(ev: Evaluator, n: Attribute, scope: Scope, known: Values): Values | null {
  const stores = scope.module.attributeStores.get(n.attr);
  if (!stores || isKnown(known)) return null;
  const out: Values = new Map();
  for (const store of stores)
    if (isSame(store.object, store.scope, n.value, scope))
      merge(out, ev.value(store.value, store.scope, store.block), 'stored');
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
