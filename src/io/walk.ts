/** Files below a folder by their names, whatever they hold. */
import { type Dirent, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folders that hold nothing that a project's own people wrote. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '__pycache__',
  '.venv',
  'venv',
  'dist',
  '.terraform',
]);

/** Regular files whose name is wanted, relative to the root, sorted. Links are not followed, closed folders left out. */
export function filesBelow(root: string, wanted: (name: string) => boolean): string[] {
  const out: string[] = [];
  const stack = [''];
  while (stack.length) {
    const folder = stack.pop()!;
    let entries: Dirent[];
    try {
      entries = readdirSync(resolve(root, folder), { withFileTypes: true });
    } catch {
      continue;
    }
    for (const e of entries) {
      const path = folder ? `${folder}/${e.name}` : e.name;
      if (e.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(e.name)) stack.push(path);
      } else if (e.isFile() && wanted(e.name)) out.push(path);
    }
  }
  return out.sort();
}
