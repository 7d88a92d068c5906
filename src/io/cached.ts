/** The disk for a process that stays: an untouched file is the very same bytes again, so that it is not parsed again. */
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Changes, FileSystem } from './files.ts';

interface Kept {
  signature: string;
  bytes: Uint8Array | null;
  /** Changed so shortly before it was read that a second change could bear the same time. */
  fresh: boolean;
}

/** Changes that are told apart. */
const LONGEST_LOG = 10_000;

/** What outlives one look at the project. */
export class FileCache implements Changes {
  readonly files = new Map<string, Kept>();
  /** Lists of files by what was asked for; null: listed anew at each look. */
  lists: Map<string, string[]> | null = null;

  /** What exists below the root, by path; kept as long as the lists. */
  readonly existing = new Map<string, boolean>();

  /** Files that are as they were read until somebody says otherwise; null: each is asked for at each look. */
  private steady: Set<string> | null = null;
  /** Files that were read and are asked for at each look all the same. */
  private readonly unsteady = new Set<string>();
  /** What changed, in turn, from the mark `begun` on. */
  private log: string[] = [];
  private begun = 0;

  /** Does anybody tell of changes? */
  get tells(): boolean {
    return this.steady !== null;
  }

  get mark(): number {
    return this.begun + this.log.length;
  }

  since(mark: number): ReadonlySet<string> | null {
    if (!this.steady || mark < this.begun) return null;
    return new Set([...this.log.slice(mark - this.begun), ...this.unsteady]);
  }

  /** A file is otherwise from now on, on disk or where something lies over it. */
  touched(file: string): void {
    // a session may last for days: then all is asked once more
    if (this.log.length >= LONGEST_LOG) this.lose();
    this.log.push(file);
  }

  private lose(): void {
    this.begun += this.log.length + 1;
    this.log = [];
  }

  /** From now on somebody tells of all that changes below the root, or of nothing any more. */
  watch(on: boolean): void {
    if (on === (this.steady !== null)) return;
    this.steady = on ? new Set() : null;
    this.lists = on ? new Map() : null;
    this.existing.clear();
    this.unsteady.clear();
    this.lose();
  }

  /** What is known of a file without asking; undefined for nothing. */
  held(file: string): Kept | undefined {
    return this.steady?.has(file) ? this.files.get(file) : undefined;
  }

  /** Did a look ask for this file, or whether it is there? */
  asked(file: string): boolean {
    return this.files.has(file) || this.existing.has(file);
  }

  /** Remembers what was read. */
  keep(file: string, kept: Kept, isLinked: () => boolean): void {
    this.files.set(file, kept);
    // what is reached by a link changes elsewhere: nobody tells of it under this name
    if (!this.steady) return;
    const isSteady = !kept.fresh && !isLinked();
    if (isSteady) this.steady.add(file);
    if (isSteady) this.unsteady.delete(file);
    else this.unsteady.add(file);
  }

  /** Something came or went. */
  forgetLists(): void {
    this.lists?.clear();
    this.existing.clear();
    this.steady?.clear();
    this.lose();
  }

  /** Of files that were there and still are, only the contents changed: nothing came or went. */
  changed(root: string, files: readonly string[]): void {
    for (const file of files) {
      this.steady?.delete(file);
      this.touched(file);
    }
    const isThere = (f: string) =>
      this.files.get(f)?.bytes && statSync(resolve(root, f), { throwIfNoEntry: false })?.isFile();
    if (!files.every(isThere)) this.forgetLists();
  }
}

/** Two changes within one tick of the file system's clock cannot be told apart by time. */
const TICK_MS = 50;

/** One look at the project: what was asked once is not asked of the disk again. */
export class CachedFileSystem implements FileSystem {
  readonly root: string;
  readonly keepsBytes = true;
  readonly changes: Changes | undefined;
  private readonly seen = new Map<string, Uint8Array | null>();
  private readonly lists: Map<string, string[]>;

  constructor(
    private readonly base: FileSystem,
    private readonly cache: FileCache,
  ) {
    this.root = base.root;
    this.lists = cache.lists ?? new Map();
    this.changes = cache.tells ? cache : undefined;
  }

  read(file: string): Uint8Array | null {
    const known = this.seen.get(file);
    if (known !== undefined) return known;
    const bytes = this.look(file);
    this.seen.set(file, bytes);
    return bytes;
  }

  private look(file: string): Uint8Array | null {
    const held = this.cache.held(file);
    if (held) return held.bytes;
    const stat = statSync(resolve(this.root, file), { throwIfNoEntry: false });
    if (!stat) {
      this.cache.files.delete(file);
      return this.base.read(file);
    }
    const signature = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
    const known = this.cache.files.get(file);
    if (known?.signature === signature && !known.fresh) {
      this.keep(file, known);
      return known.bytes;
    }
    const fresh = Date.now() - Math.max(stat.mtimeMs, stat.ctimeMs) < TICK_MS;
    const read = this.base.read(file);
    const same = known?.bytes && read && Buffer.compare(known.bytes, read) === 0;
    const bytes = same ? known.bytes : read;
    this.keep(file, { signature, bytes, fresh });
    return bytes;
  }

  private keep(file: string, kept: Kept): void {
    this.cache.keep(file, kept, () => this.isLinked(file));
  }

  /** Is a file reached by a link, or gone by now? */
  private isLinked(file: string): boolean {
    try {
      this.realRoot ??= realpathSync.native(this.root);
      return realpathSync.native(resolve(this.root, file)) !== join(this.realRoot, file);
    } catch {
      return true;
    }
  }
  private realRoot: string | null = null;

  exists(file: string): boolean {
    // what lies elsewhere is not watched
    if (!this.cache.lists || file.startsWith('..') || isAbsolute(file)) return this.base.exists(file);
    const known = this.cache.existing.get(file);
    if (known !== undefined) return known;
    const found = this.base.exists(file);
    this.cache.existing.set(file, found);
    return found;
  }

  listPython(paths: readonly string[]): string[] {
    const key = paths.join('\0');
    const known = this.lists.get(key);
    if (known) return known;
    const list = this.base.listPython(paths);
    this.lists.set(key, list);
    return list;
  }
}
