/** The oldest Python that a project says it runs on. */
import type { FileSystem } from '../io/files.ts';

/** `requires-python` of the nearest pyproject.toml from a file upward to the root; null when it does not say. */
export function requiresPython(fs: FileSystem, file: string): readonly [number, number] | null {
  const parts = file.split('/').slice(0, -1);
  for (let n = parts.length; n >= 0; n--) {
    const path = [...parts.slice(0, n), 'pyproject.toml'].join('/');
    const match = /^\s*requires-python\s*=\s*["']([^"']*)["']/m.exec(textOf(fs, path));
    if (match) return lowest(match[1]!);
  }
  return null;
}

function textOf(fs: FileSystem, file: string): string {
  try {
    const bytes = fs.read(file);
    return bytes ? new TextDecoder().decode(bytes) : '';
  } catch {
    return '';
  }
}

function lowest(spec: string): readonly [number, number] | null {
  const match = /(?:>=|==|~=|>)\s*(\d+)\.(\d+)/.exec(spec);
  return match ? [Number(match[1]), Number(match[2])] : null;
}
