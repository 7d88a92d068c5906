/** The history of what changed, where somebody tells of it. */
export interface Changes {
  /** Where one is in it. */
  readonly mark: number;
  /** Files that may be otherwise than they were at a mark; null when that may be any, or files may have come or gone. */
  since(mark: number): ReadonlySet<string> | null;
}

/** The file systems the engine works on. The only place beside cli that knows node:fs. */
export interface FileSystem {
  /** Absolute path of the project's root. */
  readonly root: string;
  /** The very same bytes are handed out again as long as a file is as it was, also by `glance`. */
  readonly keepsBytes?: boolean;
  /** Absent where nobody tells of changes. */
  readonly changes?: Changes;
  /**
   * Bytes of a file below the root, by relative path with forward slashes; null when there is no such regular file
   * (missing, a folder, a FIFO, a device, a link that leaves the root).
   * @throws FileAccessError when it exists and cannot be read.
   */
  read(file: string): Uint8Array | null;
  /** As `read`, in memory that the next call uses again: to look at and throw away. */
  glance?(file: string): Uint8Array | null;
  exists(file: string): boolean;
  /** All `.py` files below the given relative paths (files or folders), sorted; excluded folders left out. */
  listPython(paths: readonly string[]): string[];
}

export class FileAccessError extends Error {
  constructor(
    readonly file: string,
    readonly reason: string,
  ) {
    super(`${file}: ${reason}`);
    this.name = 'FileAccessError';
  }
}
