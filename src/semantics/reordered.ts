/** Lists that are no longer as they are written down: grown, sorted, shortened. What stands at an index of them? */
import { tail } from '../model/identifier.ts';
import { descendants, type Expr, type List, lastNameOf } from '../syntax/index.ts';
import { aliasesOf } from './aliases.ts';
import type { Evaluator } from './evaluate.ts';
import { additions, isFromOutside } from './filled.ts';
import { INSERTING, importOf } from './fills.ts';
import { attributeLoadsOf, perModule, push } from './lookups.ts';
import { modulesByName } from './name-index.ts';
import { findScope, usesOf } from './reaching.ts';
import { type LoadRecord, type ModuleScopes, type Scope, type Step, whereIs } from './scopes.ts';
import { PASSES_FIRST } from './sequences.ts';
import { idOf, type Place } from './values.ts';

/** May any of the elements be what stands at the step of the list? */
export function mayBeAny(ev: Evaluator, place: Place, step: Step): boolean {
  const values = [...ev.valueAt(place).values()].map((v) => v.value);
  if (!values.length || !values.every((v) => v.k === 'none' || (v.k === 'display' && isSequence(v.place.node))))
    return false;
  if (reordersIn(place.scope.module).has(lastNameOf(place.node))) return true;
  if (values.some((v) => v.k === 'display' && isMoved(ev, v.place))) return true;
  const fromStart = typeof step === 'number' && step >= 0;
  return !fromStart && additions(ev, place).length > 0;
}

/** Is it moved where it is written down, or by other modules? */
function isMoved(ev: Evaluator, { node, scope }: Place): boolean {
  const names = namesOf(node);
  if (names.some((name) => reordersIn(scope.module).has(name))) return true;
  if (namesIn(node).some((target) => usesOfTarget(target, scope).some((use) => isMovedAs(ev, use, new Set()))))
    return true;
  return scope.kind === 'module' && names.some((name) => isMovedByOthers(ev, scope.module, name));
}

function namesOf(node: Expr): string[] {
  return namesIn(node).map(lastNameOf);
}

/** What the list is assigned to. */
function namesIn({ parent }: Expr): Expr[] {
  if (parent?.kind === 'Assign') return parent.targets;
  return parent?.kind === 'AnnAssign' || parent?.kind === 'NamedExpr' ? [parent.target] : [];
}

function usesOfTarget(target: Expr, scope: Scope): readonly LoadRecord[] {
  if (target.kind === 'Attribute') return attributeLoadsOf(scope.module, target.attr);
  const where = target.kind === 'Name' ? findScope(target.id, scope) : null;
  return where && target.kind === 'Name' ? usesOf(where, target.id) : [];
}

/** Is it moved under another name: by a function that it is handed to? `seen`: names that were looked at. */
function isMovedAs(ev: Evaluator, use: LoadRecord, seen: Set<string>): boolean {
  return aliasesOf(ev, use).some((alias) => {
    if (!('binding' in alias)) return false;
    const { name, scope } = alias.binding;
    const where = findScope(name, scope);
    const key = where && `${idOf(where)}:${name}`;
    if (!where || !key || seen.has(key)) return false;
    seen.add(key);
    const isIt = (n: Expr): boolean => n.kind === 'Name' && findScope(name, whereIs(where.module, n).scope) === where;
    if (reordersIn(where.module).get(name)?.some(isIt)) return true;
    return usesOf(where, name).some((again) => isMovedAs(ev, again, seen));
  });
}

/** Known when all modules are read. */
function isMovedByOthers(ev: Evaluator, home: ModuleScopes, name: string): boolean {
  ev.shared.touch(home, name);
  if (!ev.shared.complete) return false;
  return modulesMoving(ev.graph, name).some((m) =>
    reordersIn(m)
      .get(name)!
      .some((node) => m !== home && isFromOutside(ev, { node, ...whereIs(m, node) }, home, name)),
  );
}

/** Is it what a starred target takes? */
export function isPart(step: Step): boolean {
  return typeof step === 'string' && step !== '*';
}

const parts = new WeakMap<Expr, List>();

/** What holds any of the elements of a list, at whatever index: the same each time. */
export function partOfAny(place: Place): Place {
  const { node } = place;
  const { start, end } = node;
  const starred: Expr = { kind: 'Starred', value: node, ctx: 'load', start, end, parent: null };
  const list = parts.get(node) ?? { kind: 'List', elts: [starred], ctx: 'load', start, end, parent: null };
  parts.set(node, list);
  return { ...place, node: list };
}

function isSequence(n: Expr): boolean {
  if (n.kind === 'BinOp') return n.op === '+' || n.op === '*';
  if (n.kind === 'Call') return LISTING.has(lastNameOf(n.func));
  return n.kind === 'List' || n.kind === 'Tuple' || n.kind === 'ListComp';
}

/** Lists whose elements some statement of a module moves, by their last names, and by those that they are imported from. */
const reordersIn = perModule((module: ModuleScopes): ReadonlyMap<string, Expr[]> => {
  const out = new Map<string, Expr[]>();
  const note = (list: Expr | undefined): void => {
    const name = list ? lastNameOf(list) : '';
    if (!list || !name) return;
    push(out, name, list);
    const from = list.kind === 'Name' ? importOf(name, whereIs(module, list).scope) : null;
    if (from && from.member !== name) push(out, from.member, list);
  };
  for (const { node } of module.calls)
    if (SHUFFLING.has(lastNameOf(node.func))) note(node.args[0]);
    else if (node.func.kind === 'Attribute' && MOVING.has(node.func.attr)) note(node.func.value);
  for (const { object, key } of module.stores) if (key.kind === 'Slice') note(object);
  if (/\bdel\b/.test(module.text))
    for (const n of descendants(module.tree))
      if (n.kind === 'Delete') for (const t of n.targets) if (t.kind === 'Subscript') note(t.value);
  return out;
});

/** The modules read so far that move the elements of a list of a name. */
export const modulesMoving = modulesByName((m) => reordersIn(m).keys());

/** Calls that make a list. */
const LISTING: ReadonlySet<string> = new Set([...PASSES_FIRST].map(tail));

/** Functions that move the elements of their first argument. */
const SHUFFLING: ReadonlySet<string> = new Set(['heapify', 'heappop', 'shuffle', ...INSERTING]);

const MOVING: ReadonlySet<string> = new Set([
  'appendleft',
  'clear',
  'extendleft',
  'insert',
  'pop',
  'popleft',
  'remove',
  'reverse',
  'rotate',
  'sort',
]);
