/** A migration that only prints is remembered, and python3 is a part of what it is remembered by. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileWithPython } from '../../src/io/python.ts';
import { PythonWitness, pythonHolds } from '../../src/io/python-witness.ts';
import { keepShort } from '../support/fewer-loops.ts';
import { atLength } from '../support/long.ts';
import { ROOT, ran } from '../support/looptag.ts';

/** The program itself, whatever stands before it on the search path. */
const PYTHON = compileWithPython([]).madeOf?.program ?? null;

/** That of the environment in which the tests find python3. */
const ENVIRONMENT =
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((at) => join(at, '../pyvenv.cfg'))
    .find((file) => existsSync(file)) ?? null;

let folder: string;
let root: string;
let cache: string;
let bin: string;

interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

function run(args: readonly string[], env: Record<string, string> = {}): Ran {
  const { status, stdout, stderr } = ran(['migrate', ...args], {
    cwd: root,
    env: { ...process.env, PATH: bin, XDG_CACHE_HOME: join(folder, 'user'), ...env },
  });
  // a file need not be UTF-8
  return { status, stdout: stdout.toString('latin1'), stderr: stderr.toString() };
}

const cached = (args: readonly string[], env?: Record<string, string>): Ran =>
  run([...args, '--cache-dir', cache], env);
const plain = (args: readonly string[], env?: Record<string, string>): Ran => run([...args, '--no-cache'], env);
const entries = (): string[] =>
  existsSync(join(cache, 'results'))
    ? readdirSync(join(cache, 'results')).map((name) => join(cache, 'results', name))
    : [];

/** Which results are there, and since when. */
const written = (): string => JSON.stringify(entries().map((file) => [file, statSync(file).mtimeMs]));

const MAIN = 'apps/api/src/main.py';
const CATALOGUE = ['--catalog', 'docs/INV-8.md'];
const COMMANDS = [
  [...CATALOGUE, MAIN],
  [...CATALOGUE, '--check', MAIN],
  [...CATALOGUE, '--format', 'json', '--verbose', MAIN],
  ['--project-id', 'awoooi', '--helper', 'src.core.tagging', '--method', 'label', 'latin.py', MAIN],
  [...CATALOGUE, '--policy', 'own.yaml', '--no-python', MAIN],
];

const [BY_CATALOGUE, , , BY_ID, BY_POLICY] = COMMANDS as [string[], string[], string[], string[], string[]];

/** Of those commands that a change is about, where not all are asked. */
function expectAlike(about: readonly string[][]): void {
  for (const command of atLength(COMMANDS, about)) {
    const expected = plain(command);
    expect(cached(command), command.join(' ')).toEqual(expected);
    const before = written();
    expect(cached(command), `${command.join(' ')}, again`).toEqual(expected);
    if (expected.status !== 2) expect(written(), `${command.join(' ')}, from the cache`).toBe(before);
  }
}

function edit(file: string, from: string | RegExp, to: string | ((found: string) => string)): void {
  const text = readFileSync(join(root, file), 'utf8');
  const now = text.replace(from, to as string);
  expect(now).not.toBe(text);
  writeFileSync(join(root, file), now);
}

function script(text: string): void {
  rmSync(join(bin, 'python3'), { force: true });
  writeFileSync(join(bin, 'python3'), `#!/bin/sh\n${text}\n`);
  chmodSync(join(bin, 'python3'), 0o755);
}

// of what is younger nothing is remembered
beforeAll(async () => {
  if (ENVIRONMENT) await setTimeout(Math.max(0, statSync(ENVIRONMENT).ctimeMs + 2100 - Date.now()));
});
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'looptag-migrate-'));
  root = join(folder, 'service');
  cache = join(folder, 'cache');
  bin = join(folder, 'bin');
  mkdirSync(bin);
  if (PYTHON) {
    symlinkSync(PYTHON, join(bin, 'python3'));
    // an environment, too: what is installed beside the library takes its time at each start
    if (ENVIRONMENT) symlinkSync(ENVIRONMENT, join(folder, 'pyvenv.cfg'));
  }
  cpSync(join(ROOT, 'fixtures/services/awoooi'), root, { recursive: true });
  keepShort(root);
  cpSync(join(ROOT, 'rules/policies/awoooi.yaml'), join(root, 'own.yaml'));
  const latin =
    '# coding: latin-1\nimport asyncio\n\n\nasync def job():\n    pass\n\n\nasync def start():\n    asyncio.create_task(job())  # \xe9\n';
  writeFileSync(join(root, 'latin.py'), Buffer.from(latin, 'latin1'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(PYTHON === null || process.platform !== 'linux')('a migration that only prints', () => {
  test('is the same from the cache, also after each kind of change', { timeout: 600_000 }, () => {
    expectAlike(COMMANDS);
    expect(entries()).toHaveLength(COMMANDS.length);
    edit(MAIN, 'create_task(run_evolver_loop())', 'create_task(_run_with_context(run_evolver_loop(), "awoooi"))');
    expectAlike([BY_CATALOGUE]);
    edit('docs/INV-8.md', /^(\| *\d+ .*)legacy_awoooi_default/m, '$1platform_internal');
    expectAlike([BY_CATALOGUE]);
    edit('own.yaml', 'awoooi', 'another');
    expectAlike([BY_POLICY]);
    // the module that the helper is to be put in is there already
    writeFileSync(join(root, 'apps/api/src/core/tagging.py'), 'import asyncio\n');
    expectAlike([BY_ID]);
    rmSync(join(root, 'apps/api/src/core/context.py'));
    expectAlike([BY_CATALOGUE]);
  });

  test('is not what another option asks for', { timeout: 120_000 }, () => {
    cached(COMMANDS[0]!);
    for (const more of [
      ['--trace'],
      ['--priority', 'P0'],
      ['--method', 'context-argument'],
      ['--no-python'],
      ['--check'],
    ])
      expect(cached([...more, ...COMMANDS[0]!])).toEqual(plain([...more, ...COMMANDS[0]!]));
  });

  test('is not kept when it writes', { timeout: 120_000 }, () => {
    for (const more of [
      ['--patch', 'out.patch'],
      ['--split', 'class', '--patch-dir', 'patches'],
      ['--write', '--allow-dirty'],
    ])
      cached([...more, ...COMMANDS[0]!]);
    expect(entries()).toEqual([]);
    // all is written, so there is nothing left
    expect(cached(COMMANDS[0]!)).toEqual(plain(COMMANDS[0]!));
  });

  test('is made anew where the entry is damaged', { timeout: 120_000 }, () => {
    const expected = plain(COMMANDS[0]!);
    cached(COMMANDS[0]!);
    const [entry] = entries() as [string];
    const good = readFileSync(entry);
    for (const bad of [good.subarray(0, 100), Buffer.alloc(0), Buffer.from(good).fill(0x31, good.length - 40)]) {
      writeFileSync(entry, bad);
      expect(cached(COMMANDS[0]!)).toEqual(expected);
    }
  });

  test('fails where python3 fails now', { timeout: 120_000 }, () => {
    const [command] = COMMANDS as [string[]];
    expect(cached(command).status).toBe(0);
    script('exit 3');
    expect(cached(command)).toEqual(plain(command));
    expect(cached(command).stderr).toContain('exit code 3');
    expect(cached(['--check', ...command])).toEqual(plain(['--check', ...command]));
  });

  test('asks again where python3 is gone, another one, or in another place', { timeout: 120_000 }, () => {
    const [command] = COMMANDS as [string[]];
    const expected = cached(command);
    const renewed = (change: () => void, env?: Record<string, string>): void => {
      const before = written();
      change();
      expect(cached(command, env)).toEqual(expected);
      expect(written()).not.toBe(before);
    };
    renewed(() => rmSync(join(bin, 'python3')));
    // that there is none is remembered too
    const before = written();
    expect(cached(command)).toEqual(expected);
    expect(written()).toBe(before);
    const other = join(folder, 'other');
    mkdirSync(other);
    symlinkSync(PYTHON!, join(other, 'python3'));
    renewed(() => {}, { PATH: `${bin}:${other}` });
    renewed(() => symlinkSync(PYTHON!, join(bin, 'python3')), { PATH: `${bin}:${other}` });
    renewed(() => {}, { PATH: bin, LD_LIBRARY_PATH: other });
  });

  test('is not kept where a script answers for python3, or a folder of the search path is a relative one', () => {
    script(`exec ${PYTHON} "$@"`);
    expect(cached(COMMANDS[0]!)).toEqual(plain(COMMANDS[0]!));
    rmSync(join(bin, 'python3'));
    symlinkSync(PYTHON!, join(bin, 'python3'));
    const env = { PATH: `bin:${bin}` };
    expect(cached(COMMANDS[0]!, env)).toEqual(plain(COMMANDS[0]!, env));
    expect(entries()).toEqual([]);
  });
});

describe.skipIf(PYTHON === null || process.platform !== 'linux')('what python3 is', () => {
  const NOW = Number.POSITIVE_INFINITY;

  function environment(): NodeJS.ProcessEnv {
    const made = spawnSync(PYTHON!, ['-m', 'venv', '--without-pip', join(folder, 'venv')]);
    expect(made.status).toBe(0);
    return { PATH: join(folder, 'venv/bin') };
  }

  function recorded(env: NodeJS.ProcessEnv, settled = NOW) {
    const witness = new PythonWitness();
    witness.hear(compileWithPython([], join(env.PATH!, 'python3')).madeOf ?? 'unknown');
    return witness.record(settled, env);
  }

  test('is told by its program, libraries, modules and folders of modules', () => {
    const record = recorded(environment());
    if (record === null || record === 'unknown') throw new Error('not recorded');
    expect(record.program).toBe(PYTHON);
    const files = record.files.map(([file]) => file);
    expect(files).toEqual(expect.arrayContaining([PYTHON, join(folder, 'venv/pyvenv.cfg')]));
    for (const part of [
      /encodings\/__init__\.py$/,
      /json\/decoder\.py$/,
      /\/libc[.-].*so/,
      /venv\/lib\/python3\.\d+\/site-packages$/,
    ])
      expect(files.filter((file) => part.test(file))).not.toEqual([]);
  });

  test.each<[string, (at: string) => void]>([
    ['a module beside', (at) => writeFileSync(join(at, readdirSync(at)[0]!, 'site-packages/sitecustomize.py'), '')],
    ['the environment that it belongs to', (at) => writeFileSync(join(at, '../pyvenv.cfg'), 'home = /nowhere\n')],
    ['its program', (at) => rmSync(join(at, '../bin/python3'))],
  ])('is something else with another: %s', (_, change) => {
    const env = environment();
    const record = recorded(env);
    if (record === null || record === 'unknown') throw new Error('not recorded');
    expect(pythonHolds(JSON.parse(JSON.stringify(record)), env)).toBe(true);
    expect(pythonHolds(record, { ...env, PYENV_VERSION: '3.9' })).toBe(false);
    change(join(folder, 'venv/lib'));
    expect(pythonHolds(record, env)).toBe(false);
  });

  test('cannot be told while it is being installed', () =>
    expect(recorded(environment(), Date.now() - 2000)).toBe('unknown'));

  test('is not asked for where nobody asked it', () => expect(new PythonWitness().record(NOW, {})).toBeNull());
});
