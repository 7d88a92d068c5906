/** Attributes that are set from outside: `app.state.spawn = spawn`, `bag.start = asyncio.create_task`. */
import { type Attribute, type Expr, encloses, type Node } from '../syntax/index.ts';
import { wholeValue } from './aliases.ts';
import { objectsAt } from './changed-objects.ts';
import { isSetter, lineage, ownBindings } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { modulesByName } from './name-index.ts';
import { boundAt, findScope } from './reaching.ts';
import { ofAnyObject } from './receivers.ts';
import {
  type AttributeStore,
  type Binding,
  type Block,
  type ClassInfo,
  codeScope,
  isWithin,
  type ModuleScopes,
  type Scope,
} from './scopes.ts';
import {
  add,
  classesIn,
  type Instance,
  isKnown,
  merge,
  type Place,
  unknown,
  type Value,
  type Values,
} from './values.ts';

/**
 * What an attribute holds where it is also set from outside: what was assigned alone where that always comes before, with
 * what it is otherwise (`known`) where it may; null when no assignment counts. `base`: the objects it is taken of.
 */
export function storedAttribute(ev: Evaluator, use: Use, base: Values, known: Values): Values | null {
  const { attr } = use.node;
  const stores = use.scope.module.attributeStores.get(attr) ?? [];
  const open = mayBeFunction(known) ? classesIn([...base.values()].map((v) => v.value)) : [];
  for (const cls of open) ev.shared.touchField(cls, attr);
  const others = open.length && ev.shared.complete ? modulesStoring(ev.graph, attr) : [];
  if (!stores.length && !others.length && !isSetElsewhere(use, base)) return null;
  const same = stores.filter((s) => isSame(s.object, s.scope, use.node.value, use.scope));
  const elsewhere = same.length ? null : storedElsewhere(ev, use, base, { others, except: NONE });
  if (elsewhere && !elsewhere.size) return null;
  const managed = isManaged(ev, base, attr);
  const { sure, may } = managed ? { sure: null, may: same } : onTheWay(same, use);
  const out: Values = new Map();
  const put = (s: AttributeStore): unknown => merge(out, assigned(ev, s), 'stored');
  if (sure) put(sure);
  else if (isKnown(known)) merge(out, known);
  // what callers give is there, too
  else if (hasParameter(known) && (managed || may.every((s) => !isHere(s, use)))) merge(out, asStored(known));
  // what nothing else is known of is at best what came before
  else if (may.every((s) => isHere(s, use) && doneAt(s) > use.node.start)) may.length = 0;
  else if (may.every((s) => isHere(s, use))) merge(out, known);
  may.forEach(put);
  if (!sure) merge(out, elsewhere ?? storedElsewhere(ev, use, base, { others, except: new Set(same) }), 'stored');
  return out.size ? out : null;
}

/** Does a setter, or a descriptor, have the last word on what is kept? */
function isManaged(ev: Evaluator, base: Values, attr: string): boolean {
  return [...base.values()].some(
    ({ value: v }) =>
      v.k === 'instance' && lineage(ev, v.cls).some((c) => ownBindings(c, attr).some((b) => isManaging(ev, b))),
  );
}

function isManaging(ev: Evaluator, b: Binding): boolean {
  if (b.kind === 'def') return isSetter(b.fn);
  if (wholeValue(b)?.kind !== 'Call') return false;
  return classesIn([...ev.binding(b).values()].map((v) => v.value)).some((c) => ownBindings(c, '__set__').length);
}

/** The modules read so far that set an attribute of a name from outside. */
export const modulesStoring = modulesByName((m) => m.attributeStores.keys());

/** Is it that module, by whatever name? */
export function isModule(ev: Evaluator, place: Place, module: ModuleScopes): boolean {
  return [...ev.valueAt(place).values()].some(({ value }) => value.k === 'module' && value.module === module);
}

/** Does it hold a function, as a field and not as a method? */
function mayBeFunction(known: Values): boolean {
  return [...known.values()].some(({ value }) => (value.k === 'function' ? !value.self : value.k === 'lambda'));
}

const NONE: ReadonlySet<AttributeStore> = new Set();

/** What a parameter is given is told together with the rest, where it comes out. */
function asStored(values: Values): Values {
  const out: Values = new Map();
  for (const { value, proof } of values.values())
    add(out, value.k === 'param' ? { ...value, stored: true } : value, proof);
  return out;
}

function hasParameter(values: Values): boolean {
  return [...values.values()].some(({ value }) => value.k === 'param');
}

interface Use {
  node: Attribute;
  scope: Scope;
  block: Block;
}

/** What is assigned. */
export function assigned(ev: Evaluator, { value, scope, block }: AttributeStore): Values {
  return value ? ev.value(value, scope, block) : unknown();
}

function isHere(s: AttributeStore, use: Use): boolean {
  return codeScope(s.scope) === codeScope(use.scope);
}

/** Where the assignment has come about: what it assigns may speak of what was there before. */
function doneAt({ value, pos }: AttributeStore): number {
  return Math.max(pos, value?.end ?? pos);
}

/** The last assignment that always comes before a use, and those that may come between. */
function onTheWay(same: readonly AttributeStore[], use: Use): { sure: AttributeStore | null; may: AttributeStore[] } {
  const { node } = use;
  const before = same.filter((s) => isHere(s, use) && doneAt(s) <= node.start);
  const sure = before.filter((s) => isWithin(use.block, s.block) && isCovered(use, s)).at(-1) ?? null;
  const may = same.filter((s) => {
    if (s === sure || !isHere(s, use)) return s !== sure;
    if (sure && s.pos < sure.pos) return false;
    return before.includes(s) || loopsAround(s.object, node).some((l) => !sure || !encloses(l, sure.object));
  });
  return { sure, may };
}

function loopsAround(a: Node, b: Node): Node[] {
  const out: Node[] = [];
  for (let n = b.parent; n && n.kind !== 'FunctionDef'; n = n.parent)
    if ((n.kind === 'For' || n.kind === 'While') && encloses(n, a)) out.push(n);
  return out;
}

/** Whatever the name may stand for at the use, it stood for where it was assigned to. */
function isCovered(use: Use, s: AttributeStore): boolean {
  const then = rootBindings(s.object, s.scope);
  return rootBindings(use.node.value, use.scope).every((b) => then.includes(b));
}

function rootBindings(e: Expr, scope: Scope): readonly Binding[] {
  return e.kind === 'Attribute' ? rootBindings(e.value, scope) : boundAt(e, scope);
}

/** Modules, beside the use's own, that know the object: its class's and the one where it was made. */
function modulesOf(of: Value): (ModuleScopes | undefined)[] {
  if (of.k === 'class') return [of.cls.module];
  return of.k === 'instance' ? [of.cls.module, of.call?.scope.module] : [];
}

/** Does any of those modules set an attribute of this name? Most names are set nowhere. */
function isSetElsewhere({ node }: Use, base: Values): boolean {
  for (const { value } of base.values())
    if (modulesOf(value).some((m) => m?.attributeStores.has(node.attr))) return true;
  return false;
}

/** What is put into the same object, or its class, under another name. */
function storedElsewhere(
  ev: Evaluator,
  use: Use,
  base: Values,
  { others, except }: { others: readonly ModuleScopes[]; except: ReadonlySet<AttributeStore> },
): Values {
  const out: Values = new Map();
  const { attr } = use.node;
  for (const { value: of } of base.values()) {
    if (of.k !== 'instance' && of.k !== 'class') continue;
    for (const m of new Set([use.scope.module, ...modulesOf(of), ...others])) {
      for (const s of m?.attributeStores.get(attr) ?? []) {
        if (except.has(s)) continue;
        for (const into of objectsAt(ev, { node: s.object, scope: s.scope, block: s.block })) {
          if (into.k === 'instance' && of.k === 'instance' && mayBeOne(ev, of, into)) merge(out, assigned(ev, s));
          if (into.k !== 'class' || !lineage(ev, of.cls).includes(into.cls)) continue;
          for (const { value, proof } of assigned(ev, s).values())
            add(
              out,
              of.k === 'instance' && value.k === 'function' && !value.self
                ? { ...value, self: of }
                : ofAnyObject(value),
              proof,
            );
        }
      }
    }
  }
  return out;
}

/** Made by the same call; where one is not known, of the same class. */
function mayBeOne(ev: Evaluator, a: Instance, b: Instance): boolean {
  if (a.call && b.call) return a.call.node === b.call.node;
  return a.call ? lineage(ev, a.cls).includes(b.cls) : lineage(ev, b.cls).includes(a.cls);
}

/** The same chain of attributes of a name that means the same in both places. */
function isSame(a: Expr, scopeOfA: Scope, b: Expr, scopeOfB: Scope): boolean {
  if (a.kind === 'Attribute' && b.kind === 'Attribute')
    return a.attr === b.attr && isSame(a.value, scopeOfA, b.value, scopeOfB);
  if (a.kind !== 'Name' || b.kind !== 'Name' || a.id !== b.id) return false;
  const where = findScope(a.id, scopeOfA);
  if (!where || where !== findScope(b.id, scopeOfB)) return false;
  const then = codeScope(scopeOfA) === where && codeScope(scopeOfB) === where ? rootBindings(a, scopeOfA) : [];
  return !then.length || rootBindings(b, scopeOfB).some((x) => then.includes(x));
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
