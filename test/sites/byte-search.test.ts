import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteSearch } from '../../src/sites/byte-search.ts';

const found = (alternatives: string[][], text: string, whole = false): boolean =>
  new ByteSearch(alternatives, whole).in(Buffer.from(text));

describe('many words in bytes', () => {
  it.each([
    [[['create_task']], 'x create_task', true],
    [[['create_task']], 'create_tas', false],
    [[['create_task']], 'create_tascreate_task', true],
    [[['spawn', 'aiojobs']], 'spawn', false],
    [[['spawn', 'aiojobs']], 'aiojobs', false],
    [[['spawn', 'aiojobs']], 'aiojobs.spawn', true],
    [[['spawn', 'aiojobs']], 'spawn of aiojobs', true],
    [[['abcde'], ['cdefgh']], 'abcdxcdefgh', true],
    [[['aaaa']], 'aaabaaab', false],
    [[['aaaa']], 'aaabaaaa', true],
    [[['運行']], 'def 運行(): ...', true],
    [[['x']], 'yyx', true],
    [[['ab'], ['create_task']], 'zzab', true],
    [[['']], 'anything', true],
    [[[]], 'anything', true],
    [[], 'anything', false],
    [[['x'], ['create_task']], 'yy create_task', true],
    [[['word']], '', false],
  ] as [string[][], string, boolean][])('%j in %j: %s', (alternatives, text, expected) => {
    expect(found(alternatives, text)).toBe(expected);
  });

  it('finds what a plain search finds', () => {
    const letter = fc.constantFrom('a', 'b', '_', 'é', 'c');
    const word = fc.array(letter, { minLength: 1, maxLength: 7 }).map((all) => all.join(''));
    const alternatives = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    const text = fc.array(letter, { maxLength: 60 }).map((all) => all.join(''));
    let hits = 0;
    fc.assert(
      fc.property(alternatives, text, (words, bytes) => {
        const expected = words.some((all) => all.every((w) => bytes.includes(w)));
        if (expected) hits++;
        expect(found(words, bytes)).toBe(expected);
      }),
      { numRuns: 2000, seed: 7 },
    );
    expect(hits).toBeGreaterThan(100);
  });

  it('finds of some alternatives what a search for these finds', () => {
    const letter = fc.constantFrom('a', 'b', '_', ' ', '.');
    const word = fc.array(letter, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
    const alternatives = fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 20 });
    const text = fc.array(letter, { maxLength: 40 }).map((all) => Buffer.from(all.join('')));
    let hits = 0;
    fc.assert(
      fc.property(alternatives, text, fc.boolean(), (words, bytes, whole) => {
        const places = [...words.keys()].filter((i) => i % 2 === 1);
        const some = places.map((i) => words[i]!);
        const expected = new ByteSearch(some, whole).in(bytes);
        if (expected) hits++;
        // where all of many are searched for, the others may be met as well
        const all = new ByteSearch(words, whole);
        expect(all.someIn(bytes, places)).toBe(places.length > 8 ? all.in(bytes) : expected);
      }),
      { numRuns: 1000, seed: 7 },
    );
    expect(hits).toBeGreaterThan(100);
  });
});

describe('whole words in bytes', () => {
  it.each([
    [[['spawn']], 'respawn(spawned)', false],
    [[['spawn']], 'respawn(spawn)', true],
    [[['spawn', 'jobs']], 'jobs_spawn jobs', false],
    [[['spawn', 'jobs']], 'jobs.spawn', true],
    [[['log', '.get(']], 'log = x.get(1)', true],
    [[['log', '.get(']], 'log = x.gets(1)', false],
    [[['任務']], '運行任務', false],
    [[['任務']], '運行.任務', true],
    [[['a']], 'aa ba a_', false],
    [[['a']], 'aa.a', true],
  ] as [string[][], string, boolean][])('%j in %j: %s', (alternatives, text, expected) => {
    expect(found(alternatives, text, true)).toBe(expected);
  });
});
