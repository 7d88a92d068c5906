/** In which files may a function be named? In those of its own package, and in those that name its package. */
import type { FileSystem } from '../io/files.ts';
import type { FunctionInfo, ModuleScopes } from '../semantics/index.ts';
import { ByteSearch } from './byte-search.ts';
import { KeptAnswers } from './kept-answers.ts';

const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_]*/gu;

export class Related {
  private readonly anywhere: ByteSearch;
  private readonly keptAnywhere: KeptAnswers;
  private readonly keptWords: KeptAnswers;
  private readonly within: { folder: string; search: ByteSearch; kept: KeptAnswers }[];

  /** @param wanted - functions by the names that they are called by. */
  constructor(
    fs: FileSystem,
    private readonly wanted: ReadonlyMap<string, readonly FunctionInfo[]>,
  ) {
    const byFolder = new Map<string, string[][]>();
    const named: string[][] = [];
    for (const [name, functions] of wanted)
      for (const { module } of functions) {
        named.push([name, topOf(module)]);
        const folder = folderOf(module);
        byFolder.set(folder, [...(byFolder.get(folder) ?? []), [name]]);
      }
    this.anywhere = new ByteSearch(named);
    this.within = [...byFolder].map(([folder, names]) => ({
      folder,
      search: new ByteSearch(names),
      kept: new KeptAnswers(fs, JSON.stringify(names)),
    }));
    this.keptAnywhere = new KeptAnswers(fs, JSON.stringify(named));
    this.keptWords = new KeptAnswers(fs, JSON.stringify([...wanted.keys()]));
  }

  mayName(file: string, bytes: Uint8Array): boolean {
    const stands = this.within.some(
      ({ folder, search, kept }) => file.startsWith(folder) && kept.of(bytes, (b) => search.in(b)),
    );
    return (
      (stands || this.keptAnywhere.of(bytes, (b) => this.anywhere.in(b))) &&
      this.keptWords.of(bytes, (b) => this.holdsWord(b))
    );
  }

  /** Bytes may stand inside of a longer word. */
  private holdsWord(bytes: Uint8Array): boolean {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    for (const [word] of text.matchAll(WORD)) if (this.wanted.has(word)) return true;
    return false;
  }
}

function topOf({ name }: ModuleScopes): string {
  return name.split('.', 1)[0]!;
}

/** The folder of the outermost package around a module, with a slash at its end; its own folder where there is none. */
function folderOf({ file, name, isPackage }: ModuleScopes): string {
  const parts = file.split('/').slice(0, -1);
  const packages = name.split('.').length - (isPackage ? 0 : 1);
  const depth = parts.length - Math.max(0, packages - 1);
  return parts
    .slice(0, Math.max(0, depth))
    .map((part) => `${part}/`)
    .join('');
}
