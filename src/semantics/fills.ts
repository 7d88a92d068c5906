/** The statements of a module that put something into a container, by the last name of the container. */
import { type Attribute, type Call, type Expr, lastNameOf } from '../syntax/index.ts';
import { constantKey } from './entries.ts';
import { perModule, push } from './lookups.ts';
import { modulesByName } from './name-index.ts';
import { findScope } from './reaching.ts';
import type { Binding, Block, ModuleScopes, Scope } from './scopes.ts';
import type { CallPlace, Place } from './values.ts';

/** One addition to a list or set; `spread` when its elements are added, not itself. */
export interface Addition {
  at: Place;
  spread: boolean;
  /** The container is of the same call, or belongs to the same object, as the statement that fills it. */
  own?: boolean;
}

/** A value stored under a key (null: unknown). */
export interface Entry {
  at: Place;
  key: string | number | null;
  own?: boolean;
}

/** A statement that puts something into a container. */
export interface Fill {
  object: Expr;
  scope: Scope;
  block: Block;
  values: (Addition | Entry)[];
}

/** In the order of the text, each kind by itself. */
export const allFills = perModule((module: ModuleScopes): Fill[] => {
  const out: Fill[] = [];
  for (const { object, key, value, scope, block } of module.stores)
    out.push({ object, scope, block, values: [stored({ node: value, scope, block }, key)] });
  for (const { object, value, scope, block } of module.grown) {
    // a name of the module's own is bound anew
    if (object.kind === 'Name' && !importOf(object.id, scope)) continue;
    out.push({ object, scope, block, values: [{ at: { node: value, scope, block }, spread: true }] });
  }
  for (const call of module.calls) out.push(...filledBy(call));
  return out;
});

function filledBy(call: CallPlace): Fill[] {
  const { node, scope, block } = call;
  const at = (e: Expr): Place => ({ node: e, scope, block });
  const [container] = node.args;
  if (container && INSERTING.has(lastNameOf(node.func)))
    return [{ object: container, scope, block, values: one(1)(node, at) }];
  const method = methodCalled(call);
  const values = method && METHODS[method.node.attr]?.(node, at);
  return values?.length ? [{ object: method!.node.value, scope: method!.scope, block: method!.block, values }] : [];
}

/** `jobs.append`, also where it has a name of its own: `add = jobs.append`. */
function methodCalled({
  node: { func },
  scope,
  block,
}: CallPlace): { node: Attribute; scope: Scope; block: Block } | null {
  if (func.kind === 'Attribute') return { node: func, scope, block };
  const named = func.kind === 'Name' ? findScope(func.id, scope)?.bindings.get(func.id) : undefined;
  for (const b of named ?? [])
    if (b.kind === 'assign' && !b.path.length && b.value.kind === 'Attribute')
      return { node: b.value, scope: b.scope, block: b.block };
  return null;
}

/** By the last name of the container, with `[]` before that of a mapping which holds it. */
export const fillsIn = perModule((module: ModuleScopes): Map<string, Fill[]> => {
  const index = new Map<string, Fill[]>();
  for (const fill of allFills(module)) enter(index, fill);
  return index;
});

const byCall = perModule((module: ModuleScopes): Map<Expr, (Addition | Entry)[]> => {
  const out = new Map<Expr, (Addition | Entry)[]>();
  for (const { object, values } of allFills(module))
    if (object.kind === 'Call') out.set(object, [...(out.get(object) ?? []), ...values]);
  return out;
});

/** What is put into the result of a call: `jobs().append(run)`. */
export function fillsOfCall({ node, scope }: CallPlace): readonly (Addition | Entry)[] {
  return byCall(scope.module).get(node) ?? [];
}

function stored(at: Place, key: Expr): Addition | Entry {
  return key.kind === 'Slice' ? { at, spread: true } : { at, key: constantKey(key) };
}

/** What a name of a container is imported as. */
export function importOf(id: string, scope: Scope): Extract<Binding, { kind: 'from' }> | null {
  const found = findScope(id, scope)
    ?.bindings.get(id)
    ?.find((b) => b.kind === 'from');
  return found?.kind === 'from' ? found : null;
}

/** The modules read so far that put something into a container of a name (as in `fillsIn`), in the order of reading. */
export const modulesFilling = modulesByName((m) => fillsIn(m).keys());

function enter(index: Map<string, Fill[]>, fill: Fill): void {
  const { object } = fill;
  const inside = entryOf(object);
  const last = lastNameOf(inside ? inside.container : object);
  if (last === '') return;
  push(index, inside ? `[]${last}` : last, fill);
  // `from registry import JOBS as ALL`
  const from = object.kind === 'Name' ? importOf(object.id, fill.scope) : null;
  if (from && from.member !== last) push(index, from.member, fill);
}

type At = (e: Expr) => Place;

const one =
  (index: number) =>
  (call: Call, at: At): Addition[] => {
    const e = call.args[index];
    return e && e.kind !== 'Starred' ? [{ at: at(e), spread: false }] : [];
  };

const spread = (call: Call, at: At): Addition[] =>
  call.args.map((e) => ({ at: at(e.kind === 'Starred' ? e.value : e), spread: true }));

function keyed({ args: [key, value] }: Call, at: At): Entry[] {
  return key && value ? [{ at: at(value), key: constantKey(key) }] : [];
}

/** Functions that put their second argument into their first. */
export const INSERTING: ReadonlySet<string> = new Set([
  'heappush',
  'heappushpop',
  'heapreplace',
  'insort',
  'insort_left',
  'insort_right',
]);

const METHODS: Readonly<Record<string, ((call: Call, at: At) => (Addition | Entry)[]) | undefined>> = {
  __proto__: null as never,
  append: one(0),
  appendleft: one(0),
  add: one(0),
  put: one(0),
  put_nowait: one(0),
  insert: one(1),
  extend: spread,
  extendleft: spread,
  update: (call, at) => [
    ...call.args.flatMap((e): (Addition | Entry)[] => (e.kind === 'Dict' ? entries(e, at) : spread(call, at))),
    ...call.keywords.flatMap((k): Entry[] => (k.arg === null ? [] : [{ at: at(k.value), key: k.arg }])),
  ],
  setdefault: keyed,
  __setitem__: keyed,
};

function entries(dict: Extract<Expr, { kind: 'Dict' }>, at: At): Entry[] {
  return dict.values.flatMap((v, i) => (dict.keys[i] ? [{ at: at(v), key: constantKey(dict.keys[i]) }] : []));
}

/** `jobs["x"]`, `jobs.get("x", [])`, `jobs.setdefault("x", [])`: the entry of a mapping. */
export function entryOf(e: Expr): { container: Expr; key: string | number | null } | null {
  if (e.kind === 'Subscript') return { container: e.value, key: constantKey(e.slice) };
  if (e.kind !== 'Call' || e.func.kind !== 'Attribute' || !e.args[0]) return null;
  return e.func.attr === 'get' || e.func.attr === 'setdefault'
    ? { container: e.func.value, key: constantKey(e.args[0]) }
    : null;
}
