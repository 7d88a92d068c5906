import { expect, it } from 'vitest';
import { Project } from './support/project.ts';

const MAIN = `import asyncio
from contextvars import ContextVar
project_id_ctx_var = ContextVar("project_id_ctx_var", default="")
async def run(): print(1)
class Mailer:
    async def run(self): print(2)
    async def _flush(self): print(3)
    def start(self):
        asyncio.ensure_future(self.run()), asyncio.ensure_future(self._flush())
async def main():
    asyncio.ensure_future(run())
    Mailer().start()
`;

it('--only takes a loop by its whole name, else by the end of a dotted one, as explain does', () => {
  const project = new Project(null).write('main.py', MAIN);
  const wrapped = (only: string) =>
    [
      ...project.run('migrate', '--project-id', 'x', '--only', only).out.matchAll(/^\+.*?_with_context\((\S*?)\(\)/gm),
    ].map(([, call]) => call);
  const both = ['self.run', 'self._flush'];
  expect(wrapped('run')).toEqual(['run']);
  expect(wrapped('Mailer.run')).toEqual(['self.run']);
  expect(wrapped('_flush,Mailer.run')).toHaveLength(1);
  expect(project.run('migrate', '--project-id', 'x', '--only', '_flush,Mailer.run').err).toContain('2 sites to change');
  expect(both.map((name) => project.run('explain', name).code)).toEqual([0, 0]);
  expect(project.run('explain', 'Mailer._flush').out).toContain('self._flush');
});

it('--context-var may name a module that passes the variable on', () => {
  const project = new Project(null)
    .write('ctx.py', 'from contextvars import ContextVar\nproject_id_ctx_var = ContextVar("project_id_ctx_var")\n')
    .write('api.py', 'from ctx import project_id_ctx_var\n')
    .write(
      'a.py',
      `import asyncio\nfrom ctx import project_id_ctx_var\nasync def run(): print(1)\nasyncio.run(run())\n`,
    )
    .write('b.py', `import asyncio\nfrom a import run\nasync def main(): asyncio.ensure_future(run())\n`);
  const { err, out } = project.run(
    'migrate',
    '--project-id',
    'x',
    '--method',
    'loop-body',
    '--unsafe',
    '--context-var',
    'api:project_id_ctx_var',
  );
  expect(err).toContain('1 site to change, 0 refused');
  expect(out).toContain('project_id_ctx_var.set("x")');
  expect(out).not.toContain('import api');
});

it('explain says that a task is dropped only where nobody else owns it', () => {
  const main = `import asyncio
def start(coro): return asyncio.create_task(coro)
async def kept(): print(1)
async def lost(): print(2)
async def main():
    start(kept())
    asyncio.create_task(lost())
`;
  const project = new Project(null).write('main.py', main);
  expect(project.run('explain', 'kept').out).not.toContain('task dropped');
  expect(project.run('explain', 'lost').out).toContain('task dropped');
});
