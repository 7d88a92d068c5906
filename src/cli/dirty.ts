/** Which files differ from the last commit? Compared by bytes, so that no filter of the repository runs. */

import type { FileWrite } from '../io/atomic-write.ts';
import { Git } from '../io/git.ts';
import type { Workspace } from './workspace.ts';

export function dirtyFiles(w: Workspace, changes: readonly FileWrite[]): string[] {
  const git = new Git(w.root);
  const head = git.isRepository() ? git.commit('HEAD') : null;
  if (!head) return [];
  const existing = changes.filter((c) => c.before !== null);
  const committed = git.blobs(
    head,
    existing.map((c) => c.file),
  );
  return existing
    .filter((c, i) => committed[i] !== null && !same(committed[i]!, Buffer.from(c.before!)))
    .map((c) => c.file);
}

/** A checkout with CRLF line ends is not a change. */
function same(a: Buffer, b: Buffer): boolean {
  return a.equals(b) || a.toString('latin1').replaceAll('\r\n', '\n') === b.toString('latin1').replaceAll('\r\n', '\n');
}
