/**
 * The cache of whole results: what a command printed, and all that it had asked of the disk. When the disk would answer
 * the same again, the result is the same, byte for byte.
 */
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { userCacheFolder } from '../io/cache-folder.ts';
import { CacheStore } from '../io/cache-store.ts';
import { DiskFileSystem } from '../io/disk.ts';
import { RecordedFileSystem, type Recording, stillHolds } from '../io/recorded.ts';
import type { Run } from './define.ts';
import { SyntaxCache } from './syntax-cache.ts';
import { type CommonOptions, insideRoot, type Workspace } from './workspace.ts';

interface Entry {
  recording: Recording;
  /** What was written, in order, on which stream. */
  written: (readonly ['out' | 'err', string])[];
  exit: number;
}

/** Options that change nothing of what is printed. */
const IRRELEVANT = new Set(['cache', 'cacheDir', 'jobs', 'progress']);

/** The cache that a run may use; null for none. */
export function cacheStore(options: CommonOptions, root: string | null): CacheStore | null {
  if (options.cache === false) return null;
  if (options.cacheDir !== undefined) return new CacheStore(resolve(options.cacheDir));
  const folder = userCacheFolder(process.env, process.platform);
  // nobody asked for files in the project
  if (folder === null || (root !== null && isBelow(folder, root))) return null;
  return new CacheStore(folder);
}

function isBelow(folder: string, root: string): boolean {
  for (let at = folder; ; at = resolve(at, '..')) {
    let real: string;
    try {
      real = realpathSync(at);
    } catch {
      if (resolve(at, '..') === at) return false;
      continue;
    }
    const base = realpathSync(root);
    return real === base || real.startsWith(base.endsWith(sep) ? base : base + sep);
  }
}

/**
 * Prints what `work` prints: from the cache when that is proven to be the same. `work` may ask nothing of the world
 * but its workspace's file system, its arguments, and `more`.
 */
export async function remembered(
  w: Workspace,
  command: string,
  args: { paths: readonly string[]; options: CommonOptions; more?: unknown },
  run: Run,
  work: (w: Workspace, run: Run) => Promise<number>,
): Promise<number> {
  const store = run.build === null ? null : cacheStore(args.options, w.root);
  if (!store || !(w.fs instanceof DiskFileSystem)) return work(w, run);
  const key = keyOf(w, command, args, run);
  if (key === null) return work(w, run);
  const known = parse(store.read('results', key));
  if (known && stillHolds(known.recording, w.fs)) {
    for (const [stream, text] of known.written) run.streams[stream](text);
    return known.exit;
  }
  const fs = new RecordedFileSystem(w.fs, known?.recording ?? null);
  const syntax = new SyntaxCache(store, `${run.build} ${w.root}`, (file) => fs.digestFor(file));
  const written: Entry['written'] = [];
  const tee = (stream: 'out' | 'err') => (text: string) => {
    written.push([stream, text]);
    run.streams[stream](text);
  };
  const exit = await work(
    { ...w, fs, syntax },
    { ...run, streams: { ...run.streams, out: tee('out'), err: tee('err') } },
  );
  const recording = fs.recording();
  if (recording) store.write('results', key, JSON.stringify({ recording, written, exit } satisfies Entry));
  syntax.save();
  return exit;
}

function keyOf(
  w: Workspace,
  command: string,
  { paths, options, more }: { paths: readonly string[]; options: CommonOptions; more?: unknown },
  run: Run,
): string | null {
  const { catalog, baseline } = options as { catalog?: string; baseline?: string };
  const named = [...paths, ...[catalog, baseline].filter((path) => path !== undefined)];
  let inside: string[];
  try {
    // the same words may mean another file: what they mean from here is a question of the disk too
    inside = named.map((path) => insideRoot(w, path));
  } catch {
    return null; // said by the command
  }
  const own = Object.entries(options).filter(([name]) => !IRRELEVANT.has(name));
  return JSON.stringify([
    'looptag/result@1',
    run.build,
    process.version,
    command,
    w.root,
    process.cwd(),
    paths,
    inside,
    own.sort(([a], [b]) => (a < b ? -1 : 1)),
    w.config,
    w.policy,
    [run.streams.chalk.level, run.streams.errChalk.level, run.streams.width, run.verbose],
    more ?? null,
  ]);
}

function parse(text: string | null): Entry | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Entry;
  } catch {
    return null;
  }
}
