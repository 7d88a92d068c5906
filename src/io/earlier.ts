/** What a file was before, by git. */
import type { Git } from './git.ts';

/** Versions further back tell nothing of a migration that is now taken back. */
const MOST_VERSIONS = 50;

/** The committed versions of a file below the root, the latest first; none where git does not know it. */
export function* earlierVersions(git: Git, file: string): Generator<Uint8Array> {
  const commit = git.commit('HEAD');
  if (commit === null) return;
  const [latest] = git.blobs(commit, [file]);
  if (!latest) return;
  yield latest;
  const listed = git.run(['rev-list', `--max-count=${MOST_VERSIONS}`, commit, '--', `:(literal)${file}`]);
  const commits = listed.ok ? listed.stdout.toString().split('\n').filter(Boolean) : [];
  const prefix = git.prefix();
  for (const blob of git.objects(commits.slice(1).map((at) => `${at}:${prefix}${file}`))) if (blob) yield blob;
}
