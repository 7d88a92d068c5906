/** Folders that hold the same names as before, told from their own times: asking a folder is cheaper than reading it. */
import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What stands for the names in some folders. */
export interface FolderStamp {
  /** Relative to the root, each before what lies below it. */
  folders: string[];
  /** Of these, the ones that hold links: what is behind a link may come and go unseen. */
  linked: string[];
  digest: string;
}

/** File systems that are known to change a folder's times with its names, by the number that statfs tells on Linux. */
const KEEP_TIMES = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlay
  0x2fc12fc1, // ZFS
]);

/**
 * The digest of the folders' identities and times; null where they prove nothing: another kind of file system, a link in place
 * of a folder, a folder that is gone, or one that changed after `before` (milliseconds).
 *
 * @param root - an absolute path without links.
 * @param starts - those of the folders where a walk begins.
 */
export function stampOf(
  root: string,
  starts: readonly string[],
  folders: readonly string[],
  before = Number.POSITIVE_INFINITY,
): string | null {
  try {
    if (process.platform !== 'linux' || !KEEP_TIMES.has(statfsSync(root).type)) return null;
    if (starts.some((folder) => realpathSync(resolve(root, folder)) !== join(root, folder))) return null;
    const device = lstatSync(root).dev;
    const hash = createHash('sha256');
    for (const folder of folders) {
      const stat = lstatSync(resolve(root, folder));
      // another device is another file system
      if (!stat.isDirectory() || stat.dev !== device || Math.max(stat.mtimeMs, stat.ctimeMs) >= before) return null;
      hash.update(`${stat.ino}:${stat.mode}:${stat.mtimeMs}:${stat.ctimeMs}\n`);
    }
    return hash.update(String(device)).digest('base64');
  } catch {
    return null;
  }
}
