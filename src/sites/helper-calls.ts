/** Calls of the helper that sets the project id: the coroutine inside, also when the definition is out of reach. */
import { argumentFor, type CallPlace, type FunctionInfo, type Place, positionalArgs } from '../semantics/index.ts';
import type { Passage } from './alternatives.ts';
import type { HelperShape } from './context.ts';
import { dottedName, type Project } from './project.ts';

/** What is given to a helper as its coroutine. */
export function helperArgument(fn: FunctionInfo, helper: HelperShape, call: CallPlace, skip: number): Place | null {
  const params = [...positionalArgs(fn.node.args), ...fn.node.args.kwonly];
  const arg = params[helper.coroParam];
  const given = arg ? argumentFor(fn, arg, call.node, skip) : null;
  return given && given !== 'unknown' ? { node: given, scope: call.scope, block: call.block } : null;
}

/** A call of the policy's helper whose definition is out of reach, trusted by its name. */
export function unresolvedHelper(project: Project, place: Place): Passage | null {
  const n = place.node;
  if (n.kind !== 'Call' || n.args.length < 1) return null;
  const name = dottedName(n.func);
  if (!name || name.slice(name.lastIndexOf('.') + 1) !== project.options.helper) return null;
  const external = [...project.ev.value(n.func, place.scope, place.block).values()].every(
    (v) => v.value.k === 'name' || v.value.k === 'unknown',
  );
  if (!external) return null;
  const helper: HelperShape = {
    coroParam: 0,
    idParam: 1,
    idParamName: 'project_id',
    returnsResult: true,
    setsTraceId: false,
    buildsContext: false,
  };
  return { of: null, name, call: { ...place, node: n }, self: null, helper, inner: { ...place, node: n.args[0]! } };
}
