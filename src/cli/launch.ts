/**
 * The short way to a remembered result: from the bare command line, before the program is loaded. What the program would
 * make of the command line follows from the line itself, the environment, and some files; if these are the same, so is
 * the key under which the result lies.
 */

import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { userCacheFolder } from '../io/cache-folder.ts';
import { CacheStore, type EntryKind } from '../io/cache-store.ts';
import { DiskFileSystem } from '../io/disk.ts';
import { type PythonRecord, pythonHolds } from '../io/python-witness.ts';
import { digestOf, type Recording, stillHolds } from '../io/recorded.ts';
import { byKey } from '../model/order.ts';
import { OWN_FILE, SHARED_FILE } from './config-files.ts';
import { type PlainStreams, plainStreams, writeAll } from './plain-streams.ts';
import { terminalColumns } from './terminals.ts';
import { today } from './today.ts';
import { Trouble } from './trouble.ts';

/** A result as it was printed. */
export interface Remembered {
  recording: Recording;
  /** What was written, in order, on which stream; what is no text in base64. */
  written: (readonly [stream: 'out' | 'err' | 'trouble' | 'bytes', string])[];
  exit: number;
  /** The python3 that had a say; null for none. */
  python: PythonRecord | null;
}

export function writeAgain({ written }: Remembered, to: PlainStreams): void {
  for (const [stream, text] of written)
    if (stream === 'bytes') to.outBytes(Buffer.from(text, 'base64'));
    else to[stream](text);
}

/** Is the world as it was when the result was printed? */
export function isSame({ recording, python }: Remembered, disk: DiskFileSystem): boolean {
  return stillHolds(recording, disk) && (python === null || pythonHolds(python));
}

/** Where a command line led to. */
export interface Launch {
  root: string;
  exclude: string[];
  quiet: boolean;
  /** The key of the result. */
  result: string;
  asked: (readonly [question: Question, answer: string])[];
}

/** Is there something, or what does the file hold? */
export type Question = readonly ['exists' | 'text', path: string];

/** Another value of these says nothing: where a shell was before, and what it counts. */
const IDLE = new Set(['_', 'OLDPWD', 'PWD', 'SHLVL']);

/** All that is not on disk; null for a command line that never goes the short way. */
export function launchKey(build: string, argv: readonly string[]): string | null {
  if (argv.some((a) => a === '--no-cache' || a.startsWith('--cache-dir'))) return null;
  const env = Object.entries(process.env).filter(([name]) => !IDLE.has(name));
  env.sort(byKey);
  return JSON.stringify([
    'looptag/launch@1',
    build,
    process.version,
    argv,
    process.cwd(),
    today(),
    [terminalColumns(1), terminalColumns(2)],
    env,
  ]);
}

/** Files that the way from a command line to a project depends on. */
export function questionsOf(root: string, cwd: string, files: readonly string[], named: readonly string[]): Question[] {
  const out: Question[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    out.push(...configurationsIn(folder), ['exists', resolve(folder, '.git')]);
    if (folder === dirname(folder)) break;
  }
  out.push(...configurationsIn(root));
  for (const file of files) out.push(['text', file]);
  for (const path of named) out.push(['exists', resolve(cwd, path)], ['exists', resolve(root, path)]);
  return out;
}

function configurationsIn(folder: string): Question[] {
  return [
    ['text', resolve(folder, OWN_FILE)],
    ['text', resolve(folder, SHARED_FILE)],
  ];
}

/** The answer as it is now. @throws where the disk gives none. */
export function answerTo([what, path]: Question): string {
  if (what === 'exists') return String(existsSync(path));
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return 'none';
  return digestOf(readFileSync(path));
}

/** When the answer may have become another one, in milliseconds; 0 for what is not there. */
export function changedAt([, path]: Question): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat ? Math.max(stat.mtimeMs, stat.ctimeMs) : 0;
}

/** Prints the remembered result of a command line; its exit code, or null where the program has to run. */
export function launched(build: string, argv: readonly string[]): number | null {
  const got = recall(build, argv);
  if (!got) return null;
  try {
    writeAgain(got.result, plainStreams(got.launch.quiet));
  } catch (e) {
    if (!(e instanceof Trouble)) throw e;
    writeAll(2, `looptag: ${e.message}\n`);
    return 2;
  }
  return got.result.exit;
}

/** Whatever is not as expected: the program tells what it is. */
function recall(build: string, argv: readonly string[]): { launch: Launch; result: Remembered } | null {
  try {
    const key = launchKey(build, argv);
    const folder = key === null ? null : userCacheFolder(process.env, process.platform);
    if (key === null || folder === null) return null;
    const store = new CacheStore(folder);
    const launch = entryAt<Launch>(store, 'launches', key);
    if (!launch || launch.asked.some(([question, answer]) => answerTo(question) !== answer)) return null;
    const result = entryAt<Remembered>(store, 'results', launch.result);
    const holds = result && isSame(result, new DiskFileSystem(launch.root, launch.exclude));
    return holds ? { launch, result } : null;
  } catch {
    return null;
  }
}

/** What is stored under a key; null when there is nothing that can be read. */
export function entryAt<T>(store: CacheStore, kind: EntryKind, key: string): T | null {
  const text = store.read(kind, key);
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
