/**
 * What is put into a container by way of another one that holds it: `for spec in SPECS: spec["run"] = other`,
 * `(jobs,)[0].append(run)`. There the container has no name of its own: what an expression stands for tells which it is.
 */
import type { Expr, Node } from '../syntax/index.ts';
import { wholeValue } from './aliases.ts';
import { objectsAt } from './changed-objects.ts';
import { viewedBy } from './entry-fills.ts';
import type { Evaluator } from './evaluate.ts';
import { type Addition, allFills, type Entry, entryOf, type Fill } from './fills.ts';
import { perModule } from './lookups.ts';
import { modulesByName } from './name-index.ts';
import { boundAt } from './reaching.ts';
import { type ModuleScopes, methodScope } from './scopes.ts';
import type { Place, Value } from './values.ts';

const MAX_DEPTH = 3;

type Display = Extract<Value, { k: 'display' }>['place'];

/** A container that is written down, and under which key (null: any) something is taken from it. */
interface Holder {
  display: Display;
  key: string | number | null;
}

/** What such statements put where an expression is taken from. */
export function putInside(ev: Evaluator, place: Place): Place[] {
  return holders(ev, place).flatMap(({ display, key }) =>
    modulesAround(ev, place, display).flatMap((m) =>
      fillsApart(m)
        .filter(({ object, scope, block }) =>
          displaysAt(ev, { node: object, scope, block }).some((d) => d.node === display.node),
        )
        .flatMap(({ values }) => values.filter((v) => mayBeAt(v, key)).map((v) => v.at)),
    ),
  );
}

function mayBeAt(v: Addition | Entry, key: Holder['key']): boolean {
  // what is added to a list comes after what is there
  if ('spread' in v) return !v.spread && (typeof key !== 'number' || key < 0);
  return key === null || v.key === null || v.key === key;
}

/** Where an expression comes out of. */
function holders(ev: Evaluator, { node, ...at }: Place, depth = 0): Holder[] {
  if (depth > MAX_DEPTH) return [];
  const inside = entryOf(node);
  const from = inside ?? taken(node);
  if (from) return held(ev, { ...at, node: from.container }, from.key);
  if (node.kind === 'NamedExpr') return holders(ev, { ...at, node: node.value }, depth + 1);
  return boundAt(node, at.scope).flatMap((b) => {
    const where = { scope: b.scope, block: b.block };
    if (b.kind === 'for') {
      const whole = viewedBy(b.iter, b.path) ?? (b.path.length ? null : b.iter);
      return whole ? held(ev, { ...where, scope: b.iterScope, node: whole }, null) : [];
    }
    const value = wholeValue(b);
    return value ? holders(ev, { ...where, node: value }, depth + 1) : [];
  });
}

/** `jobs.pop()` */
function taken(node: Expr): { container: Expr; key: null } | null {
  const isTaken = node.kind === 'Call' && node.func.kind === 'Attribute' && /^pop(left|item)?$/.test(node.func.attr);
  return isTaken && node.func.kind === 'Attribute' ? { container: node.func.value, key: null } : null;
}

function held(ev: Evaluator, place: Place, key: Holder['key']): Holder[] {
  return displaysAt(ev, place).map((display) => ({ display, key }));
}

/** The containers that an expression may be, also where it is taken from one that a function is handed. */
function displaysAt(ev: Evaluator, place: Place, depth = 0): Display[] {
  const direct = displaysIn(objectsAt(ev, place));
  if (direct.length || depth > MAX_DEPTH) return direct;
  const inside = entryOf(place.node);
  if (inside)
    return displaysAt(ev, { ...place, node: inside.container }, depth + 1).flatMap((d) =>
      displaysIn([...ev.elementsOf(d, [inside.key ?? '*'], true).values()].map((v) => v.value)),
    );
  return boundAt(place.node, place.scope).flatMap((b) =>
    b.kind === 'for' && !b.path.length
      ? displaysAt(ev, { node: b.iter, scope: b.iterScope, block: b.block }, depth + 1).flatMap((d) =>
          displaysIn([...ev.elementsOf(d, [], false).values()].map((v) => v.value)),
        )
      : [],
  );
}

function displaysIn(values: readonly Value[]): Display[] {
  return values.flatMap((v) => (v.k === 'display' ? [v.place] : []));
}

/** Those of its use, of the container, and which know its name. */
function modulesAround(ev: Evaluator, { scope: { module } }: Place, { node, scope }: Display): ModuleScopes[] {
  const names = boundTo(node);
  const near = new Set([module, scope.module]);
  for (const name of names) for (const m of modulesFillingApart(ev.graph, name)) near.add(m);
  return [...near];
}

/** The names that the statement around it binds. */
function boundTo(node: Node): string[] {
  let at: Node | null = node;
  while (at && at.kind !== 'Assign' && at.kind !== 'AnnAssign') at = at.parent;
  const targets = at?.kind === 'Assign' ? at.targets : at?.kind === 'AnnAssign' ? [at.target] : [];
  return targets.flatMap((t) => (t.kind === 'Name' ? [t.id] : []));
}

/** The statements that fill a container which has no name there. */
const fillsApart = perModule((m: ModuleScopes): Fill[] =>
  allFills(m).filter((f) => f.values.some(({ at }) => MAY_START.has(at.node.kind)) && isApart(f)),
);

/** The modules read so far with such statements in which a word stands. What is no ASCII counts as a letter. */
const modulesFillingApart = modulesByName((m) =>
  fillsApart(m).length ? new Set(m.text.match(/[\w\u0080-\uffff]+/g)) : [],
);

function isApart({ object, scope }: Fill): boolean {
  if (entryOf(object)) return true;
  if (object.kind === 'Attribute')
    return object.value.kind !== 'Name' || methodScope(scope)?.self.name !== object.value.id;
  return boundAt(object, scope).some((b) => b.kind === 'for');
}

/** What may be a function or a coroutine. */
const MAY_START: ReadonlySet<Expr['kind']> = new Set(['Name', 'Attribute', 'Lambda', 'Call', 'Subscript', 'IfExp']);
