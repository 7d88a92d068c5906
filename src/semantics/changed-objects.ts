/**
 * Which objects a statement changes: `sup.jobs.append(run)` where a function made `sup`, or is given it by those who
 * call it.
 */
import { tail } from '../model/identifier.ts';
import type { Evaluator } from './evaluate.ts';
import { argumentFor } from './given.ts';
import { callsNamed, modulesCalling } from './lookups.ts';
import type { CallRecord, FunctionInfo, ModuleScopes } from './scopes.ts';
import type { Place, Value } from './values.ts';

/** How many functions may hand an object on. */
const MAX_STEPS = 4;
/** Of a name with so many calls it is not asked which are those of the function. */
const MANY = 64;

/** Which callers are asked, and how far back. */
interface Asked {
  steps?: number;
  among?: (m: ModuleScopes) => boolean;
}

/** What an expression may stand for, with what callers give for parameters, as far as they are known. */
export function objectsAt(ev: Evaluator, place: Place, { steps = MAX_STEPS, among = anyModule }: Asked = {}): Value[] {
  return [...ev.settled(ev.valueAt(place)).values()].flatMap(({ value }) => {
    if (value.k !== 'param' || value.role !== 'normal' || value.owner.type !== 'function' || steps === 0)
      return [value];
    const { owner, arg } = value;
    return callersOf(ev, owner, among).flatMap(({ call, skip }) => {
      const given = argumentFor(owner, arg, call.node, skip);
      return given && given !== 'unknown' ? objectsAt(ev, { ...call, node: given }, { steps: steps - 1, among }) : [];
    });
  });
}

const anyModule = (): boolean => true;

/** The calls of a function: in its own module, and, once all modules are read, in the others. */
export function callersOf(
  ev: Evaluator,
  fn: FunctionInfo,
  among: (m: ModuleScopes) => boolean = anyModule,
): { call: CallRecord; skip: number }[] {
  const ofClass = fn.node.name === '__init__' ? fn.cls : null;
  const name = ofClass ? ofClass.node.name : fn.node.name;
  ev.shared.touchCalls(fn.module, name);
  const modules = ev.shared.complete
    ? modulesCalling(ev.graph, name).filter((m) => m === fn.module || mayKnow(m, fn))
    : [fn.module];
  const calls = modules.filter(among).flatMap((m) => callsNamed(m, name));
  const out: { call: CallRecord; skip: number }[] = [];
  for (const call of calls.length > MANY ? [] : calls)
    for (const { value } of ev.value(call.node.func, call.scope, call.block).values())
      if (value.k === 'function' && value.fn === fn) out.push({ call, skip: value.self ? 1 : 0 });
      else if (value.k === 'class' && value.cls === ofClass) out.push({ call, skip: 1 });
  return out;
}

/** A function is called by who imports its module, a method by anybody who has an object. */
function mayKnow({ text }: ModuleScopes, { cls, module }: FunctionInfo): boolean {
  return cls !== null || text.includes(tail(module.name));
}
