/** What may lie about under the name of a Python file, and how much of it. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alone, json, looptag, snapshot, temporary, write } from '../e2e/support/run.ts';
import { expectOrderly, MIGRATE, project, SERVICE } from './support.ts';

interface Found {
  sites: { file: string }[];
  errors: { file: string; message: string }[];
}

const OUTSIDE = temporary('outside');

describe('what is no regular file of the project', () => {
  const root = project(temporary('odd'), { 'ok.py': SERVICE });
  const socket = createServer();

  beforeAll(async () => {
    write(OUTSIDE, { 'secret.py': SERVICE, 'folder/more.py': SERVICE });
    for (const name of ['fifo.py', 'fifo.md', 'fifo.yaml', 'fifo.json']) spawnSync('mkfifo', [join(root, name)]);
    symlinkSync('/dev/zero', join(root, 'zero.py'));
    symlinkSync('/dev/stdin', join(root, 'stdin.py'));
    symlinkSync(join(OUTSIDE, 'secret.py'), join(root, 'out.py'));
    symlinkSync(join(OUTSIDE, 'folder'), join(root, 'outfolder'));
    symlinkSync('..', join(root, 'up'));
    symlinkSync('.', join(root, 'self'));
    symlinkSync('nowhere.py', join(root, 'dangling.py'));
    mkdirSync(join(root, 'folder.py'));
    await new Promise<void>((done) => socket.listen(join(root, 'socket.py'), done));
  });
  afterAll(() => socket.close());

  test.concurrent('only the files of the project are looked at', async () => {
    const found = json<Found>(await alone(['inventory', '--format', 'json'], { cwd: root }));
    expect(found.sites.map((s) => s.file)).toEqual(['ok.py']);
  });

  test.concurrent.each([
    ['fifo.py'],
    ['zero.py'],
    ['socket.py'],
    ['folder.py'],
    ['dangling.py'],
    ['--catalog', 'fifo.md'],
    ['--policy', 'fifo.yaml'],
    ['--config', 'fifo.md'],
  ])('%s %s: refused at once', async (...args) => {
    const outcome = await looptag(['inventory', ...args.filter(Boolean)], { cwd: root });
    expectOrderly(outcome);
    expect(outcome.code).toBe(2);
    expect(outcome.err).toContain(args.at(-1));
  });

  test.concurrent.each(['out.py', 'outfolder', 'up'])('%s leads out: nothing behind it is shown', async (path) => {
    const outcome = await looptag(['inventory', '--format', 'json', path], { cwd: root });
    expect(outcome.code).toBe(2);
    expect(outcome.out).not.toContain('"argument"');
  });

  test.concurrent('a circle of links is reported, and hides nothing', async () => {
    const circle = project(temporary('circle'), { 'ok.py': SERVICE });
    symlinkSync('b.py', join(circle, 'a.py'));
    symlinkSync('a.py', join(circle, 'b.py'));
    const outcome = await looptag(['inventory', '--format', 'json'], { cwd: circle });
    const { sites, errors } = json<Found>(outcome);
    expect(outcome.code).toBe(2);
    expect(sites.map((s) => s.file)).toEqual(['ok.py']);
    expect(errors.map((e) => e.file)).toEqual(['a.py', 'b.py']);
  });

  test('a migration writes nothing outside', async () => {
    const before = snapshot(OUTSIDE);
    const outcome = await alone([...MIGRATE, '--write', '--allow-dirty'], { cwd: root });
    expectOrderly(outcome);
    expect(snapshot(OUTSIDE)).toEqual(before);
    expect(snapshot(root).get('ok.py')!.toString()).toContain('_run_with_context');
  });
});

describe('sizes', () => {
  const DEPTH = 20_000;
  const nested: Record<string, string> = {
    parentheses: `x = ${'('.repeat(DEPTH)}1${')'.repeat(DEPTH)}`,
    lists: `x = ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
    calls: `asyncio.create_task(${'f('.repeat(DEPTH)}${')'.repeat(DEPTH)})`,
    attributes: `x = a${'.b'.repeat(DEPTH)}`,
    subscripts: `x = a${'[0]'.repeat(DEPTH)}`,
    minus: `x = ${'-'.repeat(DEPTH)}1`,
    not: `x = ${'not '.repeat(DEPTH)}1`,
    sums: `x = ${'1 + '.repeat(DEPTH)}1`,
    powers: `x = ${'1 ** '.repeat(DEPTH)}1`,
    conditionals: `x = ${'1 if 1 else '.repeat(DEPTH)}1`,
    lambdas: `x = ${'lambda: '.repeat(DEPTH)}1`,
    elifs: `if a: pass\n${'elif a: pass\n'.repeat(DEPTH)}`,
    blocks: `${Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}if x:\n`).join('')}${' '.repeat(2000)}pass`,
    patterns: `match x:\n case ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}: pass`,
    strings: `x = ${'f"{'.repeat(200)}1`,
    decorators: `${'@a\n'.repeat(DEPTH)}def f(): pass`,
  };

  test('nesting of twenty thousand levels: analysed or reported, and hides nothing', async () => {
    const files = Object.entries(nested).map(([name, body]) => [
      `n_${name}.py`,
      `import asyncio\n# create_task\n${body}\n`,
    ]);
    const root = project(temporary('deep'), { 'ok.py': SERVICE, ...Object.fromEntries(files) });
    const outcome = await alone(['inventory', '--format', 'json'], { cwd: root });
    expectOrderly(outcome);
    const { sites, errors } = json<Found>(outcome);
    expect(sites.map((s) => s.file)).toContain('ok.py');
    for (const { file } of errors) expect(file).toMatch(/^n_/);
    expect(outcome.code).toBe(2);
  });

  test('a hundred megabytes and random bytes are reported, and hide nothing', async () => {
    const root = project(temporary('big'), { 'ok.py': SERVICE });
    for (const name of ['zeros.py', 'spawns.py'])
      writeFileSync(join(root, name), 'import asyncio  # asyncio.create_task\n');
    truncateSync(join(root, 'zeros.py'), 100 * 1024 * 1024);
    writeFileSync(join(root, 'random.py'), Buffer.concat([randomBytes(1 << 20), Buffer.from('asyncio.create_task(')]));
    writeFileSync(join(root, 'wide.py'), Buffer.from(SERVICE, 'utf16le'));
    const outcome = await alone(['inventory', '--format', 'json'], { cwd: root });
    const { sites, errors } = json<Found>(outcome);
    expect(outcome.code).toBe(2);
    expect(sites.map((s) => s.file)).toEqual(['ok.py']);
    expect(errors.map((e) => e.file)).toEqual(expect.arrayContaining(['random.py', 'zeros.py']));
  });
});
