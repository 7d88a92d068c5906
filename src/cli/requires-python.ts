/** The oldest Python that a project says it runs on. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** `requires-python` of the nearest pyproject.toml from a file upward to the root; null when it does not say. */
export function requiresPython(root: string, file: string): readonly [number, number] | null {
  let folder = dirname(resolve(root, file));
  for (;;) {
    const path = resolve(folder, 'pyproject.toml');
    if (existsSync(path)) {
      const match = /^\s*requires-python\s*=\s*["']([^"']*)["']/m.exec(readFileSync(path, 'utf8'));
      if (match) return lowest(match[1]!);
    }
    if (folder === root || dirname(folder) === folder) return null;
    folder = dirname(folder);
  }
}

function lowest(spec: string): readonly [number, number] | null {
  const match = /(?:>=|==|~=|>)\s*(\d+)\.(\d+)/.exec(spec);
  return match ? [Number(match[1]), Number(match[2])] : null;
}
