import { describe, expect, it } from 'vitest';
import { forecastOf } from '../../src/cli/history.ts';
import { expectsAlert } from '../../src/cli/promtool-tests.ts';
import { ofFewer } from '../support/fewer-loops.ts';
import { atLength } from '../support/long.ts';
import { CATALOGUE, looptag, MAIN, Project } from './support/project.ts';

const SPAWN = 'asyncio.create_task(run_evolver_loop())';
const TAGGED = 'asyncio.create_task(_run_with_context(run_evolver_loop(), "awoooi"))';
const HELPER = `async def _run_with_context(coro, project_id: str):
    token = project_id_ctx_var.set(project_id)
    try:
        return await coro
    finally:
        project_id_ctx_var.reset(token)
`;

describe('looptag status', () => {
  const project = new Project().configured();

  it('measures milestones and both acceptance lists, and says what is missing', () => {
    const { code, out, err } = project.run('status');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^0 of 31 loops tagged \(ADR-123/);
    expect(out).toContain('31 untagged, 29 on the transitional marker, 1 undecided, 1 not in the catalogue.');
    expect(out).toMatch(/\[ \] +0\/4 {2}every class A loop runs as __platform__/);
    expect(out).toContain('deploy/k8s/api-deployment.yaml:31');
    expect(out).toMatch(/class +P0 +P1 +P2 +P3 +none\nA .*0\/2\nB +0\/1 +0\/2 +0\/15 +0\/10/);
    expect(project.run('status', '--lang', 'zh-TW').out).toContain('分類 A 全部標記 __platform__');
  });

  it('prints data, and a page that is the same on every run', () => {
    const json = JSON.parse(project.run('status', '--format', 'json').out);
    expect(json).toMatchObject({ schema: 'looptag/status@1', totals: { loops: 31, untagged: 31, legacy: 29 } });
    expect(json.loops[17]).toMatchObject({
      number: 18,
      name: 'run_evolver_loop',
      missing: ['project-id', 'heartbeat'],
    });
    expect(json.loops[17].evidence).not.toHaveLength(0);
    const [page, again] = [project.run('status', '--format', 'html'), project.run('status', '--output', 'html=x.html')];
    expect(page.out).toMatch(/^<!DOCTYPE html>/);
    expect(page.out).toContain('2026-05-28');
    expect(project.read('x.html')).toBe(page.out);
    expect(again.out).toMatch(/^0 of 31 loops/);
    expect(project.run('status', '--output', 'sarif=x')).toMatchObject({ code: 2, out: '' });
    expect(project.run('status', '--output', 'html=no/x')).toMatchObject({ code: 2, out: '' });
  });

  it('takes the alert as tested when a promtool test of the project sees it fire', () => {
    const test = (alerts: string) =>
      `tests:\n  - alert_rule_test:\n      - alertname: BackgroundLoopStale\n        exp_alerts: ${alerts}\n`;
    const rings = test('[{ exp_labels: { loop_name: x } }]');
    const seen = [rings, test('[]'), 'tests: [', '', rings.replace('Stale', 'Absent')];
    expect(seen.map((text) => expectsAlert(text, 'BackgroundLoopStale'))).toEqual([true, false, false, false, false]);
    project.write('loops.test.yaml', rings);
    const { acceptance } = JSON.parse(project.run('status', '--format', 'json').out);
    expect(acceptance.find((a: { id: string }) => a.id === 'adr-alert').met).toBe(true);
  });

  it('reports what does not parse and counts the rest', () => {
    const broken = ofFewer(new Project().configured()).edit(MAIN, (text) => `${text}\ndef (\n`);
    const { code, err } = broken.run('status');
    expect([code, err]).toEqual([2, expect.stringMatching(/^apps\/api\/src\/main\.py:\d+:\d+: /)]);
  });
});

interface Point {
  commit: string;
  untagged: number;
  legacy: number;
  total: number;
}

describe('looptag status --history', () => {
  const history = (project: Project, ...args: string[]): { history: Point[]; forecast: object } =>
    JSON.parse(project.run('status', '--history', '--format', 'json', ...args).out);

  it('shows the burn-down over the commits, and a forecast', () => {
    const project = ofFewer(new Project().configured());
    const catalogue = project.read(CATALOGUE);
    project.git('init', '-q', '-b', 'main');
    project.write('README.md', 'x').write(CATALOGUE, '');
    project.git('add', 'README.md');
    project.git('commit', '-q', '-m', 'before the service');
    const ids = [project.commit('service', '2026-01-01')];
    project.write(CATALOGUE, catalogue);
    ids.push(project.commit('catalogue', '2026-01-02'));
    project.edit(MAIN, (text) => text.replace('\n\n\nclass', `\n\n\n${HELPER}\n\nclass`).replace(SPAWN, TAGGED));
    ids.push(project.commit('one is tagged', '2026-01-09'));
    const good = project.read(MAIN);
    project.edit(MAIN, (text) => `${text}\ndef (\n`);
    project.commit('broken', '2026-01-10');
    project.write(MAIN, `${good}\n\nX = 1\n`);
    ids.push(project.commit('mended', '2026-01-16'));
    // the work tree does not count
    project.edit(MAIN, (text) => text.replaceAll('asyncio.create_task(', 'print('));
    const { code, out, err } = looptag(project.root, ['status', '--history', '--format', 'json', MAIN]);
    expect([code, err]).toEqual([0, expect.stringContaining('1 commits left out, not every file parses')]);
    const { history: points, forecast } = JSON.parse(out);
    const [total, legacy] = atLength([31, 29], [8, 7]) as [number, number];
    expect(points.map((p: Point) => [p.untagged, p.legacy, p.total])).toEqual([
      [total, legacy, total],
      [total, legacy, total],
      [total - 1, legacy, total],
      [total - 1, legacy, total],
    ]);
    expect(points.map((p: Point) => p.commit)).toEqual(ids);
    expect(forecast).toEqual({ perWeek: 0.5, date: atLength('2027-03-12', '2026-04-24') });
    expect(history(project, '--max', '2').history).toHaveLength(1);
    expect(project.run('status', '--history').out).toMatch(
      atLength(
        /2026-01-09 {2}\w{9} {4}30 untagged {4}29 legacy {2}of 31/,
        /2026-01-09 {2}\w{9} +7 untagged +7 legacy {2}of 8/,
      ),
    );
  });

  it('counts the same, whether it looks at whole files or at what decides', () => {
    const project = ofFewer(new Project().configured());
    project.git('init', '-q', '-b', 'main');
    const edits: ((text: string) => string)[] = [
      (t) => `${t}\n\ndef later():\n    return 1\n`,
      (t) => `${t}\n\nasync def more():\n    asyncio.create_task(run_evolver_loop())\n`,
      (t) => t.replace('    return 1\n', '    asyncio.create_task(more())\n'),
      (t) => t.replace('"""AWOOOI API', '"""The API'),
      (t) => t.replace(SPAWN, `${SPAWN}  # looks after playbooks`),
      (t) =>
        t
          .replace(SPAWN, `spawn(run_evolver_loop())`)
          .replace('\n\n\nclass', '\n\n\ndef spawn(coro):\n    return asyncio.create_task(coro)\n\n\nclass'),
      (t) => `${t}\n\ndef unrelated():\n    spawn(backfill_redis_to_pg())\n`,
      (t) => t.replace('logger = logging.getLogger(__name__)', 'logger = logging.getLogger("x")\nEXTRA = []'),
      (t) => `${t}\n\nfor _each in EXTRA:\n    spawn(_each())\nEXTRA.append(run_governance_loop)\n`,
    ];
    project.commit('start', '2026-02-01');
    edits.forEach((edit, i) => {
      project.edit(MAIN, edit);
      project.commit(`edit ${i}`, `2026-02-${10 + i}`);
    });
    const args = ['status', '--history', '--format', 'json'];
    const sliced = looptag(project.root, args);
    const whole = looptag(project.root, args, undefined, { LOOPTAG_HISTORY: 'whole' });
    expect(sliced.out).toBe(whole.out);
    expect(JSON.parse(sliced.out).history).toHaveLength(edits.length + 1);
  });

  it('says where there is no history', () => {
    const project = new Project().configured();
    expect(project.run('status', '--history')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('not in a git repository'),
    });
    project.git('init', '-q');
    expect(project.run('status', '--history')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no commit yet'),
    });
    expect(project.run('status', '--history', '--max', '0')).toMatchObject({
      code: 2,
      err: expect.stringContaining('whole number'),
    });
  });
});

describe('the forecast', () => {
  const point = (date: string, untagged: number) => ({ commit: date, date, untagged, legacy: 0, total: 31 });

  it('carries on the pace since most was left', () => {
    const points = [point('2026-01-01', 30), point('2026-01-08', 31), point('2026-01-22', 27)];
    expect(forecastOf(points)).toEqual({ perWeek: 2, date: '2026-04-26' });
  });

  it('knows no end without a pace, and the day when all was done', () => {
    expect(forecastOf([])).toBeNull();
    expect(forecastOf([point('2026-01-01', 3)])).toEqual({ perWeek: null, date: null });
    expect(forecastOf([point('2026-01-01', 3), point('2026-01-08', 3)])).toEqual({ perWeek: null, date: null });
    const done = [point('2026-01-01', 3), point('2026-01-08', 0), point('2026-02-08', 0)];
    expect(forecastOf(done)).toMatchObject({ date: '2026-01-08' });
  });
});
