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

it('takes hardly any word for another, however many are asked for', () => {
  const sieve = new WordSieve();
  const files = Array.from({ length: 200 }, (_, f) => `${f}.py`);
  for (const [f, file] of files.entries()) {
    // as in code: a distinct word in 38 bytes
    const words = Array.from({ length: 100 + 4 * f }, (_, w) => `word_${f}_${w} = here(here, here, 'here', 1)`);
    sieve.note(file, Buffer.from(words.join('\n')));
  }
  const absent = Array.from({ length: 100 }, (_, w) => [`absent_${w}`]);
  const through = files.filter((file) => sieve.mayHold(file, absent));
  expect(through.length).toBeLessThan(files.length / 10);
  expect(files.filter((file, f) => sieve.mayHold(file, [...absent, [`word_${f}_7`]]))).toEqual(files);
});
