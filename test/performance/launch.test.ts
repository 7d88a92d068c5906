/** The short way to a remembered result: taken when nothing has changed, and only then. The program is broken here, to see which way was taken. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileWithPython } from '../../src/io/python.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHECK = ['check', '--format', 'json', '--catalog', 'docs/INV-8.md', 'apps'];
/** Tells which python3 it was: where a script stands for it, a migration is not remembered. */
const PYTHON = compileWithPython([]).madeOf?.program ?? null;
const MIGRATE = ['migrate', '--catalog', 'docs/INV-8.md', 'apps/api/src/main.py'];
let folder: string;
let service: string;
let expected: Ran;
let migrated: Ran;
/** Where the launch of `CHECK` is kept. */
let ownEntry: string;

interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

const environment = () => ({
  ...process.env,
  XDG_CACHE_HOME: join(folder, 'cache'),
  SOURCE_DATE_EPOCH: '1800000000',
});

function run(args: readonly string[], more: Record<string, string> = {}, cwd = service): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bin/looptag.js'), ...args], {
    encoding: 'utf8',
    cwd,
    env: { ...environment(), ...more },
  });
  return { status, stdout, stderr };
}

const launches = (): string[] => {
  const at = join(folder, 'cache/looptag/launches');
  return readdirSync(at).map((name) => join(at, name));
};

/** The program does not work any more: it was loaded if the run failed. */
const needsProgram = (ran: Ran): boolean => ran.stderr.includes('the program was loaded');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'looptag-launch-'));
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  service = join(folder, 'work/service');
  cpSync(join(ROOT, 'fixtures/services/awoooi'), service, { recursive: true });
  writeFileSync(join(service, 'looptag.toml'), 'catalog = "docs/INV-8.md"\n');
  // what is younger proves nothing by its times
  await setTimeout(2100);
  expected = run(CHECK);
  ownEntry = launches()[0]!;
  if (PYTHON) migrated = run(MIGRATE, { PATH: dirname(PYTHON) });
  writeFileSync(join(folder, 'dist/program.js'), 'throw new Error("the program was loaded");');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the result is as the program printed it', () => {
  expect(expected.status).toBe(1);
  expect(JSON.parse(expected.stdout).findings.length).toBeGreaterThan(10);
  expect(launches()).toHaveLength(PYTHON ? 2 : 1);
  expect(run(CHECK)).toEqual(expected);
});

test.skipIf(PYTHON === null)('a migration is as the program printed it, as long as python3 is the same', () => {
  const path = dirname(PYTHON!);
  expect(migrated.stdout).toContain('+++ b/apps/api/src/main.py');
  expect(run(MIGRATE, { PATH: path })).toEqual(migrated);
  expect(needsProgram(run(MIGRATE, { PATH: `${path}:/usr/bin` }))).toBe(true);
  expect(needsProgram(run([...MIGRATE, '--check'], { PATH: path }))).toBe(true);
  expect(needsProgram(run([...MIGRATE, '--write'], { PATH: path }))).toBe(true);
});

test.skipIf(!existsSync('/dev/full'))('a full disk is told as the program tells it', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin/looptag.js'), ...CHECK], {
    encoding: 'utf8',
    cwd: service,
    env: environment(),
    stdio: ['pipe', full, 'pipe'],
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({ status: 2, stderr: 'looptag: standard output cannot be written (ENOSPC)\n' });
});

describe('the program is needed', () => {
  test.each([
    ['another option', [...CHECK, '--ignore', 'line-drift'], {}],
    ['another command', ['inventory', ...CHECK.slice(1)], {}],
    ['no cache', [...CHECK, '--no-cache'], {}],
    ['a cache elsewhere', [...CHECK, '--cache-dir', '../elsewhere'], {}],
    ['other colours', CHECK, { FORCE_COLOR: '1' }],
    ['another policy', CHECK, { LOOPTAG_POLICY: 'tenant-basic' }],
    ['another day', CHECK, { SOURCE_DATE_EPOCH: '1900000000' }],
  ] as [string, string[], Record<string, string>][])('for %s', (_what, args, env) => {
    expect(needsProgram(run(args, env))).toBe(true);
  });

  test('in another folder', () => {
    expect(needsProgram(run(CHECK, {}, join(service, 'apps')))).toBe(true);
  });

  const changed: [what: string, file: string, change: (text: string) => string][] = [
    ['code', 'apps/api/src/main.py', (text) => `${text}\n`],
    ['a module that is imported', 'apps/api/src/jobs/ai_slo_watchdog.py', (text) => `${text}\n`],
    ['the catalogue', 'docs/INV-8.md', (text) => `${text}\n`],
    ['the configuration', 'looptag.toml', (text) => `${text}ignore = ["line-drift"]\n`],
    ['the bundled policy', '../../dist/policies/awoooi.json', (text) => `${text} `],
  ];
  test.each(changed)('after a change of %s', (_what, name, change) => {
    const file = join(service, name);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, change(before));
    expect(needsProgram(run(CHECK))).toBe(true);
    // the same bytes again are as good as never touched
    writeFileSync(file, before);
    expect(run(CHECK)).toEqual(expected);
  });

  const come: [what: string, file: string, text: string][] = [
    ['a Python file', 'apps/api/src/new.py', ''],
    ['a table in a pyproject.toml further up', '../pyproject.toml', '[tool.looptag]\n'],
    ['a configuration further up', '../looptag.toml', ''],
  ];
  test.each(come)('after %s has come', (_what, name, text) => {
    const file = join(service, name);
    writeFileSync(file, text);
    expect(needsProgram(run(CHECK))).toBe(true);
    rmSync(file);
    expect(run(CHECK)).toEqual(expected);
  });

  test('where the folder of the project has become a repository', () => {
    mkdirSync(join(service, '.git'));
    expect(needsProgram(run(CHECK))).toBe(true);
    rmSync(join(service, '.git'), { recursive: true });
    expect(run(CHECK)).toEqual(expected);
  });

  test('where the entry is damaged', () => {
    const file = ownEntry;
    const good = readFileSync(file);
    for (const at of [0, 33, good.length >> 1, good.length - 1]) {
      const bad = Buffer.from(good);
      bad[at]! ^= 0x21;
      writeFileSync(file, bad);
      expect(needsProgram(run(CHECK))).toBe(true);
    }
    writeFileSync(file, good.subarray(0, 40));
    expect(needsProgram(run(CHECK))).toBe(true);
    writeFileSync(file, good);
    expect(run(CHECK)).toEqual(expected);
  });
});
