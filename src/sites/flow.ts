/** Wrappers by fix-point: functions whose parameter ends up in a spawn, and their callers. */
import type { SpawnApiRow } from '../engine/contracts.ts';
import { tail } from '../model/identifier.ts';
import {
  type Container,
  type FunctionInfo,
  type Heirs,
  idOf,
  type LambdaInfo,
  type ModuleScopes,
  type Place,
  push,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import { dedupe, passing } from './alternatives.ts';
import { AttributeReceivers, attributeWords } from './attribute-receivers.ts';
import { besides } from './besides.ts';
import { decoratorsOf } from './decorated.ts';
import { callsOf, type ModuleCalls, type ProjectCall, type SpawnCall, spawnArgument } from './detect.ts';
import { callerWords, facadeWords } from './facades.ts';
import { HandedReceivers } from './handed-receivers.ts';
import { HandedWrappers } from './handed-wrappers.ts';
import { ImplicitCalls } from './implicit-calls.ts';
import { type Givers, isOnObject, withObjects } from './object-parameters.ts';
import { isReplaced, unknownIn } from './overrides.ts';
import type { Project } from './project.ts';
import { SpawnReach } from './reach.ts';
import { DecoratedFunctions, decoratedAt, fill, namedFunction, type Stored, takeStored } from './registrations.ts';
import { withReplaced } from './replaced.ts';
import { type Flow, type FlowResult, flowKey, isForward, makesTask, type SpawnEvent, useOf } from './spawn-events.ts';
import type { Alternative, ParameterMode, Targets } from './targets.ts';
import { wrapperArgument } from './wrapper-arguments.ts';

export type { FlowResult, SpawnEvent, WrapperUse } from './spawn-events.ts';

export class SpawnFlow {
  private readonly calls = new Map<ModuleScopes, ModuleCalls>();
  private readonly byFunction = new Map<FunctionInfo | LambdaInfo, readonly ProjectCall[]>();
  /** Calls of functions by the project functions that decorate them. */
  private readonly byDecorator = new Map<FunctionInfo, ProjectCall[]>();
  readonly events: SpawnEvent[] = [];
  private readonly flows = new Map<string, Flow>();
  private readonly flowsOf = new Map<FunctionInfo | LambdaInfo, Flow[]>();
  private readonly queue: Flow[] = [];
  private readonly seenCalls = new Set<string>();
  /** Events that depend on containers which other modules may fill. */
  private readonly open = new Map<SpawnEvent, ReadonlySet<Container>>();
  private readonly decoratedFunctions: DecoratedFunctions;
  private readonly reach: SpawnReach;
  private readonly handed: HandedReceivers;
  private readonly attributes: AttributeReceivers;
  private readonly handedWrappers: HandedWrappers;

  /** `files`: what is analysed anyway, as soon as a word of a spawn or of a wrapper stands in it. */
  constructor(
    private readonly project: Project,
    private readonly targets: Targets,
    private readonly files: ReadonlySet<string>,
  ) {
    this.reach = new SpawnReach(project);
    this.handed = new HandedReceivers(project);
    this.attributes = new AttributeReceivers(project);
    this.handedWrappers = new HandedWrappers(project);
    this.decoratedFunctions = new DecoratedFunctions(project);
  }

  /** Scans a module, and the modules of functions that it hands coroutines to. */
  scan(module: ModuleScopes): void {
    if (this.calls.has(module)) return;
    const found = this.project.ev.fact(module, module, 'calls', () => callsOf(this.project, module));
    this.calls.set(module, found);
    for (const spawn of found.spawns) this.add(this.directEvent(spawn));
    this.handed.note(found.open);
    this.attributes.note(found.attributes);
    // what is known of a function by now, before its calls of this module count; most functions lead nowhere
    let leading: Set<FunctionInfo | LambdaInfo> | null = null;
    for (const call of found.project) if (!this.calls.has(call.fn.module)) this.handedWrappers.note(call);
    for (const [fn, calls] of found.byFunction) {
      const before = this.byFunction.get(fn);
      this.byFunction.set(fn, before ? before.concat(calls) : calls);
      const decorated = fn.type === 'function' && decoratorsOf(this.project, fn).length > 0;
      if (decorated || this.flowsOf.has(fn) || this.leadsOut(fn)) leading = (leading ?? new Set()).add(fn);
    }
    if (leading) for (const call of found.project) if (leading.has(call.fn)) this.addProjectCall(call);
  }

  private addProjectCall(call: ProjectCall): void {
    const { fn } = call;
    if (this.leadsOut(fn) && this.reach.handsOverCoroutine(call)) this.scan(fn.module);
    for (const flow of this.flowsOf.get(fn) ?? []) this.caller(call, flow);
    if (fn.type === 'function') for (const d of decoratorsOf(this.project, fn)) this.addDecorated(d.fn, call);
  }

  private addDecorated(decorator: FunctionInfo, call: ProjectCall): void {
    push(this.byDecorator, decorator, call);
    if (!this.calls.has(decorator.module) && this.reach.mentionsSpawn(decorator.module)) this.scan(decorator.module);
    for (const flow of this.flowsOf.get(decorator) ?? []) this.decorated(call, flow);
  }

  /** Into a module that nobody asked for, and that may spawn. Constructors are given all sorts of things. */
  private leadsOut(fn: FunctionInfo | LambdaInfo): boolean {
    if (this.calls.has(fn.module) || this.files.has(fn.module.file)) return false;
    return fn.type === 'function' && fn.node.name === '__init__'
      ? this.reach.mentionsSpawn(fn.module)
      : this.reach.canSpawn(fn);
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
    const { result, on } = this.project.ev.shared.watched(() => this.startedNow(event));
    event.alternatives = [...result];
    event.found = result;
    if (on) this.open.set(event, on);
    return event;
  }

  /** By all modules that are read by now. */
  private startedNow(event: SpawnEvent): readonly Alternative[] {
    const { ev, memory } = this.project;
    const find = () => this.startedBy(event) ?? event.alternatives;
    return memory.stays ? ev.fact(event.module, event.call.node, `starts ${use(event)}`, find) : find();
  }

  /** All files are read: what other modules put into the containers is known now. */
  revisit(): void {
    this.project.ev.shared.settle();
    const unsure: (readonly [SpawnEvent, Alternative])[] = [];
    for (const [event, on] of this.open) {
      const again = { ...event };
      again.alternatives = [...this.startedNow(again)];
      const stored = takeStored(again);
      // a name out of nowhere was there before
      fill(
        event,
        again.alternatives.filter((x) => x !== again.standIn && (x.kind !== 'external' || x.q !== null)),
      );
      event.alternatives = dedupe(event.alternatives.filter((a) => !isReplaced(this.project.ev, a, again)));
      const ofClasses = [...on].every((c) => c.heirs || c.called || c.callers || c.field);
      unsure.push(...unknownIn(again, !ofClasses, stored.length > 0).map((a) => [event, a] as const));
      this.registerStored(stored, event);
    }
    this.open.clear();
    this.settle();
    for (const [event, left] of unsure) event.alternatives = dedupe([...event.alternatives, left]);
  }

  /** null where the argument tells nothing. */
  private startedBy({ argument: a, mode, row }: SpawnEvent): Alternative[] | null {
    const callable = mode.endsWith('callable');
    if (a.kind === 'given')
      return mode.startsWith('iterable')
        ? this.targets.elements(a.place, callable)
        : this.targets.resolve(a.place, callable);
    if (a.kind === 'many')
      return a.places.flatMap((p) =>
        p.node.kind === 'Starred'
          ? this.targets.elements({ ...p, node: p.node.value }, callable)
          : this.targets.resolve(p, callable),
      );
    return a.kind === 'starred' && a.place ? this.starred(a.place, row, callable) : null;
  }

  /** `create_task(*args)`: a parameter passed on, or the entries of a literal. */
  private starred(place: Place, row: SpawnApiRow, callable: boolean): Alternative[] {
    const passed = this.targets.resolve(place, callable).filter((x) => x.kind === 'parameter');
    if (passed.length) return passed;
    const { position, keyword } = row.argument;
    return this.targets.at(place, position, keyword, callable).filter((x) => x.kind === 'coroutine');
  }

  private add(event: SpawnEvent): void {
    this.events.push(event);
    this.registerStored(takeStored(event), event);
    for (const a of event.alternatives) {
      if (a.kind === 'parameter')
        this.register({ fn: a.owner, arg: a.arg, role: a.role, mode: a.mode, weak: a.weak, tested: a.tested, event });
    }
  }

  private registerStored(stored: readonly Stored[], site: SpawnEvent): void {
    for (const { owner: fn, arg, role, mode, passage, helpers = [], tested } of stored) {
      const around = passage && [passage, ...helpers];
      this.register({ fn, arg, role, mode, weak: true, tested, event: site, fills: site, around });
    }
  }

  private register(flow: Flow): void {
    const key = flowKey(flow);
    const known = this.flows.get(key);
    if (known) {
      if (known.weak && !flow.weak) known.weak = false;
      if (!flow.tested) known.tested = undefined;
      return;
    }
    this.flows.set(key, flow);
    push(this.flowsOf, flow.fn, flow);
    this.queue.push(flow);
  }

  /** Follows the callers of every wrapper, and of what is handed a loop, until nothing new is found. */
  settle(): void {
    do {
      this.follow();
      for (const spawn of this.handed.found(this.callersOf)) this.add(this.directEvent(spawn));
      for (const call of [...this.handed.calls(this.callersOf), ...this.attributes.calls()]) {
        this.byFunction.set(call.fn, this.callersOf(call.fn).concat(call));
        this.addProjectCall(call);
      }
    } while (this.queue.length || this.scanHanded());
  }

  /** Into modules that nobody asked for. */
  private scanHanded(): boolean {
    const more = this.handedOn().filter((m) => !this.files.has(m.file));
    for (const m of more) this.scan(m);
    return more.length > 0;
  }

  /** Modules that are handed a wrapper, and were not searched. */
  handedOn(): ModuleScopes[] {
    return this.handedWrappers.reached(this.flowsOf.keys(), (m) => this.calls.has(m));
  }

  private readonly callersOf = (fn: FunctionInfo | LambdaInfo): readonly ProjectCall[] => this.byFunction.get(fn) ?? [];

  private follow(): void {
    while (this.queue.length) {
      const flow = this.queue.shift()!;
      for (const call of this.byFunction.get(flow.fn) ?? []) this.caller(call, flow);
      if (flow.fn.type === 'function')
        for (const call of this.byDecorator.get(flow.fn) ?? []) this.decorated(call, flow);
    }
    const modules = [...this.calls.keys()];
    const implicit = new ImplicitCalls(this.project, modules);
    for (const flow of [...this.flows.values()].filter((f) => f.fills)) {
      for (const call of implicit.of(flow.fn)) this.caller(call, flow);
      if (flow.mode === 'callable') for (const module of modules) this.fillDecorated(module, flow, flow.fills!);
    }
  }

  /** `@register` above a coroutine function. */
  private fillDecorated(module: ModuleScopes, { fn: decorator, arg, around }: Flow, site: SpawnEvent): void {
    const found = this.decoratedFunctions.in(module, arg);
    const key = found.length ? `${module.file}:${decorator.module.file}:${arg.start}:${idOf(site)}` : '';
    if (!found.length || this.seenCalls.has(key)) return;
    this.seenCalls.add(key);
    const decorated = found.map((fn) => decoratedAt(site, fn, around?.[0]));
    fill(site, decorated, around);
  }

  private isNew(call: ProjectCall, flow: Flow): boolean {
    const { start, end } = call.call.node;
    // `jobs.add(a).add(b)`: two calls that begin together
    const key = `${call.module.file}:${start}:${end}:${flowKey(flow)}`;
    if (this.seenCalls.has(key)) return false;
    this.seenCalls.add(key);
    return true;
  }

  private caller(call: ProjectCall, flow: Flow): void {
    if (!this.isNew(call, flow)) return;
    const argument = wrapperArgument(call, flow, flow.event.row.argument);
    const others = besides(flow, argument);
    if (argument.kind === 'missing' && !others.length) return;
    const wrapper = useOf(flow, { self: call.self, partial: call.partial, decorates: false, likely: call.likely });
    const event = this.evaluated({
      module: call.module,
      call: call.call,
      row: flow.event.row,
      spawn: null,
      wrapper,
      argument,
      mode: flow.mode,
      alternatives: others,
    });
    if (argument.kind !== 'missing' && others.length) event.alternatives = dedupe([...event.alternatives, ...others]);
    if (flow.tested) {
      event.alternatives = event.alternatives.filter((a) => a.kind !== 'not-spawnable');
      if (!event.alternatives.length) return;
    }
    if (flow.fills) {
      fill(flow.fills, event.alternatives, flow.around);
      const handedOn = event.alternatives.filter((a): a is Stored => a.kind === 'parameter');
      // what the site puts around it, and tests of it, holds however many functions hand it on
      const { around = [], tested, fills } = flow;
      this.registerStored(
        handedOn.map((a) => ({ ...(around.reduce(passing, a) as Stored), tested: a.tested ?? tested })),
        fills,
      );
      return;
    }
    if (
      flow.weak &&
      !event.alternatives.some((a) => a.kind === 'coroutine' || a.kind === 'external' || a.kind === 'parameter')
    )
      return;
    this.add(event);
  }

  /** A decorator that spawns what it decorates: each call of the decorated function is a site. */
  private decorated(call: ProjectCall, flow: Flow): void {
    const { fn } = call;
    if (flow.fills || flow.mode !== 'callable' || fn.type !== 'function' || !fn.node.isAsync || !this.isNew(call, flow))
      return;
    const wrapper = useOf(flow, { self: null, partial: [], decorates: true });
    const frame = { fn, self: call.self, calls: [{ place: call.call, skip: call.self ? 1 : 0, frame: null }] };
    this.add({
      module: call.module,
      call: call.call,
      row: flow.event.row,
      spawn: null,
      wrapper,
      argument: { kind: 'given', place: { ...call.call, node: call.call.node.func }, keyword: false, inPartial: false },
      mode: 'callable',
      alternatives: [{ kind: 'coroutine', fn, frame, name: fn.node.name, through: [] }],
    });
  }

  private readonly givers: Givers = {
    callersOf: this.callersOf,
    classesBelow: (arg) => [...this.calls.keys()].flatMap((m) => this.decoratedFunctions.classesIn(m, arg)),
  };

  result(): FlowResult {
    const sites: SpawnEvent[] = [];
    const forwards: SpawnEvent[] = [];
    const called = new Set<Arg>();
    for (const e of this.events) if (e.wrapper) called.add(e.wrapper.arg);
    this.handed.settle(this.callersOf);
    for (const e of this.events)
      if (isForward(e, called)) forwards.push(e);
      else if (!makesTask(e)) sites.push(withReplaced(this.targets, withObjects(this.targets, e, this.givers)));
    return { sites, forwards, scheduled: [...this.calls.values()].flatMap((c) => c.scheduled), calls: this.calls };
  }

  /** Texts that a caller of a wrapper holds (all of one entry), for a second look at files that were passed over. */
  words(): string[][] {
    const owners = this.events.flatMap((e) =>
      e.alternatives.flatMap((a) => (isOnObject(a) ? [namedFunction(a.object.owner)] : [])),
    );
    const asked = [
      ...[...this.flows.values()].map((f) => (f.fills ? namedFunction(f.fn) : f.fn)),
      ...owners,
      ...this.handed.owners(this.callersOf),
    ];
    const named = asked.filter((fn) => fn.type === 'function');
    const { graph, memory } = this.project;
    const modules = [...this.calls.keys()];
    const facades = memory.recall('facades', [...named, ...modules], () => facadeWords(graph, modules, named));
    const words = [...named.flatMap(callerWords), ...facades, ...attributeWords(modules, named)];
    for (const { module, name, heirs, field } of [...this.open.values()].flatMap((on) => [...on]))
      if (!heirs) words.push([field?.attr ?? name, tail(module.name)]);
    return words;
  }

  /** Classes of which a subclass may have another method than what is known to be called. */
  overridable(): Heirs[] {
    return [...this.open.values()].flatMap((on) => [...on].flatMap(({ heirs }) => heirs ?? []));
  }
}

/** All that decides what a call starts, beside the call itself. */
function use({ argument: a, mode, row, alternatives }: SpawnEvent): string {
  const places = a.kind === 'many' ? a.places : a.kind === 'missing' || !a.place ? [] : [a.place];
  const { position, keyword } = row.argument;
  const at = places.map(({ node }) => `${node.start}-${node.end}`);
  return `${a.kind} ${at} ${mode} ${position} ${keyword} ${alternatives.length}`;
}
