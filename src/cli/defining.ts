/** Files that may define context variables, for projects whose spawning files import none. */
import type { FileSystem } from '../io/files.ts';

/** The files that make a context variable, going by their text; one that cannot be read makes none. */
export function mayDefineVariables(fs: FileSystem, files: readonly string[]): string[] {
  return files.filter((file) => {
    try {
      const bytes = fs.read(file);
      return bytes !== null && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('ContextVar(');
    } catch {
      return false;
    }
  });
}
