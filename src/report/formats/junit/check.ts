import type { CheckedLoop, CheckResult, FileError, Finding, SeveritySetting } from '../../../model/index.ts';
import { printable, printableLines } from '../../escape.ts';
import type { ReportOptions } from '../../format.ts';
import { unreported, WORST_FIRST } from '../../summary.ts';

interface TestCase {
  name: string;
  classname: string;
  file: string;
  line: number;
  failures: Finding[];
  remarks: Finding[];
  error: string | null;
}

/** Each loop is a test case; what belongs to no loop (rows of the catalogue, comments, files) is one of its own. */
export function checkJunit(result: CheckResult, { failOn }: ReportOptions): string {
  const bySite = new Map<string, Finding[]>();
  const loops = new Set(result.loops.map(({ site }) => site));
  const others: Finding[] = [];
  for (const finding of result.findings) {
    if (finding.site === null || !loops.has(finding.site)) others.push(finding);
    else bySite.set(finding.site, [...(bySite.get(finding.site) ?? []), finding]);
  }
  const suites = [
    { name: 'loops', cases: result.loops.map((loop) => loopCase(loop, bySite.get(loop.site) ?? [], result, failOn)) },
    { name: 'other findings', cases: others.map((finding) => findingCase(finding, failOn)) },
    { name: 'files', cases: unreported(result).map(errorCase) },
  ].filter(({ cases }) => cases.length > 0);
  const all = suites.flatMap(({ cases }) => cases);
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="looptag" ${counts(all)}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${name}" ${counts(cases)}>`,
      ...cases.map(xml),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ].join('\n')}\n`;
}

function split(findings: readonly Finding[], failOn: SeveritySetting): Pick<TestCase, 'failures' | 'remarks'> {
  const fails = ({ severity }: Finding) =>
    failOn !== 'off' && WORST_FIRST.indexOf(severity) <= WORST_FIRST.indexOf(failOn);
  return { failures: findings.filter(fails), remarks: findings.filter((finding) => !fails(finding)) };
}

function loopCase(loop: CheckedLoop, findings: Finding[], { loops }: CheckResult, failOn: SeveritySetting): TestCase {
  // Several coroutines of one site share its id; each finding belongs to the one it names.
  const siblings = loops.filter(({ site }) => site === loop.site).length;
  const own =
    siblings === 1
      ? findings
      : findings.filter(
          ({ identity }) => (identity ?? loop.site) === loop.site || identity === `${loop.site}[${loop.name}]`,
        );
  return {
    name: loop.name,
    classname: loop.module,
    file: loop.range.file,
    line: loop.range.line,
    error: null,
    ...split(own, failOn),
  };
}

function findingCase(finding: Finding, failOn: SeveritySetting): TestCase {
  const { file, line } = finding.range;
  return {
    name: `${finding.rule} (${file}:${line})`,
    classname: file,
    file,
    line,
    error: null,
    ...split([finding], failOn),
  };
}

function errorCase({ file, line, message }: FileError): TestCase {
  return { name: file, classname: file, file, line, failures: [], remarks: [], error: message };
}

function counts(cases: readonly TestCase[]): string {
  const failures = cases.filter((c) => c.failures.length > 0).length;
  const errors = cases.filter((c) => c.error !== null).length;
  return `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
}

function xml({ name, classname, file, line, failures, remarks, error }: TestCase): string {
  const attributes = `name="${attribute(name)}" classname="${attribute(classname)}" file="${attribute(file)}" line="${line}"`;
  const inner = [
    ...(error === null ? [] : [`      <error message="${attribute(error)}"/>`]),
    ...(failures.length === 0 ? [] : [failure(failures)]),
    ...(remarks.length === 0 ? [] : [`      <system-out>${text(remarks.map(described).join('\n'))}</system-out>`]),
  ];
  return inner.length === 0
    ? `    <testcase ${attributes}/>`
    : [`    <testcase ${attributes}>`, ...inner, '    </testcase>'].join('\n');
}

/** One element for all: readers of JUnit XML take the first and drop the rest. */
function failure(findings: readonly Finding[]): string {
  const message = findings.map(({ code, message }) => `${code}: ${message}`).join('; ');
  return `      <failure message="${attribute(message)}" type="${attribute(findings[0]!.rule)}">${text(findings.map(described).join('\n'))}</failure>`;
}

function described({ range, severity, code, rule, message }: Finding): string {
  return printable(`${range.file}:${range.line}:${range.column}: ${severity} ${code} ${rule}: ${message}`);
}

function attribute(value: string): string {
  return text(printable(value)).replaceAll('"', '&quot;');
}

function text(value: string): string {
  return printableLines(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
