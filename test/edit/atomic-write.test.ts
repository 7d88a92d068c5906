import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AtomicWriteError, recoverWrite, writeAll } from '../../src/io/atomic-write.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const made: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'looptag-write-'));
  made.push(path);
  return path;
};
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

/** Every file below a folder with its text; temporary ones included. */
function tree(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(root.length + 1), readFileSync(path, 'utf8').slice(0, 6)];
    }),
  );
}

let root: string;
beforeEach(() => {
  root = folder();
});
const put = (file: string, text: string) => {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
};

describe('writing all files or none', () => {
  it('replaces, creates and deletes, and leaves nothing else behind', () => {
    put('a.py', 'a = 1\n');
    put('gone.py', 'x\n');
    writeAll(root, [
      { file: 'a.py', before: bytes('a = 1\n'), after: bytes('a = 2\n') },
      { file: 'new/deep/b.py', before: null, after: bytes('b = 2\n') },
      { file: 'gone.py', before: bytes('x\n'), after: null },
    ]);
    expect(tree(root)).toEqual({ 'a.py': 'a = 2\n', 'new/deep/b.py': 'b = 2\n' });
  });

  it('keeps permissions, and writes through a link into the file that it names', () => {
    put('real.py', 'a = 1\n');
    chmodSync(join(root, 'real.py'), 0o751);
    symlinkSync('real.py', join(root, 'link.py'));
    writeAll(root, [{ file: 'link.py', before: bytes('a = 1\n'), after: bytes('a = 2\n') }]);
    expect(statSync(join(root, 'real.py')).mode & 0o777).toBe(0o751);
    expect(lstatSync(join(root, 'link.py')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(root, 'link.py'))).toBe('real.py');
    expect(readFileSync(join(root, 'real.py'), 'utf8')).toBe('a = 2\n');
  });

  const refusals: [string, () => void, RegExp][] = [
    ['is read-only', () => chmodSync(join(root, 'b.py'), 0o444), /b\.py: is read-only; nothing was written/],
    ['has changed since it was read', () => writeFileSync(join(root, 'b.py'), 'b = 9\n'), /b\.py: has changed since/],
    ['is gone', () => rmSync(join(root, 'b.py')), /b\.py: /],
  ];
  it.each(refusals)('writes none when one among many %s', (_, spoil, message) => {
    for (const name of ['a', 'b', 'c']) put(`${name}.py`, `${name} = 1\n`);
    spoil();
    const before = tree(root);
    const writes = ['a', 'b', 'c'].map((n) => ({
      file: `${n}.py`,
      before: bytes(`${n} = 1\n`),
      after: bytes(`${n} = 2\n`),
    }));
    expect(() => writeAll(root, writes)).toThrow(message);
    expect(tree(root)).toEqual(before);
  });

  it('refuses what lies outside of the root, by name or by link', () => {
    const other = folder();
    writeFileSync(join(other, 'x.py'), 'x\n');
    symlinkSync(join(other, 'x.py'), join(root, 'x.py'));
    const write = (file: string) => () => writeAll(root, [{ file, before: bytes('x\n'), after: bytes('y\n') }]);
    expect(write('x.py')).toThrow(/link that leads out/);
    expect(write('../x.py')).toThrow(/outside of the project/);
    expect(readFileSync(join(other, 'x.py'), 'utf8')).toBe('x\n');
  });

  it('refuses to overwrite a file that it was to create', () => {
    put('a.py', 'mine\n');
    expect(() => writeAll(root, [{ file: 'a.py', before: null, after: bytes('x') }])).toThrow(/exists already/);
  });

  it('takes back what it replaced when a later file fails', () => {
    for (const name of ['a', 'b']) put(`${name}.py`, `${name} = 1\n`);
    const writes = ['a', 'b'].map((n) => ({
      file: `${n}.py`,
      before: bytes(`${n} = 1\n`),
      after: bytes(`${n} = 2\n`),
    }));
    const spoil = (step: string) => step === 'replaced a.py' && writeFileSync(join(root, 'b.py'), 'b = 99\n');
    expect(() => writeAll(root, writes, spoil)).toThrow(AtomicWriteError);
    expect(tree(root)).toEqual({ 'a.py': 'a = 1\n', 'b.py': 'b = 99' });
  });

  it('takes nothing back that somebody else wrote meanwhile', () => {
    put('a.py', 'a = 1\n');
    put('b.py', 'b = 1\n');
    const writes = ['a', 'b'].map((name) => ({
      file: `${name}.py`,
      before: bytes(`${name} = 1\n`),
      after: bytes(`${name} = 2\n`),
    }));
    const meanwhile = (step: string): void => {
      if (step === 'replaced a.py') for (const name of ['a', 'b']) put(`${name}.py`, `${name} = 3 # theirs\n`);
    };
    expect(() => writeAll(root, writes, meanwhile)).toThrow(AtomicWriteError);
    expect(tree(root)).toEqual({ 'a.py': 'a = 3 ', 'b.py': 'b = 3 ' });
  });

  it('does not obey a journal that names other places', () => {
    put('a.py', 'a\n');
    const victim = join(folder(), 'victim');
    writeFileSync(victim, 'v');
    const entry = { target: join(root, 'a.py'), temp: victim, backup: null, beforeHash: null, afterHash: null };
    writeFileSync(join(root, '.looptag-write.json'), JSON.stringify({ pid: 2 ** 22, entries: [entry] }));
    expect(() => recoverWrite(root)).toThrow(/remove it/);
    expect(readFileSync(victim, 'utf8')).toBe('v');
  });
});

describe('killed at any moment', () => {
  let script: string;
  beforeAll(async () => {
    script = join(folder(), 'child.mjs');
    const entry = join(import.meta.dirname, 'support/write-child.ts');
    await build({
      entryPoints: [entry],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
  });

  const OLD = { 'a.py': 'a = 1\n', 'pkg/b.py': 'b = 1\n', 'd.py': 'd = 1\n' };
  const NEW = { 'a.py': 'a = 2\n', 'pkg/b.py': 'b = 2\n', 'pkg/new/c.py': 'c = 2\n' };
  const visible = (files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).filter(([file]) => !file.includes('looptag')));

  it('no file is half-written, and the next run finishes the job', () => {
    const steps: string[] = [];
    for (let kill = 1; ; kill++) {
      const here = folder();
      mkdirSync(join(here, 'pkg'));
      for (const [file, text] of Object.entries(OLD)) writeFileSync(join(here, file), text.repeat(20_000));
      const killed = spawnSync(process.execPath, [script, here, String(kill)], { encoding: 'utf8' });
      if (killed.signal !== 'SIGKILL') {
        expect(killed.status, killed.stderr).toBe(0);
        break;
      }
      steps.push(killed.stdout.trim().split('\n').at(-1)!);
      for (const [file, text] of Object.entries(visible(tree(here)))) {
        expect([OLD[file as 'a.py'], NEW[file as 'a.py']]).toContain(text);
        expect(statSync(join(here, file)).size).toBe(text.length * 20_000);
      }
      const recovered = recoverWrite(here);
      if (recovered === null) {
        const again = spawnSync(process.execPath, [script, here, '0'], { encoding: 'utf8' });
        if (steps.at(-1) !== 'done') expect(again.status, again.stderr).toBe(0);
      } else expect(recovered.conflicts).toEqual([]);
      expect(tree(here), steps.at(-1)).toEqual(NEW);
    }
    expect(steps).toContain('journal');
    expect(steps).toContain('replaced pkg/b.py');
    expect(steps.length).toBeGreaterThan(10);
  }, 60_000);
});

describe('a full disk', () => {
  const mount = mkdtempSync(join(tmpdir(), 'looptag-full-'));
  made.push(mount);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mount]).status === 0;
  afterAll(() => {
    if (mounted) execFileSync('umount', [mount]);
  });
  if (!mounted) console.warn('SKIPPED: the disk-full test needs the right to mount a tmpfs');

  it.skipIf(!mounted)('changes nothing and leaves nothing', () => {
    const old = (name: string) => `${name} = 1\n`.repeat(1000);
    for (const name of ['a', 'b']) writeFileSync(join(mount, `${name}.py`), old(name));
    const writes = ['a', 'b'].map((n) => ({
      file: `${n}.py`,
      before: bytes(old(n)),
      after: bytes(`${n} = 2\n`.repeat(6000)),
    }));
    expect(() => writeAll(mount, writes)).toThrow(/no space left on the device; nothing was written/);
    expect(readdirSync(mount).sort()).toEqual(['a.py', 'b.py']);
    for (const name of ['a', 'b']) expect(readFileSync(join(mount, `${name}.py`), 'utf8')).toBe(old(name));
    expect(existsSync(join(mount, '.looptag-write.json'))).toBe(false);
  });
});
