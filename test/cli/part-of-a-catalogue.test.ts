import { expect, it } from 'vitest';
import { Project } from './support/project.ts';

const TABLE = [
  '**Source**: `main.py`',
  '',
  '| # | Function | Line | Frequency | Marker | Priority | Remark |',
  '|---|---|---|---|---|---|---|',
  '| 1 | `run_a()` | 3 | once at start | `legacy_awoooi_default` | P3 | |',
  '| 2 | `run_b()` | jobs/b.py:3 | once at start | `legacy_awoooi_default` | P3 | |',
  '',
].join('\n');
const starts = (name: string) => `import asyncio\nasync def ${name}(): print(1)\nasyncio.ensure_future(${name}())\n`;

it('a run over a part strikes out no row of the rest', () => {
  const project = new Project(null)
    .write('main.py', starts('run_a'))
    .write('jobs/b.py', starts('run_b'))
    .write('c.md', TABLE);
  const sync = (...paths: string[]) => project.run('--catalog', 'c.md', 'catalog', 'sync', '--check', ...paths).code;
  const check = (...paths: string[]) =>
    project.run('--catalog', 'c.md', 'check', '--no-cache', '--select', 'LT004', ...paths).code;
  expect([sync('main.py'), check('main.py'), sync('.'), check('.')]).toEqual([0, 0, 0, 0]);
  project.write('jobs/b.py', '');
  expect([sync('main.py'), check('main.py'), sync('.'), check('.')]).toEqual([0, 0, 1, 1]);
});

it('a document is compared with whatever code there is, and says when there is none', () => {
  const lint = (project: Project) => project.run('--catalog', 'c.md', 'catalog', 'lint');
  const moved = new Project(null)
    .write('app/main.py', starts('run_a'))
    .write('c.md', TABLE.replace('`main.py`', '`src/main.py`'));
  expect(lint(moved).out).toContain('`run_a` is spawned at app/main.py:3');
  const alone = new Project(null).write('c.md', TABLE);
  expect(lint(alone).err).toContain('c.md: there is no code beside it');
});
