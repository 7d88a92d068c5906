/** Lists of rows, such as `#4、#17（approval）、#18~20`: read, counted, and written as the document does. */
import { describe, expect, test } from 'vitest';
import {
  learnReferences,
  numbersOf,
  readReferences,
  sameNumbers,
  writeReferences,
} from '../../src/policy/catalogue/references.ts';

describe('read', () => {
  const read = (text: string) =>
    readReferences(text).map(({ from, to, note, start, end }) => [
      from === to ? `${from}` : `${from}-${to}`,
      note,
      text.slice(start, end),
    ]);

  test.each<[string, [string, string, string][]]>([
    ['', []],
    ['none', []],
    ['#4', [['4', '', '#4']]],
    [
      '#4、#22',
      [
        ['4', '', '#4'],
        ['22', '', '#22'],
      ],
    ],
    ['#5~16', [['5-16', '', '#5~16']]],
    ['#5 ~ #16', [['5-16', '', '#5 ~ #16']]],
    [
      '5-7, 9',
      [
        ['5-7', '', '5-7'],
        ['9', '', '9'],
      ],
    ],
    ['#5–7', [['5-7', '', '#5–7']]],
    ['#5 至 7', [['5-7', '', '#5 至 7']]],
    [
      '#17（approval）、#18',
      [
        ['17', '（approval）', '#17（approval）'],
        ['18', '', '#18'],
      ],
    ],
    ['#17 (a, 3)', [['17', ' (a, 3)', '#17 (a, 3)']]],
    ['#17 x (a)', [['17', '', '#17']]],
    ['（共 3）#4', [['4', '', '#4']]],
    ['#4 (open', [['4', ' (open', '#4 (open']]],
    // where some have a hash, a bare number is a number
    ['3 rows: #4, 5', [['4', '', '#4']]],
    ['P2 3', [['3', '', '3']]],
    ['x2', []],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

test('numbers', () => {
  expect([
    ...numbersOf([
      { from: 4, to: 6 },
      { from: 6, to: 7 },
      { from: 9, to: 8 },
    ]),
  ]).toEqual([4, 5, 6, 7]);
  expect(numbersOf([{ from: 1, to: 999_999 }]).size).toBe(10_001);
  expect(sameNumbers(new Set([1, 2]), new Set([2, 1]))).toBe(true);
  expect(sameNumbers(new Set([1, 2]), new Set([1]))).toBe(false);
  expect(sameNumbers(new Set([1]), new Set([1, 2]))).toBe(false);
  expect(sameNumbers(new Set([1, 2]), new Set([1, 3]))).toBe(false);
});

describe('written', () => {
  const write = (numbers: number[], texts: string[], notes?: [number, string][], language: 'zh-TW' | 'en' = 'en') =>
    writeReferences(numbers, learnReferences(texts, language), new Map(notes));

  test.each<[string, number[], string[], string]>([
    ['sorted, each once', [9, 4, 4], [], '#4, #9'],
    ['ranges from two on', [1, 2, 4, 5, 6], [], '#1-2, #4-6'],
    ['no range where two stand side by side', [1, 2, 4, 5, 6], ['#1, #2'], '#1, #2, #4-6'],
    ['two that are apart say nothing of ranges', [1, 2], ['#1, #3'], '#1-2'],
    ['without a hash', [1, 3], ['1, 5'], '1, 3'],
    ['its separator', [1, 3], ['#1; #5, #7'], '#1; #3'],
    ['its range', [1, 2, 3], ['#1 – #5, #8~9'], '#1 – #3'],
    ['nothing', [], ['#1'], ''],
  ])('%s', (_, numbers, texts, expected) => {
    expect(write(numbers, texts)).toBe(expected);
  });

  test('in Chinese', () => {
    expect(write([1, 2, 4], [], [], 'zh-TW')).toBe('#1~2、#4');
  });

  test('a number with a note stands by itself', () => {
    expect(write([1, 2, 3, 4, 5], [], [[1, ' (a)']])).toBe('#1 (a), #2-5');
    expect(write([1, 2, 3, 4, 5], [], [[3, '（b）']])).toBe('#1-2, #3（b）, #4-5');
    expect(write([1, 2, 3], [], [[3, ' (c)']])).toBe('#1-2, #3 (c)');
  });
});
