/** What a migration puts into the code passes `mypy --strict` where the project did before. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAIN, Project } from './support/project.ts';

const skip = spawnSync('mypy', ['--version']).status !== 0;
if (skip) process.stderr.write('\nSKIPPED: migrated code has not been type-checked: there is no mypy\n');

const API = 'apps/api';

/** The faults that mypy finds in a project, without their lines; sorted. */
function faultsOf(project: Project): string[] {
  const args = ['--strict', '--ignore-missing-imports', '--cache-dir=/dev/null', 'src'];
  const { status, stdout } = spawnSync('mypy', args, { cwd: join(project.root, API), encoding: 'utf8' });
  expect(status).toBeLessThan(2);
  const faults = stdout.split('\n').filter((line) => line.includes(': error: '));
  return faults.map((line) => line.replace(/:\d+:/, ':')).sort();
}

function migrated(...args: string[]): Project {
  const project = new Project().configured().write('pyproject.toml', '[project]\nrequires-python = ">=3.11"\n');
  const { code, err } = project.run('migrate', '--write', '--allow-dirty', ...args);
  expect([code, err]).toEqual([0, expect.stringMatching(/\d+ sites in \d+ files? written/)]);
  return project;
}

describe.skipIf(skip)('mypy --strict', () => {
  it.each([
    ['the helper in the file', '--helper', 'inline'],
    ['the helper in the file, with trace ids', '--helper', 'inline', '--trace'],
    ['the helper in a module of its own', '--helper', 'src.core.task_context', '--trace'],
    ['a context as the argument', '--method', 'context-argument', '--trace'],
    ['ids in the bodies', '--method', 'loop-body', '--trace'],
    ['platform sessions', '--method', 'platform-session'],
    ['heartbeats', '--heartbeat'],
  ])('has nothing to say about %s', (_, ...args) => {
    expect(faultsOf(migrated(...args))).toEqual(faultsOf(new Project()));
  });

  it('does read what was put there', () => {
    const project = migrated('--helper', 'inline').edit(MAIN, (text) => text.replace('(coro: Any, ', '(coro, '));
    expect(faultsOf(project)).toContainEqual(expect.stringContaining('no-untyped-def'));
  });
});
