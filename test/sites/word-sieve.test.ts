/** What the sieve keeps back holds none of the words. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteSearch } from '../../src/sites/byte-search.ts';
import { WordSieve } from '../../src/sites/word-sieve.ts';

it('keeps back no file in which whole words stand, and nearly all others', () => {
  const letter = fc.constantFrom('a', 'b', '_', '9', 'é', '任', '.', '(', ' ', '\n');
  const text = fc.array(letter, { maxLength: 400 }).map((all) => all.join(''));
  const word = fc
    .array(fc.constantFrom('a', 'b', '_', 'é', '任'), { minLength: 1, maxLength: 4 })
    .map((all) => all.join(''));
  const alternatives = fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 });
  let [held, back] = [0, 0];
  fc.assert(
    fc.property(text, alternatives, (content, words) => {
      const bytes = Buffer.from(content);
      const sieve = new WordSieve();
      sieve.note('a.py', bytes);
      const may = sieve.mayHold('a.py', words);
      if (new ByteSearch(words, true).in(bytes)) {
        held++;
        expect(may).toBe(true);
      } else if (!may) back++;
    }),
    { numRuns: 1500, seed: 11 },
  );
  expect(held).toBeGreaterThan(40);
  expect(back).toBeGreaterThan(300);
});

it('knows nothing of a file that nobody noted', () => {
  expect(new WordSieve().mayHold('a.py', [['spawn']])).toBe(true);
});

it('looks for a mark beside a word by the word', () => {
  const sieve = new WordSieve();
  sieve.note('a.py', Buffer.from('x.get(1)'));
  expect(sieve.mayHold('a.py', [['.get(']])).toBe(true);
  expect(sieve.mayHold('a.py', [['x', '.pop(']])).toBe(false);
});
