import type { Decision, Heartbeat, Policy } from '../model/index.ts';
import { type GaugeLabels, ownHeartbeat } from '../model/loop-label.ts';
import type { LoopAlert, PlanNote, PlanNoteCode } from './model.ts';
import type { Period } from './period.ts';

/** Where code, catalogue and policy disagree on one loop, as far as its alerts are concerned. */
export function planNotes(
  decision: Decision,
  period: Extract<Period, { seconds: number }>,
  loop: LoopAlert,
  policy: Policy,
  labels: GaugeLabels,
): PlanNote[] {
  const notes: PlanNote[] = [];
  const add = (code: PlanNoteCode, severity: PlanNote['severity'], text: string) =>
    notes.push({
      code,
      severity,
      message: `${loop.functionName}: ${text}`,
      loopName: loop.loopName,
      number: loop.number,
      file: loop.file,
      line: loop.line,
    });
  if (period.mismatch !== null) add('period-mismatch', 'warning', period.mismatch);
  const found = decision.target!.facts.heartbeat;
  if (found === null) {
    add('no-heartbeat', 'warning', 'no heartbeat in the code yet; the absent rule will ring');
    return notes;
  }
  if (ownHeartbeat(found, policy) === null) {
    const text = `updates ${found.metric} at ${found.file}:${found.line}, the rules watch ${policy.heartbeat.metric}`;
    add('heartbeat-metric', 'error', text);
    return notes;
  }
  for (const text of labelTrouble(found, decision, labels)) add('heartbeat-labels', 'error', text);
  if (found.definition?.multiprocessMode === 'all') {
    add('multiprocess-mode', 'warning', 'multiprocess_mode "all" splits the series by pid; "max" or "mostrecent" fits');
  }
  return notes;
}

function labelTrouble(found: Heartbeat, decision: Decision, { loopLabel, projectLabel }: GaugeLabels): string[] {
  const place = `${found.file}:${found.line}`;
  const wanted = [loopLabel, ...(projectLabel === null ? [] : [projectLabel])];
  const names = found.labelNames;
  const missing = names === null ? [] : wanted.filter((label) => !names.includes(label));
  if (missing.length > 0) return [`the gauge at ${place} lacks the label ${missing.join(', ')}`];
  if (found.labels === null) return [`a labelled gauge is set without labels at ${place}`];
  const project = projectLabel === null ? null : (found.labels[projectLabel] ?? null);
  if (project !== null && decision.projectId !== null && project !== decision.projectId) {
    return [`${projectLabel}="${project}" at ${place}, the catalogue wants "${decision.projectId}"`];
  }
  return [];
}
