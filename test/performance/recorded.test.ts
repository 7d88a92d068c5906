/** A remembered answer counts only while the disk would answer the same: each kind of change that folders' times could hide. */
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DiskFileSystem } from '../../src/io/disk.ts';
import { stampOf } from '../../src/io/folder-stamp.ts';
import { RecordedFileSystem, type Recording, stillHolds } from '../../src/io/recorded.ts';

let folder: string;
let root: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looptag-recorded-'));
  root = join(folder, 'project');
  for (const name of ['app/jobs', 'app/docs', 'linked', '.venv/lib', 'old'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ['app/main.py', 'app/jobs/one.py', 'old/gone.py']) writeFileSync(join(root, name), 'x = 1\n');
  symlinkSync('nowhere', join(root, 'linked/later'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a run hears; it starts long after all that is there was written. */
function recorded(paths: string[]): Recording {
  const fs = new RecordedFileSystem(new DiskFileSystem(root, ['old']), null, Date.now() + 10_000);
  for (const file of fs.listPython(paths)) fs.read(file);
  for (const file of [
    'app/__init__.py',
    'app/jobs/two.pyi',
    'linked/later',
    'linked/none',
    '.venv/lib/x.py',
    '.venv/x.py',
    'nowhere/deep/x.py',
    'app/jobs',
  ])
    fs.exists(file);
  return JSON.parse(JSON.stringify(fs.recording())) as Recording;
}

const holds = (recording: Recording): boolean => stillHolds(recording, new DiskFileSystem(root, ['old']));
const touch = (file: string): void => writeFileSync(join(root, file), 'x = 1\n');

const CHANGES: [what: string, change: () => void][] = [
  ['a file more, deep down', () => touch('app/docs/new.py')],
  ['a file less', () => rmSync(join(root, 'app/jobs/one.py'))],
  ['a folder more, with a file', () => cpSync(join(root, 'app/jobs'), join(root, 'app/more'), { recursive: true })],
  [
    'a folder that becomes a link',
    () => {
      renameSync(join(root, 'app/jobs'), join(root, '.venv/jobs'));
      symlinkSync('../.venv/jobs', join(root, 'app/jobs'));
    },
  ],
  [
    'a file that becomes a link to nothing',
    () => {
      rmSync(join(root, 'app/main.py'));
      symlinkSync('nothing.py', join(root, 'app/main.py'));
    },
  ],
  ['what a file holds', () => writeFileSync(join(root, 'app/main.py'), 'y = 1\n')],
  ['what was missing in a folder that is read', () => touch('app/__init__.py')],
  ['what was missing and is no Python file', () => touch('app/jobs/two.pyi')],
  ['what was missing in a folder that is never read', () => touch('.venv/x.py')],
  ['what was missing deeper in such a folder', () => touch('.venv/lib/x.py')],
  [
    'folders and all that were missing',
    () => {
      mkdirSync(join(root, 'nowhere/deep'), { recursive: true });
      touch('nowhere/deep/x.py');
    },
  ],
  ['what a link names', () => touch('linked/nowhere')],
  ['what was there', () => renameSync(join(root, 'app/jobs'), join(root, '.venv/elsewhere'))],
];

test.each(CHANGES)('%s is noticed', (_, change) => {
  const recording = recorded(['.']);
  expect(holds(recording)).toBe(true);
  change();
  expect(holds(recording)).toBe(false);
});

test('what changes no answer leaves them standing, whether the folders’ times tell so or a walk', () => {
  const recording = recorded(['.']);
  if (process.platform === 'linux') expect(recording.lists[0]![2]).not.toBeNull();
  touch('old/more.py');
  touch('.venv/more.py');
  expect(holds(recording)).toBe(true);
  touch('app/notes.txt');
  mkdirSync(join(root, 'app/__pycache__'));
  expect(holds(recording)).toBe(true);
});

test.runIf(process.platform === 'linux')(
  'a folder proves nothing that is a link by now, or another file system',
  () => {
    symlinkSync('app', join(root, 'way'));
    expect(stampOf(root, ['.'], ['app'])).not.toBeNull();
    expect(stampOf(root, ['.'], ['app', 'way'])).toBeNull();
    expect(stampOf('/', [], ['proc'])).toBeNull();
  },
);

test('folders prove nothing where links decide, or where they changed with the run', () => {
  const stampIn = (paths: string[]): unknown => recorded(paths).lists[0]![2];
  symlinkSync('app', join(root, 'way'));
  expect(stampIn(['way'])).toBeNull();
  expect(stampIn(['way/jobs'])).toBeNull();
  expect(stampIn(['app/main.py'])).toBeNull();
  symlinkSync('main.py', join(root, 'app/other.py'));
  const byLink = recorded(['app']);
  expect(byLink.lists[0]![2]).toBeNull();
  rmSync(join(root, 'app/main.py'));
  expect(holds(byLink)).toBe(false);
  const young = new RecordedFileSystem(new DiskFileSystem(root), null);
  young.listPython(['.']);
  expect(young.recording()!.lists[0]![2]).toBeNull();
});
