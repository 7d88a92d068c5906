import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atLength } from '../support/long.ts';

const ROOT = join(import.meta.dirname, '../..');
let folder: string;

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(folder, 'bin/looptag.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') },
  });
}

const kept = () => readdirSync(join(folder, 'cache/looptag/code'));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'looptag-start-'));
  for (const part of ['bin', 'dist']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  // as installed with another version of Node than it was built with
  for (const file of readdirSync(join(folder, 'dist'))) if (file.endsWith('.v8')) rmSync(join(folder, 'dist', file));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('compiled code', () => {
  test('is kept after the first run, for this user alone, and not with --no-cache', () => {
    expect(run('rules', '--no-cache').status).toBe(0);
    expect(() => kept()).toThrow();
    expect(run('rules').status).toBe(0);
    expect(kept()).toEqual([expect.stringMatching(/^[0-9a-f]{16}-v\d+\.\d+\.\d+-\w+\.v8$/)]);
  });

  test('is what the next run starts with: it is not written anew', () => {
    const file = join(folder, 'cache/looptag/code', kept()[0]!);
    const before = statSync(file);
    expect(run('rules').status).toBe(0);
    expect(statSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  test('of a damaged file, or one that others may write, is not run', () => {
    const file = join(folder, 'cache/looptag/code', kept()[0]!);
    const good = readFileSync(file);
    const expected = run('rules').stdout;
    for (const at of atLength([0, 40, 5000, good.length >> 1, good.length - 1], [0, good.length >> 1])) {
      const bad = Buffer.from(good);
      bad[at]! ^= 0x5a;
      writeFileSync(file, bad);
      expect(run('rules')).toMatchObject({ status: 0, stdout: expected, stderr: '' });
      expect(readFileSync(file).equals(bad), 'written anew').toBe(false);
    }
    for (const bad of [Buffer.alloc(0), ...atLength([good.subarray(0, 20)], []), good.subarray(0, good.length >> 1)]) {
      writeFileSync(file, bad);
      expect(run('rules')).toMatchObject({ status: 0, stdout: expected, stderr: '' });
    }
    // bytes with a good sum that somebody else could have put there: V8 would die of them
    writeFileSync(file, good);
    chmodSync(file, 0o666);
    expect(run('rules')).toMatchObject({ status: 0, stdout: expected });
  });
});

test('the program is one byte a character: it is read so', () => {
  expect(/[^\x00-\x7f]/.test(readFileSync(join(ROOT, 'dist/program.js'), 'utf8'))).toBe(false);
});

test('a command that is named first is the only one defined; help and faults know all', () => {
  expect(run('--help').stdout).toMatch(/inventory[\s\S]*completion/);
  expect(run('inventroy').stderr).toContain('did you mean inventory?');
  expect(run('check', '--help').stdout).toContain('--fail-on');
  expect(run('help', 'migrate').stdout).toContain('--write');
});

describe('a program that cannot be started', () => {
  /** A copy of the launcher beside the files that are given. */
  function installed(files: Record<string, string>): string {
    const root = mkdtempSync(join(folder, 'installed-'));
    cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }\n');
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return root;
  }

  const start = (root: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'bin/looptag.js'), 'check', ...args], { encoding: 'utf8' });
  const built = (name: string) => readFileSync(join(ROOT, 'dist', name), 'utf8');
  const bare = { 'dist/package.json': built('package.json'), 'dist/start.js': built('start.js') };
  const whole = { ...bare, 'dist/launch.js': built('launch.js') };

  test.each([
    ['was never built', {}, /^looptag: the program is not built: there is no \S+dist; /],
    // what ended in a stack trace: a module with await at its top under a launcher that requires it
    [
      'is of an older build',
      { 'dist/looptag.js': 'await 1;\n' },
      /^looptag: \S+dist is of an older build than its launcher; /,
    ],
    ['has lost a part', bare, /^looptag: \S+dist is damaged \([^\n]*launch\.js[^\n]*\); /],
    ['has lost its program', whole, /^looptag: \S+dist is damaged \(ENOENT: [^\n]*\); /],
    [
      'was cut off',
      { ...whole, 'dist/program.js': built('program.js').slice(0, 5000) },
      /^looptag: \S+dist is damaged \([^\n]+\); /,
    ],
    ['has lost its manifest', { 'dist/start.js': whole['dist/start.js'] }, /^looptag: \S+dist is damaged \([^\n]+\); /],
  ])('because it %s: one line with the remedy, exit code 2', (_, files, line) => {
    const packed = start(installed(files as Record<string, string>));
    expect(packed.stderr).toMatch(line);
    expect(packed).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/; install looptag again\n$/),
    });
    expect(packed.stderr.split('\n')).toHaveLength(2);

    const root = installed({ ...files, 'scripts/build.mjs': '' });
    const checkout = start(root);
    expect(checkout.stderr).toMatch(line);
    expect(checkout).toMatchObject({ status: 2, stdout: '' });
    expect(checkout.stderr.endsWith(`; run npm ci && npm run build in ${root}\n`)).toBe(true);
  });

  test('--verbose shows where', () => {
    expect(start(installed({}), '--verbose').stderr).toMatch(/ {4}at /);
  });
});
