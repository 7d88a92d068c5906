/** Runs a command again whenever a file changes that it may have read. */
import { CachedFileSystem, FileCache } from '../../io/cached.ts';
import { below, watchBelow } from '../../io/watch.ts';
import { printable } from '../../report/escape.ts';
import { Memory } from '../../sites/index.ts';
import type { Run } from '../define.ts';
import { mayBeRead } from '../reads.ts';
import { terminalColumns } from '../terminals.ts';
import { Trouble } from '../trouble.ts';
import type { Workspace } from '../workspace.ts';

export interface WatchTask {
  /** Opens the project: anew for each run, since its configuration may be what changed. */
  open(): Promise<Workspace>;
  /** One run over an open project; the exit code. */
  again(w: Workspace): Promise<number>;
  /** Files that a run writes itself, as the user named them. */
  written: readonly string[];
}

/** Runs once, then on each change until the process is told to end. The exit code is the last run's. */
export async function watch(task: WatchTask, run: Run): Promise<number> {
  const first = await task.open();
  const { root } = first;
  const cache = new FileCache();
  const memory = new Memory();
  cache.lists = new Map();
  const own = new Set(task.written.map((file) => below(root, file)));
  const baseline = first.config.baseline;
  const once = async (w: Workspace): Promise<number> => {
    try {
      return await task.again({ ...w, fs: new CachedFileSystem(w.fs, cache), memory });
    } catch (e) {
      return complain(e, run);
    }
  };
  let code = await once(first);
  return new Promise((resolve) => {
    let running: Promise<void> = Promise.resolve();
    const changed = (files: string[]): void => {
      // one run at a time, in the order of the changes
      running = running.then(async () => {
        cache.changed(root, files);
        separate(files, run);
        const w = await task.open().catch((e: unknown) => void complain(e, run));
        code = w ? await once(w) : 2;
      });
    };
    const wanted = (file: string) => (mayBeRead(file) || file === baseline) && !own.has(file);
    const watching = watchBelow(root, { wanted, changed, poll: process.env.LOOPTAG_WATCH === 'poll' });
    run.streams.err(`watching ${first.shownRoot} (${watching.how}); Ctrl+C ends it\n`);
    const end = (): void => {
      watching.close();
      resolve(code);
    };
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });
}

function separate(files: readonly string[], run: Run): void {
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  if (terminalColumns(1) !== null) run.streams.out('\u001b[2J\u001b[3J\u001b[H');
  run.streams.err(`\n${printable(files[0] ?? '')}${more} changed\n`);
}

/** A half-written catalogue or configuration must not end the watch. */
function complain(e: unknown, run: Run): 2 {
  const remedy = e instanceof Trouble && e.remedy ? `  ${e.remedy}\n` : '';
  run.streams.trouble(`looptag: ${e instanceof Trouble ? e.message : String((e as Error).stack ?? e)}\n${remedy}`);
  return 2;
}
