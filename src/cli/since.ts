/** `--since REF`: which lines changed. */
import { structuredPatch } from 'diff';
import { Git } from '../io/git.ts';
import type { Catalogue, Range } from '../model/index.ts';
import { Trouble } from './trouble.ts';
import type { Analysed, Workspace } from './workspace.ts';

/** Changed lines by file, in the work tree's numbering; null for a file that is wholly new. */
type ChangedLines = Map<string, Set<number> | null>;

/** @throws Trouble when the root is no repository, or the revision names no commit. */
export function changedLines(
  w: Workspace,
  revision: string,
  { analysed, catalogue }: { analysed: Analysed; catalogue: Catalogue | null },
): ChangedLines {
  const git = new Git(w.root);
  if (!git.isRepository())
    throw new Trouble(
      `--since: ${w.shownRoot} is not in a git repository`,
      'leave it out to report all findings, or name another --root',
    );
  const commit = git.commit(revision);
  if (!commit)
    throw new Trouble(
      `--since: ${JSON.stringify(revision)} names no commit`,
      'give a branch, a tag or a commit that this clone has',
    );
  // a finding may stand in any file that the analysis read, or in the catalogue
  const files = [...analysed.project.graph.modules()].map((m) => m.file);
  if (catalogue) files.push(catalogue.file);
  const out: ChangedLines = new Map();
  const before = git.blobs(commit, files);
  files.forEach((file, i) => {
    const old = before[i];
    if (!old) {
      out.set(file, null);
      return;
    }
    const now = w.fs.read(file);
    if (!now || Buffer.compare(old, now) === 0) return;
    out.set(file, linesOf(old.toString('latin1'), Buffer.from(now).toString('latin1')));
  });
  return out;
}

function linesOf(before: string, after: string): Set<number> {
  const lines = new Set<number>();
  for (const hunk of structuredPatch('', '', before, after, '', '', { context: 0 }).hunks) {
    for (let i = 0; i < hunk.newLines; i++) lines.add(hunk.newStart + i);
    // a pure deletion touches the lines on both sides of it
    if (hunk.newLines === 0) lines.add(hunk.newStart).add(hunk.newStart + 1);
  }
  return lines;
}

/** Does a finding's range hold a changed line? */
export function touches(changed: ChangedLines, range: Range): boolean {
  if (!changed.has(range.file)) return false;
  const lines = changed.get(range.file);
  if (!lines) return true;
  for (let line = range.line; line <= range.endLine; line++) if (lines.has(line)) return true;
  return false;
}
