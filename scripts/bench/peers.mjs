/** The tools to compare with, installed into a temporary folder; each that cannot be had is named as missing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const quiet = { encoding: 'utf8', timeout: 120_000 };

function ok(command, args, options = {}) {
  return spawnSync(command, args, { ...quiet, ...options }).status === 0;
}

function version(command) {
  const r = spawnSync(command, ['--version'], quiet);
  return r.status === 0 ? r.stdout.trim().split('\n')[0] : null;
}

function astGrep(folder) {
  const bin = join(folder, 'node_modules/.bin/ast-grep');
  if (!existsSync(bin)) ok('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '@ast-grep/cli']);
  // the package may hold its binary beside a script that was not allowed to link it
  const scope = join(folder, 'node_modules/@ast-grep');
  const real = existsSync(scope)
    ? readdirSync(scope).flatMap((name) => ['ast-grep', 'ast-grep.exe'].map((file) => join(scope, name, file)))
    : [];
  return [...real, bin].find((file) => existsSync(file) && version(file)) ?? null;
}

function ripgrep(folder) {
  if (version('rg')) return 'rg';
  const bin = join(folder, 'debian/usr/bin/rg');
  if (!existsSync(bin) && ok('apt-get', ['download', 'ripgrep'], { cwd: folder })) {
    const deb = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (deb) ok('dpkg', ['-x', deb, 'debian'], { cwd: folder });
  }
  return existsSync(bin) ? bin : null;
}

function pip(folder, name, program = name) {
  if (version(program)) return program;
  const venv = join(folder, 'venv');
  if (!existsSync(venv)) ok('python3', ['-m', 'venv', venv]);
  const bin = join(venv, 'bin', program);
  const install = ['install', '-q', '--retries', '0', '--disable-pip-version-check', name];
  if (!existsSync(bin)) ok(join(venv, 'bin/pip'), install);
  return existsSync(bin) && version(bin) ? bin : null;
}

/** @returns {{name: string, path: string | null, version: string | null}[]} */
export function peers(folder) {
  mkdirSync(folder, { recursive: true });
  const found = {
    'git grep': version('git') ? 'git' : null,
    ripgrep: ripgrep(folder),
    'ast-grep': astGrep(folder),
    ruff: pip(folder, 'ruff'),
    Semgrep: pip(folder, 'semgrep'),
  };
  return Object.entries(found).map(([name, path]) => ({ name, path, version: path && version(path) }));
}
