import { ALERT_NAMES, type AlertPlan, type LoopAlert } from './model.ts';

/** A gauge in a scenario: what it holds at each moment, null while there is no such series. */
export interface ScenarioSeries {
  loop: LoopAlert;
  instance: string;
  valueAt(second: number): number | null;
}

/** An alert name at a moment, with the loops that must ring and the value that each reports. */
interface ScenarioCheck {
  atSecond: number;
  alert: string;
  ringing: { loop: LoopAlert; value: number }[];
}

export interface Scenario {
  name: string;
  series: ScenarioSeries[];
  checks: ScenarioCheck[];
}

/** Scenarios that share one evaluation interval. */
interface ScenarioSet {
  stepSeconds: number;
  scenarios: Scenario[];
}

const STEPS = [21_600, 7200, 3600, 1800, 900, 600, 300, 120, 60, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05];

/** Seconds between two evaluations: a day-long threshold needs no look every minute, which would take promtool hours. */
function stepFor(loop: LoopAlert): number {
  const shortest = Math.min(loop.thresholdSeconds, loop.absentForSeconds);
  return STEPS.find((step) => step <= shortest / 5) ?? STEPS[STEPS.length - 1]!;
}

/** What the rules are put through, by evaluation interval: three scenarios a loop, two a period, two for all. */
export function scenarioSets(plan: AlertPlan): ScenarioSet[] {
  const byStep = new Map<number, LoopAlert[]>();
  for (const loop of plan.loops) {
    const step = stepFor(loop);
    byStep.set(step, [...(byStep.get(step) ?? []), loop]);
  }
  return [...byStep].map(([stepSeconds, loops]) => ({ stepSeconds, scenarios: scenarios(plan, loops, stepSeconds) }));
}

function scenarios(plan: AlertPlan, loops: LoopAlert[], step: number): Scenario[] {
  const firstOfPeriod = loops.filter((l, i) => loops[i - 1]?.periodSeconds !== l.periodSeconds);
  return [
    onTime(plan, loops, step),
    ...loops.map((loop) => stopped(plan, loop, step)),
    ...loops.map((loop) => zeroAtBoot(loop, step)),
    ...firstOfPeriod.map((loop) => workers(loop, step)),
    nothingThere(plan, loops, step),
    ...firstOfPeriod.map((loop) => oneMissing(plan, loop, step)),
  ];
}

/** The first moment of the grid at which `seconds` have passed. */
function up(seconds: number, step: number): number {
  return tidy(Math.ceil(tidy(seconds / step)) * step);
}

/** The last moment of the grid at which no more than `seconds` have passed. */
function down(seconds: number, step: number): number {
  return tidy(Math.floor(tidy(seconds / step)) * step);
}

/** Removes the dust of binary fractions: 0.1 × 3 is 0.3 here. */
export function tidy(value: number): number {
  return Number(value.toFixed(6));
}

function beats(loop: LoopAlert): ScenarioSeries['valueAt'] {
  return (second) => tidy(Math.floor(tidy(second / loop.periodSeconds)) * loop.periodSeconds);
}

function series(loop: LoopAlert, valueAt: ScenarioSeries['valueAt'], instance = 'a'): ScenarioSeries {
  return { loop, instance, valueAt };
}

function quiet(atSecond: number, alert: string): ScenarioCheck {
  return { atSecond, alert, ringing: [] };
}

/** A gauge that is always of this very moment. */
function fresh(loop: LoopAlert): ScenarioSeries {
  return series(loop, (second) => second);
}

function onTime(plan: AlertPlan, loops: LoopAlert[], step: number): Scenario {
  const longest = Math.max(...loops.map((l) => Math.max(l.thresholdSeconds, l.neverRanForSeconds)));
  const moments = [up(longest / 3, step), up(longest + 2 * step, step)];
  return {
    name: 'every loop on time: nothing rings',
    series: plan.loops.map((loop) => (loops.includes(loop) ? series(loop, beats(loop)) : fresh(loop))),
    checks: moments.flatMap((moment) => Object.values(ALERT_NAMES).map((alert) => quiet(moment, alert))),
  };
}

/** Stops after its second round, and comes back just after the alert. */
function stopped(plan: AlertPlan, loop: LoopAlert, step: number): Scenario {
  const last = up(2 * loop.periodSeconds, step);
  const before = tidy(last + down(loop.thresholdSeconds, step));
  const after = tidy(before + step);
  const back = tidy(after + step);
  const neighbour = plan.loops.find((l) => l !== loop && l.periodSeconds <= loop.periodSeconds);
  const own = series(loop, (second) => {
    if (second >= back) return back;
    return second >= last ? last : beats(loop)(second);
  });
  return {
    name: `${loop.loopName} stops: it rings alone, and recovers`,
    series: [own, ...(neighbour ? [series(neighbour, beats(neighbour))] : [])],
    checks: [
      quiet(before, ALERT_NAMES.stale),
      { atSecond: after, alert: ALERT_NAMES.stale, ringing: [{ loop, value: tidy(after - last) }] },
      quiet(back, ALERT_NAMES.stale),
    ],
  };
}

function zeroAtBoot(loop: LoopAlert, step: number): Scenario {
  const due = up(loop.neverRanForSeconds, step);
  // promtool's clock starts at 0: only past the threshold would an unguarded 0 look stale.
  const late = tidy(due + 2 * step);
  const first = tidy(late + step);
  return {
    name: `${loop.loopName} is 0 at boot: quiet until ${loop.neverRanForSeconds} s have passed`,
    series: [series(loop, (second) => (second >= first ? first : 0))],
    checks: [
      quiet(tidy(due - step), ALERT_NAMES.neverRan),
      { atSecond: due, alert: ALERT_NAMES.neverRan, ringing: [{ loop, value: 0 }] },
      quiet(late, ALERT_NAMES.stale),
      quiet(first, ALERT_NAMES.neverRan),
    ],
  };
}

/** Worker a dies, b lives on, c has just been restarted; then b dies too. */
function workers(loop: LoopAlert, step: number): Scenario {
  const last = up(2 * loop.periodSeconds, step);
  const bothDead = tidy(last + up(loop.thresholdSeconds, step) + step);
  const due = tidy(bothDead + up(loop.thresholdSeconds, step) + step);
  return {
    name: `${loop.loopName} in several workers: one that lives is enough, one alert when none does`,
    series: [
      series(loop, (second) => Math.min(second, last), 'a'),
      series(loop, (second) => Math.min(second, bothDead), 'b'),
      series(loop, () => 0, 'c'),
    ],
    checks: [
      quiet(bothDead, ALERT_NAMES.stale),
      quiet(bothDead, ALERT_NAMES.neverRan),
      { atSecond: due, alert: ALERT_NAMES.stale, ringing: [{ loop, value: tidy(due - bothDead) }] },
    ],
  };
}

function nothingThere(plan: AlertPlan, loops: LoopAlert[], step: number): Scenario {
  const dues = [...new Set(loops.map((l) => up(l.absentForSeconds, step)))].sort((a, b) => a - b);
  const missingAt = (atSecond: number): ScenarioCheck => ({
    atSecond,
    alert: ALERT_NAMES.absent,
    ringing: plan.loops.filter((l) => up(l.absentForSeconds, step) <= atSecond).map((loop) => ({ loop, value: 1 })),
  });
  return {
    name: 'no series at all: every loop is reported missing, each in its time',
    series: [],
    checks: [missingAt(tidy(dues[0]! - step)), ...dues.map(missingAt)],
  };
}

function oneMissing(plan: AlertPlan, missing: LoopAlert, step: number): Scenario {
  return {
    name: `only ${missing.loopName} is missing`,
    series: plan.loops.filter((loop) => loop !== missing).map(fresh),
    checks: [
      {
        atSecond: up(missing.absentForSeconds, step),
        alert: ALERT_NAMES.absent,
        ringing: [{ loop: missing, value: 1 }],
      },
    ],
  };
}
