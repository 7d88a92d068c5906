/**
 * Files of many spawns: what is asked once a site must not walk the whole file each time. A run that does so takes many
 * minutes for these and is ended.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ROOT, temporary, write } from '../e2e/support/run.ts';
import { CONTEXT } from './support.ts';

vi.setConfig({ testTimeout: 120_000 });

const MANY = 12_000;
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
      { cwd, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 90_000 },
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

test('functions that hand on what others do, thirty ways each: 30 to the power of 4 in all', () => {
  const cwd = temporary('ways');
  const hop = (i: number): string =>
    `def f${i}(x):\n${Array.from({ length: 30 }, (_, way) => `    if x: return f${i + 1}(${way})\n`).join('')}`;
  const source = `${HEAD}${[0, 1, 2, 3].map(hop).join('')}def f4(x): return [run()]\nfor c in f0(0): asyncio.create_task(c)\n`;
  write(cwd, { 'looptag.toml': '', 'ctx.py': CONTEXT, 'main.py': source });
  const got = spawnSync(
    process.execPath,
    [join(ROOT, 'bin/looptag.js'), 'inventory', '--no-cache', '--format', 'json', 'main.py'],
    { cwd, encoding: 'utf8', timeout: 90_000 },
  );
  expect(got.status, got.stderr.slice(0, 500)).toBe(0);
  const { sites } = JSON.parse(got.stdout) as { sites: { certainty: string; targets: { name: string }[] }[] };
  expect(sites.map((s) => [s.certainty, s.targets.map((t) => t.name)])).toEqual([['likely', ['run']]]);
});
