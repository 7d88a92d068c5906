import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { cells, widthOf } from '../../src/report/width.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const byLibrary = (text: string) =>
  [...graphemes.segment(text)].map(({ segment }) => ({ text: segment, width: stringWidth(segment) }));

describe('the width of a text', () => {
  it('is the library\u2019s for every character', () => {
    const others: string[] = [];
    for (let c = 0x20; c <= 0x1ffff; c++) {
      if (c >= 0xd800 && c <= 0xdfff) continue;
      const char = String.fromCodePoint(c);
      if (widthOf(char) !== stringWidth(char)) others.push(c.toString(16));
    }
    expect(others).toEqual([]);
  });

  it.each([
    'create_task(run())',
    '啟動背景任務：輪詢（每 30 秒）',
    '🔴 stopped, 🟢 running',
    '👍🏽 👍 🏽',
    '🇹🇼 🇹',
    '👩\u200d💻🔴',
    '🔴\ufe0e 🔴\ufe0f ☀ ☀\ufe0f',
    'e\u0301é ñ中\u0301',
    'か\u3099が 한글 \u1112\u1161\u11ab',
    '🔴\u0301',
    '1\u20e3 2',
  ])('of %j is that of its characters', (text) => {
    expect(cells(text)).toEqual(byLibrary(text));
    expect(widthOf(text)).toBe(stringWidth(text));
  });
});
