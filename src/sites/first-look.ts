/** The first look at a file: may it spawn, and if not, does it parse? Nothing of the file is kept. */
import { isAscii } from 'node:buffer';
import type { FileSystem } from '../io/files.ts';
import type { FileError } from '../model/index.ts';
import { syntaxFault } from '../semantics/index.ts';
import { ByteSearch } from './byte-search.ts';
import { glance } from './glance.ts';
import { KeptAnswers } from './kept-answers.ts';

/** What is known of files from an earlier run, by their contents. */
export interface SyntaxVerdicts {
  /** Is anything known? Most of it still holds then. */
  readonly isKnown: boolean;
  /** The fault of a file, null for none; undefined when it must be parsed to know. */
  verdict(file: string): FileError | null | undefined;
  learn(file: string, error: FileError | null): void;
}

/** What a look at some files told. */
export interface Looked {
  /** Files that hold the words, and files that cannot be read: these are reported where they are read for good. */
  hits: string[];
  /** All others. */
  rest: string[];
  /** Of the others, those whose fault was asked for; null for none. */
  faults: Map<string, FileError | null>;
}

/**
 * Looks at many files.
 *
 * @param words - lists of words, all of which must stand in a file for a list to count.
 * @param judged - whose faults are asked for.
 */
export type LookAt = (
  files: readonly string[],
  words: readonly (readonly string[])[],
  judged: (file: string) => boolean,
) => Looked;

/** Looks at the files of a file system with one set of words. */
export class FirstLook {
  private readonly search: ByteSearch;
  private readonly kept: KeptAnswers;
  private readonly mentions = (bytes: Uint8Array): boolean => mayMention(bytes, this.search);

  constructor(
    private readonly fs: FileSystem,
    words: readonly (readonly string[])[],
    private readonly syntax?: SyntaxVerdicts,
  ) {
    this.search = new ByteSearch(words);
    this.kept = new KeptAnswers(fs, JSON.stringify(words));
  }

  /** Does it hold the words? If not, and it is to be judged: its fault, null for none. */
  at(file: string, judged: boolean): 'hit' | FileError | null {
    const bytes = glance(this.fs, file);
    if (!bytes || this.kept.of(bytes, this.mentions)) return 'hit';
    return judged ? this.fault(file, bytes) : null;
  }

  // at once: the bytes are at hand, and no tree is kept yet that the garbage collector would look through
  private fault(file: string, bytes: Uint8Array): FileError | null {
    const known = this.syntax?.verdict(file);
    if (known !== undefined) return known;
    const error = syntaxFault(file, bytes);
    this.syntax?.learn(file, error);
    return error;
  }
}

/** Looks at one file after the other. */
export function lookInTurn(fs: FileSystem, syntax?: SyntaxVerdicts): LookAt {
  return (files, words, judged) => {
    const look = new FirstLook(fs, words, syntax);
    const looked: Looked = { hits: [], rest: [], faults: new Map() };
    for (const file of files) note(looked, file, look.at(file, judged(file)), judged(file));
    return looked;
  };
}

/** Files must be noted in their order. */
export function note(looked: Looked, file: string, told: 'hit' | FileError | null, judged: boolean): void {
  if (told === 'hit') {
    looked.hits.push(file);
    return;
  }
  looked.rest.push(file);
  if (judged) looked.faults.set(file, told);
}

function mayMention(bytes: Uint8Array, search: ByteSearch): boolean {
  if (search.in(bytes)) return true;
  if (isAscii(bytes)) return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return hasNonAsciiName(buffer) && search.in(Buffer.from(buffer.toString('utf8').normalize('NFKC')));
}

/** Python normalises identifiers: `ｃreate_task` is `create_task`. Only a file with full-width or similar letters can hold such a name. */
function hasNonAsciiName(buffer: Buffer): boolean {
  return buffer.includes('\u00ef\u00bd', 0, 'latin1') || buffer.includes('\u00f0\u009d', 0, 'latin1');
}
