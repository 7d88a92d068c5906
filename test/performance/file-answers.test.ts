import { describe, expect, it } from 'vitest';
import type { Changes } from '../../src/io/files.ts';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import { FileAnswers } from '../../src/semantics/file-answers.ts';

/** What changed since each mark; null: anything. */
const changes = (mark: number, since: (mark: number) => string[] | null): Changes => ({
  mark,
  since: (from) => {
    const files = since(from);
    return files && new Set(files);
  },
});

const nothing = (mark: number): Changes => changes(mark, () => []);

describe('files that answer a question with yes', () => {
  const files = ['a.py', 'b.py', 'c.py'];
  const ask = (
    answers: FileAnswers,
    told: Changes | undefined,
    list: readonly string[],
    yes: string,
    question = 'q',
  ) => {
    const asked: string[] = [];
    const split = answers.split(new MemoryFileSystem([], null, told), list, question, (file) => {
      asked.push(file);
      return yes.includes(file[0]!);
    });
    return { asked, split };
  };

  it('are asked for once, and afterwards where something changed', () => {
    const answers = new FileAnswers();
    const first = ask(answers, nothing(1), files, 'ac');
    expect(first).toEqual({ asked: files, split: expect.objectContaining({ yes: ['a.py', 'c.py'], no: ['b.py'] }) });
    const second = ask(
      answers,
      changes(2, (mark) => (mark === 1 ? ['b.py', 'other.py'] : null)),
      files,
      'ac',
    );
    expect(second.asked).toEqual(['b.py']);
    // the very same lists: what is kept of them still holds
    expect(second.split.yes).toBe(first.split.yes);
    expect(second.split.no).toBe(first.split.no);
    const third = ask(
      answers,
      changes(3, (mark) => (mark === 2 ? ['b.py', 'c.py'] : null)),
      files,
      'ab',
    );
    expect(third.split).toMatchObject({ yes: ['a.py', 'b.py'], no: ['c.py'] });
    expect(
      ask(
        answers,
        changes(4, (mark) => (mark === 3 ? [] : null)),
        files,
        '',
      ).split.yes,
    ).toBe(third.split.yes);
  });

  it('are not asked anew for a list of the same files', () => {
    const answers = new FileAnswers();
    ask(answers, nothing(1), files, 'a');
    expect(ask(answers, nothing(2), [...files], 'b')).toMatchObject({ asked: [], split: { yes: ['a.py'] } });
  });

  it('are asked anew for another list, after anything may have changed, and where nobody tells', () => {
    const answers = new FileAnswers();
    ask(answers, nothing(1), files, 'a');
    const others = ['a.py', 'c.py', 'b.py'];
    expect(ask(answers, nothing(2), others, 'b').asked).toEqual(others);
    expect(ask(answers, nothing(2), files.slice(1), 'b').asked).toEqual(files.slice(1));
    ask(answers, nothing(2), files, 'a');
    expect(
      ask(
        answers,
        changes(3, () => null),
        files,
        'a',
      ).asked,
    ).toEqual(files);
    expect(ask(answers, undefined, files, 'b')).toMatchObject({ asked: files, split: { yes: ['b.py'] } });
    expect(ask(answers, nothing(4), files, 'c', 'another').split.yes).toEqual(['c.py']);
  });

  it('are forgotten as questions change', () => {
    const answers = new FileAnswers();
    for (let n = 0; n < 40; n++) ask(answers, nothing(1), files, 'a', String(n));
    expect(ask(answers, nothing(1), files, 'a', '39').asked).toEqual([]);
    expect(ask(answers, nothing(1), files, 'a', '0').asked).toEqual(files);
  });
});
