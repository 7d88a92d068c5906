/** The first look at a file: may it spawn, and if not, does it parse? Nothing of the file is kept. */
import { isAscii } from 'node:buffer';
import type { FileSystem } from '../io/files.ts';
import type { FileError } from '../model/index.ts';
import { type FileAnswers, syntaxFault } from '../semantics/index.ts';
import { ByteSearch } from './byte-search.ts';
import { glance } from './glance.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { WordSieve } from './word-sieve.ts';

/** What is known of files from an earlier run, by their contents. */
export interface SyntaxVerdicts {
  /** Is anything known? Most of it still holds then. */
  readonly isKnown: boolean;
  /** The fault of a file, null for none; undefined when it must be parsed to know. */
  verdict(file: string): FileError | null | undefined;
  learn(file: string, error: FileError | null): void;
}

/** What a look looks for. */
export interface Sought {
  /** Lists of words, all of which must stand in a file for a list to count. */
  words: readonly (readonly string[])[];
  /** Not as parts of longer words. */
  whole: boolean;
}

/** What a look at some files told. */
interface Looked {
  /** Files that hold the words, and files that cannot be read: these are reported where they are read for good. */
  hits: readonly string[];
  /** All others. */
  rest: readonly string[];
  /** Of the others, those whose fault was asked for; null for none. */
  faults: Map<string, FileError | null>;
}

/**
 * Looks at many files.
 *
 * @param judged - whose faults are asked for.
 * @param sieve - where which words stand in the files is noted, and looked up when whole words are sought.
 */
export type LookAt = (
  files: readonly string[],
  sought: Sought,
  judged: (file: string) => boolean,
  sieve?: WordSieve,
) => Looked;

/** That a file holds the words; else its fault, null for none, undefined when nobody asked for it. */
export type Told = 'hit' | FileError | null | undefined;

/** Looks at the files of a file system for one set of words. */
export class FirstLook {
  private readonly search: ByteSearch;
  private readonly mentions: KeptAnswers;

  constructor(
    private readonly fs: FileSystem,
    private readonly sought: Sought,
    private readonly also: { syntax?: SyntaxVerdicts | undefined; sieve?: WordSieve | undefined } = {},
  ) {
    this.search = new ByteSearch(sought.words, sought.whole);
    this.mentions = new KeptAnswers(fs, JSON.stringify(sought), (bytes) => mayMention(bytes, this.search));
  }

  at(file: string, judged: boolean): Told {
    const { words, whole } = this.sought;
    const { sieve } = this.also;
    const met = whole ? sieve?.metBy(file, words) : null;
    if (met?.length === 0 && !judged) return undefined;
    const bytes = glance(this.fs, file);
    if (sieve && !whole && bytes && !hasOtherLetters(bytes)) sieve.note(file, bytes);
    if (!bytes || (met ? this.search.someIn(bytes, met) : this.mentions.of(bytes))) return 'hit';
    return judged ? this.fault(file, bytes) : undefined;
  }

  isHit(file: string): boolean {
    return this.at(file, false) === 'hit';
  }

  faultOf(file: string): FileError | null {
    const bytes = glance(this.fs, file);
    return bytes && this.fault(file, bytes);
  }

  // at once: the bytes are at hand, and no tree is kept yet that the garbage collector would look through
  private fault(file: string, bytes: Uint8Array): FileError | null {
    const { syntax } = this.also;
    const known = syntax?.verdict(file);
    if (known !== undefined) return known;
    const error = syntaxFault(file, bytes);
    syntax?.learn(file, error);
    return error;
  }
}

/** Looks at one file after the other. */
export function lookInTurn(fs: FileSystem, syntax?: SyntaxVerdicts): LookAt {
  return (files, sought, judged, sieve) => {
    const look = new FirstLook(fs, sought, { syntax, sieve });
    return lookedAt(
      files,
      files.map((file) => look.at(file, judged(file))),
    );
  };
}

/** Looks again, in a process that stays, at what may have changed; of all others what was told still holds. */
export function lookAgain(fs: FileSystem, answers: FileAnswers): LookAt {
  return (files, sought) => {
    const look = new FirstLook(fs, sought);
    const question = JSON.stringify(sought);
    const { yes: hits, no: rest } = answers.split(fs, files, question, (file) => look.isHit(file));
    const broken = answers.split(fs, rest, `broken without ${question}`, (file) => look.faultOf(file) !== null).yes;
    return { hits, rest, faults: new Map(broken.map((file) => [file, look.faultOf(file)])) };
  };
}

/** What was told of each file, put together. */
export function lookedAt(files: readonly string[], told: readonly Told[]): Looked {
  const hits: string[] = [];
  const rest: string[] = [];
  const faults: Looked['faults'] = new Map();
  for (const [i, file] of files.entries()) {
    const one = told[i];
    (one === 'hit' ? hits : rest).push(file);
    if (one !== 'hit' && one !== undefined) faults.set(file, one);
  }
  return { hits, rest, faults };
}

function mayMention(bytes: Uint8Array, search: ByteSearch): boolean {
  if (search.in(bytes)) return true;
  if (!hasOtherLetters(bytes)) return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return search.in(Buffer.from(buffer.toString('utf8').normalize('NFKC')));
}

/** Python normalises identifiers: `ｃreate_task` is `create_task`. Only a file with full-width or similar letters can hold such a name. */
function hasOtherLetters(bytes: Uint8Array): boolean {
  if (isAscii(bytes)) return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.includes('\u00ef\u00bd', 0, 'latin1') || buffer.includes('\u00f0\u009d', 0, 'latin1');
}
