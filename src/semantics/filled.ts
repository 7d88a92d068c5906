/** Containers that are filled step by step: `jobs.append(run_x())`, `jobs += [run_y()]`, `self.jobs["z"] = run_z`. */
import type { Call, Expr } from '../syntax/index.ts';
import { lineage } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { findScope, reaching, visibleFromOutside } from './reaching.ts';
import { type Binding, type Block, type ClassInfo, codeScope, type ModuleScopes, type Scope } from './scopes.ts';
import type { Place, Value } from './values.ts';

/** One addition to a list or set; `spread` when its elements are added, not itself. */
export interface Addition {
  at: Place;
  spread: boolean;
}

/** A value stored under a key (null: unknown). */
export interface Entry {
  at: Place;
  key: string | number | null;
}

/** A statement that puts something into a container. */
interface Fill {
  object: Expr;
  scope: Scope;
  block: Block;
  values: (Addition | Entry)[];
}

/** What is added to the container that a name or an attribute stands for. */
export function additions(ev: Evaluator, place: Place): Addition[] {
  return fillsOf(ev, place).filter((x): x is Addition => 'spread' in x);
}

/** The values stored under keys of the mapping that a name or an attribute stands for. */
export function storedEntries(ev: Evaluator, place: Place): Entry[] {
  return fillsOf(ev, place).filter((x): x is Entry => 'key' in x);
}

/** Another name of another name of a container: no further. */
const MAX_ALIASES = 4;

function fillsOf(ev: Evaluator, place: Place, depth = 0): (Addition | Entry)[] {
  const { node } = place;
  if (node.kind === 'Name') return ofName(ev, place, node.id, depth);
  return node.kind === 'Attribute' ? ofAttribute(ev, place, node) : [];
}

// ---- names ----

function ofName(ev: Evaluator, place: Place, id: string, depth: number): (Addition | Entry)[] {
  const where = findScope(id, place.scope);
  if (!where) return [];
  const mine = origins(where, id, place.scope, place.node.start, new Set());
  const out: (Addition | Entry)[] = [];
  if (where.kind === 'module') out.push(...ofOthers(ev, where.module, id));
  for (const b of mine) {
    if (b.kind === 'from') out.push(...ofImported(ev, b, 0));
    // `todo = JOBS`
    else if (b.kind === 'assign' && !b.path.length && depth < MAX_ALIASES)
      out.push(...fillsOf(ev, { node: b.value, scope: b.scope, block: b.block }, depth + 1));
  }
  for (const b of where.bindings.get(id) ?? []) {
    const grown = b.kind === 'augmented' && (b.op === '+' || b.op === '|') && mine.has(b);
    if (grown) out.push({ at: { node: b.value, scope: b.scope, block: b.block }, spread: true });
  }
  for (const fill of indexOf(place.scope.module).get(id) ?? []) {
    if (fill.object.kind !== 'Name' || findScope(id, fill.scope) !== where) continue;
    // a function may run at any time
    const here = codeScope(fill.scope) === where && codeScope(place.scope) === where;
    const theirs = here ? origins(where, id, fill.scope, fill.object.start, new Set()) : mine;
    if ([...theirs].some((b) => mine.has(b))) out.push(...fill.values);
  }
  return out;
}

/** What the module that an import leads to puts into its container. */
function ofImported(ev: Evaluator, b: Extract<Binding, { kind: 'from' }>, depth: number): (Addition | Entry)[] {
  const from = ev.graph.load(b.scope.module, b.level, b.module);
  return from?.k === 'module' && depth < 8 ? ofModule(ev, from.module, b.member, depth) : [];
}

function ofModule(ev: Evaluator, module: ModuleScopes, id: string, depth: number): (Addition | Entry)[] {
  const out = ofOthers(ev, module, id);
  for (const b of visibleFromOutside(module.scope, id))
    if (b.kind === 'from') out.push(...ofImported(ev, b, depth + 1));
  for (const fill of indexOf(module).get(id) ?? [])
    if (fill.object.kind === 'Name' && findScope(id, fill.scope) === module.scope) out.push(...fill.values);
  return out;
}

/** What other modules put in: `from .registry import JOBS`, or `registry.JOBS`. Known when all of them are read. */
function ofOthers(ev: Evaluator, home: ModuleScopes, id: string): (Addition | Entry)[] {
  ev.shared.touch(home, id);
  if (!ev.shared.complete) return [];
  const memo = others.get(ev) ?? new Map<string, (Addition | Entry)[]>();
  others.set(ev, memo);
  const key = `${home.file}:${id}`;
  const known = memo.get(key);
  if (known) return [...known];
  const out: (Addition | Entry)[] = [];
  memo.set(key, out);
  for (const m of ev.graph.modules()) {
    if (m === home || !m.text.includes(id)) continue;
    for (const { object, scope, block, values } of indexOf(m).get(id) ?? []) {
      const same =
        object.kind === 'Attribute'
          ? [...ev.value(object.value, scope, block).values()].some(
              ({ value }) => value.k === 'module' && value.module === home,
            )
          : isImported(ev, findScope(id, scope), home, id);
      if (same) out.push(...values);
    }
  }
  return [...out];
}

/** Of each analysis by itself, by container. */
const others = new WeakMap<Evaluator, Map<string, (Addition | Entry)[]>>();

function isImported(ev: Evaluator, where: Scope | null, home: ModuleScopes, id: string): boolean {
  return (where?.bindings.get(id) ?? []).some((b) => {
    const from = b.kind === 'from' && b.member === id ? ev.graph.load(b.scope.module, b.level, b.module) : null;
    return from?.k === 'module' && from.module === home;
  });
}

/** The bindings that can have made the container: `rows += […]` goes on with the one before. */
function origins(where: Scope, id: string, scope: Scope, pos: number, into: Set<Binding>): Set<Binding> {
  for (const b of reaching(where, id, scope, pos)) {
    if (into.has(b)) continue;
    into.add(b);
    if (b.kind === 'augmented') origins(where, id, b.scope, b.value.parent!.start, into);
  }
  return into;
}

// ---- attributes ----

function ofAttribute(ev: Evaluator, place: Place, node: Extract<Expr, { kind: 'Attribute' }>): (Addition | Entry)[] {
  const owners = [...ev.value(node.value, place.scope, place.block).values()];
  const shared = owners.flatMap(({ value }) => (value.k === 'module' ? ofModule(ev, value.module, node.attr, 0) : []));
  const classes = classesIn(owners);
  if (!classes.length) return shared;
  const modules = new Set(classes.flatMap((c) => lineage(ev, c).map((l) => l.module)));
  const out: (Addition | Entry)[] = [];
  for (const m of modules) {
    for (const { object, scope, block, values } of indexOf(m).get(node.attr) ?? []) {
      if (object.kind !== 'Attribute') continue;
      const theirs = classesIn(ev.value(object.value, scope, block).values());
      if (theirs.some((t) => classes.some((c) => lineage(ev, c).includes(t) || lineage(ev, t).includes(c))))
        out.push(...values);
    }
  }
  return [...shared, ...out];
}

function classesIn(values: Iterable<{ value: Value }>): ClassInfo[] {
  return [...values].flatMap(({ value }) => (value.k === 'instance' || value.k === 'class' ? [value.cls] : []));
}

// ---- the statements of a module ----

const indexes = new WeakMap<ModuleScopes, Map<string, Fill[]>>();

/** By the last name of the container. */
function indexOf(module: ModuleScopes): Map<string, Fill[]> {
  let index = indexes.get(module);
  if (!index) {
    index = new Map();
    for (const { object, key, value, scope, block } of module.stores)
      enter(index, { object, scope, block, values: [{ at: { node: value, scope, block }, key: constantOf(key) }] });
    for (const { node, scope, block } of module.calls) {
      const { func } = node;
      const fills = func.kind === 'Attribute' ? METHODS[func.attr] : undefined;
      if (func.kind !== 'Attribute' || !fills) continue;
      const values = fills(node, (e) => ({ node: e, scope, block }));
      if (values.length) enter(index, { object: func.value, scope, block, values });
    }
    indexes.set(module, index);
  }
  return index;
}

function enter(index: Map<string, Fill[]>, fill: Fill): void {
  const { object } = fill;
  const name = object.kind === 'Name' ? object.id : object.kind === 'Attribute' ? object.attr : null;
  if (name === null) return;
  const list = index.get(name);
  if (list) list.push(fill);
  else index.set(name, [fill]);
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

const METHODS: Readonly<Record<string, ((call: Call, at: At) => (Addition | Entry)[]) | undefined>> = {
  __proto__: null as never,
  append: one(0),
  appendleft: one(0),
  add: one(0),
  put_nowait: one(0),
  insert: one(1),
  extend: spread,
  extendleft: spread,
  update: (call, at) => [
    ...call.args.flatMap((e): (Addition | Entry)[] => (e.kind === 'Dict' ? entries(e, at) : spread(call, at))),
    ...call.keywords.flatMap((k): Entry[] => (k.arg === null ? [] : [{ at: at(k.value), key: k.arg }])),
  ],
  setdefault: ({ args: [key, value] }, at) => (key && value ? [{ at: at(value), key: constantOf(key) }] : []),
};

function entries(dict: Extract<Expr, { kind: 'Dict' }>, at: At): Entry[] {
  return dict.values.flatMap((v, i) => (dict.keys[i] ? [{ at: at(v), key: constantOf(dict.keys[i]) }] : []));
}

function constantOf(key: Expr): string | number | null {
  return key.kind === 'Constant' && (typeof key.value === 'string' || typeof key.value === 'number') ? key.value : null;
}
