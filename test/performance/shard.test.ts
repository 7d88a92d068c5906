import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shardOf } from '../../src/cli/shard.ts';
import { atLength } from '../support/long.ts';
import { ROOT, ran } from '../support/looptag.ts';

let folder: string;
let root: string;
const report = (i: number): string => join(folder, `${i}.json`);

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = ran(args, {
    cwd: root,
  });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

const inventory = (...args: string[]) => run('inventory', '--no-cache', '--format', 'json', ...args);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'looptag-shard-'));
  root = join(folder, 'service');
  cpSync(join(ROOT, 'fixtures/services/awoooi'), root, { recursive: true });
  // wrappers, odd names, sites in other files than their wrapper, and broken files
  cpSync(join(ROOT, 'rules'), join(root, 'rules'), { recursive: true });
  writeFileSync(join(root, '破.py'), 'def f(:\n');
  writeFileSync(join(root, 'z.py'), 'x = (\n');
  writeFileSync(join(root, 'cr.py'), 'import asyncio\r# asyncio.create_task\rx = asyncio.create_task\r');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(atLength([[[]], [['--catalog', 'docs/INV-8.md']]], [[['--catalog', 'docs/INV-8.md']]]))(
  'five shards %s',
  (more: string[]) => {
    test('merge into the report of one run, byte for byte, in any order', { timeout: 120_000 }, () => {
      const whole = inventory(...more, '.');
      const parts = [1, 2, 3, 4, 5].map((i) => inventory(...more, '--shard', `${i}/5`, '.').stdout);
      for (const [i, text] of parts.entries()) writeFileSync(report(i + 1), text);
      const files = parts.map((text) => JSON.parse(text).summary.files as number);
      expect(files.every((n) => n > 0)).toBe(true);
      expect(files.reduce((a, b) => a + b)).toBe(JSON.parse(whole.stdout).summary.files);
      expect(run('merge', ...[3, 1, 5, 4, 2].map(report))).toEqual(whole);
    });
  },
);

test('a merge without all shards, or with others, is refused', { timeout: 60_000 }, () => {
  const text = readFileSync(report(1), 'utf8');
  expect(run('merge', report(1), report(2))).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('shard 3/5, 4/5, 5/5 is missing'),
  });
  writeFileSync(report(6), text);
  expect(run('merge', ...[1, 2, 3, 4, 5, 6].map(report)).stderr).toContain('shard 1/5 is one too many');
  writeFileSync(report(6), text.replace('"1/5"', '"1/4"'));
  expect(run('merge', ...[1, 2, 3, 4, 5, 6].map(report)).stderr).toContain('shard 1/4 is one too many');
  const elsewhere = report(6);
  writeFileSync(elsewhere, readFileSync(report(5), 'utf8').replace('"root": "."', '"root": "other"'));
  expect(run('merge', ...[1, 2, 3, 4].map(report), elsewhere).stderr).toContain('of different roots');
  for (const bad of ['', 'null', '{}', '[]', text.replace('"sites": [', '"sites": [1,')]) {
    writeFileSync(report(6), bad);
    expect(run('merge', report(6))).toMatchObject({ status: 2, stdout: '' });
    expect(run('merge', report(6)).stderr).not.toContain('internal error');
  }
  for (const bad of ['0/5', '6/5', '1', 'a/b', '1/0', '-1/5', '1/99999'])
    expect(inventory(`--shard=${bad}`, '.')).toMatchObject({ status: 2, stdout: '' });
  expect(run('inventory', '--shard', '1/2', '.').stderr).toContain('add --format json');
});

test('files spread evenly', () => {
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < 5000; i++) counts[shardOf(`src/jobs/job_${i}.py`, 5) - 1]!++;
  for (const n of counts) expect(Math.abs(n - 1000)).toBeLessThan(150);
});
