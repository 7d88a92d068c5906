/** What goes wrong around a run: closed pipes, signals, closed folders, full disks, other writers. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { json, looptag, snapshot, temporary, write } from '../e2e/support/run.ts';
import { expectOrderly, MIGRATE, project, SERVICE } from '../hostile/support.ts';
import { atLength } from '../support/long.ts';
import { ended, many, shell, start } from './support.ts';

const WRITE = [...MIGRATE, '--write', '--allow-dirty'];
const isRoot = process.getuid?.() === 0;

/** Names that only a write in progress may leave. */
const leftovers = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.looptag-'));

describe('a closed pipe', () => {
  const root = project(temporary('pipe'), many(atLength(400, 100)));

  test.each(['inventory --format json', 'check', `${MIGRATE.join(' ')}`])('%s | head -1 ends quietly', (command) => {
    const { code, out, err } = shell(`set -o pipefail; looptag ${command} -q | head -1`, root);
    expect(err).toBe('');
    expect(out.split('\n')).toHaveLength(2);
    expect([141, 1, 0]).toContain(code);
  });

  test('a closed standard error changes no result', () => {
    const { code } = shell(`looptag ${WRITE.join(' ')} 2>&-`, project(temporary('closed'), { 'main.py': SERVICE }));
    expect(code).toBe(0);
  });
});

describe('signals', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s in mid-write: all files or none', async (signal, code) => {
    const root = project(temporary('signal'), many(atLength(300, 60)));
    const before = snapshot(root);
    const child = start(WRITE, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    const end = ended(child);
    while (child.exitCode === null && leftovers(root).length < 20) await new Promise((next) => setTimeout(next, 1));
    child.kill(signal);
    const { code: got, signal: by } = await end;
    // the shell makes 128 + n of a process that a signal ended
    expect(by === signal || got === code || got === 0, `${got} ${by}`).toBe(true);
    await looptag(['inventory', 'pkg/m0.py'], { cwd: root });
    const again = await looptag([...WRITE, 'pkg/m0.py'], { cwd: root });
    expectOrderly(again);
    const states = new Set<string>();
    for (const [file, bytes] of snapshot(root)) {
      if (!file.startsWith('pkg/m') || file === 'pkg/m0.py') continue;
      if (!/^pkg\/m\d+\.py$/.test(file)) continue;
      if (bytes.equals(before.get(file)!)) states.add('before');
      else {
        expect(bytes.toString()).toMatch(/create_task\(_run_with_context\(poll_\d+\(\), "awoooi"\)\)\n$/);
        states.add('after');
      }
    }
    expect(states.size, 'some files were written, others not').toBe(1);
  });
});

describe('other writers', () => {
  test('two runs at once: each file is written once, whole', async () => {
    const root = project(temporary('two'), many(atLength(60, 25)));
    const ends = await Promise.all(
      [1, 2].map(() => ended(start(WRITE, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] }))),
    );
    for (const { code, err } of ends) {
      expect(err).not.toContain('internal error');
      expect([0, 2], err).toContain(code);
    }
    expect(
      ends.some(({ code }) => code === 0),
      ends.map((e) => e.err).join('\n'),
    ).toBe(true);
    for (const [file, bytes] of snapshot(root))
      if (file.startsWith('pkg/')) expect(bytes.toString().match(/_run_with_context\(poll_/g), file).toHaveLength(1);
    expect(leftovers(root)).toEqual([]);
  });

  const COUNT = atLength(200, 80);
  test('files that change and vanish while a run reads them', async () => {
    const root = project(temporary('churn'), many(COUNT));
    const child = start(WRITE, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    const end = ended(child);
    for (let i = 0; child.exitCode === null; i++) {
      const file = join(root, 'pkg', `m${i % COUNT}.py`);
      if (i % 3 === 0) rmSync(file, { force: true });
      else writeFileSync(file, `# ${i}\n`);
      await new Promise((next) => setTimeout(next, 2));
    }
    const { code, err } = await end;
    expect(err).not.toContain('internal error');
    expect([0, 2], err).toContain(code);
    expect(leftovers(root)).toEqual([]);
  });
});

const user = isRoot && spawnSync('setpriv', ['--reuid', '65534', '--clear-groups', 'true']).status === 0;

describe.skipIf(isRoot && !user)('what must not be read', () => {
  /** Permissions do not bite root: the command runs as nobody then. */
  function asUser(args: string[], root: string): { code: number; out: string; err: string } {
    const prefix = isRoot ? "setpriv --reuid 65534 --clear-groups '" : "'";
    return shell(
      `f() { ${prefix}${process.execPath}' ${join(import.meta.dirname, '../../bin/looptag.js')} "$@"; }; f ${args.join(' ')}`,
      root,
    );
  }

  function closed(): string {
    const root = project(temporary('closed'), { 'ok.py': SERVICE, 'file.py': SERVICE, 'folder/more.py': SERVICE });
    for (let at = root; at !== '/tmp' && at !== '/'; at = join(at, '..'))
      if (statSync(at).uid === process.getuid?.()) chmodSync(at, 0o755);
    chmodSync(join(root, 'file.py'), 0);
    chmodSync(join(root, 'folder'), 0);
    return root;
  }

  test('a closed file and a closed folder are reported, and hide nothing', () => {
    const { code, out, err } = asUser(['inventory', '--format', 'json'], closed());
    expect(code, err).toBe(2);
    const found = json<{ sites: { file: string }[]; errors: { file: string; message: string }[] }>({
      code,
      out,
      err,
      bytes: Buffer.from(out),
    });
    expect(found.sites.map((s) => s.file)).toEqual(['ok.py']);
    expect(found.errors.map((e) => `${e.file}: ${e.message}`)).toEqual([
      'file.py: permission denied',
      'folder: permission denied',
    ]);
  });

  test('a folder that takes no files: nothing is written, one message', () => {
    const root = project(temporary('fixed'), { 'main.py': SERVICE });
    chmodSync(join(root, '..'), 0o755);
    chmodSync(root, 0o555);
    const { code, err } = asUser(
      [...WRITE, 'main.py'].map((a) => `'${a}'`),
      root,
    );
    expect(code).toBe(2);
    expect(err).toContain('main.py: permission denied');
    expect(readFileSync(join(root, 'main.py'), 'utf8')).toBe(SERVICE);
    chmodSync(root, 0o755);
  });
});

const small = temporary('disk');
const mounted = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small]).status === 0;
afterAll(() => {
  if (mounted) spawnSync('umount', [small]);
});

test.skipIf(!mounted)('a full disk: nothing is written, one message', async () => {
  const root = join(small, 'project');
  mkdirSync(root);
  project(root, many(20));
  const free = (): boolean => {
    try {
      writeFileSync(join(root, `fill${readdirSync(root).length}`), Buffer.alloc(4096));
      return true;
    } catch {
      return false;
    }
  };
  while (free());
  const before = snapshot(root);
  const outcome = await looptag(WRITE, { cwd: root });
  expect(outcome.code).toBe(2);
  expect(outcome.err).toMatch(/no space left on the device; nothing was written/);
  expect(snapshot(root)).toEqual(before);
  expect(existsSync(join(root, '.looptag-write.json'))).toBe(false);
});

test('standard output on a full disk is said, not swallowed', () => {
  const root = project(temporary('full'), { 'main.py': SERVICE });
  if (!existsSync('/dev/full')) return;
  write(root, {});
  const { code, err } = shell('looptag inventory > /dev/full', root);
  expect(code).toBe(2);
  expect(err).not.toContain('internal error');
});

describe('a python3 that fails', () => {
  test.each([
    ['is killed', 'kill -9 $$', 'killed by SIGKILL'],
    ['ends with an error', 'cat > /dev/null; exit 3', 'exit code 3'],
    ['talks nonsense', 'cat > /dev/null; echo hello', 'its answer makes no sense'],
  ])('%s: nothing is written, one message with its remedy', async (_how, script, reason) => {
    const root = project(temporary('python'), { 'main.py': SERVICE, 'bin/python3': `#!/bin/sh\n${script}\n` });
    chmodSync(join(root, 'bin/python3'), 0o755);
    const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
    const { code, err } = await looptag([...WRITE, 'main.py'], { cwd: root, env });
    expect(code).toBe(2);
    expect(err).toContain(
      `python3 did not say whether the result compiles (${reason}), so nothing is written\n  \`--no-python\``,
    );
    expect(readFileSync(join(root, 'main.py'), 'utf8')).toBe(SERVICE);
    expect((await looptag([...WRITE, '--no-python', 'main.py'], { cwd: root, env })).code).toBe(0);
  });

  test('what it finds in the result alone stops the write, though it ran beside other work', async () => {
    const root = project(temporary('python'), { 'main.py': SERVICE });
    const count = join(root, 'count');
    const found = '{"version": [3, 9], "problems": [{"file": "main.py", "line": 1, "message": "not so"}]}';
    // it is asked of the result beside the rest, again by itself, and then of the file as it was
    const script = `cat > /dev/null; echo >> ${count}; if [ $(wc -l < ${count}) -lt 3 ]; then echo '${found}'; else echo '{"version": [3, 9], "problems": []}'; fi`;
    project(root, { 'bin/python3': `#!/bin/sh\n${script}\n` });
    chmodSync(join(root, 'bin/python3'), 0o755);
    const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
    const { code, err } = await looptag([...WRITE, 'main.py'], { cwd: root, env });
    expect([code, err]).toEqual([2, expect.stringContaining('main.py:1: not so')]);
    expect(readFileSync(join(root, 'main.py'), 'utf8')).toBe(SERVICE);
  });

  test('a shim without a Python behind it is no Python', async () => {
    const root = project(temporary('python'), { 'main.py': SERVICE, 'bin/python3': '#!/bin/sh\nexit 127\n' });
    chmodSync(join(root, 'bin/python3'), 0o755);
    const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
    expect((await looptag([...WRITE, 'main.py'], { cwd: root, env })).code).toBe(0);
  });
});

describe('few files may be open at once', () => {
  test('a hundred files are read and written all the same', () => {
    const root = project(temporary('handles'), many(100));
    const { code, err } = shell(`ulimit -n 48; looptag ${WRITE.join(' ')}`, root);
    expect(code, err).toBe(0);
    expect(err).toContain('100 sites in 100 files written');
  });

  test('too few even to start are said plainly, and nothing is half-written', () => {
    const root = project(temporary('handles'), many(3));
    const before = snapshot(root);
    for (const limit of [20, 22, 24, 26]) {
      const { code, err } = shell(`ulimit -n ${limit}; looptag ${WRITE.join(' ')}`, root);
      expect(err).not.toContain('internal error');
      if (code === 0) return;
      expect(snapshot(root)).toEqual(before);
    }
  });
});
