import { ALERT_NAMES, type AlertGroup, type AlertPlan, type AlertRule, type LoopAlert } from './model.ts';
import { duration, number, selector, templateText } from './promql/write.ts';

/** The rules of a plan, in groups by period. */
export function alertGroups(plan: AlertPlan): AlertGroup[] {
  const groups = new Map<number, AlertGroup>();
  for (const loop of plan.loops) {
    const group = groups.get(loop.periodSeconds) ?? { name: groupName(loop.periodSeconds), rules: [] };
    group.rules.push(...rulesOf(plan, loop));
    groups.set(loop.periodSeconds, group);
  }
  return [...groups.values()];
}

/** Stopped, never ran, missing: the three ways in which a loop is not there. */
export function rulesOf(plan: AlertPlan, loop: LoopAlert): AlertRule[] {
  return [staleRule(plan, loop), neverRanRule(plan, loop), absentRule(plan, loop)];
}

function groupName(periodSeconds: number): string {
  return `background-loops-${duration(periodSeconds)}`;
}

/** `max by`: of several workers one that lives is enough, and a dead worker's series must not ring. */
function newest(plan: AlertPlan, inner: string): string {
  const labels = [plan.loopLabel, ...(plan.projectLabel === null ? [] : [plan.projectLabel])];
  return `max by (${labels.join(', ')}) (${inner})`;
}

function series(plan: AlertPlan, loop: LoopAlert): string {
  // By loop alone: a wrong project id is `checkRulesFile`'s matter and must not blind the alert.
  return selector(plan.metric, [[plan.loopLabel, '=', loop.loopName]]);
}

/** 0 means "never": without the guard every loop would be 50 years late at boot. */
function staleRule(plan: AlertPlan, loop: LoopAlert): AlertRule {
  return {
    alert: ALERT_NAMES.stale,
    expr: `time() - ${newest(plan, `${series(plan, loop)} > 0`)} > ${number(loop.thresholdSeconds)}`,
    labels: ruleLabels(plan, loop),
    annotations: annotations(
      loop,
      `Background loop ${loop.loopName} has stopped`,
      `No successful round for {{ $value | humanizeDuration }}; one is due every ${duration(loop.periodSeconds)}, the threshold is ${duration(loop.thresholdSeconds)}.`,
    ),
  };
}

/** The other side of the guard: a gauge that stays at 0 has no age, only a time since it was first seen. */
function neverRanRule(plan: AlertPlan, loop: LoopAlert): AlertRule {
  return {
    alert: ALERT_NAMES.neverRan,
    expr: `${newest(plan, series(plan, loop))} == 0`,
    for: duration(loop.neverRanForSeconds),
    labels: ruleLabels(plan, loop),
    annotations: annotations(
      loop,
      `Background loop ${loop.loopName} has never finished a round`,
      `Its gauge is still 0, ${duration(loop.neverRanForSeconds)} after it appeared; one round is due every ${duration(loop.periodSeconds)}.`,
    ),
  };
}

function absentRule(plan: AlertPlan, loop: LoopAlert): AlertRule {
  const project: Record<string, string> =
    plan.projectLabel === null || loop.projectId === null ? {} : { [plan.projectLabel]: templateText(loop.projectId) };
  return {
    alert: ALERT_NAMES.absent,
    expr: `absent(${series(plan, loop)})`,
    for: duration(loop.absentForSeconds),
    labels: { ...ruleLabels(plan, loop), ...project },
    annotations: annotations(
      loop,
      `Background loop ${loop.loopName} is not there`,
      `No series of it for ${duration(loop.absentForSeconds)}: the loop was never started, or the process is not scraped.`,
    ),
  };
}

/** What each rule of a loop carries beside the series' own labels, as templates. The loop's name keeps rules apart. */
export function ruleLabels(plan: AlertPlan, loop: LoopAlert): Record<string, string> {
  return {
    [plan.loopLabel]: templateText(loop.loopName),
    severity: templateText(loop.severity),
    ...(loop.number === null ? {} : { catalog_number: String(loop.number) }),
    ...(loop.priority === null ? {} : { priority: templateText(loop.priority) }),
    ...(loop.class === null ? {} : { loop_class: loop.class }),
  };
}

/** Every text but the description's one placeholder comes from outside, or may. */
function annotations(loop: LoopAlert, summary: string, description: string): Record<string, string> {
  const row = loop.number === null ? 'not in the catalogue' : `#${loop.number}`;
  return {
    summary: templateText(summary),
    description,
    catalog: templateText(`${row} ${loop.functionName}`),
    source: templateText(`${loop.file}:${loop.line}`),
    ...(loop.runbook === null ? {} : { runbook_url: templateText(loop.runbook) }),
  };
}
