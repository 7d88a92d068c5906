import type { LoopClass } from '../model/index.ts';

/** Where the period of a loop was read, best source first. */
export type PeriodOrigin = 'code' | 'code-range' | 'code-schedule' | 'catalogue';

/** What the alerts of one loop are made of. */
export interface LoopAlert {
  /** Value of the loop label: as the code writes it, else derived from the function's name. */
  loopName: string;
  /** Function name as written at the site. */
  functionName: string;
  /** Row of the catalogue; null for a loop without a row. */
  number: number | null;
  class: LoopClass | null;
  priority: string | null;
  projectId: string | null;
  periodSeconds: number;
  periodOrigin: PeriodOrigin;
  /** A loop whose gauge is older than this is stale. */
  thresholdSeconds: number;
  /** How long a gauge may stay at 0 after start-up. */
  neverRanForSeconds: number;
  /** How long the series may be missing. */
  absentForSeconds: number;
  severity: string;
  runbook: string | null;
  /** Id and place of the spawn site. */
  site: string;
  file: string;
  line: number;
  /** A gauge of the policy's metric is updated in the loop's body. */
  heartbeat: boolean;
}

export type SkipCode = 'one-shot' | 'unknown-period' | 'unknown-lifecycle' | 'unresolved' | 'per-request';

/** A decision that gets no alert, and why. */
interface SkippedLoop {
  code: SkipCode;
  functionName: string;
  loopName: string | null;
  number: number | null;
  file: string;
  line: number;
  reason: string;
}

export type PlanNoteCode =
  | 'period-mismatch'
  | 'no-heartbeat'
  | 'heartbeat-metric'
  | 'heartbeat-labels'
  | 'multiprocess-mode'
  | 'same-loop-name'
  | 'factor-too-small';

/** Something that a person should know before trusting the rules. */
export interface PlanNote {
  code: PlanNoteCode;
  severity: 'error' | 'warning' | 'note';
  message: string;
  loopName: string | null;
  number: number | null;
  file: string | null;
  line: number | null;
}

/** All that the rule files, their tests and the dashboard are rendered from. */
export interface AlertPlan {
  policy: string;
  metric: string;
  /** Label that names the loop. */
  loopLabel: string;
  /** Label that names the project; null when the policy's gauge has none. */
  projectLabel: string | null;
  /** By period, then by number and name. */
  loops: LoopAlert[];
  skipped: SkippedLoop[];
  notes: PlanNote[];
  /** Catalogued loops that the code no longer has. */
  gone: { loopName: string; functionName: string; number: number | null }[];
  /** The single threshold of the original document. */
  documentedThresholdSeconds: number | null;
}

/** One alerting rule, before any format. */
export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface AlertGroup {
  name: string;
  rules: AlertRule[];
}

export const ALERT_NAMES = {
  stale: 'BackgroundLoopStale',
  neverRan: 'BackgroundLoopNeverRan',
  absent: 'BackgroundLoopAbsent',
} as const;
