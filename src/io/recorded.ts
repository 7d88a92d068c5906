/** The disk, with a record of what a run asked of it: a later run that would hear the same may give the same answer. */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { DiskFileSystem, Listing } from './disk.ts';
import { FileAccessError, type FileSystem } from './files.ts';
import { type FolderStamp, stampOf } from './folder-stamp.ts';

/** What stands for a file's content without reading it, the content's digest, and whether the former alone is proof. */
export type FileRecord = readonly [signature: string, digest: string, settled: boolean];

/** Which files there are, and what proves it without a walk; null for nothing. */
type ListRecord = readonly [paths: string[], files: string[], stamp: FolderStamp | null];

/** All that a run heard. */
export interface Recording {
  lists: ListRecord[];
  reads: Record<string, FileRecord>;
  exists: Record<string, boolean>;
}

/** Two changes within one tick of a file system's clock (FAT: two seconds) cannot be told apart by time. */
export const TICK_MS = 2000;

export class RecordedFileSystem implements FileSystem {
  readonly root: string;
  private readonly lists = new Map<string, readonly [paths: string[], Listing]>();
  private readonly reads = new Map<string, FileRecord>();
  private readonly found = new Map<string, boolean>();
  /** A file that changed while it was looked at. */
  private torn = false;

  constructor(
    private readonly base: DiskFileSystem,
    /** Digests of an earlier run are taken over where nothing changed. */
    private readonly earlier: Recording | null,
    /** Milliseconds. */
    readonly started = Date.now(),
  ) {
    this.root = base.root;
  }

  read(file: string): Uint8Array | null {
    return this.note(file, () => this.base.read(file));
  }

  glance(file: string): Uint8Array | null {
    return this.note(file, () => this.base.glance(file));
  }

  private note(file: string, read: () => Uint8Array | null): Uint8Array | null {
    const stat = signatureOf(this.base, file);
    const known = this.reads.get(file);
    if (known && known[0] !== stat.signature) this.torn = true;
    let bytes: Uint8Array | null = null;
    let fault: unknown;
    try {
      bytes = read();
    } catch (e) {
      if (!(e instanceof FileAccessError)) throw e;
      fault = e;
    }
    if (!known) this.reads.set(file, [stat.signature, this.digest(file, stat, bytes), this.settled(stat)]);
    if (fault) throw fault;
    return bytes;
  }

  private digest(file: string, stat: Signature, bytes: Uint8Array | null): string {
    const before = this.earlier?.reads[file];
    if (before?.[2] && before[0] === stat.signature) return before[1];
    return bytes ? digestOf(bytes) : '';
  }

  private settled({ changed }: Signature): boolean {
    return changed < this.started - TICK_MS;
  }

  exists(file: string): boolean {
    const found = this.base.exists(file);
    const known = this.found.get(file);
    if (known !== undefined && known !== found) this.torn = true;
    this.found.set(file, found);
    return found;
  }

  listPython(paths: readonly string[]): string[] {
    const list = this.base.list(paths);
    this.lists.set(paths.join('\0'), [[...paths], list]);
    return list.files;
  }

  /** Folders are asked after they were read: what changed meanwhile is younger than the run. */
  private listed([paths, { files, folders, linked, decided }]: readonly [string[], Listing]): ListRecord {
    const digest = decided ? stampOf(this.base.realRoot, paths, folders, this.started - TICK_MS) : null;
    return [paths, files, digest === null ? null : { folders, linked, digest }];
  }

  /** What somebody else was told of a file. */
  adopt(file: string, record: FileRecord): void {
    const known = this.reads.get(file);
    if (!known) this.reads.set(file, record);
    else if (known[0] !== record[0]) this.torn = true;
  }

  /** What was told of a file; null when it was not asked for. */
  recordFor(file: string): FileRecord | null {
    return this.reads.get(file) ?? null;
  }

  /** The digest of a file that was read; null when it was not. */
  digestFor(file: string): string | null {
    return this.reads.get(file)?.[1] || null;
  }

  /** null when something changed meanwhile. */
  recording(): Recording | null {
    if (this.torn) return null;
    return {
      lists: [...this.lists.values()].map((list) => this.listed(list)),
      reads: Object.fromEntries(this.reads),
      exists: Object.fromEntries(this.found),
    };
  }
}

/** Would the disk answer all questions of the recording as it did? */
export function stillHolds(recording: Recording, disk: DiskFileSystem): boolean {
  const stamped: FolderStamp[] = [];
  for (const [paths, files, stamp] of recording.lists) {
    if (stamp && stampOf(disk.realRoot, paths, stamp.folders) === stamp.digest) {
      disk.knowPlain(stamp.folders);
      stamped.push(stamp);
      continue;
    }
    const now = disk.listPython(paths);
    if (now.length !== files.length || now.some((file, i) => file !== files[i])) return false;
  }
  for (const [file, [signature, digest, settled]] of Object.entries(recording.reads)) {
    if (signatureOf(disk, file).signature === signature && settled) continue;
    if (!sameContent(disk, file, digest)) return false;
  }
  const missing = new Missing(disk, stamped);
  return Object.entries(recording.exists).every(([file, found]) => (found ? disk.exists(file) : missing.is(file)));
}

/** What was not there: is it still missing? A folder that is missing is asked for once, and nothing below it at all. */
class Missing {
  /** Folders in which no name has come or gone. */
  private readonly same = new Set<string>();
  private readonly folders = new Map<string, boolean>();

  constructor(
    private readonly disk: DiskFileSystem,
    stamped: readonly FolderStamp[],
  ) {
    for (const { folders, linked } of stamped) {
      const open = new Set(linked);
      for (const folder of folders) if (!open.has(folder)) this.same.add(folder);
    }
  }

  is(file: string): boolean {
    return this.same.has(folderOf(file)) || this.isGone(file);
  }

  private isGone(file: string): boolean {
    const folder = folderOf(file);
    return (folder !== '' && this.isFolderGone(folder)) || !this.disk.exists(file);
  }

  private isFolderGone(folder: string): boolean {
    let gone = this.folders.get(folder);
    if (gone === undefined) {
      gone = !this.same.has(folder) && this.isGone(folder);
      this.folders.set(folder, gone);
    }
    return gone;
  }
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}

/** A file with another time, or with one that proves nothing: only what it holds counts. */
function sameContent(disk: DiskFileSystem, file: string, digest: string): boolean {
  try {
    const bytes = disk.read(file);
    return bytes !== null && digest !== '' && digestOf(bytes) === digest;
  } catch (e) {
    if (!(e instanceof FileAccessError)) throw e;
    return false;
  }
}

interface Signature {
  signature: string;
  /** Milliseconds. */
  changed: number;
}

function signatureOf(disk: DiskFileSystem, file: string): Signature {
  let stat: ReturnType<DiskFileSystem['stat']>;
  try {
    stat = disk.stat(file);
  } catch (e) {
    if (!(e instanceof FileAccessError)) throw e;
    return { signature: `fault: ${e.reason}`, changed: Number.POSITIVE_INFINITY };
  }
  if (!stat) return { signature: 'none', changed: 0 };
  return signatureFrom(stat);
}

/** What tells one state of a file from another, and when it came about. */
export function signatureFrom({ dev, ino, size, mode, mtimeMs, ctimeMs }: Stats): Signature {
  return { signature: `${dev}:${ino}:${size}:${mode}:${mtimeMs}:${ctimeMs}`, changed: Math.max(mtimeMs, ctimeMs) };
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}
