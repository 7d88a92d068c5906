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
