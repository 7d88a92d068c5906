/** What a call gives to the parameter of a wrapper. */
import type { SpawnApiRow } from '../engine/contracts.ts';
import {
  allArgs,
  argumentFor,
  type FunctionInfo,
  type LambdaInfo,
  type Place,
  positionalArgs,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import { type ProjectCall, type SpawnArgument, spawnArgument } from './detect.ts';
import type { ParameterMode } from './targets.ts';

/** A parameter that ends up in a spawn. */
interface WrapperParameter {
  fn: FunctionInfo | LambdaInfo;
  arg: Arg;
  role: 'normal' | 'vararg' | 'kwarg';
  mode: ParameterMode;
}

/** `spawned`: where the API at the end takes its coroutine, for arguments that are handed on as they are. */
export function wrapperArgument(
  { call, self, partial }: ProjectCall,
  { fn, arg, role, mode }: WrapperParameter,
  spawned: SpawnApiRow['argument'],
): SpawnArgument {
  const skip = self ? 1 : 0;
  const positional = positionalArgs(fn.node.args);
  if (role === 'normal') {
    if (partial.length) {
      const index = positional.indexOf(arg) - skip;
      return spawnArgument(call, partial, index < 0 ? 999 : index, arg.arg);
    }
    return named(call, argumentFor(fn as FunctionInfo, arg, call.node, skip));
  }
  const from = positional.length - skip;
  if (!mode.startsWith('iterable'))
    return spawnArgument(call, partial, role === 'vararg' ? from + spawned.position : 999, spawned.keyword);
  const own = new Set(allArgs(fn.node.args).map((a) => a.arg.arg));
  const nodes =
    role === 'vararg'
      ? call.node.args.slice(from)
      : call.node.keywords.flatMap((k) => (k.arg !== null && !own.has(k.arg) ? [k.value] : []));
  const places = nodes.map((node): Place => ({ ...call, node }));
  return places.length ? { kind: 'many', places } : { kind: 'missing' };
}

function named(call: ProjectCall['call'], given: ReturnType<typeof argumentFor>): SpawnArgument {
  if (given === 'unknown') {
    const star = call.node.args.find((a) => a.kind === 'Starred');
    return { kind: 'starred', place: star?.kind === 'Starred' ? { ...call, node: star.value } : null };
  }
  if (!given) return { kind: 'missing' };
  const keyword = call.node.keywords.some((k) => k.value === given);
  return { kind: 'given', place: { ...call, node: given }, keyword, inPartial: false };
}
