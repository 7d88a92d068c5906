/** The very same bytes again for files that were read before: what was made of them is found again too. */
import type { FileSystem } from './files.ts';

export class KeptFileSystem implements FileSystem {
  readonly root: string;

  /** `kept`: contents by path, as the base gave them. */
  constructor(
    private readonly base: FileSystem,
    private readonly kept: ReadonlyMap<string, Uint8Array>,
  ) {
    this.root = base.root;
  }

  read(file: string): Uint8Array | null {
    return this.kept.get(file) ?? this.base.read(file);
  }

  glance(file: string): Uint8Array | null {
    return this.kept.get(file) ?? (this.base.glance ? this.base.glance(file) : this.base.read(file));
  }

  exists(file: string): boolean {
    return this.base.exists(file);
  }

  listPython(paths: readonly string[]): string[] {
    return this.base.listPython(paths);
  }
}
