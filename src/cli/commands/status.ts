/** `looptag status` */
import { Git } from '../../io/git.ts';
import type { Analysis, Evidence } from '../../model/index.ts';
import {
  type HistoryPoint,
  type Language,
  type StatusReport,
  statusHtml,
  statusJson,
  statusText,
} from '../../report/status/index.ts';
import type { Run } from '../define.ts';
import { type OpenProject, openProject } from '../project.ts';
import { reportErrors } from '../report-errors.ts';
import { measureStatus } from '../status.ts';
import { today } from '../today.ts';
import type { CommonOptions } from '../workspace.ts';

export interface StatusOptions extends CommonOptions {
  format: 'text' | 'json' | 'html';
  lang: Language;
  history?: boolean;
  max?: number;
}

export async function status(paths: string[], options: StatusOptions, run: Run): Promise<number> {
  const project = await openProject(paths, options, run);
  const report = await reportOf(project, options, run);
  run.streams.out(render(report, options, run));
  return reportErrors(project.analysed.analysis, run);
}

async function reportOf(project: OpenProject, options: StatusOptions, run: Run): Promise<StatusReport> {
  const { w, analysed, reconciliation, catalogue } = project;
  const { alertTested } = await import('../alert-tested.ts');
  const report: StatusReport = {
    status: measureStatus(w, analysed, reconciliation, catalogue, await alertTested(w)),
  };
  if (options.format !== 'text') report.evidence = evidenceOf(analysed.analysis);
  // a date would make the other formats differ from day to day
  if (options.format === 'html') report.asOf = { date: today(), commit: headOf(w.root) };
  if (!options.history) return report;
  const { burnDown } = await import('../history.ts');
  return { ...report, ...burnDown(project, options, run) };
}

function headOf(root: string): string | null {
  const git = new Git(root);
  return git.isRepository() ? git.commit('HEAD') : null;
}

function evidenceOf({ sites }: Analysis): Record<string, readonly Evidence[]> {
  return Object.fromEntries(sites.map((s) => [s.id, [...s.evidence, ...s.targets.flatMap((t) => t.facts.evidence)]]));
}

function render(report: StatusReport, { format, lang }: StatusOptions, run: Run): string {
  switch (format) {
    case 'json':
      return statusJson(report);
    case 'html':
      return statusHtml(report, { language: lang });
    case 'text': {
      const history = report.history && turningPoints(report.history);
      return statusText(
        { ...report, history },
        { chalk: run.streams.chalk, width: run.streams.width, verbose: run.verbose, language: lang },
      );
    }
  }
}

/** For people: the first commit, the last one, and those at which a number changed. */
function turningPoints(history: readonly HistoryPoint[]): HistoryPoint[] {
  return history.filter((p, i) => {
    const before = history[i - 1];
    if (!before || i === history.length - 1) return true;
    return p.untagged !== before.untagged || p.legacy !== before.legacy || p.total !== before.total;
  });
}
