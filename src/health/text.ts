/** Results of the health room for people and for programs. */
import { plural } from '../model/plural.ts';
import { jsonText, printable } from '../report/escape.ts';
import type { AgreementProblem } from './agreement/model.ts';
import type { RuntimeLoop, RuntimeReport, UnknownTask } from './runtime/model.ts';

/** One line a problem as compilers write them, its remedy below. */
export function agreementText(problems: readonly AgreementProblem[], file: string): string {
  const blocks = problems.map((p) => {
    const place =
      p.line === null
        ? p.related
          ? `${p.related.file}:${p.related.line}`
          : file
        : `${file}:${p.line}:${p.column ?? 1}`;
    return `${printable(place)}: ${p.severity} ${p.code}: ${printable(p.message)}\n  ${printable(p.remedy)}`;
  });
  const count = (severity: string) => problems.filter((p) => p.severity === severity).length;
  const summary =
    problems.length === 0
      ? 'Code, catalogue and rules agree.'
      : `${['error', 'warning', 'note'].map((severity) => plural(count(severity), severity)).join(', ')}.`;
  return `${[...blocks, summary].join('\n')}\n`;
}

/** `looptag/alerts-check@1`. */
export function agreementJson(problems: readonly AgreementProblem[], file: string): string {
  return jsonText({ schema: 'looptag/alerts-check@1', file, problems });
}

/** What runs otherwise than the catalogue says; silence about the rest. */
export function runtimeText(report: RuntimeReport): string {
  const parts = [
    part('Never started', report.neverStarted, loopLine),
    part('Running without a project id', report.untagged, loopLine),
    part(
      'Running under another project id',
      report.wrongTag,
      (l) => `${loopLine(l)}: ${l.seen.join(', ')} instead of ${l.expected}`,
    ),
    part('Running, unknown to the analysis', report.unknown, taskLine),
    part(
      'In the dump',
      report.diagnostics,
      (d) => `${d.line === undefined ? '' : `line ${d.line}: `}${d.message}${d.remedy ? `; ${d.remedy}` : ''}`,
    ),
  ].flat();
  const running = report.loops.filter((l) => l.tasks.length > 0).length;
  const unseen = report.loops.filter((l) => l.status === 'tag-unknown').length;
  const blind = unseen === 0 ? '' : ` The dump does not show the context of ${unseen} of them.`;
  const others = report.others.length === 0 ? '' : `, ${report.others.length} of entry points and libraries`;
  parts.push(`${report.taskCount} tasks, ${running} of ${report.loops.length} catalogued loops run${others}.${blind}`);
  return `${parts.map(printable).join('\n')}\n`;
}

/** `looptag/runtime@1`. */
export function runtimeJson(report: RuntimeReport): string {
  const { kind, taskCount, loops, unknown, others, diagnostics } = report;
  return jsonText({ schema: 'looptag/runtime@1', kind, taskCount, loops, unknown, others, diagnostics });
}

function part<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${line(item)}`)];
}

function loopLine({ number, functionName, file, line }: RuntimeLoop): string {
  const place = file === '' ? '(not in the code)' : `${file}:${line}`;
  return `${number === null ? '' : `#${number} `}${functionName} ${place}`;
}

function taskLine({ name, qualname, file, line, projectId }: UnknownTask): string {
  const place = file === null ? '' : ` ${file}${line === null ? '' : `:${line}`}`;
  return `${qualname}${place}${name === null ? '' : ` (${name})`}${projectId === null ? '' : ` project_id=${projectId}`}`;
}
