import type { CheckResult, Finding, Severity } from '../../../model/index.ts';
import { plural } from '../../../model/plural.ts';
import { countsText, scopeText, unreported, WORST_FIRST } from '../../summary.ts';
import { cell, code } from './escape.ts';

/** A comment may have 65,536 characters, a step summary a mebibyte; both are cut at whole rows. */
const LONGEST_COMMENT = 60_000;
const LONGEST_SUMMARY = 1_000_000;

const SIGN = { error: '🔴 error', warning: '🟡 warning', note: '🔵 note' } satisfies Record<Severity, string>;

/** For a comment on a pull request. */
export function checkMarkdown(result: CheckResult): string {
  return report(result, LONGEST_COMMENT);
}

/** The full table for `$GITHUB_STEP_SUMMARY`. */
export function stepSummary(result: CheckResult): string {
  return report(result, LONGEST_SUMMARY);
}

function report(result: CheckResult, limit: number): string {
  const verdict = result.findings.length === 0 ? '✅ no findings' : `${countsText(result)}`;
  const head = [`### looptag: ${verdict}`, '', `${scopeText(result)}.`, ''];
  const errors = unreported(result).map(
    ({ file, line, column, message }) =>
      `| ${SIGN.error} | ${code(`${file}:${line}:${column}`)} | not analysed | ${cell(message)} |`,
  );
  const rows = [...errors, ...worstFirst(result.findings).map(row)];
  if (rows.length === 0) return head.slice(0, -1).join('\n').concat('\n');
  const table = ['| | place | rule | finding |', '|---|---|---|---|'];
  const shown = fitting(rows, limit - head.join('\n').length);
  const rest = rows.length - shown.length;
  const more = rest > 0 ? ['', `${plural(rest, 'more finding')} not shown.`] : [];
  return [...head, ...table, ...shown, ...more, ...stale(result), ''].join('\n');
}

function worstFirst(findings: readonly Finding[]): Finding[] {
  return WORST_FIRST.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}

function row({ severity, range, code: ruleCode, rule, message }: Finding): string {
  return `| ${SIGN[severity]} | ${code(`${range.file}:${range.line}`)} | ${ruleCode} ${rule} | ${cell(message)} |`;
}

function stale({ staleBaseline }: CheckResult): string[] {
  if (staleBaseline.length === 0) return [];
  const items = staleBaseline.slice(0, 20).map(({ rule, identity }) => `- ${code(`${rule} ${identity}`)}`);
  return ['', 'Baseline entries that match nothing any more:', '', ...items];
}

function fitting(rows: readonly string[], limit: number): string[] {
  let used = 0;
  const end = rows.findIndex((text) => {
    used += text.length + 1;
    return used > limit;
  });
  return end < 0 ? [...rows] : rows.slice(0, end);
}
