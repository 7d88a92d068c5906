import { expect, it } from 'vitest';
import { Project } from './support/project.ts';

const project = new Project(null)
  .write('shared/tasks.py', 'import asyncio\ndef begin(c): return asyncio.create_task(c)\n')
  .write('shared/__init__.py', 'from .tasks import begin\n')
  .write('jobs/poll.py', 'from shared import begin\nasync def poll(): ...\nbegin(poll())\n');

it.each(['.', 'jobs', 'jobs/poll.py'])(
  'what calls a wrapper of another file is found wherever one looks: %s',
  (path) => {
    const { code, out } = project.run('inventory', '--no-cache', '--format', 'json', path);
    const { sites } = JSON.parse(out) as { sites: { id: string; api: string }[] };
    expect([code, sites.map(({ id, api }) => [id, api])]).toEqual([
      0,
      [['poll:<module>:poll', 'wrapper:shared.tasks.begin']],
    ]);
  },
);

it('a gate over the changed file alone reports it too', () => {
  const { code, out } = project.run('check', '--no-cache', '--select', 'untagged-loop,dropped-task', 'jobs/poll.py');
  expect([code, out]).toEqual([1, expect.stringContaining('jobs/poll.py:3:1')]);
});
