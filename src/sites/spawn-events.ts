/** What the search for spawns finds: calls that start something, and how they hang together. */
import type { SpawnApiRow } from '../engine/contracts.ts';
import {
  type CallPlace,
  type FunctionInfo,
  type Instance,
  idOf,
  type LambdaInfo,
  type ModuleScopes,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import type { ModuleCalls, SpawnArgument, SpawnCall } from './detect.ts';
import type { Alternative, ParameterMode, Passage } from './targets.ts';

/** A call that starts something: a spawn API itself, or a project wrapper. */
export interface SpawnEvent {
  module: ModuleScopes;
  call: CallPlace;
  /** The API row at the end of the chain. */
  row: SpawnApiRow;
  spawn: SpawnCall | null;
  wrapper: WrapperUse | null;
  argument: SpawnArgument;
  /** How the argument is used: a coroutine, a callable, or an iterable of either. */
  mode: ParameterMode;
  alternatives: Alternative[];
  /** What the argument alone tells; what others fill in is in `alternatives` only. */
  found?: readonly Alternative[];
  /** It stands among the alternatives as long as nobody knows what comes out of a container. */
  standIn?: Alternative;
}

/** The wrapper called, and the event inside it that passes its parameter on. */
export interface WrapperUse {
  fn: FunctionInfo | LambdaInfo;
  arg: Arg;
  mode: ParameterMode;
  inner: SpawnEvent;
  /** The instance that it is called on: the first parameter is bound. */
  self: Instance | null;
  partial: CallPlace[];
  /** It stands above the function as a decorator: the call is one of the decorated function. */
  decorates: boolean;
  /** Only its names tell that it is called. */
  likely?: true;
}

export interface FlowResult {
  /** Calls that are sites. */
  sites: SpawnEvent[];
  /** Forwarding calls inside wrappers. */
  forwards: SpawnEvent[];
  scheduled: SpawnCall[];
  calls: Map<ModuleScopes, ModuleCalls>;
}

/** A task factory makes `MyTask(coro)` of the coroutine that was spawned elsewhere. */
export function makesTask(e: SpawnEvent): boolean {
  return e.spawn?.proof === 'subclass' && e.alternatives.every((a) => a.kind === 'parameter' || a.kind === 'unknown');
}

/** `called`: parameters of wrappers that some call was found for. */
export function isForward(e: SpawnEvent, called: ReadonlySet<Arg>): boolean {
  const params = e.alternatives.filter((a) => a.kind === 'parameter');
  if (!params.length) return false;
  // a default that is spawned makes it a site, unless there are callers to show it
  if (e.alternatives.some((a) => a.kind === 'coroutine')) return params.some((a) => called.has(a.arg));
  return params.some((a) => !a.weak || called.has(a.arg));
}

/** A parameter that ends up in a spawn. */
export interface Flow {
  fn: FunctionInfo | LambdaInfo;
  arg: Arg;
  role: 'normal' | 'vararg' | 'kwarg';
  mode: ParameterMode;
  weak: boolean;
  event: SpawnEvent;
  /** Nothing but a coroutine, or what makes one, gets there: a test says so. */
  tested?: true;
  /** The site that takes from the container into which the parameter is put. */
  fills?: SpawnEvent;
  /** What the site puts around what it takes, from the inside out. */
  around?: readonly Passage[];
}

/** The wrapper of a flow, as one call uses it. */
export function useOf(
  { fn, arg, mode, event: inner }: Flow,
  call: Pick<WrapperUse, 'self' | 'partial' | 'decorates' | 'likely'>,
): WrapperUse {
  return { fn, arg, mode, inner, ...call };
}

export function flowKey({ fn, arg, mode, fills }: Flow): string {
  return `${fn.module.file}:${fn.node.start}:${arg.start}:${mode}:${fills ? idOf(fills) : ''}`;
}
