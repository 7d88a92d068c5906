/** Which contents parse, and where the others are broken: by their digests, so that only what changed is parsed again. */
import type { CacheStore } from '../io/cache-store.ts';
import type { FileError } from '../model/index.ts';

/** A fault without the file that has it; 0 for none. */
type Verdict = 0 | Omit<FileError, 'file'>;

export class SyntaxCache {
  private readonly known: Map<string, Verdict>;
  /** Only what this run met is kept, so that the entry grows no larger than the tree. */
  private readonly met = new Map<string, Verdict>();
  private fresh = false;

  constructor(
    private readonly store: CacheStore,
    private readonly key: string,
    private readonly digestOf: (file: string) => string | null,
  ) {
    this.known = new Map(parse(store.read('syntax', key)));
  }

  get isKnown(): boolean {
    return this.known.size > 0;
  }

  /** The fault of a file that was read, null for none; undefined when it must be parsed to know. */
  verdict(file: string): FileError | null | undefined {
    const digest = this.digestOf(file);
    const verdict = digest === null ? undefined : this.known.get(digest);
    if (digest === null || verdict === undefined) return undefined;
    this.met.set(digest, verdict);
    return verdict === 0 ? null : { file, ...verdict };
  }

  learn(file: string, error: FileError | null): void {
    const digest = this.digestOf(file);
    // what could not be read says nothing about a content
    if (digest === null || (error && error.kind === 'unreadable')) return;
    const { file: _, ...verdict } = error ?? { file };
    this.met.set(digest, error ? (verdict as Omit<FileError, 'file'>) : 0);
    this.fresh = true;
  }

  save(): void {
    if (this.fresh || this.met.size < this.known.size)
      this.store.write('syntax', this.key, JSON.stringify([...this.met]));
  }
}

function parse(text: string | null): [string, Verdict][] {
  if (text === null) return [];
  try {
    return JSON.parse(text) as [string, Verdict][];
  } catch {
    return [];
  }
}
