/** Background work that starts without a task of its own, and the program's entry points. */
import type { EntryPoint, ScheduledWork } from '../model/index.ts';
import { findScope, type ModuleScopes, type Place } from '../semantics/index.ts';
import type { Call, Node } from '../syntax/index.ts';
import { type SpawnCall, spawnArgument } from './detect.ts';
import { dottedName, type Project } from './project.ts';
import { schedulePeriod } from './schedule-period.ts';
import type { Targets } from './targets.ts';

export class Scheduled {
  constructor(
    private readonly project: Project,
    private readonly targets: Targets,
  ) {}

  of(spawn: SpawnCall): ScheduledWork[] {
    const { module, call, row } = spawn;
    const { line, column } = this.project.source(module).lines.position(call.node.start);
    const at = { file: module.file, line, column, how: row.api };
    if (row.callee === 'asyncio.gather') return this.gathered(spawn, at);
    if (row.argument.position < 0)
      return [{ ...at, target: decoratedName(call.node), periodSeconds: schedulePeriod(this.project, call) }];
    const argument = spawnArgument(call, spawn.partial, row.argument.position, row.argument.keyword);
    const target = argument.kind === 'given' ? this.written(argument.place) : null;
    return [{ ...at, target, periodSeconds: schedulePeriod(this.project, call) }];
  }

  /** Coroutines (not tasks) given straight to gather. */
  private gathered(spawn: SpawnCall, at: Omit<ScheduledWork, 'target' | 'periodSeconds'>): ScheduledWork[] {
    const out: ScheduledWork[] = [];
    for (const arg of spawn.call.node.args) {
      const node = arg.kind === 'Starred' ? arg.value : arg;
      const place = { ...spawn.call, node };
      const alternatives = arg.kind === 'Starred' ? this.targets.elements(place) : this.targets.resolve(place, false);
      for (const a of alternatives)
        if (a.kind === 'coroutine') out.push({ ...at, target: a.name, periodSeconds: null });
    }
    return out;
  }

  /** The name as written, unless that is the variable of a loop. */
  private written(place: Place): string | null {
    const name = dottedName(place.node);
    const where = place.node.kind === 'Name' ? findScope(place.node.id, place.scope) : null;
    const bindings = where?.bindings.get(name!) ?? [];
    return bindings.some((b) => b.kind === 'for') ? (this.names(place) ?? name) : (name ?? this.names(place));
  }

  private names(place: Place): string | null {
    const all = this.targets.resolve(place, true);
    const names = all.flatMap((a) =>
      a.kind === 'coroutine' ? [a.fn.node.name] : a.kind === 'external' ? [a.name] : [],
    );
    return names.length ? [...new Set(names)].join(', ') : null;
  }
}

function decoratedName(call: Call): string | null {
  const p: Node | null = call.parent;
  return p?.kind === 'FunctionDef' && p.decorators.includes(call) ? p.name : null;
}

const ENTRIES = new Map([
  ['asyncio.run', 'asyncio.run'],
  ['RUNNER.run', 'Runner.run'],
  ['LOOP.run_until_complete', 'loop.run_until_complete'],
  ['anyio.run', 'anyio.run'],
  ['trio.run', 'trio.run'],
]);

/** `asyncio.run(main())` and the like. */
export function entryPoints(project: Project, module: ModuleScopes): EntryPoint[] {
  const out: EntryPoint[] = [];
  for (const { node, scope, block } of module.calls) {
    const name = node.func.kind === 'Attribute' ? node.func.attr : node.func.kind === 'Name' ? node.func.id : '';
    if (node.func.kind !== 'Name' && name !== 'run' && name !== 'run_until_complete') continue;
    for (const { value } of project.ev.value(node.func, scope, block).values()) {
      const how = value.k === 'name' ? ENTRIES.get(value.q) : undefined;
      if (!how) continue;
      const { line, column } = project.source(module).lines.position(node.start);
      const arg = node.args[0] ?? node.keywords.find((k) => k.arg === 'main')?.value;
      const target = arg ? dottedName(arg.kind === 'Call' ? arg.func : arg) : null;
      out.push({ file: module.file, line, column, how, target });
      break;
    }
  }
  return out;
}
