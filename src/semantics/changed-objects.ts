/**
 * Which objects a statement changes: `sup.jobs.append(run)` where a function made `sup`, or is given it by those who
 * call it.
 */
import { tail } from '../model/identifier.ts';
import type { Evaluator } from './evaluate.ts';
import { argumentFor } from './given.ts';
import { callsNamed, perModule } from './lookups.ts';
import { modulesCalling } from './name-index.ts';
import type { CallRecord, ClassInfo, FunctionInfo, ModuleScopes } from './scopes.ts';
import type { Place, Value } from './values.ts';

/** How many functions may hand an object on. */
const MAX_STEPS = 4;
/** Of a name with so many calls it is not asked which are those of the function. */
const MANY = 64;
/** Of one that more modules call it is not even asked which of them know it. */
const MANY_MODULES = 512;

/** Which callers are asked, and how far back. */
interface Asked {
  steps?: number;
  /** Only those in modules where this stands. */
  naming?: string;
}

/** What an expression may stand for, with what callers give for parameters, as far as they are known. */
export function objectsAt(ev: Evaluator, place: Place, { steps = MAX_STEPS, naming }: Asked = {}): Value[] {
  return [...ev.settled(ev.valueAt(place)).values()].flatMap(({ value }) => {
    if (value.k !== 'param' || value.role !== 'normal' || value.owner.type !== 'function' || steps === 0)
      return [value];
    const { owner, arg } = value;
    return callersOf(ev, owner, naming).flatMap(({ call, skip }) => {
      const given = argumentFor(owner, arg, call.node, skip);
      return given && given !== 'unknown' ? objectsAt(ev, { ...call, node: given }, { steps: steps - 1, naming }) : [];
    });
  });
}

/** The calls of a function: in its own module, and, once all modules are read, in the others. */
export function callersOf(ev: Evaluator, fn: FunctionInfo, naming = ''): { call: CallRecord; skip: number }[] {
  ev.shared.touchCallers(fn, naming);
  const made = madeBy(fn);
  const out: { call: CallRecord; skip: number }[] = [];
  for (const call of mayCall(ev, fn, naming))
    for (const { value } of ev.value(call.node.func, call.scope, call.block).values())
      if (value.k === 'function' && value.fn === fn) out.push({ call, skip: value.self ? 1 : 0 });
      else if (value.k === 'class' && value.cls === made) out.push({ call, skip: 1 });
  return out;
}

/** The calls that may be of a function, by its name and by the modules that know it; none where these are too many. */
export function mayCall(ev: Evaluator, fn: FunctionInfo, naming: string): readonly CallRecord[] {
  const name = (madeBy(fn) ?? fn).node.name;
  const out: CallRecord[] = [];
  const modules = ev.shared.complete ? modulesCalling(ev.graph, name) : [fn.module];
  for (const m of modules.length > MANY_MODULES ? [] : modules) {
    if ((m === fn.module || mayKnow(m, fn)) && holdsText(m, naming)) out.push(...callsNamed(m, name));
    if (out.length > MANY) return [];
  }
  return out;
}

/** The class whose objects a function makes. */
function madeBy({ node, cls }: FunctionInfo): ClassInfo | null {
  return node.name === '__init__' ? cls : null;
}

/** A function is called by who imports its module, a method by anybody who has an object. */
function mayKnow(m: ModuleScopes, { cls, module }: FunctionInfo): boolean {
  return cls !== null || holdsText(m, tail(module.name));
}

/** Does a text stand in a module, as whatever? */
export function holdsText(m: ModuleScopes, name: string): boolean {
  const known = textsHeld(m);
  let is = known.get(name);
  if (is === undefined) {
    is = m.text.includes(name);
    known.set(name, is);
  }
  return is;
}

const textsHeld = perModule(() => new Map<string, boolean>());
