/** In which files may a function be named? In those of its own package, and in those that name its package. */
import type { FileSystem } from '../io/files.ts';
import { type FunctionInfo, type ModuleScopes, push } from '../semantics/index.ts';
import { ByteSearch } from './byte-search.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { Question } from './project.ts';
import type { WordSieve } from './word-sieve.ts';

export class Related implements Question {
  private readonly anywhere: Names;
  private readonly within: { folder: string; names: Names }[];
  readonly id: string;

  /** @param wanted - functions by the names that they are called by. */
  constructor(fs: FileSystem, wanted: ReadonlyMap<string, readonly FunctionInfo[]>) {
    const byFolder = new Map<string, string[][]>();
    const named: string[][] = [];
    for (const [name, functions] of wanted)
      for (const { module } of functions) {
        named.push([name, topOf(module)]);
        push(byFolder, packageFolder(module), [name]);
      }
    this.id = JSON.stringify([[...wanted.keys()], named, [...byFolder]]);
    this.within = [...byFolder].map(([folder, names]) => ({ folder, names: new Names(fs, names) }));
    this.anywhere = new Names(fs, named);
  }

  may(file: string, sieve: WordSieve): boolean {
    return this.some(file, (names) => names.may(file, sieve));
  }

  is(bytes: Uint8Array, file: string): boolean {
    return this.some(file, (names) => names.in(bytes));
  }

  private some(file: string, holds: (names: Names) => boolean): boolean {
    return this.within.some(({ folder, names }) => file.startsWith(folder) && holds(names)) || holds(this.anywhere);
  }
}

/** Whole words, all of one of some lists. */
class Names {
  private readonly answers: KeptAnswers;

  constructor(
    fs: FileSystem,
    private readonly words: readonly (readonly string[])[],
  ) {
    const search = new ByteSearch(words, true);
    this.answers = new KeptAnswers(fs, JSON.stringify(words), (bytes) => search.in(bytes));
  }

  may(file: string, sieve: WordSieve): boolean {
    return sieve.mayHold(file, this.words);
  }

  in(bytes: Uint8Array): boolean {
    return this.answers.of(bytes);
  }
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
