import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT, ran } from '../support/looptag.ts';

let folder: string;
let root: string;
let cache: string;

interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

function run(args: string[], env: Record<string, string> = {}): Ran {
  const { status, stdout, stderr } = ran(args, {
    cwd: root,
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'user'), SOURCE_DATE_EPOCH: '1800000000', ...env },
  });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

const cached = (...args: string[]): Ran => run([...args, '--cache-dir', cache]);
const plain = (...args: string[]): Ran => run([...args, '--no-cache']);
const entries = (kind: string): string[] =>
  existsSync(join(cache, kind)) ? readdirSync(join(cache, kind)).map((name) => join(cache, kind, name)) : [];

const COMMANDS = [
  ['inventory'],
  ['inventory', '--format', 'csv', 'apps', '--catalog', 'docs/INV-8.md'],
  ['check', '--format', 'json', '--catalog', 'docs/INV-8.md', '.'],
];

function expectAlike(): void {
  for (const command of COMMANDS) {
    const expected = plain(...command);
    expect(cached(...command), command.join(' ')).toEqual(expected);
    expect(cached(...command), `${command.join(' ')}, again`).toEqual(expected);
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looptag-cache-'));
  root = join(folder, 'service');
  cache = join(folder, 'cache');
  cpSync(join(ROOT, 'fixtures/services/awoooi'), root, { recursive: true });
  writeFileSync(join(root, 'broken.py'), 'def f(:\n');
  writeFileSync(join(root, 'latin.py'), Buffer.from([0x78, 0x3d, 0x22, 0xe9, 0x22]));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a result from the cache is the result without, also after each kind of change', { timeout: 240_000 }, () => {
  expectAlike();
  expect(entries('results')).toHaveLength(COMMANDS.length);
  const main = join(root, 'apps/api/src/main.py');
  const text = readFileSync(main, 'utf8');
  const { atime, mtime } = statSync(main);
  // the same length and time: only the content tells
  writeFileSync(main, text.replace('run_evolver_loop()', 'run_evolved_loop()'));
  utimesSync(main, atime, mtime);
  expectAlike();
  writeFileSync(main, text);
  writeFileSync(join(root, 'broken.py'), 'def f():\n    pass\n');
  expectAlike();
  // a module that an import asks for comes up; a file goes
  writeFileSync(join(root, 'apps/api/asyncio.py'), 'def create_task(c):\n    pass\n');
  rmSync(join(root, 'latin.py'));
  expectAlike();
});

test('what was printed on both streams and the exit code come back, without an analysis', { timeout: 120_000 }, () => {
  const [first, second] = [cached('inventory', '.'), cached('inventory', '.')];
  expect(second).toEqual(first);
  expect(first.status).toBe(2);
  expect(first.stderr).toContain('broken.py:1:7');
  expect(entries('syntax')).toHaveLength(1);
  // nothing is written when nothing was learned
  const before = entries('results').map((file) => statSync(file).mtimeMs);
  cached('inventory', '.');
  expect(entries('results').map((file) => statSync(file).mtimeMs)).toEqual(before);
});

test('damaged, foreign and shared entries are ignored', { timeout: 240_000 }, () => {
  const expected = plain('inventory', '--format', 'json', '.');
  const ask = (): Ran => cached('inventory', '--format', 'json', '.');
  ask();
  cached('inventory', '--format', 'csv', '.');
  const [entry, other] = entries('results') as [string, string];
  const syntax = entries('syntax')[0]!;
  const good = readFileSync(entry);
  for (const damage of [
    () => writeFileSync(entry, good.subarray(0, good.length >> 1)),
    () => writeFileSync(entry, ''),
    () => writeFileSync(entry, 'null'),
    () => writeFileSync(entry, Buffer.from(good).fill(0x31, good.length - 40)),
    // whole, but another command's
    () => cpSync(other, entry),
    () => cpSync(entry, other),
    () => writeFileSync(syntax, Buffer.from(readFileSync(syntax)).fill(0x30, 40, 90)),
    () => chmodSync(entry, 0o666),
  ]) {
    damage();
    expect(ask()).toEqual(expected);
  }
});

test('a cache that cannot be written changes nothing', { timeout: 60_000 }, () => {
  writeFileSync(cache, 'a file');
  expect(cached('inventory', '.')).toEqual(plain('inventory', '.'));
  expect(readFileSync(cache, 'utf8')).toBe('a file');
});

test('nothing is written into the project unless it is asked for', { timeout: 60_000 }, () => {
  run(['inventory', '.'], { XDG_CACHE_HOME: join(root, 'x') });
  expect(existsSync(join(root, 'x/looptag/results'))).toBe(false);
  run(['inventory', '.', '--cache-dir', 'mine']);
  expect(existsSync(join(root, 'mine/results'))).toBe(true);
});

test('clean removes what is the cache’s own, and nothing else', { timeout: 60_000 }, () => {
  cached('inventory', '.');
  writeFileSync(join(cache, 'results/notes.txt'), 'mine');
  const got = cached('clean');
  expect(got).toMatchObject({ status: 0, stderr: '' });
  expect(got.stdout).toMatch(/^2 files removed, /);
  expect(readdirSync(join(cache, 'results'))).toEqual(['notes.txt']);
  expect(existsSync(join(cache, 'syntax'))).toBe(false);
});
