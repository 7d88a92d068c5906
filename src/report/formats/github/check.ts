import type { CheckResult, FileError, Finding, Severity } from '../../../model/index.ts';
import { plural } from '../../../model/plural.ts';
import { printable, printableLines } from '../../escape.ts';
import type { ReportOptions } from '../../format.ts';
import { countsText, scopeText, unreported, WORST_FIRST } from '../../summary.ts';

/** GitHub drops what is above ten of a kind in one step. */
const MOST_OF_A_KIND = 10;
/** An annotation is no place for a whole function. */
const LONGEST_QUOTE = 300;

const COMMAND = { error: 'error', warning: 'warning', note: 'notice' } satisfies Record<Severity, string>;

/**
 * Annotations, worst first, at most ten of a kind. When that leaves some out, the whole list follows as plain lines,
 * which no name in the repository can turn into commands.
 */
export function checkGithub(result: CheckResult, options: ReportOptions): string {
  const annotations: string[] = [];
  let dropped = 0;
  for (const severity of WORST_FIRST) {
    const own = [
      ...(severity === 'error' ? unreported(result).map(errorCommand) : []),
      ...result.findings.filter((f) => f.severity === severity).map((f) => findingCommand(f, options)),
    ];
    annotations.push(...own.slice(0, MOST_OF_A_KIND));
    dropped += Math.max(0, own.length - MOST_OF_A_KIND);
  }
  const list =
    dropped === 0
      ? []
      : [`${plural(dropped, 'finding')} above without annotation; all of them:`, ...result.findings.map(plainLine)];
  return [...annotations, ...list, `looptag: ${countsText(result)}; ${scopeText(result)}.`, ''].join('\n');
}

function findingCommand(finding: Finding, { sourceOf }: ReportOptions): string {
  const { range, code, rule, message, severity } = finding;
  const quote = quoteOf(finding, sourceOf(range.file));
  const title = `${code} ${rule.replaceAll('-', ' ')}`;
  const text = quote === '' ? message : `${quote}\n${message}`;
  return command(COMMAND[severity], { file: range.file, line: range.line, col: range.column, title }, text);
}

function errorCommand({ file, line, column, message }: FileError): string {
  return command('error', { file, line, col: column, title: 'not analysed' }, message);
}

function quoteOf({ range }: Finding, source: string | null): string {
  const quote = source?.slice(range.start, range.end) ?? '';
  return quote.length > LONGEST_QUOTE ? `${quote.slice(0, LONGEST_QUOTE)}…` : quote;
}

function command(name: string, properties: Record<string, string | number>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(printable(String(value)))}`);
  return `::${name} ${list.join(',')}::${escapeData(printableLines(message))}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Begins with the severity: a line that begins with a file's name could begin with `::`. */
function plainLine({ severity, code, rule, range, message }: Finding): string {
  return printable(`${severity} ${range.file}:${range.line}:${range.column} ${code} ${rule}: ${message}`);
}
