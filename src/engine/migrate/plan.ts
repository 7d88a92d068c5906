/** Decisions in, a plan of edits out. Nothing is written here, and nothing is read. */
import type { ModuleLayout } from '../../model/index.ts';
import { buildLayout } from '../../sites/layout.ts';
import { findLoopShape } from '../../sites/loop-shape.ts';
import type { CodemodDefinition, CodemodInput, Need } from '../contracts.ts';
import { assemble } from './assemble.ts';
import { Names } from './names.ts';
import { groupBySite, type SiteWork, workOf } from './select.ts';
import type { MigrateInput, MigrationPlan, PlannedSite, SkippedSite } from './types.ts';

/** Outcome of the codemod at every site, before anything is put together. */
export interface Rewrite {
  planned: (PlannedSite & { needs: Need[] })[];
  skipped: SkippedSite[];
}

/**
 * Plan the migration of every site that was decided.
 *
 * The helper goes into the file when one file needs it, and into the module of the context variable when several do;
 * `options.helper` says otherwise.
 */
export function planMigration(input: MigrateInput): MigrationPlan {
  const codemod = input.codemods[input.options.method];
  if (!codemod) throw new RangeError(`unknown method ${input.options.method}`);
  const layouts = layoutCache(input);
  const skipped: SkippedSite[] = [];
  const work: SiteWork[] = [];
  for (const decisions of groupBySite(input.decisions)) {
    const found = workOf(decisions, input.policy, input.options);
    if ('projectIds' in found) work.push(found);
    else skipped.push(found);
  }
  const trace = work.some((site) => site.trace);
  const first = new Names(input, layouts, 'inline', trace);
  const home = helperHome(input, codemod, work, first);
  const names = home === 'inline' ? first : new Names(input, layouts, home, trace);
  const rewrite = rewriteSites(input, codemod, work, names);
  return assemble(input, codemod, names, { ...rewrite, skipped: [...skipped, ...rewrite.skipped] });
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

function helperHome(input: MigrateInput, codemod: CodemodDefinition, work: SiteWork[], names: Names): Names['home'] {
  if (input.options.helper) return input.options.helper;
  if (!codemod.helper || !names.context) return 'inline';
  const { planned } = rewriteSites(input, codemod, work, names);
  const files = new Set(
    planned.flatMap(({ needs }) => needs).flatMap((need) => (need.kind === 'definition' ? [need.file] : [])),
  );
  if (files.size < 2) return 'inline';
  const { module } = names.context;
  const file = input.resolveModule(module);
  return { module: file !== null && input.sources.has(file) ? module : `${module}_tasks` };
}

/** Run the codemod at every site. */
export function rewriteSites(input: MigrateInput, codemod: CodemodDefinition, work: SiteWork[], names: Names): Rewrite {
  const out: Rewrite = { planned: [], skipped: [] };
  for (const item of work) {
    const { site } = item;
    const result = codemod.run(codemodInput(input, codemod, item, names));
    if ('refusal' in result) {
      out.skipped.push({ site, ...result.refusal });
    } else if (result.unsafe !== undefined && !input.options.unsafe) {
      out.skipped.push({ site, code: 'unsafe', reason: `${result.unsafe} (or use --unsafe)` });
    } else {
      const { edits, needs, notes = [], unsafe = null } = result;
      out.planned.push({ ...item, method: codemod.id, edits, needs, notes, unsafe });
    }
  }
  return out;
}

function codemodInput(input: MigrateInput, codemod: CodemodDefinition, work: SiteWork, names: Names): CodemodInput {
  const { site, target } = work;
  const source = target?.file ? input.sources.get(target.file) : undefined;
  return {
    site,
    target,
    decision: work.decisions[0]!,
    projectIds: work.projectIds,
    trace: work.trace && names.trace !== null,
    policy: input.policy,
    pythonMinimum: input.options.pythonMinimum ?? null,
    layout: names.layoutOf(site.range.file)!,
    loop: source && target?.line ? findLoopShape(source, target.line) : null,
    loopLayout: target?.file ? names.layoutOf(target.file) : null,
    contextVariable: names.context,
    traceVariable: names.trace?.variable ?? null,
    traceGenerator: names.trace?.generator ?? null,
    refer: (file, symbol, at) => names.refer(file, symbol, at),
    define: (file, definition, at) => names.define(file, definition, at),
    helper: (file, at) => names.helper(codemod, file, at),
  };
}
