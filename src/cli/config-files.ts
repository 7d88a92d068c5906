/** Where the configuration of a project may stand. */
import { relative } from 'node:path';

/** All of it is the configuration. */
export const OWN_FILE = 'looptag.toml';
/** A table of it is. */
export const SHARED_FILE = 'pyproject.toml';
export const TABLE = 'tool.looptag';

export function isShared(file: string): boolean {
  return file.endsWith(SHARED_FILE);
}

/** Where a key belongs, for people: in the file that is read, else in the one that would be. */
export function homeOfKeys(file: string | null, root: string): string {
  if (file === null) return OWN_FILE;
  const shown = relative(root, file) || file;
  return isShared(file) ? `[${TABLE}] of ${shown}` : shown;
}
