/** Runs the checks over one analysed project: findings, their severities, suppressions and baseline. */
import type {
  BaselineEntry,
  CheckedLoop,
  CheckResult,
  CheckSummary,
  Diagnostic,
  Finding,
  Rule,
  Severity,
  SeveritySetting,
} from '../model/index.ts';
import { byPlace, byText } from '../model/order.ts';
import { applyBaseline, speaksOf } from './baseline.ts';
import type { CheckDefinition, CheckInput, RawFinding } from './contracts.ts';
import { readDirectives } from './directives.ts';
import { nearest } from './nearest.ts';
import { applySuppressions } from './suppression.ts';

/** A check that runs, with the severity in force. */
interface ActiveCheck {
  check: CheckDefinition;
  severity: Severity;
  /** The user set the severity: it holds for every finding, whatever the check thinks of a single one. */
  fixed: boolean;
}

interface RuleSelection {
  /** Ids or codes; empty or absent: all that are not off. */
  select?: readonly string[];
  ignore?: readonly string[];
  /** Severity by id or code. */
  severities?: Readonly<Record<string, SeveritySetting>>;
}

/** Which checks run. A name that no check has is a problem that names the nearest one. */
export function selectChecks(
  checks: readonly CheckDefinition[],
  selection: RuleSelection,
): { active: ActiveCheck[]; problems: Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const resolve = (name: string): string | null => {
    const found = checks.find(({ id, code }) => id === name || code === name.toUpperCase());
    if (found) return found.id;
    const near = nearest(
      name,
      checks.flatMap(({ id, code }) => [id, code]),
    );
    const remedy = near ? `did you mean "${near}"?` : '`looptag rules` lists them';
    problems.push({ level: 'error', message: `there is no rule "${name}"`, remedy });
    return null;
  };
  const select = new Set(selection.select?.map(resolve));
  const ignore = new Set(selection.ignore?.map(resolve));
  const set = new Map(Object.entries(selection.severities ?? {}).map(([name, value]) => [resolve(name), value]));
  const active: ActiveCheck[] = [];
  for (const check of checks) {
    if (ignore.has(check.id) || (select.size > 0 && !select.has(check.id))) continue;
    const setting = set.get(check.id) ?? check.severity;
    if (setting !== 'off') active.push({ check, severity: setting, fixed: set.has(check.id) });
    // Named on the command line and nowhere switched off: it was asked for.
    else if (select.has(check.id) && !set.has(check.id)) active.push({ check, severity: 'warning', fixed: false });
  }
  return { active: active.sort((a, b) => byText(a.check.code, b.check.code)), problems };
}

interface CheckOptions {
  /** Every check there is: a suppression may name one that does not run. Absent: the active ones. */
  known?: readonly { id: string; code: string }[];
  baseline?: readonly BaselineEntry[] | null;
  /** Only these are reported (`--since`); all others count for suppressions and baseline all the same. */
  keep?(finding: Finding): boolean;
  /** Only a part of the project was analysed: baseline entries that match nothing prove nothing. */
  partial?: boolean;
  /** Files of the project that were left out: entries that may speak of them are not called stale. */
  leftOut?: readonly string[];
  docUrl?(ruleId: string): string;
}

/** Runs the checks. Pure: the same input yields the same result, byte for byte. */
export function runChecks(active: readonly ActiveCheck[], input: CheckInput, options: CheckOptions = {}): CheckResult {
  const ran = new Set(active.map(({ check }) => check.id));
  const { sites, directives = [] } = input.analysis;
  const known = options.known ?? active.map(({ check }) => check);
  const read = readDirectives(directives, { rules: known, today: input.today, sourceOf: input.sourceOf });

  const found = runPhase('code', active, input);
  const suppressed = applySuppressions(found, read.suppressions, { sites, ran, sourceOf: input.sourceOf });
  const directiveProblems = [...read.problems, ...suppressed.unused];
  const about = runPhase('directives', active, { ...input, directiveProblems });
  const all = [...suppressed.kept, ...about].sort(inOrder);
  const baselined = applyBaseline(all, options.baseline ?? [], { ran, sites });
  const findings = baselined.kept.filter((finding) => options.keep?.(finding) ?? true);

  const { leftOut = [] } = options;
  const staleBaseline = options.partial ? [] : baselined.stale.filter((entry) => !speaksOf(entry, leftOut));
  return {
    findings,
    summary: summarize(findings, input, {
      suppressed: suppressed.taken.length,
      baselined: baselined.accepted.length,
      staleBaseline: staleBaseline.length,
    }),
    errors: input.analysis.errors,
    rules: active.map((entry) => ruleOf(entry, options)),
    loops: loopsOf(input),
    staleBaseline,
  };
}

/** Findings that make the run fail. */
export function failing(findings: readonly Finding[], failOn: SeveritySetting): Finding[] {
  if (failOn === 'off') return [];
  return findings.filter(({ severity }) => RANK[severity] <= RANK[failOn]);
}

const RANK = { error: 0, warning: 1, note: 2 } satisfies Record<Severity, number>;

function runPhase(phase: 'code' | 'directives', active: readonly ActiveCheck[], input: CheckInput): Finding[] {
  return active
    .filter(({ check }) => (check.phase ?? 'code') === phase)
    .flatMap((entry) => [...entry.check.run(input)].map((raw) => complete(entry, raw)))
    .sort(inOrder);
}

function complete({ check, severity, fixed }: ActiveCheck, raw: RawFinding): Finding {
  return {
    ...raw,
    rule: check.id,
    code: check.code,
    severity: fixed ? severity : (raw.severity ?? severity),
    related: raw.related ?? [],
    fix: raw.fix ?? null,
    fixable: raw.fix ? true : (raw.fixable ?? check.fixable),
  };
}

function ruleOf({ check, severity }: ActiveCheck, options: CheckOptions): Rule {
  const { id, code, summary, fixable, remedy } = check;
  return { id, code, severity, summary, fixable, docUrl: options.docUrl?.(id) ?? `docs/rules.md#${id}`, remedy };
}

function loopsOf({ reconciliation }: CheckInput): CheckedLoop[] {
  return reconciliation.decisions
    .filter(({ required, target }) => required || target?.facts.lifecycle === 'loop')
    .map(({ site, target }) => ({
      site: site.id,
      name: target?.name ?? (site.argument || site.api),
      module: site.module,
      range: site.range,
    }))
    .sort((a, b) => byPlace(a.range, b.range) || byText(a.name, b.name));
}

function summarize(
  findings: readonly Finding[],
  { analysis }: CheckInput,
  counts: Pick<CheckSummary, 'suppressed' | 'baselined' | 'staleBaseline'>,
): CheckSummary {
  const of = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  return {
    files: analysis.files.length,
    sites: analysis.sites.length,
    errors: of('error'),
    warnings: of('warning'),
    notes: of('note'),
    fixable: findings.filter((finding) => finding.fixable).length,
    ...counts,
  };
}

function inOrder(a: Finding, b: Finding): number {
  return byPlace(a.range, b.range) || byText(a.code, b.code) || byText(a.message, b.message);
}
