import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALERT_NAMES, buildAlerts } from '../../src/health/index.ts';
import { facts } from '../support/builders.ts';
import { awoooiDecisions, policy } from './awoooi.ts';
import { type Live, startLive } from './live.ts';
import { prometheus, python, skipping } from './tools.ts';

const skip = skipping('no real Prometheus has watched a stopped loop', {
  prometheus,
  'python3-prometheus-client': python,
});

/** The 31 loops with their time scaled down: what takes minutes rests half a second, what takes longer one second. */
function scaledPlan() {
  const decisions = awoooiDecisions().map((d) => {
    const real = d.target!.facts.periodSeconds;
    const periodSeconds = real === null ? null : real <= 300 ? 0.5 : 1;
    return {
      ...d,
      entry: { ...d.entry!, frequency: { ...d.entry!.frequency, kind: 'unknown' as const } },
      target: { ...d.target!, facts: facts({ ...d.target!.facts, periodSeconds }) },
    };
  });
  return buildAlerts(decisions, policy({ factor: 4, floorSeconds: 10 }));
}

const plan = scaledPlan();

describe.skipIf(skip)('a real Prometheus', () => {
  let folder: string;
  let live: Live;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'looptag-exporter-'));
    const config = join(folder, 'loops.json');
    const loops = plan.loops.map((l) => ({ name: l.loopName, project: l.projectId, period: l.periodSeconds }));
    writeFileSync(config, JSON.stringify({ metric: plan.metric, labels: [plan.loopLabel, plan.projectLabel], loops }));
    live = await startLive({
      plan,
      exporter: join(import.meta.dirname, 'exporter.py'),
      args: ['--config', config],
      initially: { zeroed: ['evolver_loop'] },
    });
    await live.until(
      '28 series',
      () => live.query(`count(${plan.metric})`),
      (count) => count === 28,
    );
  }, 60_000);
  afterAll(async () => {
    await live?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** For longer than any threshold, exactly these alerts fire. */
  async function only(expected: unknown[]): Promise<void> {
    const end = Date.now() + 12_000;
    while (Date.now() < end) {
      expect(await live.firing()).toEqual(expected);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  const quiet = () =>
    live.until(
      'all quiet',
      () => live.firing(),
      (alerts) => alerts.length === 0,
    );

  it('waits at boot, and then rings for the one loop that never finished a round', async () => {
    const alert = { name: ALERT_NAMES.neverRan, loop: 'evolver_loop', project: 'awoooi', severity: 'warning' };
    expect(await live.firing()).toEqual([]);
    await live.until(
      'the alert of the loop that never ran',
      () => live.firing(),
      (found) => found.length > 0,
    );
    await only([alert]);
    live.control({});
    await quiet();
  }, 120_000);

  it('is silent while every loop runs', () => only([]), 60_000);

  it('rings for the one loop that stopped, and recovers', async () => {
    const alert = {
      name: ALERT_NAMES.stale,
      loop: 'approval_timeout_resolver',
      project: 'awoooi',
      severity: 'critical',
    };
    live.control({ stopped: [alert.loop] });
    await live.until(
      'the stale alert',
      () => live.firing(),
      (alerts) => alerts.length > 0,
    );
    await only([alert]);
    live.control({});
    await quiet();
  }, 120_000);

  it('rings for the one series that is missing, and recovers', async () => {
    live.control({ removed: ['ai_slo_watchdog_loop'] });
    await live.until(
      'the absent alert',
      () => live.firing(),
      (alerts) => alerts.length > 0,
    );
    const alert = {
      name: ALERT_NAMES.absent,
      loop: 'ai_slo_watchdog_loop',
      project: '__platform__',
      severity: 'warning',
    };
    await only([alert]);
    live.control({});
    await quiet();
  }, 120_000);
});
