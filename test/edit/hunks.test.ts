/** Hunks that can be applied in any order, and patches to the byte. */
import { describe, expect, it } from 'vitest';
import {
  barriersOf,
  EditOverlapError,
  EntangledError,
  fileHeader,
  formatHunk,
  gitPath,
  headerBytes,
  insert,
  invertEdits,
  type LineChange,
  lineChanges,
  looseHunks,
  mapBack,
  mapForward,
  placeEdits,
  pythonString,
  remove,
  replace,
  sortEdits,
  splitLines,
  statements,
  unifiedDiff,
} from '../../src/edit/index.ts';

const F = 'a.py';
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** The hunks of one change of a text, the others of which are those of another patch. */
function hunks(before: string[], mine: LineChange[], theirs: LineChange[] = [], open = false): string[] {
  const applied = (changes: LineChange[]) => {
    const out = [...before];
    for (const { start, removed, added } of [...changes].sort((a, b) => b.start - a.start))
      out.splice(start, removed, ...added);
    return { lines: out, open };
  };
  return looseHunks({ lines: before, open }, applied(mine), mine, barriersOf(theirs), applied(theirs)).map(formatHunk);
}

const change = (start: number, removed: number, ...added: string[]): LineChange => ({ start, removed, added });
const abc = [...'abcdefghij'];

describe('hunks', () => {
  it.each<[string, string[]]>([['three lines around', hunks(abc, [change(4, 1, 'E')])]])('%s', (_, got) => {
    expect(got).toEqual(['@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n']);
  });

  it('at the start and at the end', () => {
    expect(hunks(abc, [change(0, 1, 'A')])).toEqual(['@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n']);
    expect(hunks(abc, [change(9, 1)])).toEqual(['@@ -7,4 +7,3 @@\n g\n h\n i\n-j\n']);
    expect(hunks(abc, [change(10, 0, 'k')])).toEqual(['@@ -8,3 +8,4 @@\n h\n i\n j\n+k\n']);
  });

  it('of an empty file, and of one that becomes empty', () => {
    expect(hunks([], [change(0, 0, 'a')])).toEqual(['@@ -0,0 +1,1 @@\n+a\n']);
    expect(hunks(['a'], [change(0, 1)])).toEqual(['@@ -1,1 +0,0 @@\n-a\n']);
  });

  it('that touch are one, with the shift of those before', () => {
    expect(hunks(abc, [change(1, 0, 'x'), change(3, 1, 'D')])).toEqual([
      '@@ -1,7 +1,8 @@\n a\n+x\n b\n c\n-d\n+D\n e\n f\n g\n',
    ]);
    const far = [...abc, ...'klmnopqrst'];
    expect(hunks(far, [change(1, 0, 'x'), change(15, 1)])).toEqual([
      '@@ -1,4 +1,5 @@\n a\n+x\n b\n c\n d\n',
      '@@ -13,7 +14,6 @@\n m\n n\n o\n-p\n q\n r\n s\n',
    ]);
  });

  it('whose contexts meet are one', () => {
    expect(hunks(abc, [change(1, 1, 'B'), change(7, 1, 'H')])).toEqual([
      '@@ -1,10 +1,10 @@\n a\n-b\n+B\n c\n d\n e\n f\n g\n-h\n+H\n i\n j\n',
    ]);
  });

  it('stop before the lines and gaps of others', () => {
    expect(hunks(abc, [change(4, 1, 'E')], [change(2, 1, 'C'), change(7, 0, 'x')])).toEqual([
      '@@ -4,4 +4,4 @@\n d\n-e\n+E\n f\n g\n',
    ]);
    expect(hunks(abc, [change(4, 1, 'E')], [change(3, 0, 'x'), change(6, 1)])).toEqual([
      '@@ -4,3 +4,3 @@\n d\n-e\n+E\n f\n',
    ]);
  });

  it('look further where the text occurs more than once', () => {
    const twice = ['a', 'x', 'y', 'z', 'x', 'y', 'z', 'x', 'y', 'z', 'b'];
    expect(hunks(twice, [change(5, 1, 'Y')])).toEqual(['@@ -3,7 +3,7 @@\n y\n z\n x\n-y\n+Y\n z\n x\n y\n']);
    const [only] = hunks(['k', 'k', 'k', 'k', 'k', 'k', 'k', 'k', 'end'], [change(3, 0, 'n')]);
    expect(only).toBe('@@ -1,8 +1,9 @@\n k\n k\n k\n+n\n k\n k\n k\n k\n k\n');
  });

  it('do not begin at line 1 where another patch inserts there', () => {
    expect(hunks(abc, [change(2, 1, 'C')], [change(0, 0, 'x')])).toEqual(['@@ -2,5 +2,5 @@\n b\n-c\n+C\n d\n e\n f\n']);
  });

  it('have no room too close to others', () => {
    const entangled = (mine: LineChange, theirs: LineChange[], before = abc) => {
      try {
        hunks(before, [mine], theirs);
        return null;
      } catch (error) {
        expect(error).toBeInstanceOf(EntangledError);
        const { message, line, change: of } = error as EntangledError;
        expect([message, of]).toEqual(['the change stands too close to one of another patch', mine]);
        return line;
      }
    };
    expect(entangled(change(4, 0, 'x'), [change(3, 1, 'D'), change(4, 1, 'E')])).toBe(4);
    expect(entangled(change(4, 1, 'x'), [change(5, 1, 'F')])).toBe(5);
    expect(entangled(change(4, 1, 'x'), [change(0, 1, 'A'), change(5, 1, 'F'), change(9, 1)])).toBe(5);
    expect(entangled(change(0, 0, 'x'), [change(0, 0, 'y')])).toBe(0);
    expect(entangled(change(9, 1), [change(10, 0, 'y')])).toBe(10);
    const alike = ['q', 'a', 'k', 'k', 'k', 'k', 'k', 'z'];
    const more = [change(1, 1, 'A'), change(7, 1, 'k', 'k', 'k', 'k', 'k', 'k', 'k')];
    expect(entangled(change(3, 2, 'n'), more, alike)).toBe(1);
    // the end of what is taken out counts as well as its start
    const shorter = ['q', 'a', 'k', 'k', 'k', 'k', 'z'];
    const near = [change(1, 1, 'A'), change(6, 1, 'k', 'k', 'k', 'k', 'k', 'k')];
    expect(entangled(change(3, 2, 'n'), near, shorter)).toBe(6);
    expect(entangled(change(4, 1, 'x'), [change(3, 1, 'D')])).toBe(null);
    expect(entangled(change(1, 0, 'n'), [], ['k', 'k'])).toBe(null);
  });

  it('say where a line end is missing', () => {
    expect(hunks(['a', 'b'], [change(0, 1, 'A')], [], true)).toEqual([
      '@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n',
    ]);
    expect(hunks(['a', 'b'], [change(1, 1, 'B')], [], true)).toEqual([
      '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n',
    ]);
    expect(hunks(['a', 'b'], [change(1, 1)], [], true)).toEqual([
      '@@ -1,2 +1,1 @@\n a\n-b\n\\ No newline at end of file\n',
    ]);
  });

  it('are made of what differs', () => {
    expect(lineChanges(text(abc), text(['a', 'B', 'c', 'x', ...'defghij']))).toEqual([
      change(1, 1, 'B'),
      change(3, 0, 'x'),
    ]);
    expect(lineChanges('a\nb\n', 'a\n')).toEqual([change(1, 1)]);
    expect(barriersOf([change(1, 2, 'x'), change(5, 0, 'y')])).toEqual({ lines: new Set([1, 2]), gaps: new Set([5]) });
  });

  it('of lines with and without an end', () => {
    expect(splitLines('')).toEqual({ lines: [], open: false });
    expect(splitLines('a')).toEqual({ lines: ['a'], open: true });
    expect(splitLines('a\n')).toEqual({ lines: ['a'], open: false });
    expect(splitLines('a\n\n')).toEqual({ lines: ['a', ''], open: false });
    expect(splitLines('a\nb')).toEqual({ lines: ['a', 'b'], open: true });
  });
});

describe('patches', () => {
  const bytes = (value: string) => Buffer.from(value, 'latin1');
  const diff = (...args: Parameters<typeof unifiedDiff>) => Buffer.from(unifiedDiff(...args)).toString('utf8');
  const file = 'a b/x.py';

  it('of a changed file', () => {
    expect(diff([{ file: 'x.py', before: bytes('a\nb\n'), after: bytes('a\nc\n') }])).toBe(
      'diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n',
    );
  });

  it('of new and deleted files, and behind a header', () => {
    expect(
      diff(
        [
          { file, before: null, after: bytes('a\n') },
          { file, before: bytes('a\n'), after: null },
          { file, before: null, after: bytes('') },
          { file, before: null, after: null },
          { file, before: bytes('a'), after: bytes('a') },
        ],
        ['one ', '', 'two'],
      ),
    ).toBe(
      [
        '# one\n#\n# two\n\n',
        'diff --git a/a b/x.py b/a b/x.py\nnew file mode 100644\n--- /dev/null\n+++ b/a b/x.py\t\n@@ -0,0 +1,1 @@\n+a\n',
        'diff --git a/a b/x.py b/a b/x.py\ndeleted file mode 100644\n--- a/a b/x.py\t\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n',
        'diff --git a/a b/x.py b/a b/x.py\nnew file mode 100644\n--- /dev/null\n+++ b/a b/x.py\t\n',
      ].join(''),
    );
    expect(headerBytes([])).toHaveLength(0);
  });

  it('quote names as git does, each escape', () => {
    expect(gitPath('\x07\b\t\n\v\f\r"\\')).toBe('"\\a\\b\\t\\n\\v\\f\\r\\"\\\\"');
    expect(gitPath(' ~')).toBe(' ~');
    expect(gitPath('\x1f\x7f\x80')).toBe('"\\037\\177\\302\\200"');
    expect(fileHeader({ file: 'a "b.py', before: bytes(''), after: bytes('') })).toBe(
      'diff --git "a/a \\"b.py" "b/a \\"b.py"\n--- "a/a \\"b.py"\n+++ "b/a \\"b.py"\n',
    );
  });
});

describe('edits', () => {
  it('name themselves when they overlap', () => {
    const [a, b] = [replace(F, { start: 0, end: 3 }, 'x'), remove(F, { start: 2, end: 4 })];
    expect(() => sortEdits([b, a], 9)).toThrow(
      expect.objectContaining({
        name: 'EditOverlapError',
        message: 'edits overlap in a.py: [0, 3) and [2, 4); apply them in separate runs',
        first: a,
        second: b,
      }),
    );
    expect(() => sortEdits([a, insert(F, 2, 'y')], 9)).toThrow(EditOverlapError);
    expect(sortEdits([a, insert(F, 3, 'y')], 9).map((e) => e.text)).toEqual(['x', 'y']);
    // one inside a longer one, behind a shorter one
    expect(() => sortEdits([a, insert(F, 0, 'z'), insert(F, 1, 'y')], 9)).toThrow(EditOverlapError);
  });

  it('stay in their text and file', () => {
    expect(() => sortEdits([insert(F, -1, 'x')], 9)).toThrow(
      new RangeError('edit [-1, -1) lies outside of a.py (9 units)'),
    );
    expect(() => sortEdits([insert(F, 10, 'x')], 9)).toThrow(RangeError);
    expect(() => sortEdits([replace(F, { start: 5, end: 4 }, 'x')], 9)).toThrow(RangeError);
    expect(sortEdits([insert(F, 0, 'x'), insert(F, 9, 'x')], 9)).toHaveLength(2);
    expect(() => sortEdits([insert(F, 0, 'x'), insert('b.py', 1, 'x')], 9)).toThrow(
      new RangeError('edits of two files in one list: a.py, b.py'),
    );
  });

  it('map places there and back', () => {
    // abcdef -> aXYZbcf!
    const placed = placeEdits([insert(F, 1, 'XYZ'), replace(F, { start: 3, end: 5 }, ''), insert(F, 6, '!')], 6);
    expect(placed.map(({ newStart, newEnd }) => [newStart, newEnd])).toEqual([
      [1, 4],
      [6, 6],
      [7, 8],
    ]);
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map((at) => mapBack(placed, at))).toEqual([0, 1, 1, 1, 1, 2, 5, 6, 6]);
    expect([0, 1, 2, 3, 4, 5, 6].map((at) => mapForward(placed, at))).toEqual([0, 4, 5, 6, 6, 6, 8]);
  });

  it('are undone by their inverse', () => {
    expect(invertEdits('abcdef', [replace(F, { start: 1, end: 3 }, 'XYZ'), insert(F, 5, '!')])).toEqual([
      { file: F, start: 1, end: 4, text: 'bc', order: 0 },
      { file: F, start: 6, end: 7, text: '', order: 1 },
    ]);
  });

  it('put statements where they belong', () => {
    const at = { offset: 7, indent: '\t', afterText: false };
    expect(statements(F, at, ['a', 'b'], '\r\n', 3)).toEqual(insert(F, 7, '\ta\r\n\tb\r\n', 3));
    expect(statements(F, { ...at, afterText: true }, ['a'], '\n')).toEqual(insert(F, 7, '\n\ta'));
    expect(statements(F, { ...at, indent: null }, ['a', 'b'], '\n')).toEqual(insert(F, 7, 'a; b; '));
  });

  it('spell strings as Python reads them', () => {
    expect(pythonString('a"b')).toBe(`'a"b'`);
    expect(pythonString(`a"b'c`)).toBe(`"a\\"b'c"`);
    expect(pythonString('\\')).toBe('"\\\\"');
    expect(pythonString('\x1f ~\x7f\xff\u0100\uffff\u{10000}')).toBe('"\\x1f ~\\x7f\\xff\\u0100\\uffff\\U00010000"');
    expect(pythonString('a', ['"'])).toBe("'a'");
    expect(pythonString("a'", ['"'])).toBe(null);
    expect(pythonString('a', ['"', "'"])).toBe(null);
    expect(pythonString('a', ['"', "'"], true)).toBe('"a"');
    expect(pythonString('\\', ["'"])).toBe(null);
    expect(pythonString('\\', ["'"], true)).toBe('"\\\\"');
  });
});
