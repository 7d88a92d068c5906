/** Looks for a name in the files that configure a deployment: Kubernetes manifests, Helm values, compose and `.env` files. */
import type { FileSystem } from './files.ts';
import { filesBelow } from './walk.ts';

const CONFIG = /(\.(ya?ml|json|tpl|env|toml|properties|conf)|^\.env(\..+)?|^Dockerfile.*|\.env\..+)$/;
const MAX_BYTES = 2 * 1024 * 1024;

/** Lines that hold the word, comments left out; sorted by file. */
export function findInConfiguration(fs: FileSystem, word: string): { file: string; line: number }[] {
  const out: { file: string; line: number }[] = [];
  const pattern = new RegExp(`(?<![\\w-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`);
  for (const file of filesBelow(fs.root, (name) => CONFIG.test(name))) {
    let bytes: Uint8Array | null = null;
    try {
      bytes = fs.read(file);
    } catch {
      continue; // a file that cannot be read holds nothing that a deployment could read either
    }
    if (!bytes || bytes.length > MAX_BYTES) continue;
    const lines = Buffer.from(bytes)
      .toString('utf8')
      .split(/\r\n|\n|\r/);
    lines.forEach((text, i) => {
      if (pattern.test(text.replace(/(^|\s)#.*$/, ''))) out.push({ file, line: i + 1 });
    });
  }
  return out;
}
