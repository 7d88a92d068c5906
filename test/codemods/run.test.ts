/** Migrated programs run under every CPython of the machine: each loop sees its id, and the gauge counts good rounds only. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';
import { temporary } from '../support/temporary.ts';
import { applied, CONTEXT, type Files, type ProjectOptions, project } from './support/project.ts';
import { pythons, runJobs } from './support/pythons.ts';

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

/** The migrated program, in a folder of its own. */
function migrated(options: Partial<ProjectOptions>, extra: Files = {}): string {
  const files = { ...FILES, ...extra };
  const plan = planMigration(project(files, { codemods, paths: ['src/main.py'], ...options }));
  expect(plan.sites.length).toBeGreaterThan(0);
  const folder = temporary('run');
  for (const [file, content] of Object.entries(applied(files, plan))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return folder;
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

const beating = {
  'src/main.py': MAIN.replace('import json\n', 'import json\n\nfrom prometheus_client import updates\n').replace(
    'sorted(seen)',
    'sorted(seen), updates',
  ),
  'prometheus_client.py': PROMETHEUS,
};
const WITH_CONTEXT = { method: 'context-argument', pythonMinimum: [3, 11] as const };

/** Each loop sees its id, and results are kept. */
const WAYS: [name: string, options: Partial<ProjectOptions>, wanted: unknown][] = [
  ...['wrapper', 'loop-body'].flatMap((method): typeof WAYS => [
    [method, { method }, want('awoooi', '')],
    [`${method} with a trace id`, { method, trace: true }, want('awoooi', TRACE)],
  ]),
  [
    'wrapper from a module of its own',
    { helper: { module: 'src.core.background' }, trace: true },
    want('awoooi', TRACE),
  ],
  ['label', { method: 'label' }, want('legacy_awoooi_default', '')],
  [
    'platform-session',
    { method: 'platform-session', unsafe: true, projectId: '__platform__' },
    want('__platform__', '', 'platform'),
  ],
  ['context-argument', WITH_CONTEXT, want('awoooi', '')],
  ['context-argument with a trace id', { ...WITH_CONTEXT, trace: true }, want('awoooi', TRACE)],
];

// the tasks have names
const found = pythons().filter(({ version: [, minor] }) => minor >= 8);
if (found.length === 0) console.warn('SKIPPED: no python3 from 3.8 on');

let folders: string[];
beforeAll(() => {
  folders = [...WAYS.map(([, options]) => migrated(options)), migrated({ heartbeat: true }, beating)];
});

describe.each(found)('migrated under Python $version', (python) => {
  const old = python.version[1] < 11;
  let results: Map<string, () => string>;
  const result = (folder: string): unknown => JSON.parse(results.get(folder)!());

  beforeAll(() => {
    const mine = folders.filter((_, i) => !(old && WAYS[i]?.[1].pythonMinimum));
    const ran = runJobs(
      python,
      ['-W', 'error'],
      mine.map((folder) => ({ run: 'src.main', folder })),
    );
    results = new Map(mine.map((folder, i) => [folder, ran[i]!]));
  });

  for (const [i, [name, { pythonMinimum }, wanted]] of WAYS.entries())
    it.skipIf(old && pythonMinimum)(name, () => expect(result(folders[i]!)).toEqual(wanted));

  it('heartbeat: once before the loop, once a good round, never for a failed one', () => {
    const [, , updates] = result(folders.at(-1)!) as unknown[];
    expect(updates).toEqual(Array(3).fill({ loop_name: 'rounds', project_id: 'awoooi' }));
  });
});
