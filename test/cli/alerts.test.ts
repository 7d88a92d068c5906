import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { looptag, Project, temporary } from './support/project.ts';

const ADR_RULE = `groups:
  - name: loops
    rules:
      - alert: BackgroundLoopStale
        expr: time() - awooop_background_loop_last_run_timestamp > 300
        labels: { severity: warning }
`;

describe('looptag alerts', () => {
  const project = new Project().configured();

  it('prints one rule file whose thresholds follow the periods', () => {
    const { code, out, err } = project.run('alerts');
    expect(code).toBe(0);
    expect(err).toContain('28 of 28 loops update no gauge yet: run `looptag migrate --heartbeat`');
    const { groups } = parse(out) as { groups: { name: string; rules: { alert: string; expr: string }[] }[] };
    expect(groups.flatMap((g) => g.rules)).toHaveLength(3 * 28);
    const daily = groups.find((g) => g.name === 'background-loops-1d')!;
    expect(daily.rules[0]!.expr).toMatch(/> 259200$/);
    const crd = parse(project.run('alerts', '--format', 'crd', '--name', 'x', '--label', 'release=y').out);
    expect(crd).toMatchObject({
      kind: 'PrometheusRule',
      metadata: { name: 'x', labels: { release: 'y' } },
      spec: { groups },
    });
  });

  it('writes rules, resource, tests and dashboard into a folder', () => {
    const folder = join(temporary(), 'deploy');
    const { code, out } = project.run('alerts', '--output-dir', folder);
    expect([code, out]).toEqual([0, '']);
    const files = readdirSync(folder).sort();
    expect(files).toEqual(
      expect.arrayContaining(['looptag-dashboard.json', 'looptag-prometheusrule.yaml', 'looptag-rules.yaml']),
    );
    expect(files.filter((f) => f.endsWith('.test.yaml'))).toHaveLength(7);
    expect(JSON.parse(readFileSync(join(folder, 'looptag-dashboard.json'), 'utf8')).title).toBe('Background loops');
    expect(project.run('alerts', '--format', 'tests')).toMatchObject({ code: 2, out: '' });
  });

  it('finds out what is wrong with ADR-123 D5, and nothing with its own rules once the loops have gauges', () => {
    project.write('adr.yaml', ADR_RULE);
    const adr = project.run('alerts', '--check', 'adr.yaml', '--format', 'json');
    expect(adr.code).toBe(1);
    const { problems } = JSON.parse(adr.out) as { problems: { code: string; line: number; message: string }[] };
    expect(problems.find((p) => p.code === 'threshold-too-short')).toMatchObject({
      line: 4,
      message: expect.stringContaining('16 loops'),
    });
    const migrated = new Project().configured();
    expect(migrated.run('migrate', '--heartbeat', '--write').code).toBe(0);
    expect(migrated.run('migrate', '--write', '--allow-dirty').code).toBe(0);
    const { out } = migrated.run('alerts');
    expect(looptag(migrated.root, ['alerts', '--check', '-'], out)).toMatchObject({ code: 0, err: '' });
  });

  it('says in one message what is wrong with its input', () => {
    project.write('broken.yaml', 'groups: [\n');
    const cases: [string[], RegExp][] = [
      [['--check', 'none.yaml'], /none\.yaml: no such rules file\n {2}check the path.*`looptag alerts` prints one/],
      [['--check', 'docs'], /docs: is a folder/],
      [['--check', 'adr.yaml', '--format', 'crd'], /text or json/],
      [['--format', 'json'], /--check/],
      [['--label', 'x'], /KEY=VALUE/],
      [['--namespace', 'x', '--format', 'rules'], /of the PrometheusRule resource/],
      [['--output-dir', 'pyproject.toml'], /cannot be written/],
    ];
    for (const [args, message] of cases) {
      const { code, out, err } = project.run('alerts', ...args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(message);
    }
    expect(project.run('alerts', '--check', 'broken.yaml')).toMatchObject({
      code: 2,
      out: expect.stringMatching(/broken\.yaml:\d+:\d+/),
    });
  });
});

describe('looptag emit and reconcile', () => {
  const project = new Project().configured();

  it('prints a probe with a variable that no file which spawns imports', () => {
    const own = new Project(null)
      .write('app/__init__.py', '')
      .write('app/context.py', 'from contextvars import ContextVar\ntenant_id = ContextVar("tenant_id")\n')
      .write(
        'app/main.py',
        'import asyncio\nasync def f():\n    while True: await asyncio.sleep(1)\nasync def main():\n    asyncio.create_task(f())\n',
      );
    const { code, out, err } = own.run('emit', 'probe', '--context-var', 'app.context:tenant_id');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('app.context');
    own.write('app/tenants.py', 'from contextvars import ContextVar\ntenant_id = ContextVar("tenant")\n');
    own.edit('app/main.py', (text) => `from app.context import tenant_id\n${text}`);
    const other = own.run('emit', 'probe', '--context-var', 'app.tenants:tenant_id');
    expect(other).toMatchObject({ code: 0, err: '', out: expect.stringContaining('("app.tenants", "tenant_id")') });
    expect(own.run('emit', 'probe', '--context-var', 'app.main:tenant').err).toMatch(/no context variable/);
  });

  it('prints a probe that knows the context variable of the project', () => {
    const { code, out, err } = project.run('emit', 'probe');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('("src.core.context", "project_id_ctx_var")');
    expect(looptag(temporary(), ['emit', 'probe'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('"project_id"'),
    });
  });

  it('compares a dump with the inventory', () => {
    const tasks = [
      { name: 'a', qualname: 'run_evolver_loop', projectId: null, projectIdFrom: 'gc' },
      { name: 'b', qualname: 'run_governance_loop', projectId: 'awoooi', projectIdFrom: 'gc' },
      { name: 'c', qualname: 'surprise', file: '/srv/app/src/x.py', line: 3, projectId: null, projectIdFrom: 'gc' },
    ];
    project.write('tasks.jsonl', `${tasks.map((t) => JSON.stringify(t)).join('\n')}\n`);
    const { code, out } = project.run('reconcile', '--runtime', 'tasks.jsonl', '--format', 'json');
    expect(code).toBe(1);
    const report = JSON.parse(out);
    const status = (name: string) => report.loops.find((l: { functionName: string }) => l.functionName === name).status;
    expect(['run_evolver_loop', 'run_governance_loop', 'run_asset_scanner_loop'].map(status)).toEqual([
      'untagged',
      'tagged',
      'never-started',
    ]);
    expect(report.unknown).toMatchObject([{ qualname: 'surprise' }]);
    expect(looptag(project.root, ['reconcile', '--runtime', '-'], project.read('tasks.jsonl')).out).toContain(
      'Never started',
    );
  });

  it('says what is no dump', () => {
    expect(looptag(project.root, ['reconcile', '--runtime', '-'], 'hello\n').err).toContain('<stdin>:1: not JSON');
    expect(looptag(project.root, ['reconcile', '--runtime', '-'], '')).toMatchObject({
      code: 2,
      err: expect.stringContaining('empty'),
    });
    expect(project.run('reconcile')).toMatchObject({ code: 2, err: expect.stringContaining('--runtime') });
    expect(existsSync(join(project.root, 'looptag_probe.py'))).toBe(false);
  });
});
