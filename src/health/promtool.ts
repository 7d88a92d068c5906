import { ALERT_NAMES, type AlertPlan, type AlertRule, type LoopAlert } from './model.ts';
import { duration, number, selector } from './promql/write.ts';
import { rulesOf } from './rule-parts.ts';
import { toYaml } from './rules-yaml.ts';
import { type Scenario, type ScenarioSeries, scenarioSets, tidy } from './scenarios.ts';

interface PromtoolOptions {
  /** The rule file that the tests load, relative to the test file. */
  rulesFile?: string;
}

interface PromtoolFile {
  file: string;
  text: string;
}

/** Samples further apart than Prometheus' look-back of five minutes would count as gone. */
const SAMPLE_STEPS = [240, 180, 150, 120, 60];

/**
 * Unit tests for `promtool test rules`, made from the same plan as the rules: on time nothing rings, a stopped loop rings
 * alone and recovers, 0 at boot waits, a missing series rings, and a live worker covers for a dead one.
 * One file an evaluation interval, since promtool takes only one a file.
 */
export function renderPromtoolTests(plan: AlertPlan, options: PromtoolOptions = {}): PromtoolFile[] {
  const rulesFile = options.rulesFile ?? 'looptag-rules.yaml';
  const stem = rulesFile.slice(rulesFile.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '');
  const rules = new Map(plan.loops.map((loop) => [loop, rulesOf(plan, loop)]));
  return scenarioSets(plan).map(({ stepSeconds, scenarios }) => ({
    file: `${stem}.every-${duration(stepSeconds)}.test.yaml`,
    text: toYaml({
      rule_files: [rulesFile],
      evaluation_interval: duration(stepSeconds),
      tests: scenarios.map((scenario) => testCase(plan, scenario, rules, sampleStep(stepSeconds))),
    }),
  }));
}

function sampleStep(step: number): number {
  return step <= SAMPLE_STEPS[0]! ? step : SAMPLE_STEPS.find((s) => step % s === 0)!;
}

function testCase(plan: AlertPlan, scenario: Scenario, rules: Map<LoopAlert, AlertRule[]>, interval: number) {
  const end = Math.max(...scenario.checks.map((check) => check.atSecond));
  return {
    name: scenario.name,
    interval: duration(interval),
    input_series: scenario.series.map((series) => ({
      series: seriesName(plan, series),
      values: sampleNotation(series, Math.round(end / interval) + 1, interval),
    })),
    alert_rule_test: scenario.checks.map((check) => ({
      eval_time: duration(check.atSecond),
      alertname: check.alert,
      exp_alerts: check.ringing.map(({ loop, value }) => expected(plan, loop, check.alert, value, rules)),
    })),
  };
}

function expected(plan: AlertPlan, loop: LoopAlert, alert: string, value: number, rules: Map<LoopAlert, AlertRule[]>) {
  const rule = rules.get(loop)!.find((r) => r.alert === alert)!;
  return {
    exp_labels: { ...seriesLabels(plan, loop, alert), ...rendered(rule.labels, value) },
    exp_annotations: rendered(rule.annotations, value),
  };
}

function projectOf(loop: LoopAlert): string {
  return loop.projectId ?? 'unknown';
}

function seriesName(plan: AlertPlan, { loop, instance }: ScenarioSeries): string {
  const project = plan.projectLabel === null ? [] : [[plan.projectLabel, '=', projectOf(loop)] as const];
  return selector(plan.metric, [[plan.loopLabel, '=', loop.loopName], ...project, ['instance', '=', instance]]);
}

function seriesLabels(plan: AlertPlan, loop: LoopAlert, alert: string): Record<string, string> {
  const own = { [plan.loopLabel]: loop.loopName };
  if (alert === ALERT_NAMES.absent || plan.projectLabel === null) return own;
  return { ...own, [plan.projectLabel]: projectOf(loop) };
}

/** Samples in promtool's notation: runs with one difference become `start+differencexcount`. */
export function sampleNotation(series: Pick<ScenarioSeries, 'valueAt'>, count: number, step: number): string {
  const parts: string[] = [];
  const values = Array.from({ length: count }, (_, i) => series.valueAt(tidy(i * step)));
  let at = 0;
  while (at < count) {
    const start = values[at]!;
    if (start === null) {
      parts.push('_');
      at += 1;
      continue;
    }
    const next = values[at + 1] ?? null;
    const difference = next === null ? 0 : tidy(next - start);
    let last = at;
    while (last + 1 < count && values[last + 1] !== null && tidy(values[last + 1]! - values[last]!) === difference)
      last += 1;
    // A jump belongs to the run that follows it, not to a run of two.
    if (last === at + 1 && difference !== 0) last = at;
    parts.push(last === at ? number(start) : `${number(start)}+${number(difference)}x${last - at}`);
    at = last + 1;
  }
  return parts.join(' ');
}

function rendered(texts: Record<string, string>, value: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.replaceAll('{{ $value | humanizeDuration }}', humanize(value)).replaceAll('{{ "{{" }}', '{{'),
    ]),
  );
}

/** Prometheus' `humanizeDuration`, for the values that occur here (none is negative). */
export function humanize(value: number): string {
  if (value < 60) return `${Number(value.toPrecision(4))}s`;
  const whole = Math.floor(value);
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
  ];
  const parts = [`${days}d`, `${hours}h`, `${minutes}m`, `${whole % 60}s`];
  return parts.slice(days ? 0 : hours ? 1 : 2).join(' ');
}
