/** Containers that are filled step by step: `jobs.append(run_x())`, `jobs += [run_y()]`, `self.jobs["z"] = run_z`. */
import type { Attribute, Expr } from '../syntax/index.ts';
import { type Alias, aliasesOf, namesOfCall, siblingsOf, sourcesOf, wholeValue } from './aliases.ts';
import { isModule, modulesStoring } from './attribute-stores.ts';
import { callersOf, objectsAt } from './changed-objects.ts';
import { isProperty, lineage, ownBindings } from './classes.ts';
import { aliasesOfEntry, ofEntry, viewedBy } from './entry-fills.ts';
import type { Evaluator } from './evaluate.ts';
import { type Addition, type Entry, entryOf, fillsIn, fillsOfCall, importOf, modulesFilling } from './fills.ts';
import { heirsKnown } from './heirs.ts';
import { attributeLoadsOf } from './lookups.ts';
import { findScope, reaching, usesOf, visibleFromOutside } from './reaching.ts';
import { isReplacedIn } from './replaced.ts';
import {
  type AttributeStore,
  type Binding,
  type Block,
  type ClassInfo,
  codeScope,
  type FunctionInfo,
  type ModuleScopes,
  methodScope,
  type Scope,
} from './scopes.ts';
import { classesIn, idOf, type Place } from './values.ts';

/** What is added to the container that a name or an attribute stands for. */
export function additions(ev: Evaluator, place: Place): Addition[] {
  return fillsOf(ev, place).filter((x): x is Addition => 'spread' in x);
}

/** The values stored under keys of the mapping that a name or an attribute stands for. */
export function storedEntries(ev: Evaluator, place: Place): Entry[] {
  return fillsOf(ev, place).filter((x): x is Entry => 'key' in x);
}

/** `seen`: bindings and attributes whose fills are collected already; one object may go by many names. */
function fillsOf(ev: Evaluator, place: Place, seen: Set<Binding | string> = new Set()): (Addition | Entry)[] {
  const { node } = place;
  if (node.kind === 'Name') return ofName(ev, place, node.id, seen);
  const inside = entryOf(node);
  if (inside) return ofEntryOf(ev, { ...place, node: inside.container }, inside.key, seen);
  return node.kind === 'Attribute' ? ofAttribute(ev, { ...place, node: node.value }, node.attr, seen) : [];
}

/** Of the container in a mapping, under whatever name. */
function ofEntryOf(
  ev: Evaluator,
  mapping: Place,
  key: string | number | null,
  seen: Set<Binding | string>,
): (Addition | Entry)[] {
  const named = aliasesOfEntry(ev, mapping, key).flatMap((alias) => ofAlias(ev, alias, seen));
  return [...ofEntry(ev, mapping, key), ...named];
}

/** The same, under a name that the object got. */
function ofAlias(ev: Evaluator, alias: Alias, seen: Set<Binding | string>): (Addition | Entry)[] {
  if ('object' in alias) return ofAttribute(ev, alias.object, alias.attr, seen);
  if ('returnedBy' in alias) return ofResult(ev, alias.returnedBy, seen);
  const { binding: b, cls } = alias;
  if (cls) return ofMembers(ev, [cls], b.name, seen);
  const where = findScope(b.name, b.scope);
  if (!where) return [];
  const mine = new Set<Binding>([b]);
  for (const more of where.bindings.get(b.name) ?? [])
    if (more.kind === 'augmented' && origins(where, more.name, more.scope, more.value.parent!.start, new Set()).has(b))
      mine.add(more);
  return ofBindings(ev, { where, id: b.name, mine, scope: where }, seen);
}

/** Of what a function hands back, or a property: whoever asks for it has the object. */
function ofResult(ev: Evaluator, fn: FunctionInfo, seen: Set<Binding | string>): (Addition | Entry)[] {
  const key = `${idOf(fn)}()`;
  if (seen.has(key)) return [];
  seen.add(key);
  if (fn.cls && isProperty(fn)) return ofMembers(ev, [fn.cls], fn.node.name, seen);
  return callersOf(ev, fn).flatMap(({ call }) => [
    ...fillsOfCall(call),
    ...namesOfCall(call).flatMap((alias) => ofAlias(ev, alias, seen)),
  ]);
}

function ofSources(ev: Evaluator, b: Binding, seen: Set<Binding | string>): (Addition | Entry)[] {
  const value = wholeValue(b);
  const entry = value && entryOf(value);
  if (entry) return ofEntryOf(ev, { node: entry.container, scope: b.scope, block: b.block }, entry.key, seen);
  const viewed = b.kind === 'for' ? viewedBy(b.iter, b.path) : null;
  if (viewed && b.kind === 'for') return ofEntry(ev, { node: viewed, scope: b.iterScope, block: b.block }, null);
  const sources = value ? sourcesOf(value) : [];
  return sources.flatMap((node) => fillsOf(ev, { node, scope: b.scope, block: b.block }, seen));
}

// ---- names ----

function ofName(ev: Evaluator, place: Place, id: string, seen: Set<Binding | string>): (Addition | Entry)[] {
  const where = findScope(id, place.scope);
  if (!where) return [];
  const mine = origins(where, id, place.scope, place.node.start, new Set());
  const out: (Addition | Entry)[] = [];
  if (where.kind === 'module') out.push(...ofOthers(ev, where.module, id));
  for (const b of mine) if (b.kind === 'from') out.push(...ofImported(ev, b, 0));
  out.push(...ofBindings(ev, { where, id, mine, scope: place.scope }, seen));
  return out;
}

/** Some bindings of a name, as they are seen from the code of `scope`. */
interface Bound {
  where: Scope;
  id: string;
  mine: ReadonlySet<Binding>;
  scope: Scope;
}

function ofBindings(
  ev: Evaluator,
  { where, id, mine, scope }: Bound,
  seen: Set<Binding | string>,
): (Addition | Entry)[] {
  const fresh = [...mine].filter((b) => !seen.has(b));
  if (!fresh.length) return [];
  for (const b of fresh) seen.add(b);
  const out: (Addition | Entry)[] = [];
  for (const b of where.bindings.get(id) ?? []) {
    const grown = b.kind === 'augmented' && (b.op === '+' || b.op === '|') && mine.has(b);
    if (grown) out.push({ at: { node: b.value, scope: b.scope, block: b.block }, spread: true });
  }
  const isMine = (of: Scope, pos: number): boolean => {
    // a function may run at any time
    const here = codeScope(of) === where && codeScope(scope) === where;
    const theirs = here ? origins(where, id, of, pos, new Set()) : mine;
    return [...theirs].some((b) => mine.has(b));
  };
  for (const fill of fillsIn(where.module).get(id) ?? [])
    if (fill.object.kind === 'Name' && findScope(id, fill.scope) === where && isMine(fill.scope, fill.object.start))
      out.push(...(where.kind === 'function' ? owned(fill.values) : fill.values));
  for (const b of fresh) {
    out.push(...ofSources(ev, b, seen));
    for (const alias of siblingsOf(b)) out.push(...ofAlias(ev, alias, seen));
  }
  for (const load of usesOf(where, id))
    if (isMine(load.scope, load.node.start))
      for (const alias of aliasesOf(ev, load)) out.push(...ofAlias(ev, alias, seen));
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
    else if (b.kind === 'augmented') out.push(...grownBefore(module.scope, b));
  for (const fill of fillsIn(module).get(id) ?? [])
    if (fill.object.kind === 'Name' && findScope(id, fill.scope) === module.scope) out.push(...fill.values);
  return out;
}

/** What `rows += […]` has added, from the statement that made the container on. */
function grownBefore(where: Scope, last: Extract<Binding, { kind: 'augmented' }>): Addition[] {
  const all = origins(where, last.name, last.scope, last.value.parent!.start, new Set<Binding>([last]));
  return [...all].flatMap((b) =>
    b.kind === 'augmented' ? [{ at: { node: b.value, scope: b.scope, block: b.block }, spread: true }] : [],
  );
}

/** What other modules put in: `from .registry import JOBS`, or `registry.JOBS`. Known when all of them are read. */
export function ofOthers(ev: Evaluator, home: ModuleScopes, id: string): (Addition | Entry)[] {
  ev.shared.touch(home, id);
  if (!ev.shared.complete) return [];
  const byContainer = others.get(ev) ?? new Map<string, (Addition | Entry)[]>();
  others.set(ev, byContainer);
  const key = `${home.file}:${id}`;
  const known = byContainer.get(key);
  if (known) return [...known];
  const out: (Addition | Entry)[] = [];
  byContainer.set(key, out);
  for (const m of modulesFilling(ev.graph, id)) {
    if (m === home) continue;
    for (const { object, scope, block, values } of fillsIn(m).get(id) ?? [])
      if (isFromOutside(ev, { node: object, scope, block }, home, id)) out.push(...values);
  }
  for (const m of modulesStoring(ev.graph, id))
    for (const store of m.attributeStores.get(id)!)
      if (m !== home && isModule(ev, { ...store, node: store.object }, home)) out.push(...replacing(store));
  return [...out];
}

/** Of each analysis by itself, by container. */
const others = new WeakMap<Evaluator, Map<string, (Addition | Entry)[]>>();

/** Is it a name of another module, as others write it? */
export function isFromOutside(ev: Evaluator, { node, scope, block }: Place, home: ModuleScopes, id: string): boolean {
  if (node.kind !== 'Attribute') return node.kind === 'Name' && isImported(ev, importOf(node.id, scope), home, id);
  return isModule(ev, { node: node.value, scope, block }, home);
}

/** `registry.JOBS = [run]`: beside what is there before. */
function replacing(store: AttributeStore): readonly Addition[] {
  const { value: node, scope, block } = store;
  const known = replaced.get(store) ?? (node ? [{ at: { node, scope, block }, spread: true }] : []);
  replaced.set(store, known);
  return known;
}

/** The very same, as long as the file is. */
const replaced = new WeakMap<AttributeStore, readonly Addition[]>();

function isImported(
  ev: Evaluator,
  b: Extract<Binding, { kind: 'from' }> | null,
  home: ModuleScopes,
  id: string,
): boolean {
  const from = b?.member === id ? ev.graph.load(b.scope.module, b.level, b.module) : null;
  return from?.k === 'module' && from.module === home;
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

function ofAttribute(ev: Evaluator, object: Place, attr: string, seen: Set<Binding | string>): (Addition | Entry)[] {
  const owners = [...ev.settled(ev.valueAt(object)).values()].map(({ value }) => value);
  const shared = owners.flatMap((value) => (value.k === 'module' ? ofModule(ev, value.module, attr, 0) : []));
  return [...shared, ...ofMembers(ev, classesIn(owners), attr, seen)];
}

/** What is put into an attribute of some classes, whichever object of them it is. */
function ofMembers(
  ev: Evaluator,
  all: readonly ClassInfo[],
  attr: string,
  seen: Set<Binding | string>,
): (Addition | Entry)[] {
  const classes = all.filter((c) => !seen.has(`${idOf(c)}.${attr}`));
  if (!classes.length) return [];
  for (const c of classes) seen.add(`${idOf(c)}.${attr}`);
  const lines = [...new Set(classes.flatMap((c) => lineage(ev, c)))];
  const related = new Set([...lines, ...classes.flatMap((c) => heirsKnown(ev, c))]);
  // most are `self` of other classes: one look at each is enough
  const isOthers = ({ value }: Attribute, scope: Scope): boolean => {
    const self = selfClassOf(value, scope);
    return self !== null && !related.has(self);
  };
  const isOurs = ({ value }: Attribute, scope: Scope, block: Block): boolean =>
    classesIn(objectsAt(ev, { node: value, scope, block })).some((t) => related.has(t));
  const out: (Addition | Entry)[] = [];
  const ofObject = lines.some((c) => c.scope.attributes.get(attr)?.some((b) => b.scope.self?.classMethod === false));
  for (const c of classes) ev.shared.touchField(c, attr);
  const others = ev.shared.complete ? modulesFilling(ev.graph, attr) : [];
  for (const m of new Set([...lines.map((l) => l.module), ...others])) {
    for (const { object, scope, block, values } of fillsIn(m).get(attr) ?? [])
      if (object.kind === 'Attribute' && !isOthers(object, scope) && isOurs(object, scope, block)) {
        const method = methodOf(object.value, scope);
        if (method && classes.every((c) => isReplacedIn(lineage(ev, c), method))) continue;
        out.push(...(ofObject && method ? owned(values) : values));
      }
    for (const load of attributeLoadsOf(m, attr)) {
      if (load.node.kind !== 'Attribute' || isOthers(load.node, load.scope)) continue;
      const aliases = aliasesOf(ev, load);
      if (aliases.length && isOurs(load.node, load.scope, load.block))
        for (const alias of aliases) out.push(...ofAlias(ev, alias, seen));
    }
  }
  for (const cls of lines)
    for (const b of [...(cls.scope.attributes.get(attr) ?? []), ...ownBindings(cls, attr)])
      out.push(...ofSources(ev, b, seen));
  return out;
}

function owned<T extends Addition | Entry>(values: readonly T[]): T[] {
  return values.map((v) => ({ ...v, own: true }));
}

/** The class of a `self` that is nothing else in its method. */
function selfClassOf(n: Expr, scope: Scope): ClassInfo | null {
  const method = methodOf(n, scope);
  const given = n.kind === 'Name' ? method?.scope.bindings.get(n.id) : undefined;
  return given?.length === 1 ? method!.cls : null;
}

/** The method around it of which it is the first parameter. */
function methodOf(n: Expr, scope: Scope): FunctionInfo | null {
  if (n.kind !== 'Name') return null;
  const method = methodScope(scope);
  return method?.self.name === n.id ? method.fn : null;
}
