/**
 * What python3 said in a run, and all that this rested on: which program it was, and the files that it was made of. A
 * later run may believe the answer as long as python3 would be the same.
 */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { byKey } from '../model/order.ts';
import { signatureFrom } from './recorded.ts';

/** What answered, by its own word. */
export interface Answered {
  /** The program that ran, without links; null where the system does not tell. */
  program: string | null;
  /** The program, its libraries and its modules, and the folders that it looks for modules in. */
  files: string[];
}

export interface PythonRecord {
  /** As found on the search path; null: there was none. */
  found: string | null;
  program: string | null;
  files: (readonly [path: string, signature: string])[];
  environment: (readonly [name: string, value: string])[];
}

/** What decides which python3 is run, which libraries it loads, and how it reads names; `-I` ignores PYTHON… itself. */
const MATTERS = /^(?:PATH|LANG|LC_\w+|(?:PYTHON|PYENV_|LD_|DYLD_)\w+|__PYVENV_LAUNCHER__)$/;
/** What the loader of libraries goes by. */
const LOADER = ['/etc/ld.so.cache', '/etc/ld.so.preload'];
const NONE = 'none';

/** Hears the answers of one run. */
export class PythonWitness {
  /** null: there was no python3; 'unknown': something answered, and nothing tells what. */
  private readonly heard: (Answered | null | 'unknown')[] = [];

  hear(answered: Answered | null | 'unknown'): void {
    this.heard.push(answered);
  }

  /**
   * All that the answers rested on; null when nothing was asked, 'unknown' when that cannot be told.
   *
   * @param settled what changed later, in milliseconds, may have been something else while it was used
   */
  record(settled: number, env: NodeJS.ProcessEnv = process.env): PythonRecord | null | 'unknown' {
    if (this.heard.length === 0) return null;
    const found = python3(env);
    if (found === 'unknown') return 'unknown';
    const files = new Set<string>();
    let program: string | null = null;
    for (const answered of this.heard) {
      // a shim says what another program says
      if (answered === 'unknown' || (answered === null) !== (found === null)) return 'unknown';
      if (answered === null || found === null) continue;
      program = realOf(found);
      if (program === null || answered.program !== program) return 'unknown';
      for (const file of answered.files) files.add(file);
    }
    if (found !== null) for (const file of besideIt(found)) files.add(file);
    const signed = [...files].map((file) => [file, signatureOf(file, settled)] as const);
    if (signed.some(([, signature]) => signature === null)) return 'unknown';
    return { found, program, files: signed as [string, string][], environment: environmentOf(env) };
  }
}

/** Would the same python3 answer, and as it did? */
export function pythonHolds(record: PythonRecord, env: NodeJS.ProcessEnv = process.env): boolean {
  if (JSON.stringify(environmentOf(env)) !== JSON.stringify(record.environment)) return false;
  const found = python3(env);
  if (found !== record.found) return false;
  if (found !== null && realOf(found) !== record.program) return false;
  return record.files.every(([file, signature]) => signatureOf(file, Number.POSITIVE_INFINITY) === signature);
}

/** The python3 that a process started in `/` finds, as the system looks for it; 'unknown' where that depends on more. */
function python3(env: NodeJS.ProcessEnv): string | null | 'unknown' {
  if (process.platform !== 'linux' || !env.PATH) return 'unknown';
  for (const folder of env.PATH.split(':')) {
    if (!isAbsolute(folder)) return 'unknown';
    const path = join(folder, 'python3');
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // as if it were not there
    }
  }
  return null;
}

/** Without links; null when it is gone by now. */
function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function besideIt(found: string): string[] {
  const folder = dirname(found);
  return [...LOADER, join(folder, 'pyvenv.cfg'), join(dirname(folder), 'pyvenv.cfg')];
}

/** null: it changed too late to tell. */
function signatureOf(file: string, settled: number): string | null {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return NONE;
    const { signature, changed } = signatureFrom(stat);
    return changed < settled ? signature : null;
  } catch (e) {
    // below something that is no folder
    return (e as NodeJS.ErrnoException).code === 'ENOTDIR' ? NONE : null;
  }
}

function environmentOf(env: NodeJS.ProcessEnv): [string, string][] {
  const own = Object.entries(env).filter((entry): entry is [string, string] => MATTERS.test(entry[0]));
  return own.sort(byKey);
}
