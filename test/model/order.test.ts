import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byKey, byPlace, byStart, byText, firstWhere, nullLast } from '../../src/model/order.ts';

describe('orders', () => {
  it('compares texts by code units, whatever the language of the machine', () => {
    expect(['ä', 'b', 'Z', 'a', ''].sort(byText)).toEqual(['', 'Z', 'a', 'b', 'ä']);
    expect(byText('a', 'a')).toBe(0);
  });

  it('lists by file, then by place', () => {
    const at = (file: string, line: number, column?: number) => ({ file, line, column });
    const listed = [at('a.py', 2), at('a.py', 10, 3), at('a.py', 10, 12), at('b.py', 1)];
    expect([...listed].reverse().sort(byPlace)).toEqual(listed);
    const offsets = [
      { file: 'a.py', start: 9 },
      { file: 'a.py', start: 10 },
      { file: 'b.py', start: 0 },
    ];
    expect([...offsets].reverse().sort(byStart)).toEqual(offsets);
  });

  it('lists entries by key, and what is not known last', () => {
    expect(Object.entries({ b: 1, a: 2 }).sort(byKey)).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect([null, 'P1', null, 'P0'].sort(nullLast)).toEqual(['P0', 'P1', null, null]);
  });
});

describe('firstWhere', () => {
  it('finds what a walk through the list finds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: -1, max: 21 }), (numbers, limit) => {
        const sorted = numbers.sort((a, b) => a - b);
        const found = sorted.findIndex((n) => n > limit);
        expect(firstWhere(sorted, (n) => n > limit)).toBe(found < 0 ? sorted.length : found);
      }),
    );
  });
});
