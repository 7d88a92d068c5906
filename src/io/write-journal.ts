/** The note that a write in progress leaves behind, and what the next run makes of it after a crash. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

export const JOURNAL = '.looptag-write.json';

/** One file of a write; paths are absolute and free of links. */
export interface JournalEntry {
  target: string;
  /** The new content, beside the target; null for a deletion. */
  temp: string | null;
  /** A second name of the old content; null for a new file. */
  backup: string | null;
  beforeHash: string | null;
  afterHash: string | null;
}

interface Journal {
  pid: number;
  /** When that process started, so that another one with its number is not taken for it. */
  started: string | null;
  entries: JournalEntry[];
}

/** What `recoverWrite` found. */
interface Recovery {
  /** Files that were put in place now. */
  finished: string[];
  /** Files that somebody changed after the crash: left as they are. */
  conflicts: string[];
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function hashOfFile(path: string): string | null {
  try {
    return hashOf(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Make a change to a folder last. Not every file system can; then the rename itself must do. */
export function syncFolder(folder: string): void {
  let fd: number | null = null;
  try {
    fd = openSync(folder, 'r');
    fsyncSync(fd);
  } catch {
    // nothing to be done about it
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** The moment from which on the write will be finished, come what may. Fails when another write holds the journal. */
export function commitJournal(root: string, journal: Journal): void {
  const path = join(root, JOURNAL);
  const temp = `${path}.${process.pid}`;
  try {
    const fd = openSync(temp, 'wx', 0o600);
    try {
      writeFileSync(fd, JSON.stringify(journal));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    linkSync(temp, path);
  } finally {
    rmSync(temp, { force: true });
  }
  syncFolder(root);
}

export function removeJournal(root: string): void {
  rmSync(join(root, JOURNAL), { force: true });
  syncFolder(root);
}

/** Is there a journal whose writer is alive? */
export function writerOf(root: string): number | null {
  const journal = readJournal(root);
  return journal && isAlive(journal) ? journal.pid : null;
}

/**
 * Finish a write that was killed after its journal was committed.
 * @returns null when there is nothing to recover.
 */
export function recoverWrite(root: string): Recovery | null {
  const journal = readJournal(root);
  if (!journal || isAlive(journal)) return null;
  const out: Recovery = { finished: [], conflicts: [] };
  for (const entry of journal.entries) {
    const state = finish(entry);
    if (state !== 'done') out[state].push(entry.target);
  }
  for (const { temp, backup } of journal.entries) {
    if (temp) rmSync(temp, { force: true });
    if (backup) rmSync(backup, { force: true });
  }
  removeJournal(root);
  return out;
}

function finish(entry: JournalEntry): 'done' | 'finished' | 'conflicts' {
  const current = hashOfFile(entry.target);
  if (current === entry.afterHash) return 'done';
  if (current !== entry.beforeHash) return 'conflicts';
  if (entry.temp === null) unlinkSync(entry.target);
  else if (hashOfFile(entry.temp) === entry.afterHash) renameSync(entry.temp, entry.target);
  else return 'conflicts';
  syncFolder(dirname(entry.target));
  return 'finished';
}

/**
 * The journal, when there is one that this program can have written. The file lies in the project, which may come from
 * anywhere: nothing outside of the root, and no file that is not beside its target under our mark, is ever touched.
 */
function readJournal(root: string): Journal | null {
  const path = join(root, JOURNAL);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return null;
  const owned = process.getuid === undefined || stat.uid === process.getuid();
  const journal = stat.isFile() && owned ? parseJournal(readFileSync(path, 'utf8')) : null;
  if (!journal?.entries.every((entry) => isPlausible(root, entry))) throw new JournalError(path);
  return journal;
}

/** A journal that this program did not write. */
class JournalError extends Error {
  constructor(path: string) {
    super(`${path} is no journal of an interrupted write: remove it`);
    this.name = 'JournalError';
  }
}

function parseJournal(text: string): Journal | null {
  try {
    const { pid, started, entries } = JSON.parse(text) as Journal;
    if (!Number.isInteger(pid) || !Array.isArray(entries)) return null;
    return { pid, started: typeof started === 'string' ? started : null, entries };
  } catch {
    return null;
  }
}

function isPlausible(root: string, { target, temp, backup }: JournalEntry): boolean {
  if (typeof target !== 'string' || !target.startsWith(root + sep)) return false;
  const folder = dirname(target);
  if (!existsSync(folder) || realpathSync(folder) !== folder) return false;
  const mark = `.${basename(target)}.looptag-`;
  return [temp, backup].every(
    (path) =>
      path === null || (typeof path === 'string' && dirname(path) === folder && basename(path).startsWith(mark)),
  );
}

/** The start time of a process as the kernel counts it; null where that cannot be read. */
export function startOf(pid: number): string | null {
  try {
    // The name in the second field may hold blanks and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
    return fields[19] ?? null;
  } catch {
    return null;
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isAlive({ pid, started }: Journal): boolean {
  if (pid === process.pid || !isRunning(pid)) return false;
  const now = startOf(pid);
  return started === null || now === null || now === started;
}
