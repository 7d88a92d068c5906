/** `looptag reconcile` */
import { reconcileRuntime, runtimeJson, runtimeText } from '../../health/index.ts';
import { printable } from '../../report/escape.ts';
import type { Run } from '../define.ts';
import { readInput } from '../input.ts';
import { openProject } from '../project.ts';
import { reportErrors } from '../report-errors.ts';
import { Trouble } from '../trouble.ts';
import type { CommonOptions } from '../workspace.ts';

export interface ReconcileOptions extends CommonOptions {
  runtime: string;
  format: 'text' | 'json';
}

export async function reconcileCommand(paths: string[], options: ReconcileOptions, run: Run): Promise<number> {
  const { text, shown } = readInput(
    options.runtime,
    'task dump',
    '`looptag emit probe` prints the module that writes one',
  );
  const { analysed, reconciliation } = await openProject(paths, options, run);
  const { entries } = analysed.analysis;
  const report = reconcileRuntime(text, reconciliation.decisions, { entries, stale: reconciliation.stale });
  const [problem] = report.diagnostics;
  if (report.taskCount === 0 && problem) {
    throw new Trouble(
      `${shown}:${problem.line ?? 1}: ${printable(problem.message)}`,
      'take the dump with the module that `looptag emit probe` prints',
    );
  }
  run.streams.out(options.format === 'json' ? runtimeJson(report) : runtimeText(report));
  const differs = [report.neverStarted, report.untagged, report.wrongTag, report.unknown].some((list) => list.length);
  return reportErrors(analysed.analysis, run) || Number(differs);
}
