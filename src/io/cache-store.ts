/** Entries of the cache on disk. What is not whole, not this user's, or not as it was written, is as good as not there. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const DIGEST = 32;
/** Entries of one kind; the oldest give way. */
const MOST_ENTRIES = 64;
/** What the cache's folders hold, and nothing else is ever removed from them. */
const OWN = {
  code: /^[\w.-]+\.v8(\.\d+\.tmp)?$/,
  launches: /^[\da-f]{64}(\.\d+\.tmp)?$/,
  results: /^[\da-f]{64}(\.\d+\.tmp)?$/,
  syntax: /^[\da-f]{64}(\.\d+\.tmp)?$/,
};

export type EntryKind = 'launches' | 'results' | 'syntax';

export class CacheStore {
  constructor(readonly folder: string) {}

  /** The text stored under a key; null when there is none that can be trusted. */
  read(kind: EntryKind, key: string): string | null {
    let fd: number;
    try {
      fd = openSync(this.path(kind, key), constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    } catch {
      return null;
    }
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || !isOwn(stat)) return null;
      const bytes = readFileSync(fd);
      const body = bytes.subarray(DIGEST);
      return seal(key, body).equals(bytes.subarray(0, DIGEST)) ? body.toString('utf8') : null;
    } catch {
      return null;
    } finally {
      closeSync(fd);
    }
  }

  /** Whole or not at all. That it cannot be written is no trouble: the next run is as slow as this one. */
  write(kind: EntryKind, key: string, text: string): void {
    const body = Buffer.from(text, 'utf8');
    const path = this.path(kind, key);
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      mkdirSync(join(this.folder, kind), { recursive: true, mode: 0o700 });
      writeFileSync(temporary, Buffer.concat([seal(key, body), body]), { flag: 'wx', mode: 0o600 });
      renameSync(temporary, path);
      this.prune(kind);
    } catch {
      remove(temporary);
    }
  }

  private prune(kind: EntryKind): void {
    const folder = join(this.folder, kind);
    const names = readdirSync(folder).filter((name) => OWN[kind].test(name));
    if (names.length <= MOST_ENTRIES) return;
    const age = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const byAge = names.map((name) => ({ name, age: age(name) })).sort((a, b) => a.age - b.age);
    for (const { name } of byAge.slice(0, names.length - MOST_ENTRIES)) rmSync(join(folder, name), { force: true });
  }

  /** Removes all entries; how many bytes and files. What is not the cache's own stays. */
  clean(): { files: number; bytes: number } {
    const sum = { files: 0, bytes: 0 };
    for (const [kind, own] of Object.entries(OWN)) {
      const folder = join(this.folder, kind);
      for (const entry of list(folder)) {
        if (!entry.isFile() || !own.test(entry.name)) continue;
        const path = join(folder, entry.name);
        sum.bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        rmSync(path, { force: true });
        sum.files++;
      }
      removeEmpty(folder);
    }
    removeEmpty(this.folder);
    return sum;
  }

  private path(kind: EntryKind, key: string): string {
    return join(this.folder, kind, createHash('sha256').update(key).digest('hex'));
  }
}

/** Bound to its key: an entry under another one's name is foreign. */
function seal(key: string, body: Uint8Array): Buffer {
  return createHash('sha256').update(`${key.length}:`).update(key).update(body).digest();
}

function isOwn(stat: { uid: number; mode: number }): boolean {
  return !process.getuid || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0);
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // what stands for its folder is none
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // it holds something else, or is not there
  }
}
