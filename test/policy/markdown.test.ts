import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { describe, expect, test } from 'vitest';
import { readBlocks } from '../../src/policy/markdown/blocks.ts';
import { readCell, splitRow, writeCode, writeText } from '../../src/policy/markdown/cells.ts';
import { columnAt, splitLines } from '../../src/policy/markdown/lines.ts';
import { atLength } from '../support/long.ts';

/** Tables as a Markdown parser sees them: first line, and the cells of each row. */
function parsed(text: string): [number, number[]][] {
  const found: [number, number[]][] = [];
  const visit = (node: { type: string; children?: unknown[]; position?: { start: { line: number } } }): void => {
    if (node.type === 'table') {
      const rows = node.children as { children: unknown[] }[];
      found.push([node.position?.start.line ?? 0, rows.map((row) => row.children.length)]);
    } else for (const child of node.children ?? []) visit(child as never);
  };
  visit(fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }));
  return found;
}

function scanned(text: string): [number, number[]][] {
  return readBlocks(text).tables.map((t) => [t.header.line.number, [t.header, ...t.rows].map((r) => r.cells.length)]);
}

describe('tables are found where a Markdown parser finds them', () => {
  const lines = fc.constantFrom(
    ...[
      '| a | b |',
      '|---|:-:|',
      '| `x|y` | b |',
      '| x \\| y | z',
      'a | b',
      '--- | ---',
      '| 1 |',
      '| a\\\\| b |',
      '|',
      '| - |',
    ],
    ...[
      '',
      '',
      'text',
      '```',
      '~~~',
      '````md',
      '<!--',
      '-->',
      '<div>',
      '</div>',
      '# h',
      '---',
      '    | a | b |',
      '  | a | b |',
      '***',
    ],
  );

  test.each(['\n', '\r\n'])('random documents, %j', (eol) => {
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 14 }), (content) => {
        const text = content.join(eol);
        expect(scanned(text)).toEqual(parsed(text));
      }),
      { numRuns: 400 },
    );
  });

  test('random rows', () => {
    const piece = fc.constantFrom('|', '\\', '`', '``', ' ', 'a', '背', '\\|', '|', '*', '🟢');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 16 }), (pieces) => {
        const row = `x${pieces.join('')}`;
        const text = `| h |${' h |'.repeat(20)}\n|---|${'---|'.repeat(20)}\n${row}`;
        expect(splitRow(row, 0, row.length)).toHaveLength(parsed(text)[0]?.[1][1] ?? 0);
      }),
      { numRuns: 400 },
    );
  });

  test('in block quotes and after a paragraph', () => {
    const table = '| a | b |\n|---|---|\n| 1 | 2 |';
    for (const text of [
      `text\n${table}`,
      table.replace(/^/gm, '> '),
      `> text\n>\n${table.replace(/^/gm, '> ')}\n\n${table}`,
    ]) {
      expect(scanned(text)).toEqual(parsed(text));
    }
  });
});

describe('cells', () => {
  const content = fc
    .array(
      fc.constantFrom(
        '|',
        '\\',
        '`',
        '*',
        '**',
        '~~',
        '[',
        ']',
        '(x)',
        ' ',
        'a',
        'run_x()',
        '_',
        '__',
        '（',
        '）',
        '背景',
        '🟢',
        '<b>',
        '#',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('').trim());

  test('text written as a cell reads back, and stays one cell', () => {
    fc.assert(
      fc.property(content, fc.constantFrom(writeText, writeCode), (text, write) => {
        const raw = write(text);
        const row = `| ${raw} | z |`;
        expect(splitRow(row, 0, row.length)).toHaveLength(2);
        expect(readCell(raw.trim()).text).toBe(text);
      }),
      { numRuns: atLength(3000, 1000) },
    );
  });

  test.each([
    ['**P0**', 'P0'],
    ['**`P1`**', 'P1'],
    ['**P2', '**P2'],
    ['**背景任務（核心）**迴圈', '背景任務（核心）迴圈'],
    ['`a\\|b` \\| c', 'a|b | c'],
    ['`x \\ y`', 'x \\ y'],
    ['`` a`b ``', 'a`b'],
    ['__platform__', '__platform__'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['[`run_a()`](a.py "t") x', 'run_a() x'],
    ['[1] x', '[1] x'],
    ['~~gone~~ and *here*', 'gone and here'],
  ])('%s', (raw, text) => {
    expect(readCell(raw).text).toBe(text);
  });

  test('struck out is all or nothing', () => {
    expect(['~~a~~', '**~~`a`~~**', '~~**a**~~', '~~a~~ b', 'a'].map((raw) => readCell(raw).struck)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('a cell of hostile length is read in no time', () => {
    const started = performance.now();
    for (const unit of ['[', '`', '*a', '~~', '\\', '[a](']) readCell(unit.repeat(20_000));
    splitRow('`'.repeat(20_000) + '|'.repeat(20_000), 0, 40_000, true);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

test('lines and columns', () => {
  expect(splitLines('\ufeffa\r\nb\rc\n').map((l) => [l.number, l.start, l.end, l.eol])).toEqual([
    [1, 1, 2, '\r\n'],
    [2, 4, 5, '\r'],
    [3, 6, 7, '\n'],
  ]);
  const text = 'x\n🟢 背 y';
  expect(columnAt(text, splitLines(text)[1]!, text.indexOf('y'))).toBe(5);
});
