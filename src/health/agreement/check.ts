import type { AlertPlan, LoopAlert, PlanNote } from '../model.ts';
import { type Condition, readConditions } from '../promql/conditions.ts';
import { durationSeconds } from '../promql/lexer.ts';
import type { Expr } from '../promql/parser.ts';
import { duration } from '../promql/write.ts';
import { covers, namedLoops } from './coverage.ts';
import { labelProblems } from './labels.ts';
import type { AgreementCode, AgreementProblem } from './model.ts';
import { named, problem } from './problem.ts';
import { type ReadRule, readRules } from './read-rules.ts';

/**
 * Three-way agreement of code, catalogue and an existing rules file: loops that no rule watches, rules for loops that do
 * not exist, thresholds that ring on healthy loops, labels that say something else. Never throws on a broken file.
 */
export function checkRulesFile(text: string, plan: AlertPlan): AgreementProblem[] {
  const read = readRules(text);
  const problems: AgreementProblem[] = read.problems.map((p) => ({
    ...problem('yaml-error', 'error', p.message, 'mend the YAML; what follows was checked as far as it could be read'),
    line: p.line,
    column: p.column,
  }));
  if (read.groups === 0 && read.problems.length === 0) {
    problems.push(problem('no-rules', 'error', 'no rule groups in this file', 'give a rule file or a PrometheusRule'));
  }
  const records = new Map(
    read.rules.flatMap((r) => (r.kind === 'record' && r.expr ? [[r.name, r.expr] as const] : [])),
  );
  const watched: Watched = { stale: new Set(), absent: new Set() };
  for (const rule of read.rules) if (rule.kind === 'alert') problems.push(...checkRule(rule, plan, records, watched));
  problems.push(...unwatched(plan, watched), ...plan.notes.flatMap(fromNote));
  return problems.sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || (a.column ?? 0) - (b.column ?? 0));
}

interface Watched {
  stale: Set<LoopAlert>;
  absent: Set<LoopAlert>;
}

function checkRule(
  rule: ReadRule,
  plan: AlertPlan,
  records: ReadonlyMap<string, Expr>,
  watched: Watched,
): AgreementProblem[] {
  if (rule.expr === null) {
    if (!rule.exprText.includes(plan.metric)) return [];
    return [unreadable(rule, rule.error ?? 'it does not parse')];
  }
  const { conditions, mentions } = readConditions(rule.expr, plan.metric, records);
  if (!mentions) return [];
  if (conditions.length === 0) return [unreadable(rule, 'it compares the gauge in a way that is not understood')];
  return conditions.flatMap((condition) => checkCondition(rule, condition, plan, watched));
}

function unreadable(rule: ReadRule, why: string): AgreementProblem {
  const remedy = `compare with \`looptag alerts\`; the expression stands in line ${rule.exprLine}`;
  return problem('expr-unreadable', 'warning', `the expression was not judged: ${why}`, remedy, { rule });
}

function checkCondition(rule: ReadRule, condition: Condition, plan: AlertPlan, watched: Watched): AgreementProblem[] {
  const matchers = condition.kind === 'absent' ? condition.matchers : condition.use.matchers;
  const loops = plan.loops.filter((loop) => covers(matchers, plan, loop));
  const problems = [...strangers(rule, namedLoops(matchers, plan), plan), ...labelProblems(rule, matchers, plan)];
  if (condition.kind === 'absent') {
    // One absent() over many series rings only when all of them are gone.
    const single = loops.length === 1 || plan.loops.length === 1;
    if (single) for (const loop of loops) watched.absent.add(loop);
    return problems;
  }
  if (condition.kind === 'zero') return problems;
  for (const loop of loops) watched.stale.add(loop);
  return [
    ...problems,
    ...thresholdProblems(rule, condition.thresholdSeconds, loops),
    ...shapeProblems(rule, condition, loops),
  ];
}

function strangers(rule: ReadRule, names: readonly string[], plan: AlertPlan): AgreementProblem[] {
  const problems: AgreementProblem[] = [];
  for (const name of names) {
    if (plan.loops.some((loop) => loop.loopName === name)) continue;
    const skipped = plan.skipped.find((s) => s.loopName === name);
    const gone = plan.gone.find((g) => g.loopName === name);
    const where = { rule, loops: [name] };
    if (skipped?.code === 'one-shot') {
      const text = `${skipped.functionName} runs once: its gauge gets old by design, and the rule rings for ever`;
      problems.push(problem('rule-for-one-shot', 'error', text, 'remove the rule', where));
    } else if (skipped === undefined) {
      const why = gone ? `${gone.functionName} is in the catalogue, and gone from the code` : 'no loop has that name';
      const remedy = 'remove the rule, or correct the label value';
      problems.push(problem('rule-without-loop', 'warning', `watches "${name}": ${why}`, remedy, where));
    }
  }
  return problems;
}

function thresholdProblems(rule: ReadRule, threshold: number, loops: readonly LoopAlert[]): AgreementProblem[] {
  const short = loops.filter((l) => threshold < l.periodSeconds);
  const equal = loops.filter((l) => threshold === l.periodSeconds);
  const remedy = 'give each period its own threshold (`looptag alerts` writes them)';
  const problems: AgreementProblem[] = [];
  const add = (code: AgreementCode, found: LoopAlert[], text: string) => {
    if (found.length === 0) return;
    const list = named(found, (l) => `${l.loopName} (${duration(l.periodSeconds)})`);
    const message = `threshold ${duration(threshold)} ${text} of ${list}`;
    problems.push(problem(code, 'error', message, remedy, { rule, loops: found.map((l) => l.loopName) }));
  };
  add('threshold-too-short', short, 'is shorter than the period, so that it rings on every round:');
  add('threshold-at-period', equal, 'equals the period, so that it rings whenever a round is a little late:');
  return problems;
}

function shapeProblems(
  rule: ReadRule,
  { use }: Extract<Condition, { kind: 'stale' }>,
  loops: readonly LoopAlert[],
): AgreementProblem[] {
  if (loops.length === 0) return [];
  const where = { rule, loops: loops.map((l) => l.loopName) };
  const hold = durationSeconds(rule.hold ?? '0s') ?? 0;
  const problems: AgreementProblem[] = [];
  if (!use.guarded && loops.some((l) => hold < l.periodSeconds)) {
    const text = 'a gauge of 0 (no round yet) counts as decades old: it rings at every start';
    problems.push(problem('boot-guard-missing', 'warning', text, 'compare `… > 0` inside the expression', where));
  }
  if (use.workers !== 'newest') {
    const text =
      use.workers === 'other'
        ? 'the workers are not reduced by `max`'
        : 'each worker is judged by itself: a dead one rings';
    const remedy = 'use `max by (…)` around the gauge when one living worker is enough';
    problems.push(problem('per-worker', 'note', text, remedy, where));
  }
  return problems;
}

function unwatched(plan: AlertPlan, watched: Watched): AgreementProblem[] {
  const remedy = 'write the rules again with `looptag alerts`';
  const of = (code: AgreementCode, severity: 'error' | 'warning', loops: LoopAlert[], text: string) =>
    loops.length === 0
      ? []
      : [problem(code, severity, `${text} ${named(loops, label)}`, remedy, { loops: loops.map((l) => l.loopName) })];
  const without = plan.loops.filter((l) => !watched.stale.has(l));
  const silent = plan.loops.filter((l) => watched.stale.has(l) && !watched.absent.has(l));
  return [
    ...of('loop-without-rule', 'error', without, 'no rule notices when these loops stop:'),
    ...of(
      'loop-without-absent',
      'warning',
      silent,
      'no `absent` rule of its own, a loop that never starts goes unnoticed:',
    ),
  ];
}

function label(loop: LoopAlert): string {
  return loop.number === null ? loop.loopName : `#${loop.number} ${loop.loopName}`;
}

function fromNote(note: PlanNote): AgreementProblem[] {
  if (note.code === 'factor-too-small') return [];
  const related = note.file === null || note.line === null ? null : { file: note.file, line: note.line };
  const remedy =
    note.code === 'no-heartbeat'
      ? 'run `looptag migrate --heartbeat`'
      : 'correct the code or the catalogue, whichever is wrong';
  const loops = note.loopName === null ? [] : [note.loopName];
  return [{ ...problem('code-catalogue', note.severity, note.message, remedy, { loops }), related }];
}
