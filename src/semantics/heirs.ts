/** The classes that derive from one: in its own module, and, once all modules are read, in the others. */

import { byFile } from '../model/order.ts';
import { lastNameOf } from '../syntax/index.ts';
import { basesOf, lineage } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { importOf } from './fills.ts';
import { perModule, push } from './lookups.ts';
import type { ModuleGraph } from './modules.ts';
import { methods } from './receivers.ts';
import type { ClassInfo, FunctionInfo, ModuleScopes } from './scopes.ts';
import { add, type Instance, merge, type Place, type Value, type Values } from './values.ts';

/** The classes of a module by the last name of a base, as it is written and as it is imported. */
const derivedIn = perModule((m: ModuleScopes): Map<string, ClassInfo[]> => {
  const index = new Map<string, ClassInfo[]>();
  for (const cls of m.classes)
    for (const written of cls.node.bases) {
      const base = written.kind === 'Subscript' ? written.value : written;
      const name = lastNameOf(base);
      push(index, name, cls);
      const from = base.kind === 'Name' ? importOf(name, cls.outer) : null;
      if (from && from.member !== name) push(index, from.member, cls);
    }
  return index;
});

/** The names that a module gives to what has another name elsewhere: `from base import Worker as Base`. */
const renamedIn = perModule((m: ModuleScopes): [name: string, as: string][] => {
  const out: [string, string][] = [];
  for (const b of [...m.scope.bindings.values()].flat()) {
    const from = b.kind === 'from' ? b.member : b.kind === 'assign' && !b.path.length ? lastNameOf(b.value) : '';
    if (from !== '' && from !== b.name) out.push([from, b.name]);
  }
  return out;
});

interface Derived {
  seen: number;
  classes: Map<string, ClassInfo[]>;
  names: Map<string, string[]>;
}

const byName = new WeakMap<ModuleGraph, Derived>();

/** Of the modules read so far. */
function derived(graph: ModuleGraph): Derived {
  const index: Derived = byName.get(graph) ?? { seen: 0, classes: new Map(), names: new Map() };
  byName.set(graph, index);
  const all = graph.modules();
  for (; index.seen < all.length; index.seen++) {
    const m = all[index.seen]!;
    for (const [base, classes] of derivedIn(m)) for (const c of classes) push(index.classes, base, c);
    for (const [name, as] of renamedIn(m)) push(index.names, name, as);
  }
  return index;
}

/** The classes that have a base of a name, or of one that the name is changed into. */
function deriving(graph: ModuleGraph, name: string): ClassInfo[] {
  const { classes, names } = derived(graph);
  const all = new Set([name]);
  for (const n of all) for (const as of names.get(n) ?? []) all.add(as);
  return [...all].flatMap((n) => classes.get(n) ?? []);
}

/** Those of all modules that are read by now, nearest first. */
export function heirsSoFar(ev: Evaluator, cls: ClassInfo): ClassInfo[] {
  return closure(ev, cls, (c) => deriving(ev.graph, c.node.name));
}

function closure(ev: Evaluator, cls: ClassInfo, near: (of: ClassInfo) => readonly ClassInfo[]): ClassInfo[] {
  const out = new Set<ClassInfo>([cls]);
  for (const of of out) for (const c of near(of)) if (lineage(ev, c).includes(of)) out.add(c);
  out.delete(cls);
  return [...out];
}

/** Of each analysis by itself. */
const known = new WeakMap<Evaluator, Map<ClassInfo, readonly ClassInfo[]>>();

/** Other modules may define more as long as not all are read; what is asked of a method depends on them. */
export function heirsOf(ev: Evaluator, cls: ClassInfo, method: string): readonly ClassInfo[] {
  ev.shared.touchHeirs(cls, method);
  return heirsKnown(ev, cls);
}

/** The same for who asks for no method, and takes note of them by himself. */
export function heirsKnown(ev: Evaluator, cls: ClassInfo): readonly ClassInfo[] {
  if (!ev.shared.complete) return closure(ev, cls, (c) => derivedIn(cls.module).get(c.node.name) ?? []);
  const own = known.get(ev) ?? new Map<ClassInfo, readonly ClassInfo[]>();
  known.set(ev, own);
  const found = own.get(cls) ?? inOrder(heirsSoFar(ev, cls));
  own.set(cls, found);
  return found;
}

/** Whatever led to their modules first. */
function inOrder(classes: ClassInfo[]): ClassInfo[] {
  return classes.sort((a, b) => byFile(a.module, b.module) || a.node.start - b.node.start);
}

/** A method of a subclass, with the class whose objects have it. */
export interface Inherited {
  fn: FunctionInfo;
  cls: ClassInfo;
}

/** The methods of a name that objects of the subclasses have, each with the first class that has it. */
export function methodsOfHeirs(ev: Evaluator, self: Instance, name: string): Inherited[] {
  const out = new Map<FunctionInfo, ClassInfo>();
  for (const cls of heirsOf(ev, self.cls, name))
    for (const fn of methods(ev, { ...self, cls }, name)) if (!out.has(fn) || fn.cls === cls) out.set(fn, cls);
  return [...out].map(([fn, cls]) => ({ fn, cls }));
}

/** An object or a class that may be of a subclass. */
export type Heir = Instance | Extract<Value, { k: 'class' }>;

/** What objects of subclasses have under a name, where a subclass says it anew: an attribute, a property, a static method. */
export function membersOfHeirs(ev: Evaluator, self: Instance, name: string): Values {
  const out: Values = new Map();
  for (const { values } of membersOfEach(ev, self, name)) merge(out, values, 'inherited');
  return out;
}

/** The same, by the subclasses. */
export function membersOfEach(ev: Evaluator, self: Heir, name: string): { heir: ClassInfo; values: Values }[] {
  return heirsOf(ev, self.cls, name)
    .filter((cls) => cls.scope.bindings.has(name) || cls.scope.attributes.has(name))
    .map((cls) => ({ heir: cls, values: ev.attribute({ ...self, cls }, name, 'inherited') }));
}

/** `Base.__subclasses__()`: those that derive from it directly. */
export function subclasses(ev: Evaluator, base: Place): Values {
  const out: Values = new Map();
  for (const { value } of ev.valueAt(base).values())
    for (const cls of value.k === 'class' ? heirsOf(ev, value.cls, '__subclasses__') : [])
      if (value.k === 'class' && basesOf(ev, cls).includes(value.cls)) add(out, { k: 'class', cls }, 'element');
  return out;
}
