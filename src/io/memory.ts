/** Files held in memory: for tests, for standard input, and for looking at a result before it is written. */
import type { FileSystem } from './files.ts';

export class MemoryFileSystem implements FileSystem {
  readonly root = '/';
  private readonly files: Map<string, Uint8Array>;

  /** Later layers hide earlier ones; `base` is asked for what none of them holds. */
  constructor(
    files: Iterable<[string, Uint8Array | string]>,
    private readonly base: FileSystem | null = null,
  ) {
    this.files = new Map(
      [...files].map(([name, data]) => [name, typeof data === 'string' ? Buffer.from(data, 'utf8') : data]),
    );
  }

  read(file: string): Uint8Array | null {
    return this.files.get(file) ?? this.base?.read(file) ?? null;
  }

  exists(file: string): boolean {
    if (this.files.has(file) || this.base?.exists(file)) return true;
    const prefix = `${file}/`;
    for (const name of this.files.keys()) if (name.startsWith(prefix)) return true;
    return false;
  }

  listPython(paths: readonly string[]): string[] {
    const own = [...this.files.keys()].filter(
      (f) => f.endsWith('.py') && paths.some((p) => p === '.' || p === '' || f === p || f.startsWith(`${p}/`)),
    );
    return [...new Set([...own, ...(this.base?.listPython(paths) ?? [])])].sort();
  }
}
