/** The first half of a write: everything is made ready beside the targets, and none of them is touched. */
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { hashOf, isRunning, type JournalEntry } from './write-journal.ts';

/** One file: from the bytes that were read to those that are to be there. `null`: the file is not there. */
export interface FileWrite {
  /** Relative to the root. */
  file: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
}

/** Why nothing was written. */
export class AtomicWriteError extends Error {
  constructor(
    readonly file: string,
    readonly reason: string,
  ) {
    super(`${file}: ${reason}; nothing was written`);
    this.name = 'AtomicWriteError';
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'disk quota exceeded',
  EROFS: 'the file system is read-only',
  EEXIST: 'exists already',
};

export interface Prepared extends JournalEntry {
  file: string;
  stat: Stats | null;
}

export const isChange = ({ before, after }: FileWrite): boolean =>
  before === null || after === null ? before !== after : Buffer.compare(before, after) !== 0;

/** Run a step and name the file in what it throws. */
export function attempt<T>(file: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof AtomicWriteError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new AtomicWriteError(file, REASONS[code ?? ''] ?? message);
  }
}

/** The real file behind a name, checked against what was read. */
export function locate(base: string, { file, before }: FileWrite): { target: string; stat: Stats | null } {
  const path = resolve(base, file);
  if (!path.startsWith(base + sep)) throw new AtomicWriteError(file, 'lies outside of the project');
  if (before === null) {
    if (lstatSync(path, { throwIfNoEntry: false })) throw new AtomicWriteError(file, 'exists already');
    return { target: path, stat: null };
  }
  const target = attempt(file, () => realpathSync(path));
  if (!target.startsWith(base + sep)) throw new AtomicWriteError(file, 'is a link that leads out of the project');
  const stat = statSync(target);
  // Renaming over a file needs no right to write it, and root has every right: the mode is what its owner meant.
  if ((stat.mode & 0o222) === 0) throw new AtomicWriteError(file, 'is read-only');
  if (
    Buffer.compare(
      attempt(file, () => readFileSync(target)),
      before,
    ) !== 0
  )
    throw changed(file);
  return { target, stat };
}

export const changed = (file: string) => new AtomicWriteError(file, 'has changed since it was read: run again');

/** Folders that were made, the deepest last. */
export function makeFolders(file: string, folder: string): string[] {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const path of missing) attempt(file, () => mkdirSync(path));
  return missing;
}

/** Remove what a run that was killed before its journal left beside targets. Each folder is listed once. */
export function sweep(targets: readonly string[]): void {
  const named = new Map<string, Set<string>>();
  for (const target of targets) {
    const folder = dirname(target);
    const names = named.get(folder) ?? new Set();
    named.set(folder, names.add(basename(target)));
  }
  for (const [folder, names] of named) {
    for (const name of readdirSync(folder)) {
      const [, of = '', pid] = LEFT.exec(name) ?? [];
      if (pid && names.has(of) && Number(pid) !== process.pid && !isRunning(Number(pid)))
        rmSync(join(folder, name), { force: true });
    }
  }
}

/** The new and the old content beside a file, by the process that wrote them. */
const LEFT = /^\.(.+)\.looptag-(\d+)-\d+\.(?:new|old)$/s;

let counter = 0;

export function prepare(write: FileWrite, target: string, stat: Stats | null): Prepared {
  const mark = `.${basename(target)}.looptag-${process.pid}-${counter++}`;
  const entry: Prepared = {
    file: write.file,
    target,
    stat,
    temp: write.after === null ? null : join(dirname(target), `${mark}.new`),
    backup: write.before === null ? null : join(dirname(target), `${mark}.old`),
    beforeHash: write.before === null ? null : hashOf(write.before),
    afterHash: write.after === null ? null : hashOf(write.after),
  };
  try {
    attempt(write.file, () => {
      if (entry.temp) writeTemp(entry.temp, write.after!, stat);
      if (entry.backup) secondName(target, entry.backup);
    });
  } catch (error) {
    discard([entry], []);
    throw error;
  }
  return entry;
}

function writeTemp(path: string, bytes: Uint8Array, like: Stats | null): void {
  const fd = openSync(path, 'wx', like ? like.mode & 0o7777 : 0o666);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  if (!like) return;
  if (process.getuid?.() === 0) chownSync(path, like.uid, like.gid);
  chmodSync(path, like.mode & 0o7777);
}

/** A hard link takes no space, so that a full disk cannot stop the way back. */
function secondName(target: string, backup: string): void {
  try {
    linkSync(target, backup);
  } catch {
    copyFileSync(target, backup);
  }
}

export function discard(entries: readonly Prepared[], folders: readonly string[]): void {
  for (const { temp, backup } of entries) for (const path of [temp, backup]) if (path) rmSync(path, { force: true });
  for (const folder of [...folders].reverse()) removeEmpty(folder);
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // somebody else put something there
  }
}
