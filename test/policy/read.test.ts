import { describe, expect, test } from 'vitest';
import { readCatalogue } from '../../src/policy/index.ts';
import { awoooi, file, INV8 } from './support.ts';

const read = (text: string) => readCatalogue(text, 'c.md');
const table = (...rows: string[]) =>
  ['| # | Loop | Line | Frequency | Marker | Priority | Note |', '|-|-|-|-|-|-|-|', ...rows, ''].join('\n');

test.each([
  ['Migration priority', 'priority'],
  ['Prio', 'priority'],
  ['優先度', 'priority'],
  ['Identity marker', 'marker'],
  ['標記', 'marker'],
  ['Cadence', 'frequency'],
  ['週期', 'frequency'],
  ['Line number', 'line'],
  ['Location', 'line'],
  ['行號', 'line'],
] as const)('a column named %s holds the %s', (name, column) => {
  const cells = { line: '12', frequency: '30s', marker: 'legacy_awoooi_default', priority: 'P1' };
  const heads = { line: 'Line', frequency: 'Frequency', marker: 'Marker', priority: 'Priority', [column]: name };
  const row = (values: Record<string, string>): string =>
    `| ${values.line} | ${values.frequency} | ${values.marker} | ${values.priority} |`;
  const text = `| Loop ${row(heads)}\n|-|-|-|-|-|\n| run_a ${row(cells)}\n`;
  const [entry] = read(text).entries;
  expect(entry).toMatchObject({ name: 'run_a', line: 12, marker: 'legacy_awoooi_default', priority: 'P1' });
  expect(entry!.frequency).toMatchObject({ seconds: 30 });
});

describe('INV-8', () => {
  test('every row, and no problem', () => {
    const c = readCatalogue(INV8, 'INV-8.md', awoooi);
    expect(c.problems).toEqual([]);
    expect(c.entries).toHaveLength(31);
    expect(c.sourceFile).toBe('apps/api/src/main.py');
    expect(c.language).toBe('zh-TW');
    const { cells: _1, ...first } = c.entries[0]!;
    expect(first).toMatchObject({
      number: 1,
      name: 'seed_playbooks_from_rules',
      line: 331,
      marker: 'legacy_awoooi_default',
      priority: 'P3',
      priorityText: 'P3（低）',
      struck: false,
    });
    expect(first.frequency).toEqual({ text: '啟動一次', seconds: null, kind: 'once' });
    expect(c.entries[16]).toMatchObject({ number: 17, priority: 'P0', priorityText: 'P0' });
    expect(c.entries[29]).toMatchObject({
      name: '_run_model_version_tracker_loop',
      marker: 'platform_internal',
      priority: null,
      priorityText: 'N/A（已完成）',
    });
    expect(c.entries[30]).toMatchObject({
      number: 31,
      name: null,
      line: 701,
      lineText: '701+',
      marker: null,
      priority: null,
    });
    expect(INV8.split('\n')[c.entries[17]!.row - 1]).toContain('run_evolver_loop');
  });

  test('cells are the bytes between the pipes, with CRLF and BOM too', () => {
    for (const text of [INV8, `\ufeff${INV8}`, INV8.replaceAll('\n', '\r\n'), INV8.replaceAll('\n', '\r')]) {
      const c = read(text);
      expect(c.entries).toHaveLength(31);
      expect(c.problems).toEqual([]);
      for (const entry of c.entries) {
        for (const cell of Object.values(entry.cells)) {
          expect(text[cell.extent.start - 1]).toBe('|');
          expect(text[cell.extent.end]).toBe('|');
          expect(text.slice(cell.extent.start, cell.extent.end).trim()).toBe(cell.raw);
        }
      }
    }
  });
});

describe('cases', () => {
  test('067 a pipe in a cell', () => {
    const c = read(file('test/policy/cases/067-pipe-in-a-cell/input.md'));
    expect(c.problems).toHaveLength(1);
    expect(c.problems[0]).toMatchObject({ line: 3, message: 'catalogue row 1: 6 cells, header 5' });
    expect(c.problems[0]?.remedy).toContain('`\\|`, even in back-ticks');
    expect(c.entries.map((e) => e.cells.projectId?.text)).toEqual(['awoooi', 'awoooi', 'awoooi']);
    expect(c.entries[1]?.remark).toBe('picks a|b');
    expect(c.entries[2]?.remark).toBe('x \\ y');
  });

  test('067 a pipe before the project column does not shift it', () => {
    const c = read(
      '| # | Loop | Note | Line | Project |\n|---|---|---|---|---|\n| 1 | `run_a` | x `a|b | 12 | awoooi |\n',
    );
    expect(c.problems).toHaveLength(1);
    expect(c.entries[0]?.name).toBe('run_a');
    expect(c.entries[0]?.line).toBeNull();
    expect(c.entries[0]?.cells.projectId).toBeUndefined();
  });

  test('071 bold next to CJK', () => {
    const c = read(file('test/policy/cases/071-bold-marker-next-to-cjk/input.md'));
    expect(c.entries.map((e) => e.marker)).toEqual(['背景任務（核心）迴圈', null, null]);
    expect(c.entries.map((e) => e.priority)).toEqual(['P0', 'P1', null]);
    expect(c.problems).toEqual([
      { line: 5, column: 13, message: 'unreadable priority `**P2`', remedy: 'write P0, P1, P2, P3 or N/A' },
    ]);
  });
});

describe('any such table', () => {
  test('編號 counts the rows of a catalogue, and refers to them in a table of priorities', () => {
    const rows = (head: string, row: string) => read(`${head}\n${head.replace(/[^|]+/g, '-')}\n${row}\n`);
    expect(rows('| 編號 | 函數 | 頻率 | 優先度 |', '| 1 | `run_a` | 每 30s | P0 |').entries).toMatchObject([
      { number: 1, name: 'run_a', priority: 'P0' },
    ]);
    expect(rows('| 優先度 | 說明 | 編號 |', '| P0 | 安全 | 1-3 |').entries).toEqual([]);
  });

  test('English headings in another order, escaped pipe, bare dunder marker', () => {
    const c = read(
      [
        'Lines of `src/app.py`.',
        '',
        'Marker | Frequency | Function name | Priority | Line no. | Remarks',
        '--- | --- | --- | --- | --- | ---',
        '__platform__ | every 6 h | [`run_a()`](../a.py) | p1 (soon) | L12 | a \\| b',
        '',
      ].join('\n'),
    );
    expect(c.problems).toEqual([]);
    expect(c.sourceFile).toBe('src/app.py');
    expect(c.entries[0]).toMatchObject({
      name: 'run_a',
      line: 12,
      marker: '__platform__',
      priority: 'P1',
      remark: 'a | b',
    });
    expect(c.entries[0]?.frequency.seconds).toBe(21_600);
  });

  test('tables in fences, HTML and indented code are no tables', () => {
    const rows = table('| 1 | `run_a` | 1 | daily | m | P1 | |').split('\n');
    const wraps = [
      ['```', ...rows, '```'],
      ['~~~md', ...rows, '~~~'],
      ['````', '```', ...rows, '````'],
      ['<!--', ...rows, '-->'],
      ['<pre>', '', ...rows, '</pre>'],
      rows.map((r) => `    ${r}`),
    ];
    for (const wrapped of wraps) {
      const c = read(wrapped.join('\n'));
      expect(c.entries, wrapped[0]).toEqual([]);
      expect(c.problems).toHaveLength(1);
      expect(c.problems[0]).toMatchObject({ line: 1, column: 1, message: 'no catalogue table' });
      expect(read(`${wrapped.join('\n')}\n\n${rows.join('\n')}`).entries).toHaveLength(1);
    }
  });

  test('a table in a block quote, and one after a heading without a blank line', () => {
    const rows = table('| 1 | `run_a` | 1 | daily | m | P1 | |').trim().split('\n');
    expect(read(rows.map((r) => `> ${r}`).join('\n')).entries).toHaveLength(1);
    expect(read(`## Loops\n${rows.join('\n')}`).entries).toHaveLength(1);
  });

  test('a catalogue in several tables of one shape is read whole, overview and priorities apart', () => {
    const text = `${table('| 1 | `run_a` | 1 | daily | m | P1 | |')}\n${table('| 2 | `run_b` | 2 | daily | m | P1 | |')}\n| Priority | Loops |\n|-|-|\n| P1 | #1~2 |\n`;
    expect(read(text).entries.map((e) => e.name)).toEqual(['run_a', 'run_b']);
  });

  test('struck rows, placeholders in every spelling', () => {
    const c = read(
      table(
        '| 1 | ~~`run_a()`~~ | 1 | daily | m | P1 | |',
        '| 2 | ? | 7+ | TBD | ？ | 待確認 | |',
        '| 3 | **~~run_b~~** | 1 | daily | m | P1 | |',
      ),
    );
    expect(c.problems).toEqual([]);
    expect(c.entries.map((e) => [e.name, e.struck])).toEqual([
      ['run_a', true],
      [null, false],
      ['run_b', true],
    ]);
    expect(c.entries[1]).toMatchObject({ marker: null, priority: null, line: 7 });
  });
});

test('a table whose headings are not known is named', () => {
  const [problem] = read('# Jobs\n\n| Who | When |\n|-|-|\n| run_a | daily |\n').problems;
  expect(problem).toMatchObject({ line: 3, column: 1, message: 'no catalogue table' });
  expect(problem?.remedy).toContain('the table on line 3 (Who, When)');
});

test('a row that ends before its remark is whole, as Markdown has it', () => {
  const c = read(table('| 1 | `run_a` | 1 | daily | m | P1', '| 2 | `run_b` | 2 | daily | m | P1 |'));
  expect(c.problems).toEqual([]);
  expect(c.entries.map((e) => [e.name, e.priority, e.remark, e.cells.remark])).toEqual([
    ['run_a', 'P1', '', undefined],
    ['run_b', 'P1', '', undefined],
  ]);
});

describe('problems name line, column and remedy', () => {
  test.each([
    ['a short row', ['| 1 | `run_a` | 1 |'], 'catalogue row 1: 3 cells, header 7', 3, 20],
    [
      'text right below the table',
      ['| 1 | `run_a` | 1 | daily | m | P1 | |', 'see below'],
      'catalogue row 2: 1 cell, header 7',
      4,
      10,
    ],
    [
      'a duplicate number',
      ['| 1 | `run_a` | 1 | daily | m | P1 | |', '| 1 | `run_b` | 2 | daily | m | P1 | |'],
      'duplicate row number 1, first on line 3',
      4,
      3,
    ],
    [
      'a duplicate name',
      ['| 1 | `run_a` | 1 | daily | m | P1 | |', '| 2 | `run_a()` | 2 | daily | m | P1 | |'],
      'duplicate function name `run_a`, first on line 3',
      4,
      7,
    ],
    [
      'a name that is none',
      ['| 1 | the big one | 1 | daily | m | P1 | |'],
      'unreadable function name `the big one`',
      3,
      7,
    ],
  ])('%s', (_what, rows, message, line, column) => {
    const { problems } = read(table(...rows));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ message, line, column });
    expect(problems[0]?.remedy).not.toBe('');
  });

  test('columns count code points', () => {
    const { problems } = read(table('| 1 | `run_a` | 🟢🟢 1 | daily | m | **P2 | |'));
    expect(problems[0]).toMatchObject({ message: 'unreadable priority `**P2`', column: 36 });
  });

  test('an unknown marker, when a policy tells which are known; `constructor` is none', () => {
    const text = table(
      '| 1 | `a` | 1 | daily | `legacy_awoooi_default`（過渡） | P1 | |',
      '| 2 | `b` | 1 | daily | constructor | P1 | |',
      '| 3 | `c` | 1 | daily | Platform-Internal | P1 | |',
    );
    const c = readCatalogue(text, 'c.md', awoooi);
    expect(c.entries.map((e) => e.marker)).toEqual(['legacy_awoooi_default', 'constructor', 'platform_internal']);
    expect(c.problems).toHaveLength(1);
    expect(c.problems[0]).toMatchObject({ line: 4, message: 'unknown marker `constructor`' });
  });
});
