/** Migrated programs run under every CPython of the machine: each loop sees its id, and the gauge counts good rounds only. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';
import { applied, CONTEXT, type Files, type ProjectOptions, project } from './support/project.ts';
import { type Python, pythons, runPython } from './support/pythons.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const DB = `from contextlib import asynccontextmanager


@asynccontextmanager
async def get_db_session():
    yield "tenant"


@asynccontextmanager
async def get_platform_db_session():
    yield "platform"
`;

const JOBS = `"""Jobs that note what they see."""
import asyncio

from src.core.context import project_id_ctx_var as seen_id, trace_id_ctx_var
from src.core.db import get_db_session

seen = []


async def run_relay():
    """Relay."""
    async with get_db_session() as db:
        await asyncio.sleep(0)
        seen.append(("relay", seen_id.get(), trace_id_ctx_var.get(), db))
    return "done"


async def run_short(): seen.append(("short", seen_id.get(), trace_id_ctx_var.get()))


async def run_rounds():
    for_ever = 4
    while True:
        for_ever -= 1
        if for_ever == 0:
            raise asyncio.CancelledError
        try:
            if for_ever == 2:
                raise ValueError
            seen.append(("round", seen_id.get()))
        except ValueError:
            pass
        await asyncio.sleep(0)
`;

const MAIN = `import asyncio
import json

from src.jobs import run_relay, run_rounds, run_short, seen


async def main():
    task = asyncio.create_task(run_relay(), name="relay")
    asyncio.create_task(run_short())
    rounds = asyncio.create_task(run_rounds())
    result = await task
    try:
        await rounds
    except asyncio.CancelledError:
        pass
    print(json.dumps([result, sorted(seen)]))


asyncio.run(main())
`;

const PROMETHEUS = `updates = []


class Gauge:
    def __init__(self, name, documentation, labelnames=()):
        self.name = name

    def labels(self, **labels):
        updates.append(labels)
        return self

    def set_to_current_time(self):
        pass
`;

const FILES: Files = { 'src/core/context.py': CONTEXT, 'src/core/db.py': DB, 'src/jobs.py': JOBS, 'src/main.py': MAIN };

function runMigrated(python: Python, options: Partial<ProjectOptions>, extra: Files = {}): unknown {
  const files = { ...FILES, ...extra };
  const plan = planMigration(project(files, { codemods, paths: ['src/main.py'], ...options }));
  expect(plan.sites.length).toBeGreaterThan(0);
  const folder = mkdtempSync(join(tmpdir(), 'looptag-run-'));
  folders.push(folder);
  for (const [file, content] of Object.entries(applied(files, plan))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return JSON.parse(runPython(python, ['-W', 'error', '-m', 'src.main'], folder));
}

const TRACE = '0'.repeat(32);
const rounds = (id: string) => [
  ['round', id],
  ['round', id],
];
const want = (id: string, trace: string, db = 'tenant') => [
  'done',
  [['relay', id, trace, db], ...rounds(id), ['short', id, trace]],
];

const found = pythons();
if (found.length === 0) console.warn('SKIPPED: no python3 from 3.8 on');

describe.each(found)('migrated under Python $version', (python) => {
  it.each(['wrapper', 'loop-body'])('%s: every loop sees its id, results are kept', (method) => {
    expect(runMigrated(python, { method })).toEqual(want('awoooi', ''));
    expect(runMigrated(python, { method, trace: true })).toEqual(want('awoooi', TRACE));
  });

  it('wrapper from a module of its own', () => {
    expect(runMigrated(python, { helper: { module: 'src.core.background' }, trace: true })).toEqual(
      want('awoooi', TRACE),
    );
  });

  it.skipIf(python.version[1] < 11)('context-argument', () => {
    const options = { method: 'context-argument', pythonMinimum: [3, 11] as const };
    expect(runMigrated(python, options)).toEqual(want('awoooi', ''));
    expect(runMigrated(python, { ...options, trace: true })).toEqual(want('awoooi', TRACE));
  });

  it('label', () => {
    expect(runMigrated(python, { method: 'label' })).toEqual(want('legacy_awoooi_default', ''));
  });

  it('platform-session', () => {
    const options = { method: 'platform-session', unsafe: true, projectId: '__platform__' };
    expect(runMigrated(python, options)).toEqual(want('__platform__', '', 'platform'));
  });

  it('heartbeat: once before the loop, once a good round, never for a failed one', () => {
    const main = MAIN.replace('import json\n', 'import json\n\nfrom prometheus_client import updates\n').replace(
      'sorted(seen)',
      'sorted(seen), updates',
    );
    const extra = { 'src/main.py': main, 'prometheus_client.py': PROMETHEUS };
    const [, , updates] = runMigrated(python, { heartbeat: true }, extra) as unknown[];
    expect(updates).toEqual(Array(3).fill({ loop_name: 'rounds', project_id: 'awoooi' }));
  });
});
