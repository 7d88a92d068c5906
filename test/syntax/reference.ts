import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseModule } from '../../src/syntax/index.ts';
import { decodePython } from '../../src/syntax/text.ts';
import { digest, dump } from './dump.ts';

/** A CPython that can judge our trees. */
export interface Interpreter {
  command: string;
  /** `[3, 13]` */
  version: [number, number];
  stdlib: string;
}

/** What CPython says of one file. */
export interface Verdict {
  file: string;
  ok: boolean;
  digest?: string;
  dump?: string;
  error?: string;
}

const SCRIPT = fileURLToPath(new URL('./dump_ast.py', import.meta.url));
const ABOUT = 'import sys, os; print(sys.version_info[0], sys.version_info[1], os.path.dirname(os.__file__))';

function inspect(command: string): Interpreter | null {
  const { stdout, status } = spawnSync(command, ['-c', ABOUT], { encoding: 'utf8' });
  const match = status === 0 ? /^(\d+) (\d+) (.+)$/m.exec(stdout) : null;
  return match ? { command, version: [Number(match[1]), Number(match[2])], stdlib: match[3]! } : null;
}

/** The `python3` of the path. Trees are comparable from 3.10 on. */
export function pathInterpreter(): Interpreter | null {
  const found = inspect('python3');
  return found && found.version[0] === 3 && found.version[1] >= 10 ? found : null;
}

/** Every CPython of the path and of pyenv, oldest first. */
export function allInterpreters(): Interpreter[] {
  const pyenv = join(homedir(), '.pyenv', 'versions');
  const names = existsSync(pyenv) ? readdirSync(pyenv) : [];
  const commands = [...names.map((name) => join(pyenv, name, 'bin', 'python')), 'python3'];
  const found = commands.map(inspect).filter((each) => each !== null);
  const unique = new Map(found.map((each) => [each.stdlib, each]));
  return [...unique.values()].sort((a, b) => a.version[0] - b.version[0] || a.version[1] - b.version[1]);
}

/** The Python files below a directory, installed packages aside. */
export function pythonFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('site-packages') && !file.includes('dist-packages'))
    .sort();
}

/** Asks CPython about files, one verdict at a time. */
export async function* verdicts(python: Interpreter, files: string[], full = false): AsyncGenerator<Verdict> {
  const child = spawn(python.command, full ? [SCRIPT, '--full'] : [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${files.join('\n')}\n`);
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as Verdict;
}

/** How our parser and CPython differ on one file; null when they agree. */
export function difference(verdict: Verdict, python: Interpreter): string | null {
  const exactFields = python.version[1] >= 12;
  let ours: string;
  try {
    const { text } = decodePython(readFileSync(verdict.file));
    ours = dump(parseModule(text), text, exactFields);
  } catch (error) {
    if (!(error instanceof Error && 'offset' in error)) throw error;
    return verdict.ok ? `${verdict.file}: rejected (${error.message}) but CPython accepts it` : null;
  }
  if (!verdict.ok) {
    // Python 3.14 made `except A, B:` valid, and so it is to us.
    const since314 = python.version[1] < 14 && verdict.error === 'multiple exception types must be parenthesized';
    return since314 ? null : `${verdict.file}: accepted but CPython says: ${verdict.error}`;
  }
  if (verdict.dump === undefined) return digest(ours) === verdict.digest ? null : `${verdict.file}: another tree`;
  const theirs = verdict.dump.split('\n');
  const mine = ours.split('\n');
  const at = theirs.findIndex((token, i) => token !== mine[i]);
  if (at < 0 && theirs.length === mine.length) return null;
  const around = (tokens: string[]): string => tokens.slice(Math.max(0, at - 5), at + 5).join(' ');
  return `${verdict.file}: another tree\n  CPython: ${around(theirs)}\n  looptag: ${around(mine)}`;
}
