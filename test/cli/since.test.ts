import { expect, it } from 'vitest';
import { CATALOGUE, Project } from './support/project.ts';

const found = (project: Project, ...args: string[]): string[] => {
  const { findings } = JSON.parse(project.run('check', '--format', 'json', '--since', 'HEAD', ...args).out);
  return (findings as { rule: string; file: string; line: number }[]).map((f) => `${f.rule} ${f.file}:${f.line}`);
};

function committed(): Project {
  const project = new Project();
  project.git('init', '-q');
  project.commit('all', '2027-01-01');
  return project;
}

it('--since reports what stands in changed lines of the code, and in new files', () => {
  const project = committed().configured();
  expect(found(project)).toEqual([]);
  project.edit('apps/api/src/main.py', (text) => text.replace('create_task(run_evolver_loop())', '$&  # now'));
  expect(found(project, '--select', 'LT001')).toEqual(['untagged-loop apps/api/src/main.py:499']);
  project.write('apps/api/src/jobs/fresh.py', 'import asyncio\nasync def go(): ...\nasyncio.ensure_future(go())\n');
  expect(found(project, '--select', 'LT001', 'apps/api/src/jobs')).toEqual([
    'untagged-loop apps/api/src/jobs/fresh.py:3',
  ]);
});

it('--since sees a changed catalogue, be it configured or given', () => {
  const change = (text: string) => text.replace('| `run_evolver_loop()` | 499 |', '| `run_evolver_loop()` | 498 |');
  const drift = [`line-drift ${CATALOGUE}:45`];
  const configured = committed().configured().edit(CATALOGUE, change);
  expect(found(configured, '--select', 'LT006')).toEqual(drift);
  const given = committed().edit(CATALOGUE, change);
  expect(found(given, '--select', 'LT006', '--catalog', CATALOGUE)).toEqual(drift);
});
