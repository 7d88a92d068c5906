/** More threads find what one finds, also when one of them fails. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { spawnApis } from '../../rules/spawn-apis/index.ts';
import { LookPool } from '../../src/cli/look/pool.ts';
import { CHUNK } from '../../src/cli/look/protocol.ts';
import { DiskFileSystem } from '../../src/io/disk.ts';
import { RecordedFileSystem } from '../../src/io/recorded.ts';
import { buildTable, lookInTurn } from '../../src/sites/index.ts';
import { WordSieve } from '../../src/sites/word-sieve.ts';
import { pathInterpreter } from '../syntax/reference.ts';

const HELPER = new URL('../../dist/looker.js', import.meta.url);
const SOUGHT = { words: [['create_task'], ['start', 'anyio']], whole: false };
const LATER = { words: [['anyio']], whole: true };
const root = mkdtempSync(join(tmpdir(), 'looptag-jobs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Many files of every kind. */
const TEXTS = [
  'x = 1\n',
  'asyncio.create_task(poll())\n',
  'def broken(:\n',
  '# start\n',
  'import anyio\nanyio.start\n',
  'print "two"\n',
  'match x:\n    case 1: pass\n',
  'ａsyncio.ｃreate_task(poll())\n',
];
mkdirSync(join(root, 'pkg'));
for (let n = 0; n < CHUNK * 5 + 7; n++) writeFileSync(join(root, `pkg/m${n}.py`), TEXTS[n % TEXTS.length]!);
writeFileSync(join(root, 'latin.py'), Buffer.from('x = "\xe9"\n', 'latin1'));
symlinkSync(join(root, 'pkg/m2.py'), join(root, 'link.py'));
symlinkSync('/etc/passwd', join(root, 'out.py'));

const disk = new DiskFileSystem(root);
const files = [...disk.listPython(['.']), 'gone.py', 'out.py'];
const judged = (file: string): boolean => !file.endsWith('5.py');
const noted = new WordSieve();
const expected = lookInTurn(disk)(files, SOUGHT, judged, noted);

function withHelpers(helper: URL, fs: DiskFileSystem | RecordedFileSystem = disk, jobs = 3) {
  const pool = new LookPool(fs, { jobs, helper, excluded: [], patience: 0 });
  try {
    const sieve = new WordSieve();
    return [pool.look(files, SOUGHT, judged, sieve), pool.look(files, LATER, () => false, sieve), sieve] as const;
  } finally {
    pool.close();
  }
}

function script(name: string, text: string): URL {
  const file = join(root, name);
  writeFileSync(file, text);
  return pathToFileURL(file);
}

describe('looking at files with several threads', () => {
  const second = lookInTurn(disk)(files, LATER, () => false, noted);

  it('has something to tell of each kind', () => {
    expect(expected.hits).toEqual(expect.arrayContaining(['gone.py', 'out.py', 'pkg/m1.py', 'pkg/m4.py', 'pkg/m7.py']));
    expect(expected.faults.get('pkg/m0.py')).toBeNull();
    expect(expected.faults.get('pkg/m2.py')).toMatchObject({ file: 'pkg/m2.py', line: 1, kind: 'syntax' });
    expect(expected.faults.get('latin.py')).toMatchObject({ kind: 'encoding' });
    expect(expected.faults.has('pkg/m5.py')).toBe(false);
    expect(expected.rest).toContain('pkg/m5.py');
  });

  it('finds the same where no words were noted', () => {
    expect(lookInTurn(disk)(files, LATER, () => false)).toEqual(second);
    expect(second.hits).toContain('pkg/m4.py');
  });

  it('finds what one thread finds, in the same order', () => {
    for (const jobs of [1, 2, 4]) {
      const found = withHelpers(HELPER, disk, jobs);
      expect(found).toEqual([expected, second, noted]);
      expect([...found[0]!.faults.keys()]).toEqual([...expected.faults.keys()]);
    }
  });

  it('keeps the record that one thread keeps', () => {
    const started = Date.now() + 10_000;
    const [one, many] = [1, 3].map((jobs) => {
      const fs = new RecordedFileSystem(disk, null, started);
      withHelpers(HELPER, fs, jobs);
      return fs.recording();
    });
    expect(Object.keys(one!.reads)).toHaveLength(new Set(files).size);
    expect(many).toEqual(one);
  });

  const python = pathInterpreter();
  it.skipIf(!python)('finds the same in python3’s own library', () => {
    const library = new DiskFileSystem(python!.stdlib);
    const all = library.listPython(['.']);
    const sought = { words: buildTable(spawnApis).words, whole: false };
    const judgedToo = (file: string): boolean => !file.includes('test');
    const pool = new LookPool(library, { jobs: 3, helper: HELPER, excluded: [], patience: 0 });
    const one = lookInTurn(library)(all, sought, judgedToo);
    expect(pool.look(all, sought, judgedToo)).toEqual(one);
    pool.close();
    expect(one.hits.length).toBeGreaterThan(5);
    expect(one.faults.size).toBeGreaterThan(300);
  });

  it('finds the same where no thread is to be had', () => {
    expect(withHelpers(new URL('http://example.com/looker.js'))).toEqual([expected, second, noted]);
  });

  it.each([
    ['is not there', 'missing.js', null],
    ['dies at once', 'dies.cjs', 'process.exit(3);'],
    ['throws', 'throws.cjs', 'throw new Error("no");'],
    ['never answers', 'mute.cjs', 'setInterval(() => {}, 1000);'],
    [
      'takes work and dies of it',
      'takes.cjs',
      `const { port } = require('node:worker_threads').workerData;
       port.on('message', ({ control }) => { Atomics.add(control, 0, 2); process.exit(1); });`,
    ],
    [
      'says that it failed',
      'failed.cjs',
      `const { port } = require('node:worker_threads').workerData;
       port.on('message', ({ id, control }) => {
         const chunk = Atomics.add(control, 0, 1);
         port.postMessage({ task: id, chunk, told: null, records: null });
         Atomics.add(control, 1, 1);
         Atomics.notify(control, 1);
       });`,
    ],
  ])('finds the same when a helper %s', (_, name, text) => {
    const helper = text === null ? pathToFileURL(join(root, name)) : script(name, text);
    expect(withHelpers(helper)).toEqual([expected, second, noted]);
  });
});
