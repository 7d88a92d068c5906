/**
 * Write many files: all or none.
 *
 * New content is written and synced beside each target, every old content gets a second name, then a journal is
 * committed, then each target is replaced by a rename. A failure before the journal leaves all targets as they were; a
 * failure after it is rolled back from the second names; after a kill the next run finishes from the journal. No file is
 * ever half-written.
 */
import { existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  commitJournal,
  hashOf,
  JOURNAL,
  type JournalEntry,
  recoverWrite,
  removeJournal,
  startOf,
  syncFolder,
  writerOf,
} from './write-journal.ts';
import {
  AtomicWriteError,
  attempt,
  changed,
  discard,
  type FileWrite,
  isChange,
  locate,
  makeFolders,
  type Prepared,
  prepare,
  sweep,
} from './write-prepare.ts';

export { recoverWrite } from './write-journal.ts';
export { AtomicWriteError, type FileWrite } from './write-prepare.ts';

/** Called after each step, for tests that kill the process there. */
type StepHook = (step: string) => void;

/**
 * Replace, create and delete files below a root, all or none. Permissions, owner and symbolic links are kept.
 * @throws AtomicWriteError when one cannot be written, is read-only, or is no longer what was read.
 */
export function writeAll(root: string, writes: readonly FileWrite[], onStep: StepHook = () => {}): void {
  const base = realpathSync(root);
  const pid = writerOf(base);
  if (pid !== null) throw new AtomicWriteError(JOURNAL, `process ${pid} is writing here`);
  recoverWrite(base);
  const entries: Prepared[] = [];
  const folders: string[] = [];
  try {
    const targets = writes.filter(isChange).map((write) => ({ write, ...locate(base, write) }));
    for (const { write, target } of targets) folders.push(...makeFolders(write.file, dirname(target)));
    sweep(targets.map(({ target }) => target));
    for (const { write, target, stat } of targets) {
      entries.push(prepare(write, target, stat));
      onStep(`prepared ${write.file}`);
    }
    if (entries.length === 0) return;
    for (const entry of entries) refuseChanged(entry);
    attempt(JOURNAL, () =>
      commitJournal(base, { pid: process.pid, started: startOf(process.pid), entries: entries.map(journalled) }),
    );
  } catch (error) {
    discard(entries, folders);
    throw error;
  }
  onStep('journal');
  replaceAll(base, entries, folders, onStep);
}

function replaceAll(base: string, entries: readonly Prepared[], folders: readonly string[], onStep: StepHook): void {
  const replaced: Prepared[] = [];
  try {
    for (const entry of entries) {
      replaced.push(entry);
      attempt(entry.file, () => put(entry));
      onStep(`replaced ${entry.file}`);
    }
  } catch (error) {
    for (const entry of replaced.reverse()) takeBack(entry);
    removeJournal(base);
    discard(entries, folders);
    throw error;
  }
  for (const folder of new Set(entries.map(({ target }) => dirname(target)))) syncFolder(folder);
  onStep('synced');
  for (const { backup, temp } of entries) for (const path of [backup, temp]) if (path) rmSync(path, { force: true });
  onStep('cleaned');
  removeJournal(base);
  onStep('done');
}

const journalled = ({ target, temp, backup, beforeHash, afterHash }: Prepared): JournalEntry => ({
  target,
  temp,
  backup,
  beforeHash,
  afterHash,
});

function refuseChanged({ file, target, stat }: Prepared): void {
  const now = statSync(target, { throwIfNoEntry: false });
  if (
    stat === null
      ? now !== undefined
      : now === undefined || now.ino !== stat.ino || now.mtimeMs !== stat.mtimeMs || now.size !== stat.size
  )
    throw changed(file);
}

function put(entry: Prepared): void {
  refuseChangedContent(entry);
  if (entry.temp === null) rmSync(entry.target);
  else if (entry.backup === null) linkSync(entry.temp, entry.target);
  else renameSync(entry.temp, entry.target);
}

/** Making the second name changed nothing but the link count and the time of that. */
function refuseChangedContent({ file, target, stat }: Prepared): void {
  const now = statSync(target, { throwIfNoEntry: false });
  if (stat && (!now || now.mtimeMs !== stat.mtimeMs || now.size !== stat.size)) throw changed(file);
}

function takeBack({ target, backup, afterHash }: Prepared): void {
  const isOurs = existsSync(target) ? hashOf(readFileSync(target)) === afterHash : afterHash === null;
  if (!isOurs) return;
  if (backup === null) rmSync(target, { force: true });
  else if (existsSync(backup)) renameSync(backup, target);
}
