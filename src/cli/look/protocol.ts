/** What the threads that look at files say to each other. */
import type { FileRecord } from '../../io/recorded.ts';
import type { Sought, Told } from '../../sites/first-look.ts';
import type { WordBits } from '../../sites/word-sieve.ts';

/** What a helper is told once. */
export interface Setup {
  root: string;
  excluded: readonly string[];
  /** When the run began, in milliseconds, if it keeps a record of each file; null for none. */
  recordedSince: number | null;
}

/** Files to look at, in chunks: whoever has time takes the next. */
export interface Task {
  id: number;
  files: readonly string[];
  sought: Sought;
  /** Are the words of each file to be noted? */
  notes: boolean;
  /** 1 for each file whose fault is asked for. */
  judged: Uint8Array;
  /** See {@link NEXT} and {@link REPORTED}. */
  control: Int32Array;
}

/** What a helper found in a chunk; null when it failed, and somebody else has to look. */
export interface Report {
  task: number;
  chunk: number;
  told: Told[] | null;
  records: FileRecord[] | null;
  /** Of each file, where its words are noted. */
  bits: (WordBits | null)[];
}

export const CHUNK = 32;
/** Place of the number of the next chunk that nobody has taken. */
export const NEXT = 0;
/** Place of the number of reports so far. */
export const REPORTED = 1;

export function chunkOf<T>(files: readonly T[], chunk: number): readonly T[] {
  return files.slice(chunk * CHUNK, (chunk + 1) * CHUNK);
}
