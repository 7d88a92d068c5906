/** Cells of a table, to the character: where they end, and what is left without mark-up. */
import { describe, expect, test } from 'vitest';
import { readBlocks } from '../../src/policy/markdown/blocks.ts';
import { readCell, splitRow, writeCode, writeText } from '../../src/policy/markdown/cells.ts';
import { columnAt, splitLines } from '../../src/policy/markdown/lines.ts';

const split = (row: string, spansHold = false) =>
  splitRow(row, 0, row.length, spansHold).map(({ start, end }) => row.slice(start, end));

describe('cells', () => {
  test.each<[string, string[], string[]?]>([
    ['| a | b |', [' a ', ' b ']],
    ['a | b', ['a ', ' b']],
    ['  | a |b|  ', [' a ', 'b']],
    ['| a | b', [' a ', ' b']],
    ['|a|', ['a']],
    ['| a ||', [' a ', '']],
    ['||', ['']],
    ['|', ['']],
    ['', ['']],
    ['  ', ['']],
    ['| a \\| b | c |', [' a \\| b ', ' c ']],
    ['| a \\\\| b |', [' a \\\\', ' b ']],
    ['| a \\x | b |', [' a \\x ', ' b ']],
    ['| `a|b` | c |', [' `a', 'b` ', ' c '], [' `a|b` ', ' c ']],
    ['| ``a`|b`` | c |', [' ``a`', 'b`` ', ' c '], [' ``a`|b`` ', ' c ']],
    ['| ``a | b |', [' ``a ', ' b '], [' ``a ', ' b ']],
    ['| a`', [' a`'], [' a`']],
    ['\t| a |\t', [' a ']],
    ['| a | b \\|', [' a ', ' b \\|']],
  ])('%j', (row, cells, held = cells) => {
    expect(split(row)).toEqual(cells);
    expect(split(row, true)).toEqual(held);
  });

  test.each<[string, string, string[], boolean]>([
    ['plain', 'plain', [], false],
    ['  spaced  ', 'spaced', [], false],
    ['**bold** and *slanted*', 'bold and slanted', [], false],
    ['***both***', 'both', [], false],
    ['**bold（核心）**迴圈', 'bold（核心）迴圈', [], false],
    ['a * b * c', 'a * b * c', [], false],
    ['2 ** 3', '2 ** 3', [], false],
    ['*a', '*a', [], false],
    ['a*', 'a*', [], false],
    ['**a*', '**a*', [], false],
    ['*a **b* c**', 'a **b c**', [], false],
    ['`code`', 'code', ['code'], false],
    ['see `a` and `b`.', 'see a and b.', ['a', 'b'], false],
    ['``a`b``', 'a`b', ['a`b'], false],
    ['`` `a` ``', '`a`', ['`a`'], false],
    ['` a `', 'a', ['a'], false],
    ['`  `', '', ['  '], false],
    ['`   `', '', ['   '], false],
    ['` a`', 'a', [' a'], false],
    ['`a `', 'a', ['a '], false],
    ['`a\\|b`', 'a|b', ['a|b'], false],
    ['`a\\\\b`', 'a\\\\b', ['a\\\\b'], false],
    ['`open', '`open', [], false],
    ['``open`', '``open`', [], false],
    ['\\*not\\* \\| \\a', '*not* | \\a', [], false],
    ['\\', '\\', [], false],
    ['~~gone~~', 'gone', [], true],
    ['~~`run()`~~', 'run()', ['run()'], true],
    ['**~~gone~~**', 'gone', [], true],
    ['~~**gone**~~', 'gone', [], true],
    ['~~gone~~ not', 'gone not', [], false],
    ['not ~~gone~~', 'not gone', [], false],
    ['~~a~~ ~~b~~', 'a b', [], false],
    ['~one~', '~one~', [], false],
    ['~~~~', '~~~~', [], false],
    ['[label](there)', 'label', [], false],
    ['a [label](there) b', 'a label b', [], false],
    ['[`code`](there) x', 'code x', ['code'], false],
    ['[**a**](b)', 'a', [], false],
    ['[a[b]c](d)', 'a[b]c', [], false],
    ['[a\\]b](d)', 'a]b', [], false],
    ['[a`]`b](d)', 'a]b', [']'], false],
    ['[a] (d)', '[a] (d)', [], false],
    ['[a](d', '[a](d', [], false],
    ['[a', '[a', [], false],
    ['a]b', 'a]b', [], false],
    ['__platform__', '__platform__', [], false],
  ])('read %j', (raw, text, code, struck) => {
    expect(readCell(raw)).toEqual({ text, code, struck });
  });

  test.each<[string, string, string]>([
    ['plain', 'plain', '`plain`'],
    ['a|b', 'a\\|b', '`a\\|b`'],
    ['a*b', 'a\\*b', '`a*b`'],
    ['a`b', 'a\\`b', '``a`b``'],
    ['`a', '\\`a', '`` `a ``'],
    ['a~[<', 'a\\~\\[\\<', '`a~[<`'],
    ['a\\b', 'a\\b', '`a\\b`'],
    ['a\\', 'a\\\\', '`a\\`'],
    ['a\\*', 'a\\\\\\*', '`a\\*`'],
    ['a\\|b', 'a\\\\\\|b', 'a\\\\\\|b'],
    ['a\r\nb', 'a b', '`a b`'],
    [' a ', 'a', '`  a  `'],
    ['', '', ''],
  ])('write %j', (text, plain, code) => {
    expect([writeText(text), writeCode(text)]).toEqual([plain, code]);
    expect(readCell(plain).text).toBe(text.replace(/[\r\n]+/g, ' ').trim());
  });
});

describe('lines', () => {
  test('end at every line end', () => {
    expect(splitLines('a\nb\r\nc\rd')).toEqual([
      { number: 1, start: 0, end: 1, eol: '\n' },
      { number: 2, start: 2, end: 3, eol: '\r\n' },
      { number: 3, start: 5, end: 6, eol: '\r' },
      { number: 4, start: 7, end: 8, eol: '' },
    ]);
    expect(splitLines('')).toEqual([{ number: 1, start: 0, end: 0, eol: '' }]);
    expect(splitLines('\ufeffa\n')).toEqual([{ number: 1, start: 1, end: 2, eol: '\n' }]);
    expect(splitLines('\r')).toEqual([{ number: 1, start: 0, end: 0, eol: '\r' }]);
  });

  test('have columns of whole characters', () => {
    const text = 'x\n𝒜b';
    expect(columnAt(text, splitLines(text)[1]!, 4)).toBe(2);
    expect(columnAt(text, splitLines(text)[1]!, 2)).toBe(1);
  });
});

describe('blocks', () => {
  const said = (text: string) => {
    const { tables, prose, tasks } = readBlocks(text);
    return {
      tables: tables.map((t) => [t.header.line.number, t.delimiter.number, t.rows.map((r) => r.line.number)]),
      prose: prose.map(({ kind, line, start }) => `${kind} ${line.number} ${text.slice(start, line.end)}`),
      tasks: tasks.map(({ line, mark, done, text: body }) => `${line.number} ${text[mark]} ${done} ${body}`),
    };
  };
  const table = '| a |\n|---|\n';

  test.each<[string, string, ReturnType<typeof said>]>([
    [
      'prose',
      '# H\n\ntext\n- item\n3) third\n***\n    indented\n#',
      { tables: [], prose: ['heading 1 H', 'text 3 text', 'item 4 item', 'item 5 third', 'heading 8 '], tasks: [] },
    ],
    [
      'tasks',
      '- [ ] open\n* [x] **done**\n+ [X] also\n- [y] no\n[ ] no\n1. [ ] one',
      {
        tables: [],
        prose: [
          'item 1 [ ] open',
          'item 2 [x] **done**',
          'item 3 [X] also',
          'item 4 [y] no',
          'text 5 [ ] no',
          'item 6 [ ] one',
        ],
        tasks: ['1   false open', '2 x true done', '3 X true also', '6   false one'],
      },
    ],
    [
      'a table that ends at a blank line',
      `${table}| 1 |\n| 2 |\n\ntext`,
      { tables: [[1, 2, [3, 4]]], prose: ['text 6 text'], tasks: [] },
    ],
    [
      'a table that ends at a heading',
      `${table}| 1 |\n# H`,
      { tables: [[1, 2, [3]]], prose: ['heading 4 H'], tasks: [] },
    ],
    [
      'a quoted table',
      '> | a |\n> |---|\n> | 1 |\n| 2 |',
      { tables: [[1, 2, [3]]], prose: ['text 4 | 2 |'], tasks: [] },
    ],
    [
      'a rule of another width',
      '| a | b |\n|---|\n',
      { tables: [], prose: ['text 1 | a | b |', 'text 2 |---|'], tasks: [] },
    ],
    ['no rule', '| a |\n| b |\n', { tables: [], prose: ['text 1 | a |', 'text 2 | b |'], tasks: [] }],
    ['a rule without a pipe', 'a\n---\n', { tables: [], prose: ['text 1 a'], tasks: [] }],
    ['a rule with colons alone', 'a\n:-:\n', { tables: [[1, 2, []]], prose: [], tasks: [] }],
    ['in a fence', `\`\`\`\n${table}\`\`\`\ntext`, { tables: [], prose: ['text 5 text'], tasks: [] }],
    ['in a longer fence', `~~~~ x\n~~~\n${table}~~~~~\ntext`, { tables: [], prose: ['text 6 text'], tasks: [] }],
    ['in a fence that is never closed', `\`\`\`\n${table}`, { tables: [], prose: [], tasks: [] }],
    ['in a fence of a quote that ends', `> \`\`\`\n> x\n${table}`, { tables: [[3, 4, []]], prose: [], tasks: [] }],
    ['no fence', '``` a`b\ntext', { tables: [], prose: ['text 1 ``` a`b', 'text 2 text'], tasks: [] }],
    ['in HTML, up to a blank line', `<div>\n${table}\ntext`, { tables: [], prose: ['text 5 text'], tasks: [] }],
    [
      'in a comment, over blank lines',
      `<!-- a\n\n${table}-->\ntext`,
      { tables: [], prose: ['text 6 text'], tasks: [] },
    ],
    [
      'in raw HTML, over blank lines',
      `<pre>\n\n${table}</pre>\ntext`,
      { tables: [], prose: ['text 6 text'], tasks: [] },
    ],
    ['in HTML of a quote that ends', `> <div>\n${table}`, { tables: [[2, 3, []]], prose: [], tasks: [] }],
  ])('%s', (_, text, expected) => {
    expect(said(text)).toEqual(expected);
  });
});
