/** The Python files of this machine: the libraries of each python3 that can be found, linked into one folder. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const SKIPPED = new Set(['__pycache__', 'node_modules', '.git', '.venv', 'venv']);

function libraries() {
  const pyenv = spawnSync('pyenv', ['root'], { encoding: 'utf8' }).stdout?.trim();
  const roots = pyenv ? children(join(pyenv, 'versions')).map((d) => join(d, 'lib')) : [];
  const own = spawnSync('python3', ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'], {
    encoding: 'utf8',
  }).stdout?.trim();
  const found = [...roots, '/usr/lib', '/usr/local/lib'].flatMap((d) => children(d));
  if (own) found.push(own);
  return [...new Set(found)].filter((d) => /^python3(\.\d+)?$/.test(basename(d)));
}

function children(folder) {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function* pythonFiles(folder) {
  for (const e of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, e.name);
    if (e.isDirectory() && !SKIPPED.has(e.name)) yield* pythonFiles(path);
    else if (e.isFile() && e.name.endsWith('.py')) yield path;
  }
}

/**
 * Links up to `limit` files below `to`, spread evenly over all that there are.
 *
 * @returns {{files: number, bytes: number, of: number}}
 */
export function corpus(to, limit) {
  // installed packages too, under a name that no tool leaves out
  const all = libraries().flatMap((library, i) =>
    [...pythonFiles(library)].map((file) => ({
      file,
      to: join(to, String(i), file.slice(library.length + 1).replaceAll('site-packages', 'packages')),
    })),
  );
  const step = Math.max(1, all.length / limit);
  const made = new Set();
  let bytes = 0;
  let files = 0;
  for (let i = 0; i < all.length; i += step) {
    const one = all[Math.floor(i)];
    if (made.has(one.to)) continue;
    made.add(one.to);
    mkdirSync(dirname(one.to), { recursive: true });
    try {
      linkSync(one.file, one.to);
    } catch {
      copyFileSync(one.file, one.to);
    }
    bytes += statSync(one.to).size;
    files++;
  }
  return { files, bytes, of: all.length };
}
