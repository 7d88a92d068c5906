/** Says when files below a folder change. */
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { SKIPPED_FOLDERS } from './walk.ts';

export interface Watching {
  close(): void;
  /** How it watches, for --verbose. */
  how: 'recursive' | 'folders' | 'polling';
}

interface WatchOptions {
  /** Relative path with forward slashes. */
  wanted(file: string): boolean;
  /** Files changed, came or went. */
  changed(files: string[]): void;
  /** Tests and odd file systems. */
  poll?: boolean;
}

/** More folders than this are polled: each costs a handle of the system. */
const MAX_FOLDERS = 8_000;
const POLL_MS = 200;
/** One save is several events. */
const QUIET_MS = 12;

/** Watches until it is closed. Where the system cannot tell, the files are looked at five times a second. */
export function watchBelow(root: string, options: WatchOptions): Watching {
  const gather = gatherer(options);
  if (options.poll) return polling(root, options, gather);
  // Linux has no recursive watching of its own, and what Node builds in its place loses files that are replaced
  if (process.platform !== 'linux') {
    try {
      const watcher = watch(root, { recursive: true }, (_, name) => name !== null && gather(slashes(name)));
      watcher.on('error', () => {});
      return { close: () => watcher.close(), how: 'recursive' };
    } catch {
      return polling(root, options, gather);
    }
  }
  return folders(root, gather) ?? polling(root, options, gather);
}

type Gather = (file: string) => void;

function gatherer({ wanted, changed }: WatchOptions): Gather {
  const files = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  return (file) => {
    if (file.split('/').some((part) => SKIPPED_FOLDERS.has(part)) || !wanted(file)) return;
    files.add(file);
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => {
      const list = [...files].sort();
      files.clear();
      changed(list);
    }, QUIET_MS);
  };
}

function folders(root: string, gather: Gather): Watching | null {
  const watchers = new Map<string, FSWatcher>();
  const close = () => {
    for (const w of watchers.values()) w.close();
    watchers.clear();
  };
  /** `isNew`: what a new folder holds already has changed too. */
  const add = (folder: string, isNew: boolean): void => {
    for (const f of foldersBelow(root, folder, isNew ? gather : null)) {
      if (watchers.has(f)) continue;
      if (watchers.size >= MAX_FOLDERS) throw new Error('too many folders');
      const watcher = watch(join(root, f), (_, name) => name !== null && seen(f === '' ? name : `${f}/${name}`));
      watcher.on('error', () => watchers.delete(f));
      watchers.set(f, watcher);
    }
  };
  const seen = (path: string): void => {
    if (statSync(resolve(root, path), { throwIfNoEntry: false })?.isDirectory()) {
      try {
        add(path, true);
      } catch {
        // what cannot be watched any more is not reported
      }
    } else {
      watchers.get(path)?.close();
      watchers.delete(path);
      gather(path);
    }
  };
  try {
    add('', false);
  } catch {
    close();
    return null;
  }
  return { close, how: 'folders' };
}

function foldersBelow(root: string, start: string, file: Gather | null): string[] {
  if (start.split('/').some((part) => SKIPPED_FOLDERS.has(part))) return [];
  const out: string[] = [];
  const stack = [start];
  while (stack.length) {
    const folder = stack.pop()!;
    out.push(folder);
    for (const e of entriesOf(resolve(root, folder))) {
      const path = folder ? `${folder}/${e.name}` : e.name;
      if (e.isDirectory() && !SKIPPED_FOLDERS.has(e.name)) stack.push(path);
      else if (e.isFile()) file?.(path);
    }
  }
  return out;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function polling(root: string, { wanted }: WatchOptions, gather: Gather): Watching {
  const look = (): Map<string, string> => {
    const found = new Map<string, string>();
    foldersBelow(root, '', (file) => {
      const stat = wanted(file) ? statSync(resolve(root, file), { throwIfNoEntry: false }) : undefined;
      if (stat) found.set(file, `${stat.ino}:${stat.size}:${stat.mtimeMs}`);
    });
    return found;
  };
  let before = look();
  const timer = setInterval(() => {
    const now = look();
    for (const [file, state] of now) if (before.get(file) !== state) gather(file);
    for (const file of before.keys()) if (!now.has(file)) gather(file);
    before = now;
  }, POLL_MS);
  return { close: () => clearInterval(timer), how: 'polling' };
}

/** Relative to the root, with forward slashes; null outside of it. */
export function below(root: string, path: string): string | null {
  const inside = slashes(relative(root, resolve(path)));
  return inside === '..' || inside.startsWith('../') ? null : inside;
}

function slashes(path: string): string {
  return path.split(sep).join('/');
}
