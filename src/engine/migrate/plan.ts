/** Decisions in, a plan of edits out. Nothing is written here, and nothing is read. */
import type { Decision, ModuleLayout, Policy, Target } from '../../model/index.ts';
import { loopNames } from '../../model/loop-label.ts';
import { buildLayout } from '../../sites/layout.ts';
import { findLoopShape } from '../../sites/loop-shape.ts';
import type { CodemodDefinition, CodemodInput, Need } from '../contracts.ts';
import { assemble } from './assemble.ts';
import { type HelperHome, Helpers } from './helpers.ts';
import { Names } from './names.ts';
import {
  groupBySite,
  heartbeatWork,
  type Inheriting,
  inheritedAt,
  inheriting,
  refuseMixedTargets,
  type SiteWork,
  setAside,
  sharedWith,
  workOf,
} from './select.ts';
import type { MigrateInput, MigrationPlan, PlannedSite, SkippedSite } from './types.ts';

/** Outcome of the codemod at every site, before anything is put together. */
interface Rewrite {
  planned: (PlannedSite & { needs: Need[] })[];
  skipped: SkippedSite[];
}

/**
 * Plan the migration of every site that was decided.
 *
 * A new helper goes into the file when one file needs it, and into the module of the context variable when several do;
 * `options.helper` says otherwise. A site that cannot be done safely is in `skipped` with its reason.
 * @throws RangeError for a method that no codemod has.
 */
export function planMigration(input: MigrateInput): MigrationPlan {
  const { groups, left } = setAside(groupBySite(input.decisions), input.leave);
  const names = new Names(input, layoutCache(input));
  const passes = [mainPass(input, groups, names)];
  if (input.options.heartbeat) passes.push(heartbeatPass(input, groups, names));
  passes[0]!.skipped.push(...left);
  return assemble(input, names, passes);
}

/** One codemod over the sites that are selected for it. */
export interface Pass extends Rewrite {
  helpers: Helpers;
}

export function mainPass(input: MigrateInput, groups: Decision[][], names: Names): Pass {
  const codemod = codemodOf(input, input.options.method);
  const skipped: SkippedSite[] = [];
  const selected: SiteWork[] = [];
  for (const group of editedApart(groups, codemod)) {
    const found = workOf(withIdOf(codemod, group, input.policy), codemod, input.policy, input.options, names);
    const shared = 'projectIds' in found && codemod.scope !== 'target' ? sharedWith(found, input.beside ?? []) : null;
    if (shared) skipped.push(shared);
    else if ('projectIds' in found) selected.push(found);
    else skipped.push(found);
  }
  const work =
    codemod.scope === 'target'
      ? refuseMixedTargets(selected, skipped, withIdOf(codemod, everyone(input), input.policy))
      : selected;
  const trace = work.some((site) => site.trace);
  const helpers = new Helpers(names, codemod, helperHome(input, codemod, work, names, trace), trace);
  const rewrite = rewriteSites(input, codemod, work, helpers);
  return { helpers, planned: rewrite.planned, skipped: [...skipped, ...rewrite.skipped] };
}

const everyone = ({ decisions, beside = [] }: MigrateInput): Decision[] => [...decisions, ...beside];

/** Where the coroutine function is edited, each of those that one call starts is work of its own. */
function editedApart(groups: Decision[][], { scope }: CodemodDefinition): Decision[][] {
  return scope === 'target' ? groups.flatMap((group) => group.map((decision) => [decision])) : groups;
}

function withIdOf(codemod: CodemodDefinition, decisions: Decision[], policy: Policy): Decision[] {
  const { projectId } = codemod;
  if (!projectId) return decisions;
  return decisions.map((decision) =>
    decision.required || decision.projectId ? { ...decision, projectId: projectId(policy) } : decision,
  );
}

/** The gauge always has a module of its own: it must be made once a process. */
export function heartbeatPass(input: MigrateInput, groups: Decision[][], names: Names): Pass {
  const codemod = codemodOf(input, 'heartbeat');
  const skipped: SkippedSite[] = [];
  const work = refuseMixedTargets(groups.flatMap(heartbeatWork), skipped, []);
  const beside = names.context?.module.split('.').slice(0, -1) ?? [];
  const home = { module: input.options.gaugeModule ?? [...beside, 'loop_health'].join('.') };
  const helpers = new Helpers(names, codemod, home, false);
  const rewrite = rewriteSites(input, codemod, work, helpers);
  return { helpers, planned: rewrite.planned, skipped: [...skipped, ...rewrite.skipped] };
}

function codemodOf(input: MigrateInput, id: string): CodemodDefinition {
  const codemod = input.codemods[id];
  if (!codemod) throw new RangeError(`unknown method ${id}`);
  return codemod;
}

/** Layouts are made when first asked for. */
export function layoutCache(input: MigrateInput): (file: string) => ModuleLayout | null {
  const cache = new Map<string, ModuleLayout | null>();
  return (file) => {
    if (!cache.has(file)) {
      const source = input.sources.get(file);
      cache.set(file, source ? buildLayout(source) : null);
    }
    return cache.get(file)!;
  };
}

function helperHome(
  input: MigrateInput,
  codemod: CodemodDefinition,
  work: SiteWork[],
  names: Names,
  trace: boolean,
): HelperHome {
  if (input.options.helper) return input.options.helper;
  if (!codemod.helper || !names.context) return 'inline';
  if (!isForSeveral(input, codemod, work, new Helpers(names, codemod, 'inline', trace))) return 'inline';
  const { module } = names.context;
  const file = input.resolveModule(module);
  // what a library defines leads to no place that is the project's own
  return file !== null && input.sources.has(file) ? { module } : 'inline';
}

/** Would more than one file need a definition of its own? */
function isForSeveral(input: MigrateInput, codemod: CodemodDefinition, work: SiteWork[], helpers: Helpers): boolean {
  const files = new Set<string>();
  for (const item of work) {
    for (const { needs } of rewriteSites(input, codemod, [item], helpers).planned)
      for (const need of needs) if (need.kind === 'definition') files.add(need.file);
    if (files.size > 1) return true;
  }
  return false;
}

/** Run the codemod at every site. */
function rewriteSites(input: MigrateInput, codemod: CodemodDefinition, work: SiteWork[], helpers: Helpers): Rewrite {
  const out: Rewrite = { planned: [], skipped: [] };
  for (const item of work) {
    const { site } = item;
    const result = codemod.run(codemodInput(input, item, helpers));
    if ('refusal' in result) {
      out.skipped.push({ site, ...result.refusal });
    } else if (result.edits.length === 0) {
      out.skipped.push({ site, code: 'tagged', reason: `already carries what --method ${codemod.id} would put` });
    } else if (result.unsafe !== undefined && !input.options.unsafe) {
      out.skipped.push({ site, code: 'unsafe', reason: `${result.unsafe} (or use --unsafe)` });
    } else {
      const { edits, needs, notes = [], unsafe = null } = result;
      out.planned.push({ ...item, method: codemod.id, edits, needs, notes, unsafe });
    }
  }
  return out;
}

const loopNamesCache = new WeakMap<MigrateInput, (target: Target) => string>();

/** Names for all loops that were found, whichever are selected for this run. */
function loopNamesOf(input: MigrateInput): (target: Target) => string {
  let names = loopNamesCache.get(input);
  if (!names) {
    const targets = input.analysis.sites.flatMap((site) => site.targets);
    names = loopNames(targets, input.policy);
    loopNamesCache.set(input, names);
  }
  return names;
}

const inheritingCache = new WeakMap<MigrateInput, Inheriting>();

function inheritingOf(input: MigrateInput): Inheriting {
  const starts = inheritingCache.get(input) ?? inheriting(everyone(input));
  inheritingCache.set(input, starts);
  return starts;
}

/** What a codemod may look at for one site. */
export function codemodInput(input: MigrateInput, work: SiteWork, helpers: Helpers): CodemodInput {
  const { site, target } = work;
  const { names } = helpers;
  const source = target?.file ? input.sources.get(target.file) : undefined;
  return {
    site,
    target,
    decision: work.decisions[0]!,
    projectIds: work.projectIds,
    trace: work.trace && names.trace !== null,
    get loopName() {
      return target ? loopNamesOf(input)(target) : '';
    },
    policy: input.policy,
    pythonMinimum: input.options.pythonMinimum ?? null,
    layout: names.layoutOf(site.range.file)!,
    // most codemods never ask for these
    get loop() {
      return source && target?.line ? findLoopShape(source, target.line) : null;
    },
    get loopLayout() {
      return target?.file ? names.layoutOf(target.file) : null;
    },
    get awaited() {
      return (target && input.awaitedAt?.(target)) ?? null;
    },
    get inherited() {
      return inheritedAt(work, inheritingOf(input));
    },
    textOf: (file) => input.sources.get(file)?.text ?? '',
    contextVariable: names.context,
    traceVariable: names.trace?.variable ?? null,
    traceGenerator: names.trace?.generator ?? null,
    refer: (file, symbol, at) => names.refer(file, symbol, at),
    define: (file, definition, at) => names.define(file, definition, at),
    helper: (file, at) => helpers.at(file, at),
  };
}
