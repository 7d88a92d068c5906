/** No import cycle is made: what Python could import before, it can import afterwards, each module first. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { looptag, python3, temporary, write } from './support/run.ts';

const LOOP = 'async def run_poll():\n    while True:\n        await asyncio.sleep(5)\n\n\n';
const START = 'async def start():\n    asyncio.create_task(run_poll())\n';

/** `context` needs `worker`, so `worker` must never need `context`, by whatever way. */
const PROJECT = {
  'app/__init__.py': '',
  'app/context.py':
    'from contextvars import ContextVar\n\nfrom app.worker import VERSION\n\nproject_id_ctx_var = ContextVar("project_id", default=VERSION)\n',
  'app/worker.py': `import asyncio\n\nVERSION = "1"\n\n\n${LOOP}${START}`,
  'app/other.py': `import asyncio\n\nfrom app.worker import run_poll\n\n\n${START}`,
  'app/tasks.py': '"""What tasks have in common."""\n',
};
const MODULES = ['app.context', 'app.worker', 'app.other', 'app.tasks'];

/** Each module is the first that its process imports of the project; the processes are forks of one. */
const IMPORTS = `import asyncio, contextvars, json, os, sys
for module in sys.argv[1:]:
    read, write = os.pipe()
    if os.fork() == 0:
        try:
            __import__(module)
            said = "yes"
        except BaseException as error:
            said = "%s: %s" % (type(error).__name__, error)
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    print(json.dumps(os.read(read, 1 << 16).decode()), flush=True)
    os.close(read)
    os.wait()
`;

/** Of each module: `yes`, or why it cannot be imported. */
function importable(root: string): string[] {
  const run = spawnSync(python3!.command, ['-B', '-c', IMPORTS, ...MODULES], { cwd: root, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string);
}

/** Of the project as it is, which is the same each time. */
let before: string[] | null = null;

describe.skipIf(!python3)('where the module graph has the context variable above a loop', () => {
  it.each([
    ['a helper in each file', []],
    ['a helper in a module that imports nothing yet', ['--helper', 'app.tasks']],
    ['a helper in a module of its own', ['--helper', 'app.background']],
    ['a helper beside the context variable', ['--helper', 'app.context']],
    ['a context', ['--method', 'context-argument']],
    ['in the body of the loop', ['--method', 'loop-body']],
    ['a heartbeat too', ['--heartbeat', '--helper', 'app.tasks']],
  ])('%s', async (_, options) => {
    const root = temporary('cycles');
    write(root, { ...PROJECT, 'pyproject.toml': '[project]\nrequires-python = ">=3.11"\n' });
    write(root, { 'prometheus_client.py': 'def Gauge(*_, **__): ...\n' });
    before ??= importable(root);
    expect(before).toEqual(MODULES.map(() => 'yes'));
    const args = ['migrate', '--project-id', 'awoooi', '--write', '--allow-dirty', ...options, 'app'];
    const { code, err } = await looptag(args, { cwd: root });
    expect(code, err).toBe(0);
    expect(err).toMatch(/app\/worker\.py:\d+:5: left alone \(import-cycle\): importing app\.\w+ /);
    expect(importable(root)).toEqual(MODULES.map(() => 'yes'));
    const worker = readFileSync(join(root, 'app/worker.py'), 'utf8');
    expect(worker).not.toMatch(/project_id_ctx_var|_run_with_context|_project_context/);
    if (!options.includes('loop-body'))
      expect(readFileSync(join(root, 'app/other.py'), 'utf8')).toMatch(/_run_with_context|_project_context/);
  });
});
