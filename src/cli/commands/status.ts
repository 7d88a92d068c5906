/** `looptag status` */
import { Chalk } from 'chalk';
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
import { outputOf, save } from '../check-output.ts';
import type { Run } from '../define.ts';
import { analyseWorkspace, type OpenProject } from '../project.ts';
import { reportErrors } from '../report-errors.ts';
import { measureStatus } from '../status.ts';
import { today } from '../today.ts';
import { type CommonOptions, openWorkspace } from '../workspace.ts';

const FORMATS = ['text', 'json', 'html'] as const;

type Format = (typeof FORMATS)[number];

export interface StatusOptions extends CommonOptions {
  format: Format;
  output?: string[];
  lang: Language;
  history?: boolean;
  max?: number;
}

export async function status(paths: string[], options: StatusOptions, run: Run): Promise<number> {
  const outputs = (options.output ?? []).map((o) => outputOf(o, FORMATS));
  const w = await openWorkspace(options, run.dist);
  const git = new Git(w.root);
  const head = git.head();
  const history = options.history ? await import('../history.ts') : null;
  const line = history?.lineOf(git, head, options.max);
  // git goes on with the changes of the commits while today's files are analysed
  await line?.commits;
  const project = analyseWorkspace(w, paths, options);
  const report = await reportOf(project, head?.commit ?? null);
  if (history && line) Object.assign(report, await history.burnDown(project, line, options, run));
  for (const { format, path, shown } of outputs) {
    const plain = { ...run.streams, chalk: new Chalk({ level: 0 }) };
    save(path, shown, render(report, format as Format, options.lang, { ...run, streams: plain }));
  }
  run.streams.out(render(report, options.format, options.lang, run));
  return reportErrors(project.analysed.analysis, run);
}

async function reportOf(project: OpenProject, commit: string | null): Promise<StatusReport> {
  const { w, analysed, reconciliation, catalogue } = project;
  const { alertTested } = await import('../alert-tested.ts');
  return {
    status: measureStatus(w, analysed, reconciliation, catalogue, await alertTested(w)),
    evidence: evidenceOf(analysed.analysis),
    asOf: { date: today(), commit },
  };
}

function evidenceOf({ sites }: Analysis): Record<string, readonly Evidence[]> {
  return Object.fromEntries(sites.map((s) => [s.id, [...s.evidence, ...s.targets.flatMap((t) => t.facts.evidence)]]));
}

function render(report: StatusReport, format: Format, lang: Language, run: Run): string {
  switch (format) {
    case 'json':
      // a date would make it differ from day to day
      return statusJson({ ...report, asOf: undefined });
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
