/** The project's files on disk. Never leaves the root, never opens what is no regular file. */
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { FileAccessError, type FileSystem } from './files.ts';

/** Folders that hold no code of the project itself. */
const SKIPPED = new Set([
  '.git',
  '.hg',
  '.svn',
  '__pycache__',
  'node_modules',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.ruff_cache',
  '.pytest_cache',
  '.eggs',
  'site-packages',
]);

/** Does a path lie in a folder that no walk looks into? */
export function isSkipped(file: string): boolean {
  return file.split('/').some((name) => SKIPPED.has(name));
}

/** A FIFO would block for ever without O_NONBLOCK. */
const OPEN = constants.O_RDONLY | constants.O_NONBLOCK;
/** 0 where the system has no such thing. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  EIO: 'input/output error',
};

/** What a walk saw. */
export interface Listing {
  files: string[];
  /** The folders that were read, each before what lies below it. */
  folders: string[];
  /** Of these, the ones that hold links. */
  linked: string[];
  /** Do the names in the folders alone decide which the files are? */
  decided: boolean;
}

type Seen = Omit<Listing, 'files'>;

export class DiskFileSystem implements FileSystem {
  readonly root: string;
  /** No part of it is a link. */
  readonly realRoot: string;

  constructor(
    root: string,
    private readonly excluded: readonly string[] = [],
  ) {
    this.root = resolve(root);
    this.realRoot = realpathSync(this.root);
  }

  read(file: string): Uint8Array | null {
    return this.bytes(file, (size) => Buffer.allocUnsafe(size));
  }

  private shared = Buffer.alloc(0);

  glance(file: string): Uint8Array | null {
    return this.bytes(file, (size) => {
      if (size > this.shared.length) this.shared = Buffer.allocUnsafeSlow(size * 2);
      return this.shared.subarray(0, size);
    });
  }

  private bytes(file: string, room: (size: number) => Buffer): Uint8Array | null {
    const fd = this.openPlain(file) ?? this.openFollowed(file);
    if (fd === null) return null;
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return null;
      const buffer = room(stat.size);
      let at = 0;
      while (at < buffer.length) {
        const n = readSync(fd, buffer, at, buffer.length - at, at);
        if (n === 0) break;
        at += n;
      }
      return at === buffer.length ? buffer : buffer.subarray(0, at);
    } catch (e) {
      throw new FileAccessError(
        file,
        REASONS[(e as NodeJS.ErrnoException).code ?? ''] ?? String((e as NodeJS.ErrnoException).code),
      );
    } finally {
      closeSync(fd);
    }
  }

  /** Opens what is no link, in one question to the disk; null where there is more to ask. */
  private openPlain(file: string): number | null {
    const path = NO_FOLLOW ? this.plainPath(file) : null;
    if (path === null) return null;
    try {
      return openSync(path, OPEN | NO_FOLLOW);
    } catch {
      return null;
    }
  }

  private openFollowed(file: string): number | null {
    const path = this.inside(file);
    if (path === null) return null;
    try {
      return openSync(path, OPEN);
    } catch (e) {
      const { code } = e as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENXIO') return null;
      throw new FileAccessError(file, REASONS[code ?? ''] ?? String(code));
    }
  }

  /**
   * The entry of a file below the root, links followed; null where `read` finds none.
   * @throws FileAccessError when it cannot be looked at.
   */
  stat(file: string): Stats | null {
    return this.plainStat(file) ?? this.followedStat(file);
  }

  /** Of a regular file that is no link, in one question to the disk; null where there is more to ask. */
  private plainStat(file: string): Stats | null {
    const path = this.plainPath(file);
    if (path === null) return null;
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat?.isFile() ? stat : null;
    } catch {
      return null;
    }
  }

  /** Where a file lies if it is no link itself; null when its folder is not inside the root, or not there. */
  private plainPath(file: string): string | null {
    const cut = file.lastIndexOf('/');
    const folder = cut < 0 ? '' : file.slice(0, cut);
    const real = this.ownFolder(folder);
    return real === null ? null : real + sep + file.slice(cut + 1);
  }

  /** Its real path; null when that is not inside the root. What is not there may come yet. */
  private ownFolder(folder: string): string | null {
    const known = this.ownFolders.get(folder);
    if (known !== undefined) return known;
    const path = resolve(this.root, folder);
    if (path !== this.root && !path.startsWith(this.root + sep)) return null;
    try {
      const real = this.realFolder(path);
      if (!this.isInside(real)) return null;
      this.ownFolders.set(folder, real);
      return real;
    } catch {
      return null;
    }
  }
  private readonly ownFolders = new Map<string, string>();

  /** Takes folders for what they are: neither they nor what is above them, from the root on, are links. */
  knowPlain(folders: readonly string[]): void {
    for (const folder of folders) this.ownFolders.set(folder, folder ? this.realRoot + sep + folder : this.realRoot);
  }

  private followedStat(file: string): Stats | null {
    const path = this.inside(file);
    if (path === null) return null;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? stat : null;
  }

  exists(file: string): boolean {
    const path = resolve(this.root, file);
    return (path === this.root || path.startsWith(this.root + sep)) && existsSync(path);
  }

  /** The real path of a file below the root; null when it is missing or a link leads out. */
  private inside(file: string): string | null {
    const path = resolve(this.root, file);
    if (path !== this.root && !path.startsWith(this.root + sep)) return null;
    try {
      const real = this.realPath(path);
      return this.isInside(real) ? real : null;
    } catch (e) {
      const { code } = e as NodeJS.ErrnoException;
      if (code === 'EACCES') throw new FileAccessError(file, 'permission denied');
      if (code === 'ELOOP') throw new FileAccessError(file, 'symbolic links form a circle');
      // names are read as UTF-8; what is none is listed with replacement characters and not found again
      if (file.includes('\ufffd')) throw new FileAccessError(file, 'its name is not UTF-8, or it is gone');
      return null;
    }
  }

  private isInside(real: string): boolean {
    return real === this.realRoot || real.startsWith(this.realRoot + sep);
  }

  private realPath(path: string): string {
    const full = join(this.realFolder(dirname(path)), basename(path));
    return lstatSync(full).isSymbolicLink() ? realpathSync(full) : full;
  }

  /** Folders are resolved once: files are many, folders few. */
  private realFolder(folder: string): string {
    let real = this.folders.get(folder);
    if (real === undefined) {
      real = realpathSync.native(folder);
      this.folders.set(folder, real);
    }
    return real;
  }
  private readonly folders = new Map<string, string>();

  listPython(paths: readonly string[]): string[] {
    return this.list(paths).files;
  }

  /** As `listPython`, with what the answer was read from. */
  list(paths: readonly string[]): Listing {
    const out = new Set<string>();
    const seen: Seen = { folders: [], linked: [], decided: true };
    const links: string[] = [];
    for (const path of paths) {
      const clean = path === '.' ? '' : path;
      const full = resolve(this.root, clean);
      let stat: Stats | undefined;
      try {
        stat = statSync(full, { throwIfNoEntry: false });
      } catch {
        out.add(clean); // a circle of links, a closed folder: reported when it is read
      }
      // a link to a folder elsewhere is left unread, and reported for it
      if (stat?.isFile() || (stat?.isDirectory() && this.inside(clean) === null)) out.add(clean);
      else if (stat?.isDirectory()) {
        for (const link of this.walk(clean, out, seen)) links.push(link);
        continue;
      }
      seen.decided = false;
    }
    for (const link of links) if (this.isListed(link, out)) out.delete(link);
    return { files: [...out].sort(), ...seen };
  }

  /** Puts what it finds into `out`; hands back which of it are links. */
  private walk(folder: string, out: Set<string>, seen: Seen): string[] {
    const links: string[] = [];
    const stack = [folder];
    while (stack.length) {
      const current = stack.pop()!;
      const real = this.ownFolder(current);
      let entries: Dirent[];
      try {
        entries = readdirSync(resolve(this.root, current), { withFileTypes: true });
      } catch {
        out.add(current || '.'); // it stands for the files in it: to read it fails, and is reported
        seen.decided = false;
        continue;
      }
      seen.folders.push(current);
      let holdsLinks = false;
      for (const entry of entries) {
        const link = entry.isSymbolicLink();
        holdsLinks ||= link;
        const path = current ? `${current}/${entry.name}` : entry.name;
        if (this.isExcluded(path)) continue;
        if (entry.isDirectory()) {
          if (SKIPPED.has(entry.name)) continue;
          stack.push(path);
          // no link, so its real path need not be asked for
          if (real !== null) this.ownFolders.set(path, real + sep + entry.name);
        } else if (entry.name.endsWith('.py')) {
          if (link) seen.decided = false;
          if (!entry.isFile() && !(link && this.isOwnFile(path))) continue;
          out.add(path);
          if (link) links.push(path);
        }
      }
      if (holdsLinks) seen.linked.push(current);
    }
    return links;
  }

  /** A file that has a second name is one file: it would be counted and written twice. */
  private isListed(link: string, files: ReadonlySet<string>): boolean {
    try {
      const real = this.inside(link);
      const own = real === null ? link : relative(this.realRoot, real).split(sep).join('/');
      return own !== link && files.has(own);
    } catch {
      return false; // reported when it is read
    }
  }

  /** A link to a file of the project; links to folders are not followed, so that no circle can form. */
  private isOwnFile(path: string): boolean {
    try {
      const real = this.inside(path);
      return real !== null && lstatSync(real).isFile();
    } catch {
      return true; // reported when it is read
    }
  }

  private isExcluded(path: string): boolean {
    return this.excluded.some((x) => path === x || path.startsWith(`${x}/`));
  }
}
