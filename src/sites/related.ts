/** In which files may a function be named? In those of its own package, and in those that name its package. */
import type { FileSystem } from '../io/files.ts';
import { type FunctionInfo, type ModuleScopes, push } from '../semantics/index.ts';
import { ByteSearch } from './byte-search.ts';
import { KeptAnswers } from './kept-answers.ts';

const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_]*/gu;

export class Related {
  private readonly anywhere: KeptAnswers;
  private readonly words: KeptAnswers;
  private readonly within: { folder: string; names: KeptAnswers }[];
  /** All that the answers depend on beside the files. */
  readonly question: string;

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
        push(byFolder, packageFolder(module), [name]);
      }
    this.question = JSON.stringify([[...wanted.keys()], named, [...byFolder]]);
    this.within = [...byFolder].map(([folder, names]) => ({
      folder,
      names: searching(fs, names),
    }));
    this.anywhere = searching(fs, named);
    this.words = new KeptAnswers(fs, JSON.stringify([...wanted.keys()]), (bytes) => this.holdsWord(bytes));
  }

  mayName(file: string, bytes: Uint8Array): boolean {
    const stands = this.within.some(({ folder, names }) => file.startsWith(folder) && names.of(bytes));
    return (stands || this.anywhere.of(bytes)) && this.words.of(bytes);
  }

  /** Bytes may stand inside of a longer word. */
  private holdsWord(bytes: Uint8Array): boolean {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    for (const [word] of text.matchAll(WORD)) if (this.wanted.has(word)) return true;
    return false;
  }
}

function searching(fs: FileSystem, words: readonly (readonly string[])[]): KeptAnswers {
  const search = new ByteSearch(words);
  return new KeptAnswers(fs, JSON.stringify(words), (bytes) => search.in(bytes));
}

function topOf({ name }: ModuleScopes): string {
  return name.split('.', 1)[0]!;
}

/** The folder of the outermost package around a module, with a slash at its end; its own folder where there is none; empty for the root. */
export function packageFolder({ file, name, isPackage }: ModuleScopes): string {
  const parts = file.split('/').slice(0, -1);
  const packages = name.split('.').length - (isPackage ? 0 : 1);
  const depth = parts.length - Math.max(0, packages - 1);
  return parts
    .slice(0, Math.max(0, depth))
    .map((part) => `${part}/`)
    .join('');
}
