/** What is put into the containers that a mapping holds: `jobs["x"].append(run)`. */
import type { Expr } from '../syntax/index.ts';
import { type Alias, namesOfEntries } from './aliases.ts';
import { lineage, ownBindings } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { type Addition, type Entry, entryOf, fillsIn, modulesFilling } from './fills.ts';
import { findScope } from './reaching.ts';
import type { ClassInfo, ModuleScopes, Scope, Step } from './scopes.ts';
import type { Place } from './values.ts';

/** What is put into the container under a key (null: any) of a mapping. */
export function ofEntry(ev: Evaluator, mapping: Place, key: string | number | null): (Addition | Entry)[] {
  return saidOfEntry(ev, mapping, key, (m, name) =>
    (fillsIn(m).get(`[]${name}`) ?? []).map(({ object: node, values, ...at }) => [{ node, ...at }, values]),
  );
}

/** The names that this container is given. */
export function aliasesOfEntry(ev: Evaluator, mapping: Place, key: string | number | null): Alias[] {
  return saidOfEntry(ev, mapping, key, (m, name) =>
    (namesOfEntries(m).get(name) ?? []).map(({ entry, alias }) => [entry, [alias]]),
  );
}

/** What the modules around say of the entry; `found`: of any entry of a mapping of that name. */
function saidOfEntry<T>(
  ev: Evaluator,
  mapping: Place,
  key: string | number | null,
  found: (m: ModuleScopes, name: string) => [Place, readonly T[]][],
): T[] {
  const home = homeOf(ev, mapping);
  if (!home) return [];
  return [...modulesAround(ev, mapping, home)].flatMap((m) =>
    found(m, home.name).flatMap(([entry, said]) => (isEntry(ev, entry, home, key) ? said : [])),
  );
}

/** Is it taken from the mapping, under that key? */
function isEntry(ev: Evaluator, place: Place, home: Home, key: string | number | null): boolean {
  const inside = entryOf(place.node);
  if (!inside || (key !== null && inside.key !== null && key !== inside.key)) return false;
  const other = homeOf(ev, { ...place, node: inside.container });
  return other?.of === home.of && other.name === home.name;
}

/** Who holds a container, and under which name. */
interface Home {
  of: Scope | ClassInfo;
  name: string;
}

function homeOf(ev: Evaluator, { node, scope, block }: Place): Home | null {
  if (node.kind === 'Name') {
    const where = findScope(node.id, scope);
    const from = (where?.bindings.get(node.id) ?? []).find((b) => b.kind === 'from');
    if (from?.kind !== 'from') return where && { of: where, name: node.id };
    const got = ev.graph.load(from.scope.module, from.level, from.module);
    return got?.k === 'module' ? { of: got.module.scope, name: from.member } : null;
  }
  if (node.kind !== 'Attribute') return null;
  for (const { value } of ev.value(node.value, scope, block).values()) {
    if (value.k === 'module') return { of: value.module.scope, name: node.attr };
    if (value.k !== 'instance' && value.k !== 'class') continue;
    const holds = (c: ClassInfo): boolean => c.scope.attributes.has(node.attr) || ownBindings(c, node.attr).length > 0;
    const of = lineage(ev, value.cls).findLast(holds);
    if (of) return { of, name: node.attr };
  }
  return null;
}

/** The modules that may put something in: all of them for a container of a module, when they are read. */
function modulesAround(ev: Evaluator, mapping: Place, { of, name }: Home): Iterable<ModuleScopes> {
  const near = new Set([mapping.scope.module, of.module]);
  if (!('kind' in of) || of.kind !== 'module') return near;
  ev.shared.touch(of.module, name);
  if (ev.shared.complete) for (const m of modulesFilling(ev.graph, `[]${name}`)) near.add(m);
  return near;
}

/** `for fs in jobs.values()`, `for k, fs in jobs.items()`: the mapping. */
export function viewedBy(iter: Expr, path: readonly Step[]): Expr | null {
  if (iter.kind !== 'Call' || iter.func.kind !== 'Attribute') return null;
  const { attr, value } = iter.func;
  const isEntry = attr === 'values' ? !path.length : attr === 'items' && path.length === 1 && path[0] === 1;
  return isEntry ? value : null;
}
