import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileChange, gitPath, unifiedDiff } from '../../src/edit/index.ts';
import { Repository } from './support/git.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** Apply a patch of these changes with git and expect every file to come out as it should. */
function expectGitAgrees(changes: FileChange[], header: string[] = []): void {
  const before = changes.filter((change) => change.before !== null);
  const repository = new Repository(Object.fromEntries(before.map(({ file, before }) => [file, before!])));
  try {
    const patch = unifiedDiff(changes, header);
    repository.apply(patch, '--check');
    repository.apply(patch);
    const after = changes.filter((change) => change.after !== null);
    expect(repository.files()).toEqual(Object.fromEntries(after.map(({ file, after }) => [file, Buffer.from(after!)])));
  } finally {
    repository.dispose();
  }
}

const long = Array.from({ length: 40 }, (_, n) => `line ${n}`);
const changed = long.map((line, n) => (n === 3 || n === 30 ? `${line} changed` : line));

describe('a unified diff that git apply takes', () => {
  const cases: [string, Buffer, Buffer][] = [
    ['LF', bytes(`${long.join('\n')}\n`), bytes(`${changed.join('\n')}\n`)],
    ['CRLF', bytes(`${long.join('\r\n')}\r\n`), bytes(`${changed.join('\r\n')}\r\n`)],
    ['mixed line ends and lone CR', bytes('a\r\nb\rc\nd\n'), bytes('a\r\nb\rc2\nd\n')],
    ['no final newline before and after', bytes('a\nb'), bytes('a\nc')],
    ['a final newline appears', bytes('a\nb'), bytes('a\nb\n')],
    ['a change above a last line without newline', bytes('a\nb\nc'), bytes('x\nb\nc')],
    [
      'bytes that are no UTF-8',
      latin1('# -*- coding: latin-1 -*-\nx = "\xe9"\ny = 1\n'),
      latin1('# -*- coding: latin-1 -*-\nx = "\xe9"\ny = "\xff"\n'),
    ],
    ['BOM, form feed, U+2028', bytes('\ufeffa\n\f\nb\u2028c\n'), bytes('\ufeffa\n\f\nb\u2028d\n')],
    ['an insertion at the very start', bytes('a\n'), bytes('x\na\n')],
    ['an empty file gets text', bytes(''), bytes('a\n')],
  ];
  it.each(cases)('%s', (_, before, after) => expectGitAgrees([{ file: 'src/main.py', before, after }]));

  it.each([
    'with blank.py',
    'café/主程式.py',
    'tab\there.py',
    'quo"te.py',
    'back\\slash.py',
    'new\nline.py',
    'a/b/ c.py',
  ])('a file called %j', (file) => expectGitAgrees([{ file, before: bytes('a\n'), after: bytes('b\n') }]));

  it('new files, changed files and deleted files together, behind an explanation', () => {
    const changes = [
      { file: 'a.py', before: bytes('a\n'), after: bytes('b\n') },
      { file: 'new/b c.py', before: null, after: bytes('b\n') },
      { file: 'gone.py', before: bytes('x\n'), after: null },
    ];
    expectGitAgrees(changes, ['looptag: what cannot be kept', '', '- diff --git is no header here 說明']);
  });

  it('is empty when nothing differs', () => {
    expect(unifiedDiff([{ file: 'a.py', before: bytes('a'), after: bytes('a') }], ['header'])).toHaveLength(0);
  });

  it('takes any two byte strings', () => {
    const line = fc.constantFrom(
      'a',
      'b',
      '',
      '\r',
      ' ',
      '\t',
      '\xe9',
      '-- x',
      '++ y',
      '@@ -1 +1 @@',
      '\\ No newline at end of file',
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
      .map(([lines, end]) => latin1(lines.join('\n') + (end ? '\n' : '')));
    fc.assert(
      // one patch of many files: to start git takes longer than all else
      fc.property(fc.array(fc.tuple(text, text), { minLength: 12, maxLength: 12 }), (pairs) => {
        const changes = pairs.map(([before, after], i) => ({ file: `f${i}.py`, before, after }));
        expectGitAgrees(changes);
      }),
      { numRuns: 10 },
    );
  }, 60_000);
});

describe('file names', () => {
  it('are quoted as git quotes them', () => {
    expect(gitPath('a/main.py')).toBe('a/main.py');
    expect(gitPath('a/café.py')).toBe('"a/caf\\303\\251.py"');
    expect(gitPath('a/q"\\\t.py')).toBe('"a/q\\"\\\\\\t.py"');
  });
});
