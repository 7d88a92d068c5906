/**
 * Files of many spawns: what is asked once a site must not walk the whole file each time. A run that does so takes many
 * minutes for these and is ended.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, temporary, write } from '../e2e/support/run.ts';
import { atLength } from '../support/long.ts';
import { CONTEXT } from './support.ts';

const MANY = atLength(12_000, 3_000);
const LIMIT_MS = atLength(90_000, 25_000);
const HEAD =
  'import asyncio\nfrom ctx import project_id_ctx_var\n\n\nasync def run():\n    while True:\n        await asyncio.sleep(5)\n\n\n';

const SHAPES: Record<string, { source: (of: (line: (i: number) => string) => string) => string }> = {
  'a function for each': {
    source: (of) => of((i) => `async def start_${i}():\n    t = asyncio.create_task(run())\n    await t\n\n`),
  },
  'one name for all, set where a condition holds': {
    source: (of) =>
      `async def main(a):\n    try:\n${of((i) => `        if a == ${i}:\n            t = asyncio.create_task(run())\n`)}    finally:\n        a.stop()\n`,
  },
  'a setting before each': {
    source: (of) =>
      `async def main():\n${of(() => '    project_id_ctx_var.set("awoooi")\n    t = asyncio.create_task(run())\n    t.add_done_callback(print)\n')}`,
  },
  'all on one line': {
    source: (of) => `async def main():\n    ${of(() => 'asyncio.create_task(run()); ')}print("\u{1f600}")\n`,
  },
};

for (const [shape, { source }] of Object.entries(SHAPES))
  test(`${MANY} spawns in one file: ${shape}`, () => {
    const of = (line: (i: number) => string): string => Array.from({ length: MANY }, (_, i) => line(i)).join('');
    const cwd = temporary('many');
    write(cwd, { 'looptag.toml': '', 'ctx.py': CONTEXT, 'main.py': HEAD + source(of) });
    const got = spawnSync(
      process.execPath,
      [join(ROOT, 'bin/looptag.js'), 'inventory', '--no-cache', '--format', 'json', 'main.py'],
      { cwd, encoding: 'utf8', maxBuffer: 1 << 28, timeout: LIMIT_MS },
    );
    expect(got.signal, 'ended for taking too long').toBeNull();
    expect(got.status, got.stderr.slice(0, 500)).toBe(0);
    const { sites, summary } = JSON.parse(got.stdout) as {
      sites: { id: string; line: number; targets: { lifecycle: string; periodSeconds: number }[] }[];
      summary: { sites: number; loops: number };
    };
    expect(summary).toMatchObject({ sites: MANY, loops: MANY });
    expect(new Set(sites.map((s) => s.id)).size).toBe(MANY);
    expect(sites.every((s) => s.targets[0]?.periodSeconds === 5)).toBe(true);
  });

test('functions that hand on what others do: six ways each, ten of them', () => {
  const cwd = temporary('ways');
  const hop = (i: number): string =>
    `def f${i}(x):\n${Array.from({ length: 6 }, (_, way) => `    if x: return f${i + 1}(${way})\n`).join('')}`;
  const hops = Array.from({ length: 10 }, (_, i) => hop(i)).join('');
  const ends = {
    'list.py': 'def f10(x): return [run()]\nfor c in f0(0): asyncio.create_task(c)\n',
    'object.py':
      'class Job:\n    run = staticmethod(run)\ndef f10(x): return Job()\nasyncio.create_task(f0(0).run())\n',
  };
  const files = Object.entries(ends).map(([name, end]) => [name, HEAD + hops + end]);
  write(cwd, { 'looptag.toml': '', 'ctx.py': CONTEXT, ...Object.fromEntries(files) });
  const got = spawnSync(
    process.execPath,
    [join(ROOT, 'bin/looptag.js'), 'inventory', '--no-cache', '--format', 'json', '.'],
    { cwd, encoding: 'utf8', timeout: 90_000 },
  );
  expect(got.signal, 'ended for taking too long').toBeNull();
  const { sites } = JSON.parse(got.stdout) as { sites: { file: string; certainty: string }[] };
  // which way is taken is not followed to its end: whatever is said, it is not certain
  expect(sites.map(({ file, certainty }) => [file, certainty === 'proven'])).toEqual([
    ['list.py', false],
    ['object.py', false],
  ]);
});
