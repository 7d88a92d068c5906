import { describe, expect, it } from 'vitest';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import { KeptAnswers } from '../../src/sites/kept-answers.ts';

const counting = () => {
  const asked: Uint8Array[] = [];
  return { asked, answer: (bytes: Uint8Array) => asked.push(bytes) % 2 === 1 };
};

describe('answers about the bytes of a file', () => {
  const fs = new MemoryFileSystem([]);

  it('are given once for the same bytes and question, and anew for others', () => {
    const { asked, answer } = counting();
    const bytes = Buffer.from('x');
    expect(new KeptAnswers(fs, 'a', answer).of(bytes)).toBe(true);
    expect(new KeptAnswers(fs, 'a', answer).of(bytes)).toBe(true);
    expect(new KeptAnswers(fs, 'b', answer).of(bytes)).toBe(false);
    expect(new KeptAnswers(fs, 'b', answer).of(bytes)).toBe(false);
    expect(new KeptAnswers(fs, 'a', answer).of(Buffer.from('x'))).toBe(true);
    expect(asked).toHaveLength(3);
  });

  it('do not pile up as questions change', () => {
    const { asked, answer } = counting();
    const bytes = Buffer.from('x');
    for (let n = 0; n < 40; n++) new KeptAnswers(fs, String(n), answer).of(bytes);
    expect(asked).toHaveLength(40);
    new KeptAnswers(fs, '39', answer).of(bytes);
    expect(asked).toHaveLength(40);
    new KeptAnswers(fs, '0', answer).of(bytes);
    expect(asked).toHaveLength(41);
  });

  it('are not kept where the memory of the bytes is used again', () => {
    const { asked, answer } = counting();
    const glancing = new MemoryFileSystem([], { ...fs, root: '/', keepsBytes: false } as unknown as MemoryFileSystem);
    const bytes = Buffer.from('x');
    new KeptAnswers(glancing, 'a', answer).of(bytes);
    new KeptAnswers(glancing, 'a', answer).of(bytes);
    expect(asked).toHaveLength(2);
  });
});
