/** The calls that make objects of a class: what its fields hold, where only the class of an object is known. */
import { lineage, ownBindings } from './classes.ts';
import { CHANGING, changedField, copied } from './copies.ts';
import type { Evaluator } from './evaluate.ts';
import { fieldArgument, isModelClass } from './fields.ts';
import { heirsOf } from './heirs.ts';
import { callsNamed } from './lookups.ts';
import type { ModuleGraph } from './modules.ts';
import { modulesByName, modulesCalling } from './name-index.ts';
import type { Binding, CallRecord, ClassInfo, ModuleScopes } from './scopes.ts';
import { add, type Instance, type Place, unknown, type Values } from './values.ts';

type Annotated = Extract<Binding, { kind: 'annotated' }>;

/** Modules with calls that change a field or more, all under one name. */
const modulesChanging = modulesByName((m) =>
  CHANGING.some((name) => callsNamed(m, name).some(({ node }) => node.keywords.length)) ? ['*'] : [],
);

/** The modules read so far that may make objects of a class of a name, or change a copy of one. */
export function modulesMaking(graph: ModuleGraph, name: string): ModuleScopes[] {
  return [...modulesCalling(graph, name), ...modulesChanging(graph, '*')];
}

/** The objects that are made, in its own module, and, once all modules are read, in the others. */
function constructed(ev: Evaluator, cls: ClassInfo): Instance[] {
  ev.shared.touchCalls(cls);
  const modules = ev.shared.complete ? modulesCalling(ev.graph, cls.node.name) : [cls.module];
  const out: Instance[] = [];
  for (const m of modules)
    for (const call of callsNamed(m, cls.node.name))
      for (const { value } of ev.value(call.node.func, call.scope, call.block).values())
        if (value.k === 'class' && value.cls === cls) out.push({ k: 'instance', cls, call, viaSelf: false });
  return out;
}

/** What copies of such objects change a field to: `replace(spec, fn=other)`. */
function changes(ev: Evaluator, cls: ClassInfo, field: string): (Place | 'unknown')[] {
  const out: (Place | 'unknown')[] = [];
  for (const m of ev.shared.complete ? ev.graph.modules() : [cls.module])
    for (const name of CHANGING)
      for (const call of callsNamed(m, name))
        if (mayChange(call.node.keywords, field))
          for (const { value: copy } of copied(ev, call)?.values() ?? []) {
            if (copy.k !== 'instance' || !copy.copyOf || !lineage(ev, copy.cls).includes(cls)) continue;
            const given = changedField(ev, copy, field);
            if (given) out.push(given === 'unknown' ? given : given.place);
          }
  return out;
}

/** `text.replace("a", "b")` names no field. */
function mayChange(keywords: CallRecord['node']['keywords'], field: string): boolean {
  return keywords.some(({ arg }) => arg === null || arg === field || arg === 'update');
}

/**
 * What stands in a field of the objects of a class whose constructor is made from its fields; 'unknown' among it where a
 * call does not tell, null when there is no such field.
 */
export function fieldOf(ev: Evaluator, cls: ClassInfo, field: string): (Place | 'unknown')[] | null {
  if (!declaredIn(ev, cls, field) || !isModelClass(ev, cls)) return null;
  const heirs = heirsOf(ev, cls, field).filter((heir) => isModelClass(ev, heir));
  return [...[cls, ...heirs].flatMap((c) => madeWith(ev, c, field)), ...changes(ev, cls, field)];
}

function declaredIn(ev: Evaluator, cls: ClassInfo, field: string): Annotated | undefined {
  return lineage(ev, cls)
    .flatMap((c) => ownBindings(c, field))
    .find((b) => b.kind === 'annotated');
}

/** What the calls of one class put there. */
function madeWith(ev: Evaluator, cls: ClassInfo, field: string): (Place | 'unknown')[] {
  const declared = declaredIn(ev, cls, field);
  return constructed(ev, cls).flatMap((made): (Place | 'unknown')[] => {
    const given = fieldArgument(ev, made, field);
    if (given === 'unknown') return [given];
    if (given) return [given.place];
    return declared?.value ? [{ node: declared.value, scope: declared.scope, block: declared.block }] : [];
  });
}

/** The values that a field may hold beside its default, where only the class of the object is known. */
export function givenToField(ev: Evaluator, cls: ClassInfo, field: string): Values {
  const out: Values = new Map();
  for (const given of fieldOf(ev, cls, field) ?? [])
    for (const { value, proof } of (given === 'unknown' ? unknown('field') : ev.valueAt(given)).values())
      if (value.k === 'param') add(out, { ...value, stored: true }, proof);
      else if (value.k !== 'none' && proof !== 'cycle') add(out, value, proof);
  return out;
}
