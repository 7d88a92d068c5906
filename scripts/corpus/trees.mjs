/** The trees of Python files that this machine has: each CPython's standard library, and what is installed beside it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative } from 'node:path';

const ASK = `
import json, os, platform, sys
print(json.dumps({
    "version": platform.python_version(),
    "exe": os.path.realpath(sys.executable),
    "lib": os.path.realpath(os.path.dirname(os.__file__)),
    "sites": [os.path.realpath(p) for p in sys.path if p.endswith("-packages") and os.path.isdir(p)],
}))`;

function describe(command) {
  try {
    return JSON.parse(
      execFileSync(command, ['-I', '-c', ASK], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return null;
  }
}

/** Every CPython of pyenv, of the path and of the system, oldest first. */
export function pythons() {
  const versions = join(homedir(), '.pyenv/versions');
  const names = existsSync(versions) ? readdirSync(versions) : [];
  const commands = [...names.map((name) => join(versions, name, 'bin/python3')), 'python3', '/usr/bin/python3'];
  const found = commands.map(describe).filter((each) => each !== null);
  const unique = [...new Map(found.map((each) => [each.lib, each])).values()];
  return unique.sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
}

const skipped = (name) => name === '__pycache__' || name === 'site-packages' || name === 'dist-packages';

/** The Python files of a tree in memory, by their path in it; links are left out. */
export function readTree(root) {
  const files = new Map();
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !skipped(entry.name)) folders.push(path);
      else if (entry.isFile() && entry.name.endsWith('.py')) files.set(relative(root, path), readFileSync(path));
    }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Says whether two machines have the same files. */
export function fingerprint(files) {
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 12);
}

/** The trees whose name holds the text. */
export function* trees(all, only) {
  for (const python of all) {
    const roots = [['standard library', python.lib], ...python.sites.map((site) => [basename(site), site])];
    for (const [part, root] of roots) {
      const name = `${python.version} ${part}`;
      if (!name.includes(only)) continue;
      const files = readTree(root);
      if (files.size) yield { python, name, files };
    }
  }
}
