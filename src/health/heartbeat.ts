import type { Heartbeat, Policy } from '../model/index.ts';

export interface GaugeLabels {
  loopLabel: string;
  projectLabel: string | null;
}

/** By convention the label that speaks of a project or tenant names that; the first other one names the loop. */
export function gaugeLabels(policy: Policy): GaugeLabels {
  const labels = policy.heartbeat.labels;
  const projectLabel = labels.find((label) => /project|tenant/i.test(label)) ?? null;
  return { loopLabel: labels.find((label) => label !== projectLabel) ?? 'loop_name', projectLabel };
}

/** The loop's gauge, when it is the policy's one (or may be: its name is not literal). */
export function ownHeartbeat(heartbeat: Heartbeat | null, policy: Policy): Heartbeat | null {
  if (heartbeat === null) return null;
  return heartbeat.metric === null || heartbeat.metric === policy.heartbeat.metric ? heartbeat : null;
}
