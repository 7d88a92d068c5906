import type { ChalkInstance } from 'chalk';
import type { CheckResult, FileError, Finding, Severity } from '../../../model/index.ts';
import { printable } from '../../escape.ts';
import type { ReportOptions } from '../../format.ts';
import { padStart } from '../../width.ts';
import { codeFrame } from './frame.ts';

const MARGIN = 6;

/** For people: one paragraph a finding, notes on one line each unless verbose, a summary at the end. */
export function checkText(result: CheckResult, options: ReportOptions): string {
  const explained = new Set<string>();
  const remedies = new Map(result.rules.map(({ id, remedy }) => [id, remedy]));
  const paragraphs = result.findings.map((finding) => {
    const brief = finding.severity === 'note' && !options.verbose;
    const help = explained.has(finding.rule) ? undefined : remedies.get(finding.rule);
    if (!brief) explained.add(finding.rule);
    return brief ? headline(finding, options) : paragraph(finding, help, options);
  });
  const unread = unreported(result).map((error) => errorLine(error, options.chalk));
  const stale = result.staleBaseline.map(({ rule, identity, line }) =>
    printable(`  line ${line}: ${rule} ${identity}`),
  );
  if (stale.length > 0) stale.unshift('The baseline accepts what is gone; remove it with `--prune-baseline`:');
  return [
    ...paragraphs,
    ...unread,
    ...stale,
    ...(paragraphs.length > 0 ? [''] : []),
    summary(result, options),
    '',
  ].join('\n');
}

function headline({ range, severity, code, rule, message }: Finding, { chalk }: ReportOptions): string {
  const place = chalk.bold(printable(`${range.file}:${range.line}:${range.column}`));
  return `${place}: ${colour(chalk, severity)(severity)} ${chalk.bold(code)} ${rule}: ${printable(message)}`;
}

function paragraph(finding: Finding, help: string | undefined, options: ReportOptions): string {
  const { chalk } = options;
  const bar = chalk.blue('|');
  const frame = codeFrame(options.sourceOf(finding.range.file), finding.range, options.width - MARGIN - 3);
  const margin = ' '.repeat(MARGIN);
  const rows = frame.map(({ gutter, text, carets }) => {
    const shown = carets ? colour(chalk, finding.severity)(text) : text;
    return `${chalk.blue(padStart(gutter, MARGIN))} ${bar} ${shown}`.trimEnd();
  });
  const related = finding.related.map(({ message, range }) =>
    printable(`${margin} = ${range.file}:${range.line}:${range.column}: ${message}`),
  );
  const advice = help === undefined ? [] : [`${margin} = ${chalk.bold('help')}: ${help}`];
  return [headline(finding, options), ...rows, ...related, ...advice].join('\n');
}

/** Files that no finding speaks of, because `syntax-error` did not run. */
function unreported({ errors, findings }: CheckResult): FileError[] {
  const told = new Set(findings.filter(({ rule }) => rule === 'syntax-error').map(({ range }) => range.file));
  return errors.filter(({ file }) => !told.has(file));
}

function errorLine({ file, line, column, message }: FileError, chalk: ChalkInstance): string {
  return `${chalk.bold(printable(`${file}:${line}:${column}`))}: ${chalk.red('error')} ${printable(message)}`;
}

function summary({ summary: s, staleBaseline }: CheckResult, { chalk }: ReportOptions): string {
  const scope = `${plural(s.sites, 'spawn site')} in ${plural(s.files, 'file')}`;
  const hidden = [
    s.suppressed > 0 ? `${s.suppressed} suppressed` : '',
    s.baselined > 0 ? `${s.baselined} in the baseline` : '',
    staleBaseline.length > 0 ? `${plural(staleBaseline.length, 'stale baseline entry', 'stale baseline entries')}` : '',
  ].filter(Boolean);
  const rest = hidden.length > 0 ? ` (${hidden.join(', ')})` : '';
  const found = [
    s.errors > 0 ? chalk.red(plural(s.errors, 'error')) : '',
    s.warnings > 0 ? chalk.yellow(plural(s.warnings, 'warning')) : '',
    s.notes > 0 ? chalk.cyan(plural(s.notes, 'note')) : '',
  ].filter(Boolean);
  if (found.length === 0) return `${chalk.green('No findings')}: ${scope}${rest}.`;
  const fixable =
    s.fixable > 0 ? ` ${s.fixable} can be mended by \`looptag migrate\` or \`looptag catalog sync\`.` : '';
  return `Found ${found.join(', ')}: ${scope}${rest}.${fixable}`;
}

function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

function colour(chalk: ChalkInstance, severity: Severity): ChalkInstance {
  return { error: chalk.red, warning: chalk.yellow, note: chalk.cyan }[severity];
}
