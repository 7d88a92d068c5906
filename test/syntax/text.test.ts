import { describe, expect, it } from 'vitest';
import {
  type DecodedSource,
  decodePython,
  LineIndex,
  SourceEncodingError,
  spliceEncoded,
} from '../../src/syntax/text.ts';

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const bytes = (...parts: (string | number)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? ascii(part) : [part])));

describe('decodePython', () => {
  it.each([
    ['UTF-8 by default', new TextEncoder().encode('x = "é漢😀"\r\n'), 'utf-8', 'x = "é漢😀"\r\n'],
    ['a cookie on line 2', bytes('#!/x\r# vim: set fileencoding=latin-1 :\n', 0x92), 'iso-8859-1', '\x92'],
    ['true latin-1', bytes('# coding: latin1\n', 0x80, 0xff), 'iso-8859-1', '\x80ÿ'],
    ['cp1252', bytes('# coding: cp1252\n', 0x80), 'cp1252', '€'],
    ['iso-8859-15', bytes('# coding: iso-8859-15\n', 0xa4), 'iso-8859-15', '€'],
    ['gbk', bytes('# coding: gbk\n', 0xba, 0xba), 'gbk', '汉'],
    ['big5', bytes('# coding: big5\n', 0xba, 0x7e), 'big5', '漢'],
    ['shift_jis', bytes('# coding: shift_jis\n', 0x8a, 0xbf), 'shift_jis', '漢'],
    ['euc-jp', bytes('# coding: EUC_JP\n', 0xb4, 0xc1), 'euc-jp', '漢'],
    ['euc-kr', bytes('# coding: euc-kr\n', 0xc7, 0xd1), 'euc-kr', '한'],
    ['koi8-r', bytes('# coding: koi8-r\n', 0xc1), 'koi8-r', 'а'],
  ])('%s', (_name, source, encoding, tail) => {
    const decoded = decodePython(source);
    expect(decoded).toMatchObject({ encoding, bom: false });
    expect(decoded.text.endsWith(tail)).toBe(true);
  });

  it('takes the byte order mark off', () => {
    expect(decodePython(bytes(0xef, 0xbb, 0xbf, 'x\n'))).toEqual({ text: 'x\n', encoding: 'utf-8', bom: true });
  });

  it('looks for no cookie after code or in line 3', () => {
    expect(decodePython(bytes('x = 1\n# coding: latin-1\n')).encoding).toBe('utf-8');
    expect(decodePython(bytes('\n\n# coding: latin-1\n')).encoding).toBe('utf-8');
  });

  it.each([
    ['invalid UTF-8', bytes('x = "', 0xff, '"'), 5],
    ['truncated UTF-8', bytes('ab', 0xe6, 0xbc), 3],
    ['non-ASCII in ascii', bytes('# coding: ascii\n', 0x80), 16],
    ['an unmapped cp1252 byte', bytes('# coding: cp1252\n', 0x81), 17],
    ['an unknown encoding', bytes('\n# coding: klingon\n'), 1],
    ['a cookie against the mark', bytes(0xef, 0xbb, 0xbf, '# coding: latin-1\n'), 3],
  ])('rejects %s', (_name, source, offset) => {
    try {
      decodePython(source);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(SourceEncodingError);
      expect(Math.abs((error as SourceEncodingError).offset - offset)).toBeLessThanOrEqual(1);
    }
  });
});

describe('a text that is written anew', () => {
  const written = (bytes: Uint8Array, decoded: DecodedSource, text: string) =>
    spliceEncoded(bytes, decoded, [{ start: 0, end: decoded.text.length, text }]);

  it('is the same bytes as before when nothing is changed', () => {
    for (const source of [
      bytes(0xef, 0xbb, 0xbf, 'x\n'),
      new TextEncoder().encode('é漢😀'),
      bytes('# coding: latin-1\n', 0x80, 0xff),
      bytes('# coding: iso-8859-15\n', 0xa4),
    ]) {
      const decoded = decodePython(source);
      expect(written(source, decoded, decoded.text)).toEqual(source);
    }
  });

  it.each([
    ['iso-8859-1', '€'],
    ['ascii', 'é'],
    ['gbk', '汉'],
    ['utf-8', '\ud800'],
  ])('throws for what %s lacks', (encoding, text) => {
    expect(() => written(bytes(), { text: '', encoding, bom: false }, text)).toThrow(SourceEncodingError);
  });
});

describe('spliceEncoded', () => {
  it.each([
    ['utf-8', bytes(0xef, 0xbb, 0xbf, '"', 0xf0, 0x9f, 0x98, 0x80, 0xc3, 0xa9, '" foo\r\n')],
    ['latin-1', bytes('# coding: latin-1\n"', 0xe9, '" foo\r\n')],
    ['gbk', bytes('# coding: gbk\n"', 0xba, 0xba, 0x81, 0x5c, '" foo\r\n')],
    ['shift_jis', bytes('# coding: shift_jis\n"', 0x83, 0x5c, 0xb1, '" foo\r\n')],
    ['gb18030', bytes('# coding: gb18030\n"', 0x94, 0x39, 0xda, 0x33, '" foo\r\n')],
    ['euc-jp', bytes('# coding: euc-jp\n"', 0x8f, 0xb0, 0xa1, 0x8e, 0xb1, '" foo\r\n')],
  ])('keeps every byte outside of the edits: %s', (_name, source) => {
    const decoded = decodePython(source);
    const at = decoded.text.indexOf('foo');
    const out = spliceEncoded(source, decoded, [
      { start: at, end: at, text: 'bar.' },
      { start: at, end: at + 3, text: 'quux' },
    ]);
    expect(out).toEqual(Uint8Array.from([...source.subarray(0, -5), ...ascii('bar.quux\r\n')]));
    expect(spliceEncoded(source, decoded, [])).toEqual(source);
  });

  it('refuses an edit inside a character and text that cannot be encoded', () => {
    const source = new TextEncoder().encode('😀');
    expect(() => spliceEncoded(source, decodePython(source), [{ start: 1, end: 1, text: 'x' }])).toThrow(RangeError);
    const gbk = bytes('# coding: gbk\n');
    expect(() => spliceEncoded(gbk, decodePython(gbk), [{ start: 0, end: 0, text: '汉' }])).toThrow(
      SourceEncodingError,
    );
  });
});

describe('LineIndex', () => {
  const text = 'a\r\n😀b\rc\n\nd';
  const index = new LineIndex(text);

  it('counts lines as Python does', () => {
    expect(index.lineCount).toBe(5);
    expect([1, 2, 3, 4, 5].map((line) => index.lineText(line))).toEqual(['a', '😀b', 'c', '', 'd']);
    expect(new LineIndex('').lineCount).toBe(0);
    expect(new LineIndex('a\n').lineCount).toBe(1);
    expect(new LineIndex('a\u2028b\vc\u0085').lineCount).toBe(1);
  });

  it('counts columns in code points', () => {
    expect(index.position(text.indexOf('b'))).toEqual({ line: 2, column: 2 });
    expect(index.position(text.length)).toEqual({ line: 5, column: 2 });
    expect(new LineIndex('a\n').position(2)).toEqual({ line: 2, column: 1 });
  });

  it('maps back', () => {
    for (let offset = 0; offset <= text.length; offset++) {
      if (/[\n\udc00-\udfff]/.test(text[offset] ?? '')) continue;
      const { line, column } = index.position(offset);
      expect(index.offsetOf(line, column)).toBe(offset);
    }
    expect(index.offsetOf(2, 99)).toBe(text.indexOf('\rc'));
    expect(() => index.offsetOf(6, 1)).toThrow(RangeError);
  });
});
