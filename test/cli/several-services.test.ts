/** Several services in one repository: modules of one name are other files in each, and what they share lies elsewhere. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Project } from './support/project.ts';

const CONTEXT = 'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id", default="")\n';
const JOBS =
  'import asyncio\n\n\nasync def run():\n    await asyncio.sleep(0)\n\n\ndef start():\n    return asyncio.create_task(run())\n';
const MAIN = `import asyncio

import jobs
from ctx import project_id_ctx_var


async def run_a():
    print(project_id_ctx_var.get())


async def main():
    jobs.start()
    await asyncio.create_task(run_a())


asyncio.run(main())
`;
const SERVICES = ['a', 'b'];

function twins(): Project {
  const project = new Project(null);
  for (const service of SERVICES)
    project.write(`${service}/ctx.py`, CONTEXT).write(`${service}/jobs.py`, JOBS).write(`${service}/main.py`, MAIN);
  return project;
}

function printed(project: Project, service: string): string {
  return spawnSync('python3', ['-B', 'main.py'], { cwd: join(project.root, service), encoding: 'utf8' }).stdout;
}

describe('services with modules of the same names', () => {
  const tagged = (project: Project, ...args: string[]) =>
    project.run('--root', '.', 'migrate', '--project-id', 'acme', '--write', ...args);

  it.each([[], ['--method', 'loop-body'], ['--helper', 'shared.run']].map((args) => [args]))(
    'are migrated each with what it imports itself: %j',
    (args) => {
      const project = twins();
      expect(tagged(project, ...args).err).toContain('4 sites to change, 0 refused');
      expect(SERVICES.map((service) => printed(project, service))).toEqual(['acme\n', 'acme\n']);
      expect(tagged(project, ...args).err).toContain('0 sites to change, 0 refused, 4 need nothing');
      project.run('--root', '.', 'migrate', '--revert', '--write');
      for (const service of SERVICES) {
        expect(['ctx', 'jobs', 'main'].map((name) => project.read(`${service}/${name}.py`))).toEqual([
          CONTEXT,
          JOBS,
          MAIN,
        ]);
        expect(existsSync(join(project.root, service, 'shared/run.py'))).toBe(false);
      }
    },
  );

  it('do not take the helper that another one has', () => {
    const project = twins();
    tagged(project, 'a');
    expect(tagged(project, 'a', 'b').err).toContain('2 sites to change, 0 refused, 2 need nothing');
    expect(SERVICES.map((service) => printed(project, service))).toEqual(['acme\n', 'acme\n']);
  });

  it('have one variable for init', () => {
    const project = twins();
    expect(project.run('--root', '.', 'init').out).toContain('context variable ctx:project_id_ctx_var (a/ctx.py:3)');
    expect(project.read('looptag.toml')).toBe('paths = ["a", "b"]\ncontext-var = "ctx:project_id_ctx_var"\n');
  });
});

describe('a variable in a package that the layout does not lead to', () => {
  const shared = () =>
    new Project(null)
      .write('libs/common/src/common/__init__.py', '')
      .write('libs/common/src/common/ctx.py', CONTEXT)
      .write('services/a/main.py', MAIN.replace('from ctx', 'from common.ctx'))
      .write('services/a/jobs.py', JOBS);

  it('is found by init, with where it is imported from', () => {
    const project = shared();
    expect(project.run('--root', '.', 'init').code).toBe(0);
    expect(project.read('looptag.toml')).toBe(
      'paths = ["services/a"]\nimport-roots = ["libs/common/src"]\ncontext-var = "common.ctx:project_id_ctx_var"\n',
    );
  });

  it('gets the helper beside it', () => {
    const project = shared();
    project.run('--root', '.', 'migrate', '--project-id', 'acme', '--write', 'services');
    expect(project.read('libs/common/src/common/ctx.py')).toContain('def _run_with_context');
    const other = shared();
    other.run('--root', '.', 'migrate', '--project-id', 'acme', '--write', '--helper', 'common.tasks', 'services');
    expect(other.read('libs/common/src/common/tasks.py')).toContain('from common.ctx import project_id_ctx_var');
  });

  it('is said to be out of reach of a file that neither imports it nor lies beside it', () => {
    const other = MAIN.replace('from ctx import project_id_ctx_var\n', '').replace('project_id_ctx_var.get()', '1');
    const project = shared().write('services/b/main.py', other).write('services/b/jobs.py', JOBS);
    const migrate = () => project.run('--root', '.', 'migrate', '--project-id', 'acme', 'services');
    const noted = (out: string) => out.split('\n').filter((line) => line.includes('nothing shows that it can import'));
    expect(noted(migrate().out)).toEqual(
      ['a/jobs', 'b/jobs', 'b/main'].map(
        (name) =>
          `# services/${name}.py: nothing shows that it can import common.ctx (libs/common/src/common/ctx.py): make sure that it can, and name the folder in \`import-roots\``,
      ),
    );
    const written = twins().write('c/main.py', other).write('c/jobs.py', JOBS);
    const { err } = written.run('--root', '.', 'migrate', '--project-id', 'acme', '--write');
    expect(err).toContain('note: c/main.py: nothing shows that it can import ctx (a/ctx.py)');
    project.run('--root', '.', 'init');
    expect(noted(migrate().out)).toEqual([]);
  });
});

it('a variable of something else, beside the spawn, does not hide the project id, which nobody imports yet', () => {
  const project = new Project(null)
    .write('app/__init__.py', '')
    .write('app/ctx.py', CONTEXT)
    .write(
      'main.py',
      'import asyncio\nfrom contextvars import ContextVar\n\nrequest_id = ContextVar("request_id", default="")\n\n\nasync def run():\n    pass\n\n\nasync def main():\n    await asyncio.create_task(run())\n\n\nasyncio.run(main())\n',
    );
  const got = project.run('--root', '.', 'migrate', '--project-id', 'acme', '--write', '.');
  expect(got.err).toContain('1 site to change, 0 refused');
  expect(project.read('main.py')).toContain('app.ctx');
  const ran = spawnSync('python3', ['-B', 'main.py'], { cwd: project.root, encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
});
