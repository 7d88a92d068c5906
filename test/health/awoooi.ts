/** The 31 loops of INV-8 and the policy of ADR-123 as plain values, for tests of the health room. */
import type { Decision, Entry, LoopClass, Policy } from '../../src/model/index.ts';
import { facts, site, target } from '../support/builders.ts';

type Row = [number: number, name: string, line: number, seconds: number, priority: string | null, marker?: string];

const MIN = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Seconds 0: runs once. The last row is the undecided one, as the bundled service resolves it. */
export const ROWS: Row[] = [
  [1, 'seed_playbooks_from_rules', 331, 0, 'P3'],
  [2, 'backfill_redis_to_pg', 341, 0, 'P3'],
  [3, 'ensure_playbook_embeddings_indexed', 348, 0, 'P3'],
  [4, 'resend_stale_ready_tokens', 362, 30, 'P1'],
  [5, 'run_incident_analysis_sweeper', 373, 5 * MIN, 'P2'],
  [6, 'run_asset_scanner_loop', 383, 10 * MIN, 'P2'],
  [7, 'run_rule_catalog_sync_loop', 393, 5 * MIN, 'P2'],
  [8, 'run_capacity_scanner_loop', 403, 15 * MIN, 'P2'],
  [9, 'run_compliance_scanner_loop', 413, 30 * MIN, 'P2'],
  [10, 'run_aider_event_processor_loop', 423, 30, 'P2'],
  [11, 'run_coverage_evaluator_loop', 432, HOUR, 'P3'],
  [12, 'run_rule_stats_updater_loop', 442, 15 * MIN, 'P3'],
  [13, 'run_asset_change_tracker_loop', 452, 5 * MIN, 'P2'],
  [14, 'run_hermes_rule_quality_loop', 462, HOUR, 'P2'],
  [15, 'run_capacity_forecaster_loop', 472, 6 * HOUR, 'P3'],
  [16, 'run_daily_report_loop', 481, DAY, 'P3'],
  [17, 'run_approval_timeout_resolver', 490, 30, 'P0'],
  [18, 'run_evolver_loop', 499, HOUR, 'P2'],
  [19, 'run_playbook_generation_governance_loop', 507, 30 * MIN, 'P2'],
  [20, 'run_knowledge_decay_loop', 519, 6 * HOUR, 'P2'],
  [21, 'run_km_backfill_reconciler_loop', 529, HOUR, 'P2'],
  [22, 'run_aol_writeback_loop', 540, 30, 'P1'],
  [23, '_run_kb_rot_cleaner_loop', 585, 6 * HOUR, 'P3'],
  [24, 'run_finetune_export_loop', 594, DAY, 'P3'],
  [25, 'run_proactive_inspector_loop', 605, 5 * MIN, 'P2'],
  [26, 'run_offline_replay_loop', 614, 15 * MIN, 'P3'],
  [27, 'run_ai_slo_watchdog_loop', 623, 5 * MIN, null, 'platform_internal'],
  [28, 'run_governance_loop', 632, 5 * MIN, 'P2'],
  [29, 'run_governance_dispatcher_loop', 640, 30, 'P2'],
  [30, '_run_model_version_tracker_loop', 701, HOUR, null, 'platform_internal'],
  [31, 'run_channel_event_poller_loop', 712, 10, 'P2'],
];

export function entry(number: number, name: string, line: number, seconds: number | null): Entry {
  const kind = seconds === null ? 'unknown' : seconds === 0 ? 'once' : 'periodic';
  return {
    number,
    name,
    line,
    lineText: String(line),
    frequency: { text: '', seconds: seconds === 0 ? null : seconds, kind },
    marker: 'legacy_awoooi_default',
    priority: 'P2',
    priorityText: 'P2',
    remark: '',
    struck: false,
    row: 30 + number,
    cells: {},
  };
}

export function decision(name: string, line: number, over: Partial<Decision> = {}): Decision {
  const s = over.site ?? site(name, line);
  return {
    site: s,
    target: s.targets[0] ?? null,
    entry: null,
    matchedBy: null,
    marker: 'legacy_awoooi_default',
    class: 'B',
    priority: 'P2',
    projectId: 'awoooi',
    required: true,
    batch: 'PR-10',
    reasons: [],
    ...over,
  };
}

export function awoooiDecisions(): Decision[] {
  return ROWS.map(([number, name, line, seconds, priority, marker = 'legacy_awoooi_default']) => {
    const lifecycle = seconds === 0 ? 'one-shot' : 'loop';
    const own = target(name, { facts: facts({ lifecycle, periodSeconds: seconds || null }) });
    const platform = marker === 'platform_internal';
    return decision(name, line, {
      site: site(name, line, { targets: [own] }),
      target: own,
      entry: entry(number, name, line, seconds),
      matchedBy: 'name',
      marker,
      class: (platform ? 'A' : number === 31 ? 'C' : 'B') as LoopClass,
      priority,
      projectId: platform ? '__platform__' : 'awoooi',
    });
  });
}

export function policy(over: Partial<Policy['alerts']> = {}): Policy {
  return {
    name: 'awoooi',
    title: 'ADR-123',
    source: 'rules/policies/awoooi.yaml',
    markers: {},
    classes: {
      A: { title: 'Platform', projectId: '__platform__', marker: 'platform_internal' },
      B: { title: 'Tenant', projectId: 'awoooi', marker: 'legacy_awoooi_default' },
      C: { title: 'Per tenant', projectId: 'awoooi', marker: 'requires_project_id' },
    },
    suggestions: [],
    priorities: [],
    batches: {},
    milestones: [],
    acceptance: [],
    contextVariable: 'project_id_ctx_var',
    traceVariable: 'trace_id_ctx_var',
    traceGenerator: 'generate_trace_id',
    helper: '_run_with_context',
    platformSession: { tenant: [], platform: '', module: null },
    legacyLabel: { variable: 'LOOP_PROJECT_ID', env: 'LOOP_PROJECT_ID', value: 'legacy_awoooi_default' },
    heartbeat: {
      metric: 'awooop_background_loop_last_run_timestamp',
      variable: 'LOOP_LAST_RUN',
      labels: ['loop_name', 'project_id'],
      documentation: 'Unix timestamp of last successful loop execution',
    },
    alerts: {
      factor: 2,
      floorSeconds: 300,
      documentedThresholdSeconds: 300,
      severityByPriority: { P0: 'critical', P1: 'warning', P2: 'warning', P3: 'info', default: 'warning' },
      runbook: 'https://runbooks.example/loops#{loop_name}',
      ...over,
    },
    named: [],
  };
}
