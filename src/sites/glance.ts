import type { FileSystem } from '../io/files.ts';

/** A file's bytes until the next glance; null when they cannot be had, which is reported where it is read for good. */
export function glance(fs: FileSystem, file: string): Uint8Array | null {
  try {
    return fs.glance ? fs.glance(file) : fs.read(file);
  } catch {
    return null;
  }
}
