/** Shapes of real services that were refused, since what was rewritten did not look tagged to a new analysis. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { Project } from './support/project.ts';

const CONTEXT = 'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id", default="")\n';
const HEAD = 'import asyncio\n\nfrom ctx import project_id_ctx_var\n\n\n';
const RUN = 'async def run():\n    print(project_id_ctx_var.get())\n\n\n';

/** What is to change, what the task prints afterwards, and what needs nothing then; taken back, all is as it was. */
function migrated(main: string, more: Record<string, string> = {}): string[] {
  const project = new Project(null).write('ctx.py', CONTEXT).write('main.py', main);
  for (const [file, text] of Object.entries(more)) project.write(file, text);
  const ran = (): string => {
    const { stdout, stderr } = spawnSync('python3', ['-B', 'main.py'], { cwd: project.root, encoding: 'utf8' });
    return stdout.trim() || stderr;
  };
  const tag = () => project.run('--root', '.', 'migrate', '--project-id', 'acme', '--write', '.').err;
  const first = tag();
  const after = ran();
  const second = tag();
  project.run('--root', '.', 'migrate', '--revert', '--write', '.');
  expect([project.read('main.py'), project.read('ctx.py')]).toEqual([main, CONTEXT]);
  return [/\d+ sites? to change, \d+ refused/.exec(first)![0], after, /\d+ needs? nothing/.exec(second)![0]];
}

it('a coroutine of which only its variable is known', () => {
  const main = `${HEAD}${RUN}class Commands:
    run = staticmethod(run)

    async def start(self, method, **kwargs):
        f = getattr(self, method)
        coro = f(**kwargs)
        task = asyncio.create_task(coro)
        await task


asyncio.run(Commands().start("run"))
`;
  expect(migrated(main)).toEqual(['1 site to change, 0 refused', 'acme', '1 needs nothing']);
});

it('a coroutine handed to a method of an object that is handed over', () => {
  const main = `${HEAD}${RUN}class Network:
    def run_soon(self, coro):
        return asyncio.ensure_future(coro)


class Wallet:
    def __init__(self, network):
        self.network = network

    async def start(self):
        await self.network.run_soon(run())


asyncio.run(Wallet(Network()).start())
`;
  expect(migrated(main)).toEqual(['1 site to change, 0 refused', 'acme', '1 needs nothing']);
});

it('handlers that several functions hand on, sorted out by a test', () => {
  const main = `${HEAD}${RUN}def plain():
    print("plain")


class Tab:
    def __init__(self):
        self.commands = {}

    def register(self, name, func, *, usage=""):
        self.commands[name] = (func, usage)

    def register_all(self, rows):
        for row in rows:
            self.register(row["name"], row["func"])

    async def execute(self, name):
        func = self.commands[name][0]
        if asyncio.iscoroutinefunction(func):
            await asyncio.create_task(func())
        else:
            func()


async def main():
    tab = Tab()
    tab.register("plain", plain)
    tab.register("run", run)
    tab.register_all([{"name": "again", "func": run}])
    await tab.execute("run")


asyncio.run(main())
`;
  expect(migrated(main)).toEqual(['1 site to change, 0 refused', 'acme', '1 needs nothing']);
});

it('a module with an Any of its own', () => {
  const main = `import asyncio
from contextvars import ContextVar

from traits import Any

project_id_ctx_var = ContextVar("project_id", default="")


${RUN}asyncio.run(asyncio.wait_for(run(), 1))


async def start():
    await asyncio.create_task(run())


asyncio.run(start())
assert Any == 5
`;
  const project = new Project(null).write('traits.py', 'Any = 5\n').write('main.py', main);
  expect(project.run('--root', '.', 'migrate', '--project-id', 'acme', '--write', '.').err).toContain(
    '1 site to change, 0 refused',
  );
  expect(project.read('main.py')).toContain('def _run_with_context(coro: typing.Any, project_id: str) -> typing.Any:');
  const { stdout, stderr } = spawnSync('python3', ['-B', 'main.py'], { cwd: project.root, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['\nacme\n', '']);
  expect(project.run('--root', '.', 'migrate', '--project-id', 'acme', '--write', '.').err).toContain(
    '1 needs nothing',
  );
  project.run('--root', '.', 'migrate', '--revert', '--write', '.');
  expect(project.read('main.py')).toBe(main);
});

const SUPERVISE = `def supervise(fn, *args):
    async def forever():
        while True:
            await fn(*args)
            await asyncio.sleep(1)

    return asyncio.create_task(forever())


def called(fn):
    return asyncio.create_task(fn())


`;

it('a function handed to a wrapper is tagged inside of it, and whoever hands it over needs nothing', () => {
  const main = `${HEAD}${RUN}${SUPERVISE}async def main():
    tasks = supervise(run), called(run)
    await asyncio.sleep(0.01)


asyncio.run(main())
`;
  expect(migrated(main)).toEqual(['2 sites to change, 0 refused', 'acme\nacme', '4 need nothing']);
});

it('a function handed to a constructor, and functions kept by a supervisor that guards them', () => {
  const main = `${HEAD}${RUN}class Poller:
    def __init__(self, callback=None):
        self.callback = callback
        self.task = asyncio.create_task(self.callback())


class Supervisor:
    def __init__(self):
        self.jobs = []

    def add(self, fn, *args):
        self.jobs.append((fn, args))

    def start(self):
        for fn, args in self.jobs:
            asyncio.create_task(self._guard(fn, *args))

    async def _guard(self, fn, *args):
        try:
            await fn(*args)
        except Exception:
            print("again")


async def main():
    poller = Poller(callback=run)
    supervisor = Supervisor()
    supervisor.add(run)
    supervisor.start()
    await asyncio.sleep(0.01)


asyncio.run(main())
`;
  expect(migrated(main)).toEqual(['2 sites to change, 0 refused', 'acme\nacme', '3 need nothing']);
});

it('a wrapper whose callers start loops of several projects is left alone, and the bodies are tagged', () => {
  const table =
    '| # | Function | Marker |\n|---|---|---|\n| 1 | `run` | platform_internal |\n| 2 | `other` | legacy_awoooi_default |\n';
  const main = `${HEAD}${RUN}${RUN.replace('run', 'other')}${SUPERVISE}async def main():
    tasks = supervise(run), supervise(other)
    await asyncio.sleep(0.01)


asyncio.run(main())
`;
  const project = new Project(null).write('ctx.py', CONTEXT).write('main.py', main).write('c.md', table);
  const wrapped = project.run('migrate', '--catalog', 'c.md', '--check');
  expect(wrapped.code).toBe(0);
  expect(wrapped.err).toMatch(/its callers start loops of several projects .*--method loop-body/);
  expect(wrapped.err).toContain('nothing would change: 3 sites are refused, for the reasons above; `looptag check`');
  const inBodies = project.run('migrate', '--catalog', 'c.md', '--method', 'loop-body', '--write');
  expect(inBodies.err).toContain('2 sites to change, 0 refused, 2 need nothing');
  const { stdout } = spawnSync('python3', ['-B', 'main.py'], { cwd: project.root, encoding: 'utf8' });
  expect(stdout).toBe('__platform__\nawoooi\n');
  expect(project.run('migrate', '--catalog', 'c.md', '--method', 'loop-body', '--write').err).toBe(
    '0 sites to change, 0 refused, 4 need nothing\nnothing to write\n',
  );
});
