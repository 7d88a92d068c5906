/** Rows whose loop may be the one of a spawn that does not say what it starts. */
import { expect, it } from 'vitest';
import { Project } from './support/project.ts';

const TABLE = [
  '**Source**: `main.py`',
  '',
  '| # | Function | Line | Frequency | Marker | Priority | Remark |',
  '|---|---|---|---|---|---|---|',
  '| 1 | `run_a()` | 6 | once at start | `legacy_awoooi_default` | P3 | |',
  '',
].join('\n');
const DYNAMIC =
  'import asyncio, sys, jobs\n\n\nasync def main():\n    for name in sys.argv:\n        asyncio.create_task(getattr(jobs, name)())\n';
const DEFINED = 'async def run_a():\n    print(1)\n';
const lines = (out: string) => out.split('\n').filter((line) => line.includes('LT004'));

it('are said to be started there perhaps, and kept, for as long as the function is there', () => {
  const project = new Project(null).write('main.py', DYNAMIC).write('jobs.py', DEFINED).write('c.md', TABLE);
  const run = (...args: string[]) => project.run('--catalog', 'c.md', ...args);
  const check = () => run('check', '--no-cache', '--select', 'LT004');
  expect(lines(check().out)).toEqual([
    'c.md:5:7: note LT004 stale-entry: row #1 lists `run_a`, which no code spawns by its name, but the spawn at main.py:6 does not say what it starts; `# looptag: id=1` there says that it is this one',
  ]);
  expect([check().code, run('catalog', 'sync', '--check').code]).toEqual([0, 0]);
  expect(run('inventory').out).toContain('#1  run_a  (row in line 5; may be started by main.py:6)');
  project.write('main.py', DYNAMIC.replace('())\n', '())  # looptag: id=1\n'));
  expect(lines(check().out)).toEqual([]);
  project.write('main.py', DYNAMIC).write('jobs.py', DEFINED.replace('run_a', 'run_b'));
  expect(lines(check().out)).toHaveLength(1);
  expect([check().code, run('catalog', 'sync', '--check').code]).toEqual([1, 1]);
});

it('get no name from what only looks like a call of one', () => {
  const calls = ['LOOPS[name]()', 'getattr(jobs, name)()', 'make(name)(3)', 'self.jobs[0].run()', '(lambda: run())()'];
  for (const call of calls) {
    const main = DYNAMIC.replace('getattr(jobs, name)()', call).replace('async def', 'from ext import *\n\nasync def');
    const project = new Project(null).write('main.py', main).write('c.md', TABLE.replace('`run_a()`', '~~`run_a()`~~'));
    const run = (...args: string[]) => project.run('--catalog', 'c.md', ...args);
    expect(run('catalog', 'sync', '--check').code).toBe(0);
    expect(run('check', '--select', 'LT003').out).toContain('what it starts has no name that a row could give');
    expect(run('check', '--select', 'LT003').out).not.toContain('can be mended');
    project.write('main.py', main.replace(`${call})`, `${call})  # looptag: id=1`)).write('c.md', TABLE);
    expect(run('check', '--select', 'LT003,LT004').code).toBe(0);
  }
  const project = new Project(null).write(
    'main.py',
    DYNAMIC.replace('getattr(jobs, name)()', 'jobs.run(f(")"), x=[1])'),
  );
  expect(project.write('c.md', TABLE).run('--catalog', 'c.md', 'catalog', 'sync', '--diff').out).toContain(
    '`jobs.run()`',
  );
});

it('are tagged by the helper, seen to be, and taken back', () => {
  const context = 'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("p", default="")\n';
  for (const call of ['LOOPS[name]()', 'getattr(jobs, name)()', 'globals()[name]()']) {
    const main = DYNAMIC.replace('getattr(jobs, name)()', call);
    const project = new Project(null).write('main.py', main).write('ctx.py', context).write('jobs.py', 'LOOPS = {}\n');
    project.write('c.md', TABLE.replace('`run_a()`', '~~`run_a()`~~'));
    const migrate = (...args: string[]) => project.run('migrate', '--no-python', '--write', ...args);
    expect(migrate('--project-id', 'awoooi').err).toContain('1 site to change, 0 refused');
    expect(project.read('main.py')).toContain(`create_task(_run_with_context(${call}, "awoooi"))`);
    expect(migrate('--project-id', 'awoooi').err).toContain('0 sites to change, 0 refused, 1 needs nothing');
    const checked = project.run('--catalog', 'c.md', 'check', '--select', 'LT001,LT002,LT003');
    expect(checked.out).not.toMatch(/LT00[12]/);
    expect(checked.out).toContain('what it starts has no name that a row could give');
    expect(project.run('inventory').out).toContain('1 tagged, 0 untagged');
    project.edit('main.py', (text) => text.replace('"awoooi"))', '"other"))'));
    expect(project.run('check', '--select', 'LT002').out).toContain('carries the project id `other`');
    migrate('--revert');
    expect(project.read('main.py')).toBe(main);
  }
});
