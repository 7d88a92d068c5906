/** What files were before, by git. */
import type { Git, Head } from './git.ts';

/** Versions further back tell nothing of a migration that is now taken back. */
const MOST_VERSIONS = 50;

/** Each is read once, and none that nobody asks for: git is a process each time. */
export class EarlierVersions {
  private readonly files = new Map<string, { read: Uint8Array[]; rest: Iterator<Uint8Array, undefined> }>();
  private head: Head | null | undefined;

  constructor(private readonly git: Git) {}

  /** The committed versions of a file below the root, the latest first; none where git does not know it. */
  *of(file: string): Generator<Uint8Array> {
    const { read, rest } = this.files.get(file) ?? { read: [], rest: this.versions(file) };
    this.files.set(file, { read, rest });
    for (let i = 0; ; i++) {
      const version = read[i] ?? rest.next().value;
      if (!version) return;
      read[i] = version;
      yield version;
    }
  }

  private *versions(file: string): Generator<Uint8Array, undefined> {
    if (this.head === undefined) this.head = this.git.head();
    const { commit, prefix } = this.head ?? { commit: null, prefix: '' };
    if (commit === null) return;
    const [latest] = this.git.objects([`${commit}:${prefix}${file}`]);
    if (!latest) return;
    yield latest;
    const listed = this.git.run(['rev-list', `--max-count=${MOST_VERSIONS}`, commit, '--', `:(literal)${file}`]);
    const commits = listed.ok ? listed.stdout.toString().split('\n').filter(Boolean) : [];
    for (const blob of this.git.objects(commits.slice(1).map((at) => `${at}:${prefix}${file}`))) if (blob) yield blob;
  }
}
