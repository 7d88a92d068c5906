/** Calls of the helper that sets the project id: the coroutine inside, also when the definition is out of reach. */
import { tail } from '../model/identifier.ts';
import {
  argumentThrough,
  type CallPlace,
  type Evaluator,
  type Frame,
  type FramedPlace,
  type FunctionInfo,
  type Place,
  positionalArgs,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import type { Passage } from './alternatives.ts';
import { type HelperShape, TRUSTED } from './context.ts';
import { dottedName, type Project } from './project.ts';

/** What is given to a helper as its coroutine. */
export function helperArgument(
  ev: Evaluator,
  fn: FunctionInfo,
  helper: HelperShape,
  call: CallPlace,
  skip: number,
): Place | null {
  const arg = helperParameter(fn, helper.coroParam);
  const given = arg ? argumentThrough(ev, fn, arg, { place: call, skip, frame: null }) : null;
  return given && given !== 'unknown' ? given.place : null;
}

/** What is given to a helper as the project id, or the default of it. */
export function idArgument(ev: Evaluator, p: Passage, frame: Frame | null): FramedPlace | null {
  const { helper, call } = p;
  if (!helper) return null;
  if (p.of?.type === 'function') {
    const arg = helperParameter(p.of, helper.idParam);
    const given = arg ? argumentThrough(ev, p.of, arg, { place: call, skip: p.self ? 1 : 0, frame }) : null;
    if (given === 'unknown') return null;
    if (given) return given;
    return arg?.default ? { place: { ...call, node: arg.default }, frame: null } : null;
  }
  const node = call.node.keywords.find((k) => k.arg === helper.idParamName)?.value ?? call.node.args[helper.idParam];
  return node ? { place: { ...call, node }, frame } : null;
}

function helperParameter(fn: FunctionInfo, index: number): Arg | undefined {
  return [...positionalArgs(fn.node.args), ...fn.node.args.kwonly][index];
}

/** A call of the policy's helper whose definition is out of reach, trusted by its name. */
export function unresolvedHelper(project: Project, place: Place): Passage | null {
  const n = place.node;
  if (n.kind !== 'Call' || n.args.length < 1) return null;
  const name = dottedName(n.func);
  if (!name || tail(name) !== project.options.helper) return null;
  const external = [...project.ev.value(n.func, place.scope, place.block).values()].every(
    (v) => v.value.k === 'name' || v.value.k === 'unknown',
  );
  if (!external) return null;
  const helper: HelperShape = { ...TRUSTED, traceSwitches: [], buildsContext: false };
  return { of: null, name, call: { ...place, node: n }, self: null, helper, inner: { ...place, node: n.args[0]! } };
}
