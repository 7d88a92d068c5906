import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ALERT_NAMES,
  type AlertPlan,
  buildAlerts,
  checkRulesFile,
  emitProbe,
  reconcileRuntime,
  renderRules,
} from '../../src/health/index.ts';
import { type Live, startLive } from './live.ts';
import { command, type Migrated, migratedService } from './migrated.ts';
import { prometheus, python, skipping } from './tools.ts';

const skip = skipping('the migrated service has not been watched', {
  prometheus,
  'python3-prometheus-client': python,
  'dist/start.js': command,
});

/** Runs the service for a moment and dumps its tasks. */
const DUMP = `
import asyncio, sys
sys.dont_write_bytecode = True
sys.path[:0] = sys.argv[1:3]
import looptag_probe
from src.main import app
async def serve():
    async with app.running():
        await asyncio.sleep(0.3)
        looptag_probe.dump_tasks(sys.argv[3])
asyncio.run(serve())
`;

describe.skipIf(skip)('the migrated service', () => {
  let migrated: Migrated;
  let plan: AlertPlan;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'looptag-service-'));
    migrated = await migratedService();
    const { reconciliation, policy } = migrated;
    plan = buildAlerts(reconciliation.decisions, policy, { stale: reconciliation.stale });
  }, 120_000);
  afterAll(() => {
    migrated?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has a plan without contradictions for each of its 28 loops', () => {
    expect(plan.loops).toHaveLength(28);
    expect(plan.skipped.filter((s) => s.code !== 'one-shot')).toEqual([]);
    const without = plan.loops.filter((l) => !l.heartbeat).map((l) => l.loopName);
    expect(without.length).toBeLessThanOrEqual(1);
    expect(plan.notes.filter((n) => n.code !== 'no-heartbeat' && n.code !== 'period-mismatch')).toEqual([]);
    expect(checkRulesFile(renderRules(plan), plan).filter((p) => p.code !== 'code-catalogue')).toEqual([]);
    // The codemod beats once at loop start: a missing series is then trouble after the floor already.
    const { floorSeconds } = migrated.policy.alerts;
    for (const loop of plan.loops.filter((l) => l.heartbeat))
      expect(loop.absentForSeconds).toBeLessThan(floorSeconds + 60);
  });

  it('runs every loop under its project id', () => {
    const { reconciliation, analysis, service } = migrated;
    writeFileSync(
      join(folder, 'looptag_probe.py'),
      emitProbe({ variables: analysis.contextVariables.filter((v) => v.label === 'project_id') }),
    );
    const dump = join(folder, 'tasks.jsonl');
    execFileSync(python!, ['-c', DUMP, folder, service, dump], { stdio: 'pipe' });
    const entries = [{ file: 'run.py', line: 1, column: 1, how: 'asyncio.run', target: 'serve' }];
    const report = reconcileRuntime(readFileSync(dump, 'utf8'), reconciliation.decisions, { entries });
    expect(report.diagnostics).toEqual([]);
    expect([report.neverStarted, report.untagged, report.wrongTag, report.unknown]).toEqual([[], [], [], []]);
    expect(report.loops.filter((l) => l.status === 'tagged')).toHaveLength(28);
  });

  it('is watched by a real Prometheus: the one stopped loop rings, and recovers', async () => {
    const decisions = migrated.reconciliation.decisions.map((d) => ({
      ...d,
      entry: d.entry && { ...d.entry, frequency: { ...d.entry.frequency, kind: 'unknown' as const } },
      target: d.target && {
        ...d.target,
        facts: { ...d.target.facts, periodSeconds: 0.5, periodRange: null, initialDelaySeconds: 0.5 },
      },
    }));
    const alerts = { ...migrated.policy.alerts, factor: 4, floorSeconds: 12 };
    const all = buildAlerts(decisions, { ...migrated.policy, alerts });
    const scaled = { ...all, loops: all.loops.filter((l) => l.heartbeat) };
    const exporter = join(import.meta.dirname, 'service_exporter.py');
    const live: Live = await startLive({ plan: scaled, exporter, args: ['--service', migrated.service] });
    try {
      const count = scaled.loops.length;
      await live.until(
        'a series a loop',
        () => live.query(`count(${plan.metric} > 0)`),
        (found) => found === count,
      );
      await live.until(
        'silence',
        () => live.firing(),
        (found) => found.length === 0,
      );
      const [loop, expected] = [
        'evolver_loop',
        { name: ALERT_NAMES.stale, loop: 'evolver_loop', project: 'awoooi', severity: 'warning' },
      ];
      live.control({ stopped: [loop] });
      const firing = await live.until(
        'the stale alert',
        () => live.firing(),
        (found) => found.length > 0,
        60,
      );
      expect(firing).toEqual([expected]);
      const end = Date.now() + 15_000;
      while (Date.now() < end) {
        expect(await live.firing()).toEqual([expected]);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      live.control({});
      await live.until(
        'recovery',
        () => live.firing(),
        (found) => found.length === 0,
      );
    } finally {
      await live.stop();
    }
  }, 240_000);
});
