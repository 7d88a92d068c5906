/**
 * The cache of whole results: what a command printed, and all that it had asked of the disk. When the disk would answer
 * the same again, the result is the same, byte for byte.
 */
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { userCacheFolder } from '../io/cache-folder.ts';
import { CacheStore } from '../io/cache-store.ts';
import { DiskFileSystem } from '../io/disk.ts';
import type { PythonWitness } from '../io/python-witness.ts';
import { RecordedFileSystem, TICK_MS } from '../io/recorded.ts';
import { byKey } from '../model/order.ts';
import type { Run } from './define.ts';
import {
  answerTo,
  changedAt,
  entryAt,
  isSame,
  type Launch,
  launchKey,
  questionsOf,
  type Remembered,
  writeAgain,
} from './launch.ts';
import { SyntaxCache } from './syntax-cache.ts';
import { type CommonOptions, insideRoot, type Workspace } from './workspace.ts';

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
 * but its workspace's file system, its arguments, `more`, and the python3 whose answers `python` hears.
 */
export async function remembered(
  w: Workspace,
  command: string,
  args: { paths: readonly string[]; options: CommonOptions; more?: unknown; python?: PythonWitness },
  run: Run,
  work: (w: Workspace, run: Run) => Promise<number>,
): Promise<number> {
  const store = run.build === null ? null : cacheStore(args.options, w.root);
  if (!store || !(w.fs instanceof DiskFileSystem)) return work(w, run);
  const key = keyOf(w, command, args, run);
  if (key === null) return work(w, run);
  const known = entryAt<Remembered>(store, 'results', key);
  if (known && isSame(known, w.fs)) {
    writeAgain(known, run.streams);
    rememberLaunch(store, w, key, args, run);
    return known.exit;
  }
  const fs = new RecordedFileSystem(w.fs, known?.recording ?? null);
  const syntax = new SyntaxCache(store, `${run.build} ${w.root}`, (file) => fs.digestFor(file));
  const written: Remembered['written'] = [];
  const tee = (stream: 'out' | 'err' | 'trouble') => (text: string) => {
    written.push([stream, text]);
    run.streams[stream](text);
  };
  const outBytes = (bytes: Uint8Array): void => {
    written.push(['bytes', Buffer.from(bytes).toString('base64')]);
    run.streams.outBytes(bytes);
  };
  const exit = await work(
    { ...w, fs, syntax },
    { ...run, streams: { ...run.streams, out: tee('out'), outBytes, err: tee('err'), trouble: tee('trouble') } },
  );
  const recording = fs.recording();
  const python = args.python?.record(fs.started - TICK_MS) ?? null;
  if (recording && python !== 'unknown') {
    store.write('results', key, JSON.stringify({ recording, written, exit, python } satisfies Remembered));
    rememberLaunch(store, w, key, args, run);
  }
  syntax.save();
  return exit;
}

/** So that the same command line finds the result without the program. */
function rememberLaunch(
  store: CacheStore,
  w: Workspace,
  result: string,
  { paths, options }: { paths: readonly string[]; options: CommonOptions },
  run: Run,
): void {
  const key = launchKey(run.build!, process.argv.slice(2));
  if (key === null) return;
  const { baseline } = options as { baseline?: string };
  const cwd = process.cwd();
  const named = [...paths, options.root, options.catalog, baseline].filter((path) => path !== undefined);
  try {
    const questions = questionsOf(w.root, cwd, w.consulted, named);
    const started = Date.now() - process.uptime() * 1000;
    // what changed while the program looked at it may have been something else then
    if (questions.some((q) => q[0] === 'text' && changedAt(q) > started - TICK_MS)) return;
    const { quiet = false } = options as { quiet?: boolean };
    const asked = questions.map((question) => [question, answerTo(question)] as const);
    const launch: Launch = { root: w.root, exclude: w.config.exclude, quiet, result, asked };
    store.write('launches', key, JSON.stringify(launch));
  } catch {
    // a file that cannot be read: the long way tells
  }
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
    own.sort(byKey),
    w.config,
    w.policy,
    [run.streams.chalk.level, run.streams.errChalk.level, run.streams.width, run.verbose],
    more ?? null,
  ]);
}
