import { describe, expect, test } from 'vitest';
import type { Analysis, Status } from '../../src/model/index.ts';
import { syncCatalogue } from '../../src/policy/catalogue/write.ts';
import { readCatalogue, reconcile, type StatusContext, statusReport } from '../../src/policy/index.ts';
import { analysis } from '../support/builders.ts';
import { awoooi, INV8, loop, MAIN, service } from './support.ts';

const NOTHING: StatusContext = { labelHits: [], logging: null, alertTested: null };

function status(a: Analysis, text: string | null = INV8, context: Partial<StatusContext> = {}): Status {
  const catalogue = text === null ? null : readCatalogue(text, 'docs/INV-8.md', awoooi);
  return statusReport(a, reconcile(a, catalogue, awoooi), catalogue, awoooi, { ...NOTHING, ...context });
}

function synced(): string {
  const catalogue = readCatalogue(INV8, 'docs/INV-8.md', awoooi);
  const a = service();
  return syncCatalogue(catalogue, reconcile(a, catalogue, awoooi), a, awoooi).text;
}

/** The service after PR-10: every loop carries the id of its row. */
function migrated(): Analysis {
  const a = service();
  const { decisions } = reconcile(a, readCatalogue(synced(), 'c.md', awoooi), awoooi);
  for (const d of decisions) {
    if (!d.target) continue;
    d.target.tag = { projectId: d.projectId, via: 'wrapper', file: MAIN, line: d.site.range.line };
    d.target.traceId = d.priority === 'P0';
  }
  return a;
}

describe('before the migration', () => {
  const s = status(service());

  test('totals and groups', () => {
    expect(s.totals).toEqual({
      loops: 31,
      tagged: 0,
      untagged: 31,
      wrong: 0,
      dynamic: 0,
      legacy: 29,
      undecided: 1,
      unlisted: 1,
      vanished: 0,
      traceId: 0,
      heartbeat: 0,
    });
    expect(s.classes.map((g) => [g.id, g.total, g.tagged])).toEqual([
      ['A', 2, 0],
      ['B', 28, 0],
      ['C', 1, 0],
    ]);
    expect(s.priorities.map((g) => [g.id, g.total])).toEqual([
      ['P0', 1],
      ['P1', 2],
      ['P2', 16],
      ['P3', 10],
      ['-', 2],
    ]);
    expect(s.batches.map((g) => [g.id, g.total])).toEqual([
      ['P0', 1],
      ['P1', 2],
      ['PR-10', 31],
    ]);
    expect(s.matrix.reduce((n, c) => n + c.total, 0)).toBe(31);
    expect(s.loops.find((l) => l.number === 17)).toMatchObject({
      name: 'run_approval_timeout_resolver',
      missing: ['project-id', 'trace-id', 'heartbeat'],
      expected: 'awoooi',
      actual: null,
    });
    expect(s.loops.find((l) => l.number === 1)?.missing).toEqual(['project-id']);
    expect(s.loops.at(-1)?.missing).toEqual(['row', 'project-id', 'heartbeat']);
  });

  test('milestones of D4', () => {
    expect(s.milestones.map((m) => [m.id, m.done, m.total, m.met, m.note])).toEqual([
      ['class-a', 0, 4, false, null],
      ['class-b', 0, 28, false, 'awoooi counts on 27 loops, there are 28'],
      ['legacy-zero', 2, 31, false, null],
      ['class-c', 0, 1, false, null],
      ['label-removed', 0, 0, true, null],
    ]);
    expect(s.milestones[0]?.missing.map((m) => `${m.what}: ${m.why}`)).toEqual([
      'run_ai_slo_watchdog_loop (#27): carries no project id',
      '_run_model_version_tracker_loop (#30): carries no project id',
      'run_contract_outbox_relay: not in the code yet (Phase 2)',
      'run_stale_run_reaper: not in the code yet (Phase 2)',
    ]);
    expect(s.milestones[1]?.targets['zh-TW']).toBe('Phase 2 完成（PR-10）');
  });

  test('acceptance items of both documents', () => {
    expect(s.acceptance.map((a) => [a.id, a.met, a.done, a.total])).toEqual([
      ['inv8-listed', false, 30, 31],
      ['inv8-logging', false, 0, 31],
      ['inv8-platform', false, 0, 2],
      ['inv8-legacy', false, 0, 29],
      ['inv8-trace', false, 0, 1],
      ['adr-p0', false, 0, 1],
      ['adr-all-tagged', false, 0, 31],
      ['adr-legacy-zero', false, 2, 31],
      ['adr-heartbeat', false, 0, 28],
      ['adr-alert', null, 0, 1],
    ]);
    expect(s.acceptance[0]?.missing).toEqual([
      { what: 'row #31', why: 'undecided', file: 'docs/INV-8.md', line: readCatalogue(INV8, '').entries.at(-1)?.row },
    ]);
  });
});

describe('after PR-10', () => {
  test('what holds, holds', () => {
    const s = status(migrated(), synced(), {
      logging: { file: 'log.py', line: 3 },
      alertTested: true,
      labelHits: [{ file: 'k8s/api.yaml', line: 12 }],
    });
    expect(s.totals).toMatchObject({ loops: 31, tagged: 31, untagged: 0, undecided: 0, unlisted: 0 });
    expect(s.milestones.map((m) => [m.id, m.met])).toEqual([
      ['class-a', false],
      ['class-b', true],
      ['legacy-zero', false],
      ['class-c', false],
      ['label-removed', false],
    ]);
    expect(s.milestones[4]?.missing).toEqual([
      { what: 'LOOP_PROJECT_ID', why: 'still set', file: 'k8s/api.yaml', line: 12 },
    ]);
    expect(s.acceptance.filter((a) => a.met).map((a) => a.id)).toEqual([
      'inv8-listed',
      'inv8-logging',
      'inv8-platform',
      'inv8-legacy',
      'inv8-trace',
      'adr-p0',
      'adr-all-tagged',
      'adr-alert',
    ]);
  });

  test('one wrong id, one dynamic, one spawn of two untagged', () => {
    const a = migrated();
    a.sites[0]!.targets[0]!.tag!.projectId = '__platform__';
    a.sites[1]!.targets[0]!.tag!.projectId = null;
    a.sites.push(loop('run_evolver_loop', 900, 3600));
    const s = status(a, synced());
    expect(s.totals).toMatchObject({ loops: 31, tagged: 28, wrong: 1, dynamic: 1, untagged: 1 });
    expect(s.acceptance.find((x) => x.id === 'adr-all-tagged')?.missing.map((m) => m.why)).toEqual([
      'carries __platform__ instead of awoooi',
      'carries no project id',
    ]);
    expect(s.milestones[1]?.missing).toHaveLength(3);
    expect(s.loops.find((l) => l.name === 'run_evolver_loop')?.sites).toHaveLength(2);
  });

  test('the transitional label is legacy whatever the row says', () => {
    const a = analysis([loop('run_a', 1)]);
    a.sites[0]!.targets[0]!.tag = { projectId: 'legacy_awoooi_default', via: 'loop-body', file: MAIN, line: 1 };
    const text = '| # | Loop | Line | Marker |\n|-|-|-|-|\n| 1 | `run_a` | 1 | requires_project_id |\n';
    expect(status(a, text).loops[0]).toMatchObject({ legacy: true, tag: 'wrong' });
  });
});

test('without a catalogue', () => {
  const s = status(service(), null);
  expect(s.catalogue).toBeNull();
  expect(s.totals).toMatchObject({ loops: 31, unlisted: 0, undecided: 0 });
  expect(s.acceptance[0]?.met).toBeNull();
  expect(s.loops.every((l) => !l.missing.includes('row'))).toBe(true);
});

test('what is asked of loops that are not there is no work that was done; what asks for none is', () => {
  const unnamed = { ...awoooi, named: [] };
  const applying = (a: Analysis) => {
    const s = statusReport(a, reconcile(a, null, unnamed), null, unnamed, NOTHING);
    return [...s.milestones, ...s.acceptance].filter((m) => m.applies).map((m) => m.id);
  };
  const ids = applying(service());
  expect(ids).toHaveLength(15);
  const gone = ['class-a', 'class-b', 'inv8-platform', 'inv8-legacy', 'adr-all-tagged', 'adr-heartbeat'];
  const none = analysis([]);
  expect(applying(none)).toEqual(ids.filter((id) => !gone.includes(id)));
  expect(status(none, null, { logging: { file: 'log.py', line: 3 } }).acceptance[1]).toMatchObject({ applies: false });
});

test('a loop that several calls start is listed, or missing, once', () => {
  const listed = (a: Analysis) => status(a, synced()).acceptance.find(({ id }) => id === s31.id)!;
  const s31 = status(service(), synced()).acceptance.find(({ titles }) => titles.en.includes('identified and listed'))!;
  expect([s31.done, s31.total]).toEqual([31, 31]);
  const again = [loop('run_evolver_loop', 800), loop('run_new_loop', 810), loop('run_new_loop', 820)];
  const { done, total, missing } = listed(service([...service().sites.slice(30), ...again]));
  expect([done, total, missing.map((m) => m.what)]).toEqual([31, 32, ['run_new_loop']]);
});
