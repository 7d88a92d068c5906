/** Files held in memory: for tests, for standard input, and for looking at a result before it is written. */
import type { Changes, FileSystem } from './files.ts';

export class MemoryFileSystem implements FileSystem {
  readonly root = '/';
  readonly keepsBytes: boolean;
  private readonly files: Map<string, Uint8Array>;
  private readonly folders = new Set<string>();

  /**
   * Later layers hide earlier ones; `base` is asked for what none of them holds. `changes` tells of them all.
   */
  constructor(
    files: Iterable<[string, Uint8Array | string]>,
    private readonly base: FileSystem | null = null,
    readonly changes?: Changes,
  ) {
    this.keepsBytes = base === null || base.keepsBytes === true;
    this.files = new Map(
      [...files].map(([name, data]) => [name, typeof data === 'string' ? Buffer.from(data, 'utf8') : data]),
    );
    for (const name of this.files.keys())
      for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1))
        this.folders.add(name.slice(0, at));
  }

  read(file: string): Uint8Array | null {
    return this.files.get(file) ?? this.base?.read(file) ?? null;
  }

  exists(file: string): boolean {
    return this.files.has(file) || this.folders.has(file) || (this.base?.exists(file) ?? false);
  }

  glance(file: string): Uint8Array | null {
    return this.files.get(file) ?? (this.base?.glance ? this.base.glance(file) : this.read(file));
  }

  listPython(paths: readonly string[]): string[] {
    const own = [...this.files.keys()].filter(
      (f) => f.endsWith('.py') && paths.some((p) => p === '.' || p === '' || f === p || f.startsWith(`${p}/`)),
    );
    const others = this.base?.listPython(paths) ?? [];
    const more = own.filter((file) => !others.includes(file));
    return more.length ? [...others, ...more].sort() : others;
  }
}
