import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitProbe, readDump, reconcileRuntime } from '../../src/health/index.ts';
import { awoooiDecisions } from './awoooi.ts';

const SERVICE = join(import.meta.dirname, '../../fixtures/services/awoooi/apps/api');

/** Every Python from 3.8 on that this machine has. */
function pythons(): string[] {
  const versions = join(homedir(), '.pyenv/versions');
  const installed = existsSync(versions) ? readdirSync(versions).map((v) => join(versions, v, 'bin/python')) : [];
  const seen = new Map<string, string>();
  for (const command of ['python3', '/usr/bin/python3', ...installed]) {
    const run = spawnSync(command, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' });
    const version = run.stdout?.trim();
    if (run.status === 0 && Number(version!.split('.')[1]) >= 8 && version!.startsWith('3.') && !seen.has(version!))
      seen.set(version!, command);
  }
  return [...seen.values()];
}

const PROGRAM = `
import asyncio, contextvars, os, signal, sys
import looptag_probe

project_id_ctx_var = contextvars.ContextVar("project_id", default="")

def _run_with_context(coro, project_id):
    def closing():
        try:
            yield
        finally:
            coro.close()
    async def run(guard):
        project_id_ctx_var.set(project_id)
        return await coro
    guard = closing()
    next(guard)
    wrapped = run(guard)
    for attribute in ("__name__", "__qualname__"):
        setattr(wrapped, attribute, getattr(coro, attribute))
    return wrapped

async def inv8(coro, project_id):
    project_id_ctx_var.set(project_id)
    await coro

async def step():
    await asyncio.sleep(9)

async def run_wrapped():
    await step()

async def run_plain():
    await asyncio.sleep(9)

async def run_by_inv8():
    await asyncio.sleep(9)

async def run_in_body():
    project_id_ctx_var.set("body")
    work = step()
    await work

async def run_unstarted():
    await asyncio.sleep(9)

async def main():
    tasks = [
        asyncio.ensure_future(_run_with_context(run_wrapped(), "awoooi")),
        asyncio.ensure_future(run_plain()),
        asyncio.ensure_future(inv8(run_by_inv8(), "__platform__")),
        asyncio.ensure_future(run_in_body()),
    ]
    looptag_probe.install(sys.argv[2])
    token = project_id_ctx_var.set("of a callback")
    tasks[1].add_done_callback(lambda task: None)
    project_id_ctx_var.reset(token)
    await asyncio.sleep(0)
    tasks.append(asyncio.ensure_future(_run_with_context(run_unstarted(), "awoooi")))
    assert looptag_probe.dump_tasks(sys.argv[1]) == 6
    os.kill(os.getpid(), signal.SIGUSR1)
    await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

asyncio.run(main())
try:
    looptag_probe.dump_tasks(None)
except RuntimeError as error:
    assert "no running event loop" in str(error), error
else:
    raise AssertionError("a closed loop has no tasks to show")
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'looptag-probe-'));
  writeFileSync(join(folder, 'looptag_probe.py'), emitProbe());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = pythons();
if (found.length === 0) process.stderr.write('SKIPPED: no Python ≥ 3.8; the probe was not run\n');

describe.skipIf(found.length === 0)('the probe', () => {
  it.each(found)('lists tasks with their ids under %s', (python) => {
    const [byCall, bySignal] = [join(folder, 'call.jsonl'), join(folder, 'signal.jsonl')];
    writeFileSync(join(folder, 'program.py'), PROGRAM);
    execFileSync(python, ['-W', 'error', 'program.py', byCall, bySignal], { cwd: folder });
    const dump = readDump(readFileSync(byCall, 'utf8'));
    expect(dump.diagnostics).toEqual([]);
    expect(dump.tasks.every((task) => task.projectKnown)).toBe(true);
    expect(Object.fromEntries(dump.tasks.map((t) => [t.qualname, t.projectId]))).toEqual({
      main: null,
      run_by_inv8: '__platform__',
      run_in_body: 'body',
      run_plain: null,
      run_unstarted: null,
      run_wrapped: 'awoooi',
    });
    for (const task of dump.tasks) {
      const line = PROGRAM.split('\n').findIndex((l) => l.startsWith(`async def ${task.qualname}(`)) + 1;
      expect([task.qualname, task.line]).toEqual([task.qualname, line]);
    }
    expect(readDump(readFileSync(bySignal, 'utf8')).tasks.map((t) => t.qualname)).toContain('run_wrapped');
  });

  it('takes hostile names as text', () => {
    const variables = [{ module: 'a"\n', name: '__import__("os")', label: '\\"\u{1f600}\u2028' }];
    writeFileSync(join(folder, 'odd.py'), emitProbe({ variables }));
    const out = execFileSync(found[0]!, ['-c', 'import odd, json; print(json.dumps([odd.LABELS, odd.VARIABLES]))'], {
      cwd: folder,
    });
    expect(JSON.parse(String(out))).toEqual([['\\"\u{1f600}\u2028'], [['a"\n', '__import__("os")']]]);
  });

  it.skipIf(!existsSync(SERVICE))('sees the bundled service as the catalogue does, nothing tagged yet', () => {
    const tasks = join(folder, 'service.jsonl');
    const script = [
      'import asyncio, sys',
      'sys.dont_write_bytecode = True',
      'sys.path[:0] = [sys.argv[1], sys.argv[2]]',
      'import looptag_probe',
      'from src.main import app',
      'async def serve():',
      '    async with app.running():',
      '        await asyncio.sleep(0.3)',
      '        looptag_probe.dump_tasks(sys.argv[3])',
      'asyncio.run(serve())',
    ].join('\n');
    const variables = [{ module: 'src.core.context', name: 'project_id_ctx_var', label: 'project_id' }];
    writeFileSync(join(folder, 'looptag_probe.py'), emitProbe({ variables }));
    execFileSync(found[0]!, ['-c', script, folder, SERVICE, tasks], { stdio: 'pipe' });
    const decisions = awoooiDecisions().map((d) => ({ ...d, target: { ...d.target!, file: null } }));
    const entries = [{ file: 'run.py', line: 1, column: 1, how: 'asyncio.run', target: 'serve' }];
    const report = reconcileRuntime(readFileSync(tasks, 'utf8'), decisions, { entries });
    expect(report.diagnostics).toEqual([]);
    expect(report.neverStarted).toEqual([]);
    expect(report.untagged).toHaveLength(28);
    expect(report.unknown).toEqual([]);
  });
});
