import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Python {
  path: string;
  version: [number, number];
}

/** Every CPython with context variables, that is from 3.7 on, that this machine has: pyenv's, else `python3`. */
export function pythons(): Python[] {
  const folder = join(homedir(), '.pyenv/versions');
  const installed = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'bin/python3')) : [];
  const found = [...installed.filter((path) => existsSync(path)), 'python3'].flatMap((path) => versionOf(path) ?? []);
  const byVersion = new Map(found.reverse().map((python) => [python.version.join('.'), python]));
  const usable = [...byVersion.values()].filter(({ version: [major, minor] }) => major === 3 && minor >= 7);
  return usable.sort((a, b) => a.version[1] - b.version[1]);
}

function versionOf(path: string): Python | null {
  const run = spawnSync(path, ['-c', 'import sys; print(*sys.version_info[:2])'], { encoding: 'utf8' });
  if (run.status !== 0) return null;
  const [major, minor] = run.stdout.trim().split(' ').map(Number);
  return { path, version: [major!, minor!] };
}

export interface Job {
  /** A module below `folder`, or a file. */
  run: string;
  args?: string[];
  folder: string;
}

/** Each job in a process of its own that is a fork of one: it is loaded already what most of the time goes into. */
const FORKS = `import asyncio, contextlib, gc, inspect, json, os, runpy, sys, tempfile, traceback
# what is there already is no garbage, and each collection of a job would go through it
gc.freeze()
for job in json.load(sys.stdin):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            status = 1
            os.chdir(job["folder"])
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            sys.path[0] = job["folder"]
            sys.argv = [job["run"], *job["args"]]
            try:
                if job["run"].endswith(".py"):
                    runpy.run_path(job["run"], run_name="__main__")
                else:
                    runpy.run_module(job["run"], run_name="__main__", alter_sys=True)
                status = 0
            except BaseException:
                traceback.print_exc()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        _, status = os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        print(json.dumps([status, out.read().decode(), err.read().decode()]), flush=True)
`;

/** Run a script, without what is installed beside the library; its output. Warnings and errors on stderr fail. */
export function runPython(python: Python, args: string[], cwd: string): string {
  return execFileSync(python.path, ['-B', '-S', ...args], { cwd, encoding: 'utf8', timeout: 60_000 });
}

/** Runs the main program of each job, without what is installed beside the library; what it printed, or that it failed. */
export function runJobs(python: Python, options: string[], jobs: readonly Job[]): (() => string)[] {
  const input = JSON.stringify(jobs.map(({ run, args = [], folder }) => ({ run, args, folder })));
  const printed = execFileSync(python.path, ['-B', '-S', ...options, '-c', FORKS], {
    encoding: 'utf8',
    input,
    timeout: 100_000,
  });
  return printed
    .trim()
    .split('\n')
    .map((line) => {
      const [status, out, err] = JSON.parse(line) as [number, string, string];
      return () => {
        if (status !== 0) throw new Error(`${python.path}: ${err}`);
        return out;
      };
    });
}
