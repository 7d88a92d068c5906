import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Python {
  path: string;
  version: [number, number];
}

/** Every CPython from 3.8 on that this machine has: pyenv's, else `python3`. */
export function pythons(): Python[] {
  const folder = join(homedir(), '.pyenv/versions');
  const installed = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'bin/python3')) : [];
  const found = [...installed.filter((path) => existsSync(path)), 'python3'].flatMap((path) => versionOf(path) ?? []);
  const byVersion = new Map(found.reverse().map((python) => [python.version.join('.'), python]));
  const usable = [...byVersion.values()].filter(({ version: [major, minor] }) => major === 3 && minor >= 8);
  return usable.sort((a, b) => a.version[1] - b.version[1]);
}

function versionOf(path: string): Python | null {
  const run = spawnSync(path, ['-c', 'import sys; print(*sys.version_info[:2])'], { encoding: 'utf8' });
  if (run.status !== 0) return null;
  const [major, minor] = run.stdout.trim().split(' ').map(Number);
  return { path, version: [major!, minor!] };
}

/** Run a script, without what is installed beside the library; its output. Warnings and errors on stderr fail. */
export function runPython(python: Python, args: string[], cwd: string): string {
  return execFileSync(python.path, ['-B', '-S', ...args], { cwd, encoding: 'utf8', timeout: 60_000 });
}
