import type { Decision, Entry, Policy, Target } from '../model/index.ts';
import { gaugeLabels, loopName, loopNames, ownHeartbeat } from '../model/loop-label.ts';
import { byText } from '../model/order.ts';
import type { AlertPlan, LoopAlert, PlanNote } from './model.ts';
import { planNotes } from './notes.ts';
import { type Period, periodOf } from './period.ts';

interface PlanOptions {
  /** Rows whose loop the code no longer has (`Reconciliation.stale`). */
  stale?: readonly Entry[];
  /** All loops that the label must tell apart, where only some are planned for. */
  among?: readonly Decision[];
}

type Known = Extract<Period, { seconds: number }>;

/**
 * Decides each loop's alerts: threshold by its own period, severity by its priority.
 * A loop spawned at several sites gets one set; whatever gets none is listed with its reason.
 */
export function buildAlerts(decisions: readonly Decision[], policy: Policy, options: PlanOptions = {}): AlertPlan {
  const { loopLabel, projectLabel } = gaugeLabels(policy);
  const plan: AlertPlan = {
    policy: policy.name,
    metric: policy.heartbeat.metric,
    loopLabel,
    projectLabel,
    loops: [],
    skipped: [],
    notes: [],
    gone: (options.stale ?? []).flatMap(goneLoop),
    documentedThresholdSeconds: policy.alerts.documentedThresholdSeconds,
  };
  const nameOf = loopNames(targetsOf(options.among ?? decisions), policy);
  const byName = new Map<string, { loop: LoopAlert; definition: string }>();
  for (const decision of decisions) {
    const period = periodOf(decision);
    if (period.seconds === null) {
      plan.skipped.push(skipped(decision, period.code, period.reason, nameOf));
      continue;
    }
    const loop = loopAlert(decision, period, policy, nameOf);
    const definition = definitionOf(decision);
    const other = byName.get(loop.loopName);
    if (other === undefined) byName.set(loop.loopName, { loop, definition });
    else {
      if (other.definition !== definition) plan.notes.push(sameName(other.loop, loop));
      other.loop = wider(other.loop, loop);
      byName.set(loop.loopName, other);
    }
    plan.notes.push(...planNotes(decision, period, loop, policy, { loopLabel, projectLabel }));
  }
  if (policy.alerts.factor <= 1) plan.notes.push(smallFactor(policy));
  plan.loops = [...byName.values()].map((known) => known.loop).sort(byPeriod);
  plan.skipped.sort((a, b) => order(a.number, b.number) || byText(a.functionName, b.functionName));
  plan.notes.sort((a, b) => byText(a.code, b.code) || order(a.number, b.number) || byText(a.message, b.message));
  return plan;
}

function targetsOf(decisions: readonly Decision[]): Target[] {
  return decisions.flatMap(({ target }) => (target ? [target] : []));
}

type NameOf = (target: Target) => string;

function loopAlert(decision: Decision, period: Known, policy: Policy, nameOf: NameOf): LoopAlert {
  const target = decision.target!;
  const { alerts } = policy;
  const heartbeat = ownHeartbeat(target.facts.heartbeat, policy);
  const name = nameOf(target);
  const wanted = Math.max(alerts.floorSeconds, alerts.factor * period.seconds);
  const thresholdSeconds = wanted > period.seconds ? wanted : period.seconds + Math.max(1, alerts.floorSeconds);
  const delay = target.facts.initialDelaySeconds ?? 0;
  return {
    loopName: name,
    functionName: target.name,
    number: decision.entry?.number ?? null,
    class: decision.class,
    priority: decision.priority,
    projectId: decision.projectId,
    periodSeconds: period.seconds,
    periodOrigin: period.origin,
    thresholdSeconds,
    neverRanForSeconds: thresholdSeconds + delay,
    // Without a beat at loop start the series may come into being with the first good round only.
    absentForSeconds: (heartbeat?.atStart ? alerts.floorSeconds : thresholdSeconds) + delay,
    severity: severityOf(decision.priority, policy),
    runbook: runbookFor(alerts.runbook, name, target.name, decision.entry?.number ?? null),
    site: decision.site.id,
    file: decision.site.range.file,
    line: decision.site.range.line,
    heartbeat: heartbeat !== null,
  };
}

/** Severity that the policy gives a priority; `default` serves loops without one. */
function severityOf(priority: string | null, policy: Policy): string {
  const table = policy.alerts.severityByPriority;
  return (priority !== null ? own(table, priority) : undefined) ?? own(table, 'default') ?? 'warning';
}

function own(table: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function runbookFor(template: string | null, name: string, functionName: string, row: number | null): string | null {
  if (template === null || template === '') return null;
  const values: Record<string, string> = { loop_name: name, function: functionName, number: row?.toString() ?? name };
  return template.replace(/\{(loop_name|function|number)\}/g, (_, key: string) => encodeURIComponent(values[key]!));
}

function definitionOf({ target, site }: Decision): string {
  return target?.file ? `${target.file}:${target.line}` : (target?.qualifiedName ?? site.id);
}

/** Of two spawns behind one label, the slower one decides: the series is fresh when either runs. */
function wider(a: LoopAlert, b: LoopAlert): LoopAlert {
  return b.thresholdSeconds > a.thresholdSeconds ? b : a;
}

function sameName(a: LoopAlert, b: LoopAlert): PlanNote {
  return {
    code: 'same-loop-name',
    severity: 'error',
    message: `${a.functionName} (${a.file}:${a.line}) and ${b.functionName} (${b.file}:${b.line}) share the label value "${a.loopName}": one that stopped hides behind the other`,
    loopName: a.loopName,
    number: b.number,
    file: b.file,
    line: b.line,
  };
}

function smallFactor(policy: Policy): PlanNote {
  return {
    code: 'factor-too-small',
    severity: 'warning',
    message: `${policy.source}: alerts.factor is ${policy.alerts.factor}; a threshold must exceed the period, so the floor is added to it`,
    loopName: null,
    number: null,
    file: null,
    line: null,
  };
}

function skipped(decision: Decision, code: AlertPlan['skipped'][number]['code'], reason: string, nameOf: NameOf) {
  const { target, entry, site } = decision;
  return {
    code,
    functionName: target?.name ?? entry?.name ?? site.argument,
    loopName: target ? nameOf(target) : null,
    number: entry?.number ?? null,
    file: site.range.file,
    line: site.range.line,
    reason,
  };
}

function goneLoop(entry: Entry): AlertPlan['gone'] {
  if (entry.name === null) return [];
  return [{ loopName: loopName(entry.name), functionName: entry.name, number: entry.number }];
}

function byPeriod(a: LoopAlert, b: LoopAlert): number {
  return a.periodSeconds - b.periodSeconds || order(a.number, b.number) || byText(a.loopName, b.loopName);
}

function order(a: number | null, b: number | null): number {
  return (a ?? Number.MAX_SAFE_INTEGER) - (b ?? Number.MAX_SAFE_INTEGER);
}
