/** Wrappers by fix-point: functions whose parameter ends up in a spawn, and their callers. */
import type { SpawnApiRow } from '../engine/contracts.ts';
import {
  argumentFor,
  type CallPlace,
  type FunctionInfo,
  type ModuleScopes,
  type Place,
  positionalArgs,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import {
  callsOf,
  type ModuleCalls,
  type ProjectCall,
  type SpawnArgument,
  type SpawnCall,
  spawnArgument,
} from './detect.ts';
import type { Project } from './project.ts';
import type { Alternative, ParameterMode, Targets } from './targets.ts';

/** A call that starts something: a spawn API itself, or a project wrapper. */
export interface SpawnEvent {
  module: ModuleScopes;
  call: CallPlace;
  /** The API row at the end of the chain. */
  row: SpawnApiRow;
  spawn: SpawnCall | null;
  /** The wrapper called, and the event inside it that passes its parameter on. */
  wrapper: { fn: FunctionInfo; arg: Arg; mode: ParameterMode; inner: SpawnEvent; self: boolean } | null;
  argument: SpawnArgument;
  /** How the argument is used: a coroutine, a callable, or an iterable of coroutines. */
  mode: ParameterMode;
  alternatives: Alternative[];
}

interface Flow {
  fn: FunctionInfo;
  arg: Arg;
  role: 'normal' | 'vararg' | 'kwarg';
  mode: ParameterMode;
  weak: boolean;
  event: SpawnEvent;
}

export interface FlowResult {
  /** Calls that are sites. */
  sites: SpawnEvent[];
  /** Forwarding calls inside wrappers. */
  forwards: SpawnEvent[];
  scheduled: SpawnCall[];
  calls: Map<ModuleScopes, ModuleCalls>;
  /** Texts that a caller of a wrapper holds (all of one entry), for a second look at files that were passed over. */
  wrapperWords: string[][];
}

export class SpawnFlow {
  private readonly calls = new Map<ModuleScopes, ModuleCalls>();
  private readonly byFunction = new Map<FunctionInfo, ProjectCall[]>();
  private readonly events: SpawnEvent[] = [];
  private readonly flows = new Map<string, Flow>();
  private readonly queue: Flow[] = [];
  private readonly seenCalls = new Set<string>();

  constructor(
    private readonly project: Project,
    private readonly targets: Targets,
  ) {}

  /** Scans a module, and the modules of functions that it hands coroutines to. */
  scan(module: ModuleScopes): void {
    if (this.calls.has(module)) return;
    const found = callsOf(this.project, module);
    this.calls.set(module, found);
    for (const spawn of found.spawns) this.add(this.directEvent(spawn));
    for (const call of found.project) this.addProjectCall(call);
  }

  private addProjectCall(call: ProjectCall): void {
    const { fn } = call.value;
    const list = this.byFunction.get(fn);
    if (list) list.push(call);
    else this.byFunction.set(fn, [call]);
    if (!this.calls.has(fn.module) && this.handsOverCoroutine(call)) this.scan(fn.module);
    for (const flow of this.flows.values()) if (flow.fn === fn) this.caller(call, flow);
  }

  /** Only a function that is given a coroutine or a coroutine function can be a wrapper that matters. */
  private handsOverCoroutine(call: ProjectCall): boolean {
    const { node } = call.call;
    for (const a of [...node.args, ...node.keywords.map((k) => k.value)]) {
      if (a.kind === 'Constant') continue;
      const expr = a.kind === 'Starred' ? a.value : a;
      if (expr.kind === 'GeneratorExp' || expr.kind === 'ListComp' || expr.kind === 'List' || expr.kind === 'Lambda')
        return true;
      for (const { value } of this.project.ev.value(expr, call.call.scope, call.call.block).values()) {
        if (
          value.k === 'coroutine' ||
          value.k === 'partial' ||
          value.k === 'display' ||
          value.k === 'result' ||
          value.k === 'param'
        )
          return true;
        if (value.k === 'function' && value.fn.node.isAsync) return true;
      }
    }
    return false;
  }

  private directEvent(spawn: SpawnCall): SpawnEvent {
    const { row } = spawn;
    const argument = spawnArgument(spawn.call, spawn.partial, row.argument.position, row.argument.keyword);
    const mode: ParameterMode = row.takes === 'callable' ? 'callable' : 'coroutine';
    return this.evaluated({
      module: spawn.module,
      call: spawn.call,
      row,
      spawn,
      wrapper: null,
      argument,
      mode,
      alternatives: [],
    });
  }

  private evaluated(event: SpawnEvent): SpawnEvent {
    const a = event.argument;
    if (a.kind === 'given')
      event.alternatives =
        event.mode === 'iterable' ? this.elements(a.place) : this.targets.resolve(a.place, event.mode === 'callable');
    else if (a.kind === 'starred' && a.place) event.alternatives = this.starred(a.place);
    return event;
  }

  private starred(place: Place): Alternative[] {
    return this.targets.resolve(place, false).filter((x) => x.kind === 'parameter');
  }

  private elements(place: Place): Alternative[] {
    return this.targets.elements(place);
  }

  private add(event: SpawnEvent): void {
    this.events.push(event);
    for (const a of event.alternatives) {
      if (a.kind !== 'parameter' || a.owner.type !== 'function') continue;
      this.register({ fn: a.owner, arg: a.arg, role: a.role, mode: a.mode, weak: a.weak, event });
    }
  }

  private register(flow: Flow): void {
    const key = `${flow.fn.module.file}:${flow.fn.node.start}:${flow.arg.start}:${flow.mode}`;
    const known = this.flows.get(key);
    if (known) {
      if (known.weak && !flow.weak) known.weak = false;
      return;
    }
    this.flows.set(key, flow);
    this.queue.push(flow);
  }

  /** Follows the callers of every wrapper until nothing new is found. */
  settle(): void {
    while (this.queue.length) {
      const flow = this.queue.shift()!;
      for (const call of this.byFunction.get(flow.fn) ?? []) this.caller(call, flow);
    }
  }

  private caller(call: ProjectCall, flow: Flow): void {
    const key = `${call.module.file}:${call.call.node.start}:${flow.fn.node.start}:${flow.arg.start}:${flow.mode}`;
    if (this.seenCalls.has(key)) return;
    this.seenCalls.add(key);
    const argument = this.argumentOf(call, flow);
    if (argument.kind === 'missing') return;
    const wrapper = { fn: flow.fn, arg: flow.arg, mode: flow.mode, inner: flow.event, self: call.value.self !== null };
    const event = this.evaluated({
      module: call.module,
      call: call.call,
      row: flow.event.row,
      spawn: null,
      wrapper,
      argument,
      mode: flow.mode,
      alternatives: [],
    });
    if (
      flow.weak &&
      !event.alternatives.some((a) => a.kind === 'coroutine' || a.kind === 'external' || a.kind === 'parameter')
    )
      return;
    this.add(event);
  }

  private argumentOf(call: ProjectCall, flow: Flow): SpawnArgument {
    const skip = call.value.self ? 1 : 0;
    if (flow.role === 'vararg')
      return spawnArgument(
        call.call,
        call.partial,
        positionalArgs(flow.fn.node.args).length - skip + flow.event.row.argument.position,
        flow.event.row.argument.keyword,
      );
    if (flow.role === 'kwarg') return spawnArgument(call.call, call.partial, 999, flow.event.row.argument.keyword);
    if (call.partial.length) {
      const index = positionalArgs(flow.fn.node.args).indexOf(flow.arg) - skip;
      return spawnArgument(call.call, call.partial, index < 0 ? 999 : index, flow.arg.arg);
    }
    const given = argumentFor(flow.fn, flow.arg, call.call.node, skip);
    if (given === 'unknown') {
      const star = call.call.node.args.find((a) => a.kind === 'Starred');
      return { kind: 'starred', place: star?.kind === 'Starred' ? { ...call.call, node: star.value } : null };
    }
    if (!given) return { kind: 'missing' };
    const keyword = call.call.node.keywords.some((k) => k.value === given);
    return { kind: 'given', place: { ...call.call, node: given }, keyword, inPartial: false };
  }

  result(): FlowResult {
    const sites: SpawnEvent[] = [];
    const forwards: SpawnEvent[] = [];
    for (const e of this.events) (this.isForward(e) ? forwards : sites).push(e);
    const scheduled = [...this.calls.values()].flatMap((c) => c.scheduled);
    const wrapperWords = [...this.flows.values()].flatMap((f) => callerWords(f.fn));
    return { sites, forwards, scheduled, calls: this.calls, wrapperWords };
  }

  private isForward(e: SpawnEvent): boolean {
    const params = e.alternatives.filter((a) => a.kind === 'parameter' && a.owner.type === 'function');
    if (!params.length) return false;
    const strong = params.some((a) => a.kind === 'parameter' && !a.weak);
    // a default that is spawned makes it a site as well as a wrapper
    if (e.alternatives.some((a) => a.kind === 'coroutine')) return false;
    if (strong) return true;
    return params.some(
      (a) => a.kind === 'parameter' && [...this.flows.values()].some((f) => f.arg === a.arg && this.hasCallers(f)),
    );
  }

  private hasCallers(f: Flow): boolean {
    return this.events.some((e) => e.wrapper?.fn === f.fn && e.wrapper.arg === f.arg);
  }
}

/** A caller names the function, and its class, module or package. */
function callerWords(fn: FunctionInfo): string[][] {
  const parts = fn.module.name.split('.').slice(-2);
  const owner = fn.cls ? [fn.cls.node.name, ...parts] : parts;
  return owner.filter((w) => w !== '').map((w) => [fn.node.name, w]);
}
