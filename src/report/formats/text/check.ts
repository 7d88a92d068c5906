import type { ChalkInstance } from 'chalk';
import type { CheckResult, FileError, Finding, Severity } from '../../../model/index.ts';
import { plural } from '../../../model/plural.ts';
import { printable } from '../../escape.ts';
import type { ReportOptions } from '../../format.ts';
import { countsText, scopeText, unreported, WORST_FIRST } from '../../summary.ts';
import { padStart } from '../../width.ts';
import { codeFrame } from './frame.ts';

const MARGIN = 6;

/** Notes of one rule that are shown before the rest is counted. */
const SHOWN_NOTES = 3;

/** For people: one paragraph a finding, notes on one line each and not too many unless verbose, a summary at the end. */
export function checkText(result: CheckResult, options: ReportOptions): string {
  const explained = new Set<string>();
  const remedies = new Map(result.rules.map(({ id, remedy }) => [id, remedy]));
  const { shown, hidden } = options.verbose
    ? { shown: result.findings, hidden: [] }
    : withoutManyNotes(result.findings);
  const paragraphs = shown.map((finding) => {
    if (finding.severity === 'note' && !options.verbose) return headline(finding, options);
    const help = explained.has(finding.rule) ? undefined : remedies.get(finding.rule);
    explained.add(finding.rule);
    return paragraph(finding, help, options);
  });
  const unread = unreported(result).map((error) => errorLine(error, options.chalk));
  const stale = result.staleBaseline.map(({ rule, identity, line }) =>
    printable(`  line ${line}: ${rule} ${identity}`),
  );
  if (stale.length > 0) stale.unshift('The baseline accepts what is gone; remove it with `--prune-baseline`:');
  const body = [...paragraphs, ...hidden, ...unread, ...stale];
  return [...body, ...(body.length > 0 ? [''] : []), summary(result, options), ''].join('\n');
}

/** A service without heartbeats has a note a loop: three say it, the rest is a number. */
function withoutManyNotes(findings: readonly Finding[]): { shown: Finding[]; hidden: string[] } {
  const notes = new Map<string, number>();
  const shown = findings.filter(({ severity, rule }) => {
    if (severity !== 'note') return true;
    notes.set(rule, (notes.get(rule) ?? 0) + 1);
    return notes.get(rule)! <= SHOWN_NOTES;
  });
  const hidden = [...notes]
    .filter(([, n]) => n > SHOWN_NOTES)
    .map(([rule, n]) => `… and ${plural(n - SHOWN_NOTES, 'more note')} of ${rule} (shown by --verbose)`);
  return { shown, hidden };
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

function errorLine({ file, line, column, message }: FileError, chalk: ChalkInstance): string {
  return `${chalk.bold(printable(`${file}:${line}:${column}`))}: ${chalk.red('error')} ${printable(message)}`;
}

function summary(result: CheckResult, { chalk }: ReportOptions): string {
  const { summary: s } = result;
  if (result.findings.length === 0) return `${chalk.green('No findings')}: ${scopeText(result)}.`;
  const worst = WORST_FIRST.find((severity) => result.findings.some((finding) => finding.severity === severity))!;
  const fixable = s.fixable > 0 ? ` ${s.fixable} can be mended by ${alternatives(menders(result))}.` : '';
  return `Found ${colour(chalk, worst)(countsText(result))}: ${scopeText(result)}.${fixable}`;
}

/** The commands that mend what was found, as the remedies of the rules name them. */
function menders({ findings, rules }: CheckResult): string[] {
  const found = new Set(findings.filter(({ fixable }) => fixable).map(({ rule }) => rule));
  const named = rules.flatMap(({ id, remedy }) =>
    found.has(id) ? (/(?<=`)looptag [^`]+(?=`)/.exec(remedy ?? '') ?? []) : [],
  );
  return [...new Set(named.length > 0 ? named : ['looptag catalog sync', 'looptag migrate'])]
    .sort()
    .map((c) => `\`${c}\``);
}

function alternatives(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}

function colour(chalk: ChalkInstance, severity: Severity): ChalkInstance {
  return { error: chalk.red, warning: chalk.yellow, note: chalk.cyan }[severity];
}
