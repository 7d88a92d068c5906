/** Answers about the bytes of files, for a process that stays: the very same bytes are asked the same question once. */
import type { FileSystem } from '../io/files.ts';

/** By the bytes, then by the question. */
const known = new WeakMap<Uint8Array, Map<string, boolean>>();
/** Questions change as one edits: the words of wrappers are a part of them. */
const MOST_QUESTIONS = 16;

export class KeptAnswers {
  private readonly keeps: boolean;

  /** @param question - all that the answer depends on beside the bytes. */
  constructor(
    fs: FileSystem,
    private readonly question: string,
    private readonly answer: (bytes: Uint8Array) => boolean,
  ) {
    this.keeps = fs.keepsBytes === true;
  }

  of(bytes: Uint8Array): boolean {
    if (!this.keeps) return this.answer(bytes);
    let answers = known.get(bytes);
    const before = answers?.get(this.question);
    if (before !== undefined) return before;
    if (!answers || answers.size >= MOST_QUESTIONS) {
      answers = new Map();
      known.set(bytes, answers);
    }
    const now = this.answer(bytes);
    answers.set(this.question, now);
    return now;
  }
}
