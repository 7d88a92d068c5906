/** Files that have a second name in the project. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Project } from './support/project.ts';

const MAIN = `import asyncio

from ctx import project_id_ctx_var


async def run_a():
    print(project_id_ctx_var.get())


async def main():
    await asyncio.create_task(run_a())
`;
const CONTEXT = 'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("p", default="")\n';

it('are counted, written and put into a patch once', () => {
  const project = new Project(null).write('app/main.py', MAIN).write('app/ctx.py', CONTEXT);
  symlinkSync('main.py', join(project.root, 'app/link.py'));
  symlinkSync('app/main.py', join(project.root, 'run.py'));
  project.git('init', '-q');
  project.commit('first', '2026-05-01');
  expect(JSON.parse(project.run('inventory', '--format', 'json').out).summary).toMatchObject({ files: 2, sites: 1 });
  const { code, err } = project.run('migrate', '--no-python', '--project-id', 'a', '--write');
  expect([code, err]).toEqual([0, expect.stringContaining('1 site in 1 file written')]);
  expect(project.git('status', '--short')).toBe('M app/main.py');
});

it('are read by their second name where the first is not looked at', () => {
  const project = new Project(null).write('shared/main.py', MAIN).write('shared/ctx.py', CONTEXT).write('app/x.py', '');
  symlinkSync('../shared/main.py', join(project.root, 'app/link.py'));
  const summary = (path: string) => JSON.parse(project.run('inventory', '--format', 'json', path).out).summary;
  expect([summary('app').sites, summary('app/link.py').sites, summary('.').sites]).toEqual([1, 1, 1]);
});
