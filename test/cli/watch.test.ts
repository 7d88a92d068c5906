import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CachedFileSystem, FileCache } from '../../src/io/cached.ts';
import { DiskFileSystem } from '../../src/io/disk.ts';
import { type Watching, watchBelow } from '../../src/io/watch.ts';
import { CATALOGUE, MAIN, Project, start, temporary, until } from './support/project.ts';

const SPAWN = '        asyncio.create_task(run_evolver_loop())';
const summaries = (out: string) => out.match(/Found .* spawn sites/g) ?? [];

describe('looptag check --watch', () => {
  it('runs again on each change, whatever is broken meanwhile', async () => {
    const project = new Project().configured();
    const { child, printed, ended } = start(project.root, ['check', '--watch']);
    await until(() => printed.err.includes('watching .'), 'the watch');
    const [first] = summaries(printed.out);
    project.edit(MAIN, (text) => text.replace(SPAWN, '        pass'));
    await until(() => summaries(printed.out).length === 2, 'the second run');
    expect(printed.err).toContain(`${MAIN} changed`);
    expect(summaries(printed.out)[1]).not.toBe(first);

    // editors replace the file instead of writing into it
    const other = join(project.root, `${MAIN}.tmp`);
    writeFileSync(other, project.read(MAIN).replace('        pass', SPAWN));
    renameSync(other, join(project.root, MAIN));
    await until(() => summaries(printed.out).length === 3, 'the third run');
    expect(summaries(printed.out)[2]).toBe(first);

    const catalogue = project.read(CATALOGUE);
    project.write(CATALOGUE, '# nothing\n');
    await until(() => printed.err.includes('no catalogue table'), 'the complaint');
    project.write(CATALOGUE, catalogue);
    await until(() => summaries(printed.out).length === 4, 'the fourth run');
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
  });

  it('excludes what makes no sense with it', () => {
    const { code, err } = new Project().configured().run('check', '--watch', '--write-baseline');
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be used with')]);
  });
});

describe('watching a folder', () => {
  let watching: Watching | null = null;
  afterEach(() => watching?.close());

  it.each([false, true])('tells of changes, new folders and removals (polling: %s)', async (poll) => {
    const root = temporary();
    const seen: string[] = [];
    writeFileSync(join(root, 'a.py'), 'x = 1\n');
    mkdirSync(join(root, 'node_modules'));
    watching = watchBelow(root, { wanted: (f) => f.endsWith('.py'), changed: (files) => seen.push(...files), poll });
    expect(watching.how).toBe(poll ? 'polling' : process.platform === 'linux' ? 'folders' : 'recursive');
    writeFileSync(join(root, 'a.py'), 'x = 22\n');
    await until(() => seen.includes('a.py'), 'a change');
    mkdirSync(join(root, 'pkg/deep'), { recursive: true });
    writeFileSync(join(root, 'pkg/deep/b.py'), '');
    await until(() => seen.includes('pkg/deep/b.py'), 'a file in a new folder');
    seen.length = 0;
    writeFileSync(join(root, 'node_modules/c.py'), '');
    writeFileSync(join(root, 'd.txt'), '');
    rmSync(join(root, 'pkg/deep/b.py'));
    await until(() => seen.includes('pkg/deep/b.py'), 'a removal');
    expect(seen).toEqual(['pkg/deep/b.py']);
  });
});

describe('the cached file system', () => {
  it('hands out the same bytes as long as a file is as it was', () => {
    const root = temporary();
    const file = join(root, 'a.py');
    writeFileSync(file, 'x = 1\n');
    const cache = new FileCache();
    const look = () => new CachedFileSystem(new DiskFileSystem(root), cache);
    const first = look().read('a.py');
    expect(look().read('a.py')).toBe(first);
    // the same size within the same tick of the clock
    writeFileSync(file, 'x = 2\n');
    expect(Buffer.from(look().read('a.py')!).toString()).toBe('x = 2\n');
    rmSync(file);
    expect(look().read('a.py')).toBeNull();
  });

  it('asks the disk once in one look, and anew in the next', () => {
    const root = temporary();
    writeFileSync(join(root, 'a.py'), 'x = 1\n');
    const cache = new FileCache();
    const fs = new CachedFileSystem(new DiskFileSystem(root), cache);
    const before = [fs.read('a.py'), fs.read('b.py'), fs.listPython(['.'])];
    writeFileSync(join(root, 'a.py'), 'x = 22\n');
    writeFileSync(join(root, 'b.py'), '');
    expect([fs.read('a.py'), fs.read('b.py'), fs.listPython(['.'])]).toEqual(before);
    const next = new CachedFileSystem(new DiskFileSystem(root), cache);
    expect(Buffer.from(next.read('a.py')!).toString()).toBe('x = 22\n');
    expect(next.listPython(['.'])).toEqual(['a.py', 'b.py']);
  });

  it('looks again for what is there when a file comes or goes, and not when one is edited', () => {
    const root = temporary();
    const cache = new FileCache();
    cache.lists = new Map();
    writeFileSync(join(root, 'a.py'), '');
    const look = () => new CachedFileSystem(new DiskFileSystem(root), cache);
    look().read('a.py');
    const seen = () => [look().exists('b.py'), look().listPython(['.'])];
    expect(seen()).toEqual([false, ['a.py']]);
    writeFileSync(join(root, 'b.py'), '');
    cache.changed(root, ['a.py']);
    expect(seen()).toEqual([false, ['a.py']]);
    cache.changed(root, ['a.py', 'b.py']);
    expect(seen()).toEqual([true, ['a.py', 'b.py']]);
    look().read('b.py');
    rmSync(join(root, 'b.py'));
    cache.changed(root, ['b.py']);
    expect(seen()).toEqual([false, ['a.py']]);
  });

  it('believes what it is told while somebody watches, and asks again when nobody does', async () => {
    const root = temporary();
    writeFileSync(join(root, 'a.py'), 'x = 1\n');
    symlinkSync('a.py', join(root, 'b.py'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const cache = new FileCache();
    const text = (file: string) =>
      Buffer.from(new CachedFileSystem(new DiskFileSystem(root), cache).read(file) ?? []).toString();
    cache.watch(true);
    expect([text('a.py'), text('b.py')]).toEqual(['x = 1\n', 'x = 1\n']);
    writeFileSync(join(root, 'a.py'), 'x = 22\n');
    // a link's target bears another name
    expect([text('a.py'), text('b.py')]).toEqual(['x = 1\n', 'x = 22\n']);
    cache.changed(root, ['a.py']);
    // so young that a second change could bear the same time: asked for again
    expect(text('a.py')).toBe('x = 22\n');
    writeFileSync(join(root, 'a.py'), 'x = 33\n');
    expect(text('a.py')).toBe('x = 33\n');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(text('a.py')).toBe('x = 33\n');
    writeFileSync(join(root, 'a.py'), 'x = 444\n');
    expect(text('a.py')).toBe('x = 33\n');
    cache.watch(false);
    expect(text('a.py')).toBe('x = 444\n');
  });
});
