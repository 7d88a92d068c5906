/** Containers that are filled step by step: `jobs.append(run_x())`, `jobs += [run_y()]`, `jobs["z"] = run_z`. */
import type { Expr } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { findScope, reaching } from './reaching.ts';
import { type Binding, codeScope, type ModuleScopes, type Scope } from './scopes.ts';
import type { Place } from './values.ts';

/** One addition to a list or set; `spread` when its elements are added, not itself. */
export interface Addition {
  at: Place;
  spread: boolean;
}

/** What is added to the container that a name stands for. */
export function additions(_ev: Evaluator, place: Place): Addition[] {
  const owner = ownerOf(place);
  if (!owner) return [];
  const out: Addition[] = [];
  for (const b of owner.where.bindings.get(owner.id) ?? []) {
    if (b.kind === 'augmented' && b.op === '+')
      out.push({ at: { node: b.value, scope: b.scope, block: b.block }, spread: true });
  }
  for (const call of appendCalls(place.scope.module)) {
    const func = call.node.func as Extract<Expr, { kind: 'Attribute' }>;
    const object = func.value as Extract<Expr, { kind: 'Name' }>;
    const arg = call.node.args[0];
    if (!arg || !isSame(owner, object.id, call.scope, object.start, call.block)) continue;
    out.push({
      at: { node: arg, scope: call.scope, block: call.block },
      spread: func.attr === 'extend' || func.attr === 'update',
    });
  }
  return out;
}

/** The values stored under keys of the mapping that a name stands for. */
export function storedValues(_ev: Evaluator, place: Place): Place[] {
  const owner = ownerOf(place);
  if (!owner) return [];
  return place.scope.module.stores
    .filter((s) => isSame(owner, s.name, s.scope, s.pos, s.block))
    .map((s) => ({ node: s.value, scope: s.scope, block: s.block }));
}

interface Owner {
  id: string;
  where: Scope;
  bindings: Set<Binding>;
}

function ownerOf(place: Place): Owner | null {
  const n = place.node;
  if (n.kind !== 'Name') return null;
  const where = findScope(n.id, place.scope);
  return where && { id: n.id, where, bindings: new Set(reaching(where, n.id, place.scope, n.start)) };
}

/** Does a name at another place mean the same container? */
function isSame(owner: Owner, id: string, scope: Scope, pos: number, block: Place['block']): boolean {
  if (id !== owner.id || findScope(id, scope) !== owner.where) return false;
  if (codeScope(scope) !== owner.where) return true;
  return reaching(owner.where, id, scope, pos).some((b) => owner.bindings.has(b));
}

const METHODS = new Set(['append', 'add', 'extend', 'appendleft', 'update', 'insert']);
const index = new WeakMap<ModuleScopes, ModuleScopes['calls']>();

function appendCalls(module: ModuleScopes): ModuleScopes['calls'] {
  let list = index.get(module);
  if (!list) {
    list = module.calls.filter(
      ({ node: { func } }) => func.kind === 'Attribute' && func.value.kind === 'Name' && METHODS.has(func.attr),
    );
    index.set(module, list);
  }
  return list;
}
