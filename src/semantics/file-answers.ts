/** Which files answer a question about their contents with yes, for a process that stays: asked again only of what may have changed. */
import type { FileSystem } from '../io/files.ts';
import { isSameList } from './lookups.ts';

/** The files that said yes, and all others, in the order that they were given in; the same lists as long as nothing changes. */
interface Split {
  yes: readonly string[];
  no: readonly string[];
}

interface Kept extends Split {
  files: readonly string[];
  answers: ReadonlyMap<string, boolean>;
  /** When it was asked. */
  mark: number;
}

/** Questions change as one edits: the words of wrappers are a part of them. */
const MOST_QUESTIONS = 32;

export class FileAnswers {
  private readonly kept = new Map<string, Kept>();

  /**
   * @param files - those of before, in the same order: else all are asked.
   * @param question - all that the answer depends on beside the file.
   */
  split(fs: FileSystem, files: readonly string[], question: string, is: (file: string) => boolean): Split {
    const { changes } = fs;
    if (!changes) return splitBy(files, is);
    const kept = this.kept.get(question);
    this.kept.delete(question);
    const changed = kept && isSameList(kept.files, files) ? changes.since(kept.mark) : null;
    const now = kept && changed ? asked(kept, changed, is) : fresh(files, is);
    this.kept.set(question, { ...now, mark: changes.mark });
    if (this.kept.size > MOST_QUESTIONS) this.kept.delete(this.kept.keys().next().value!);
    return now;
  }
}

function splitBy(files: readonly string[], is: (file: string) => boolean): Split {
  const yes: string[] = [];
  const no: string[] = [];
  for (const file of files) (is(file) ? yes : no).push(file);
  return { yes, no };
}

function fresh(files: readonly string[], is: (file: string) => boolean): Omit<Kept, 'mark'> {
  const answers = new Map(files.map((file) => [file, is(file)]));
  return { files, answers, ...splitBy(files, (file) => answers.get(file)!) };
}

function asked(kept: Kept, changed: ReadonlySet<string>, is: (file: string) => boolean): Omit<Kept, 'mark'> {
  const others = new Map<string, boolean>();
  for (const file of changed) {
    const before = kept.answers.get(file);
    if (before === undefined) continue;
    const now = is(file);
    if (now !== before) others.set(file, now);
  }
  if (!others.size) return kept;
  const answers = new Map([...kept.answers, ...others]);
  return { files: kept.files, answers, ...splitBy(kept.files, (file) => answers.get(file)!) };
}
