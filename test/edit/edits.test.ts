import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyEdits,
  EditOverlapError,
  insert,
  invertEdits,
  mapBack,
  mapForward,
  placeEdits,
  pythonString,
  replace,
  sortEdits,
  wrap,
} from '../../src/edit/index.ts';
import type { Edit } from '../../src/model/index.ts';

const F = 'main.py';

describe('edits', () => {
  it('nest', () => {
    const text = 'create_task(outer(create_task(leaf())))';
    const outer = { start: 12, end: 38 };
    const inner = { start: 30, end: 36 };
    const want = 'create_task(_w(outer(create_task(_w(leaf(), "a"))), "a"))';
    const edits = [...wrap(F, outer, '_w(', ', "a")'), ...wrap(F, inner, '_w(', ', "a")')];
    expect(applyEdits(text, edits)).toBe(want);
    expect(applyEdits(text, [...edits].reverse())).toBe(want);
  });

  it('nest around the same text, the longer one outside, and side by side', () => {
    const edits = [
      ...wrap(F, { start: 0, end: 3 }, '[', ']'),
      ...wrap(F, { start: 0, end: 1 }, '(', ')'),
      ...wrap(F, { start: 3, end: 4 }, '<', '>'),
    ];
    for (const order of [edits, [...edits].reverse()]) expect(applyEdits('abcd', order)).toBe('[(a)bc]<d>');
  });

  it('order insertions at one offset, and put them before a replacement there', () => {
    const edits = [replace(F, { start: 1, end: 2 }, 'X'), insert(F, 1, '2', 2), insert(F, 1, '1', 1)];
    expect(applyEdits('abc', edits)).toBe('a12Xc');
  });

  it.each([
    ['two replacements', [replace(F, { start: 0, end: 3 }, ''), replace(F, { start: 2, end: 4 }, '')]],
    ['an insertion inside of a replacement', [replace(F, { start: 0, end: 3 }, ''), insert(F, 1, 'x')]],
    ['one replacement twice', [replace(F, { start: 0, end: 3 }, 'x'), replace(F, { start: 0, end: 3 }, 'x')]],
    ['a replacement around others', [replace(F, { start: 0, end: 4 }, ''), insert(F, 1, 'x'), insert(F, 3, 'y')]],
  ] as [string, Edit[]][])('refuse overlap: %s', (_, edits) => {
    expect(() => applyEdits('abcd', edits)).toThrow(EditOverlapError);
  });

  it('refuse what lies outside of the text, and two files in one list', () => {
    expect(() => sortEdits([insert(F, 5, 'x')], 4)).toThrow(RangeError);
    expect(() => sortEdits([insert(F, 0, 'x'), insert('b.py', 1, 'x')], 4)).toThrow(/two files/);
  });

  it('can be undone, whatever they are and in whatever order they come', () => {
    const edits = fc.array(fc.tuple(fc.nat(20), fc.nat(4), fc.string({ maxLength: 4 })), { maxLength: 8 });
    fc.assert(
      fc.property(fc.string({ minLength: 25, maxLength: 30 }), edits, (text, raw) => {
        const list = raw.map(([start, size, insertion], order) => ({
          file: F,
          start,
          end: start + size,
          text: insertion,
          order,
        }));
        let changed: string;
        try {
          changed = applyEdits(text, list);
        } catch (error) {
          expect(error).toBeInstanceOf(EditOverlapError);
          return;
        }
        expect(applyEdits(text, [...list].reverse())).toBe(changed);
        expect(applyEdits(changed, invertEdits(text, list))).toBe(text);
        const placed = placeEdits(list, text.length);
        for (const edit of placed) expect(changed.slice(edit.newStart, edit.newEnd)).toBe(edit.text);
        const kept = Array.from({ length: text.length }, (_, at) => at).filter(
          (at) => !list.some(({ start, end }) => start <= at && at < end),
        );
        for (const at of kept) {
          expect(changed[mapForward(placed, at)]).toBe(text[at]);
          expect(mapBack(placed, mapForward(placed, at))).toBe(at);
        }
      }),
    );
  });
});

describe('Python strings', () => {
  it.each([
    ['awoooi', [], '"awoooi"'],
    ['awoooi', ['"'], "'awoooi'"],
    ['awoooi', ["'"], '"awoooi"'],
    ['awoooi', ['"""'], '"awoooi"'],
    ['awoooi', ['"', "'"], null],
    ['awoooi', ['"""', "'"], '"awoooi"'],
    ['a"b', [], "'a\"b'"],
    ['a"b\'c', [], '"a\\"b\'c"'],
    ['a"b', ["'"], null],
    ['租戶', [], '"\\u79df\\u6236"'],
    ['a\nb', [], '"a\\x0ab"'],
    ['a\nb', ['"'], null],
  ] as [string, string[], string | null][])('%j inside of %j', (value, enclosing, want) => {
    expect(pythonString(value, enclosing)).toBe(want);
  });

  it('may repeat the quote from Python 3.12 on', () => {
    expect(pythonString('awoooi', ['"', "'"], true)).toBe('"awoooi"');
  });
});
