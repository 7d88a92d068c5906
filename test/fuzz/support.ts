/** The whole way in one process, over files in memory, with what must hold for every input. */
import { Chalk } from 'chalk';
import type fc from 'fast-check';
import { expect } from 'vitest';
import { checks } from '../../rules/checks/index.ts';
import { codemods } from '../../rules/codemods/index.ts';
import { runChecks, selectChecks } from '../../src/engine/check.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';
import { prove } from '../../src/engine/migrate/prove.ts';
import { verifyPlan } from '../../src/engine/migrate/verify.ts';
import { reconcile } from '../../src/policy/index.ts';
import { formats, type ReportOptions } from '../../src/report/index.ts';

import { applied, CONTEXT, type Files, project } from '../codemods/support/project.ts';
import { awoooi } from '../policy/support.ts';
import { checkInput } from '../support/builders.ts';
import { atLength } from '../support/long.ts';

/** All runs of a session are `LOOPTAG_FUZZ_RUNS`; a property takes its share of them. */
const TOTAL = Number(process.env.LOOPTAG_FUZZ_RUNS ?? atLength(1000, 300));
/** What a session may last at most; nothing: as long as it takes. */
const MINUTES = Number(process.env.LOOPTAG_FUZZ_MINUTES ?? '');
const SEED = process.env.LOOPTAG_FUZZ_SEED;

/** The same inputs in every `npm test`; others in every fuzzing session, whose seed a failure names. */
export function parameters<T>(share: number): fc.Parameters<T> {
  const seed = SEED !== undefined ? Number(SEED) : process.env.LOOPTAG_FUZZ_RUNS ? undefined : 20_260_503;
  return {
    numRuns: Math.max(1, Math.round(TOTAL * share)),
    ...(seed === undefined ? {} : { seed }),
    ...(MINUTES ? { interruptAfterTimeLimit: MINUTES * 60_000 * share, markInterruptAsFailure: false } : {}),
  };
}

const settings = (files: Files): Parameters<typeof project>[1] => ({
  codemods,
  paths: Object.keys(files),
  helper: 'inline',
  contextVariable: { module: 'ctx', name: 'project_id_ctx_var' },
});

const { active } = selectChecks(checks, { select: [], ignore: [], severities: {} });

/**
 * Analyses, reports in each format, plans, proves, and plans again on the result.
 * @returns How many sites were found, and how many of them were changed.
 */
export function wholeWay(own: Files): { sites: number; changed: number } {
  const files: Files = { ...own, 'ctx.py': CONTEXT };
  const input = project(files, settings(files));
  const { analysis } = input;
  const reconciliation = reconcile(analysis, null, awoooi);
  const sourceOf = (file: string): string | null => input.sources.get(file)?.text ?? null;
  const result = runChecks(active, checkInput({ analysis, reconciliation, policy: awoooi, sourceOf }), {
    known: checks,
  });
  report(input.analysis, result, reconciliation, sourceOf);
  const reanalyse = (overlay: ReadonlyMap<string, Uint8Array>): typeof input =>
    project({ ...files, ...Object.fromEntries(overlay) }, settings(files));
  const { plan, problems } = prove(input, (each) => {
    const made = planMigration(each);
    return { plan: made, problems: verifyPlan(made, each, { reanalyse }) };
  });
  expect(problems).toEqual([]);
  const after = applied(files, plan);
  for (const file of Object.keys(files)) {
    if (!plan.files.some((f) => f.file === file)) expect(after[file]).toBe(files[file]);
  }
  const unproven = plan.skipped.filter(({ code }) => code === 'unproven');
  const again = planMigration(project(after, settings(after)));
  expect(again.sites.length, 'only what could not be proven is planned again').toBeLessThanOrEqual(unproven.length);
  return { sites: analysis.sites.length, changed: plan.sites.length };
}

type Result = ReturnType<typeof runChecks>;
type Reconciled = ReturnType<typeof reconcile>;

function report(
  analysis: Parameters<typeof reconcile>[0],
  result: Result,
  reconciliation: Reconciled,
  sourceOf: ReportOptions['sourceOf'],
): void {
  const options: ReportOptions = {
    chalk: new Chalk({ level: 0 }),
    width: 80,
    sourceOf,
    tool: { name: 'looptag', version: '0.0.0' },
    failOn: 'error',
    verbose: true,
  };
  for (const format of formats) {
    const texts = [
      format.check?.(result, options),
      format.inventory?.({ analysis, reconciliation, root: '.' }, options),
    ];
    for (const text of texts) {
      if (text === undefined) continue;
      expect(!/\p{Cs}/u.test(text), `${format.name}: lone surrogates`).toBe(true);
      if (['json', 'sarif', 'gitlab'].includes(format.name)) JSON.parse(text);
    }
  }
}
