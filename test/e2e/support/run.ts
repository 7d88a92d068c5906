/** Runs the built command line as a user would, and what its results are judged with. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { type Ran, type RunOptions as Running, ran, spawned } from '../../support/looptag.ts';

export { ROOT } from '../../support/looptag.ts';
export { temporary } from '../../support/temporary.ts';

export interface Outcome {
  code: number;
  bytes: Buffer;
  out: string;
  err: string;
}

export interface RunOptions {
  cwd: string;
  input?: string | Uint8Array;
  env?: Record<string, string>;
}

/** What could reach a run from outside: colours, CI's habits, the user's git configuration. */
const CLEAN = { NO_COLOR: '', FORCE_COLOR: '', CI: '', GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', COLUMNS: '120' };

export async function looptag(args: readonly string[], options: RunOptions): Promise<Outcome> {
  return outcome(ran(args, cleaned(options)));
}

/** As `looptag`, in a process of its own. */
export async function alone(args: readonly string[], options: RunOptions): Promise<Outcome> {
  return outcome(spawned(args, cleaned(options)));
}

function cleaned({ cwd, input, env }: RunOptions): Running {
  return { cwd, input, env: { ...process.env, ...CLEAN, ...PATH, ...env } };
}

function outcome({ status, stdout, stderr }: Ran): Outcome {
  return { code: status ?? -1, bytes: stdout, out: stdout.toString('utf8'), err: stderr.toString('utf8') };
}

/** Standard output as JSON; what else the run said when it is none. */
export function json<T>(outcome: Outcome): T {
  try {
    return JSON.parse(outcome.out) as T;
  } catch {
    throw new Error(`no JSON on standard output (exit ${outcome.code}):\n${outcome.err}${outcome.out.slice(0, 500)}`);
  }
}

export function write(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

export function copy(from: string, to: string, keep: (path: string) => boolean = () => true): void {
  cpSync(from, to, { recursive: true, filter: (source) => keep(source) });
}

/** Every file below a folder with its bytes, `.git` aside. */
export function snapshot(root: string): Map<string, Buffer> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const own = paths
    .map((path) => relative(root, path).split(sep).join('/'))
    .filter((path) => !/(^|\/)\.git\//.test(path));
  return new Map(own.sort().map((path) => [path, readFileSync(join(root, path))]));
}

export interface Python {
  command: string;
  /** `[3, 13]` */
  version: [number, number];
}

const ABOUT = 'import sys; print(sys.executable, *sys.version_info[:2], sep="\\n")';

/** The interpreter behind a command, shims aside; null when there is none. */
export function python(command: string): Python | null {
  const { stdout, status } = spawnSync(command, ['-c', ABOUT], { encoding: 'utf8' });
  const [executable, major, minor] = status === 0 ? stdout.split('\n') : [];
  return executable ? { command: executable, version: [Number(major), Number(minor)] } : null;
}

export const python3 = python('python3');

/** The real interpreter first: a shim in front of it takes longer than what it starts. */
const PATH = python3 ? { PATH: `${dirname(python3.command)}${delimiter}${process.env.PATH}` } : {};

/** Is this Python at least that old? */
export function atLeast({ version }: Python, wanted: string): boolean {
  const [major = 3, minor = 0] = wanted.split('.').map(Number);
  return version[0] > major || (version[0] === major && version[1] >= minor);
}

/** Why CPython does not compile files, one line for each of those. */
export function compileErrors({ command }: Python, paths: readonly string[]): string[] {
  const script = `import sys
for path in sys.argv[1:]:
    try:
        compile(open(path, "rb").read(), path, "exec")
    except (SyntaxError, ValueError) as error:
        print(ascii("%s: %s" % (path, error)))`;
  const run = spawnSync(command, ['-I', '-W', 'ignore', '-c', script, ...paths], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout.split('\n').filter(Boolean);
}

export function git(cwd: string, ...args: string[]): { status: number; output: string } {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8', env });
  return { status: status ?? -1, output: stdout + stderr };
}

/** Makes a folder a repository with all its files committed. */
export function commitAll(cwd: string): void {
  const who = ['-c', 'user.name=tests', '-c', 'user.email=tests@example.invalid', '-c', 'core.autocrlf=false'];
  for (const args of [
    ['init', '-q', '--template='],
    [...who, 'add', '-A'],
    [...who, 'commit', '-qm', 'as it is'],
  ]) {
    const { status, output } = git(cwd, ...args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${output}`);
  }
}
