/** Rows whose loop is not among the spawns: gone, or out of sight. */
import { describe, expect, test } from 'vitest';
import type { Analysis, Mention } from '../../src/model/index.ts';
import { syncCatalogue } from '../../src/policy/catalogue/sync.ts';
import { type Outlook, readCatalogue, reconcile } from '../../src/policy/index.ts';
import { analysis, site, target } from '../support/builders.ts';
import { awoooi, loop, MAIN } from './support.ts';

const document = (cell: string, name = '`run_gone()`') =>
  [
    `Lines of \`${MAIN}\``,
    '',
    '| # | Loop | Line | Frequency | Marker | Priority | Note |',
    '|-|-|-|-|-|-|-|',
    '| 1 | `run_a()` | 10 | every 5 min | legacy_awoooi_default | P2 | |',
    `| 2 | ${name} | ${cell} | every 5 min | legacy_awoooi_default | P2 | |`,
    '',
  ].join('\n');

const read = (text: string) => readCatalogue(text, 'c.md', awoooi);
const code = (over: Partial<Analysis> = {}) => analysis([loop('run_a', 10)], { files: [MAIN], ...over });
const there = { isThere: () => true, isDefined: () => false };
const defined = { isThere: () => false, isDefined: (name: string) => name === 'run_gone' };

/** What became of row 2. */
function row2(cell: string, a: Analysis, outlook?: Outlook): string {
  const catalogue = read(document(cell));
  const r = reconcile(a, catalogue, awoooi, new Map(), outlook);
  const { text } = syncCatalogue(catalogue, r, a, awoooi);
  const [stale, unseen] = [r.stale, r.unseen].map((list) => list.some((e) => e.number === 2));
  expect(text.includes('~~')).toBe(stale);
  return stale ? 'gone' : unseen ? 'unseen' : 'there';
}

describe('a row that names a file of its own', () => {
  test('says nothing when that file was not read', () => {
    expect(row2('jobs/poll.py:7', code(), there)).toBe('unseen');
    expect(row2('apps/api/src/jobs/poll.py#L7', code(), there)).toBe('unseen');
  });

  test('is of a loop that is gone when that file was read, or is gone too', () => {
    expect(row2('jobs/poll.py:7', code({ files: ['apps/api/src/jobs/poll.py', MAIN] }), there)).toBe('gone');
    expect(row2('jobs/poll.py:7', code())).toBe('gone');
    expect(row2('main.py:7', code(), there)).toBe('gone');
    expect(row2('7', code(), there)).toBe('gone');
  });

  test('says nothing when that file could not be parsed', () => {
    const file = 'apps/api/src/jobs/poll.py';
    const errors = [{ file, line: 1, column: 1, message: '', kind: 'syntax' as const }];
    expect(row2('jobs/poll.py:7', code({ files: [file, MAIN], errors }), there)).toBe('unseen');
  });

  test('is kept by --prune when it was struck out and its file was not read', () => {
    const struck = (cell: string) => {
      const catalogue = read(document(cell, '~~`run_gone()`~~'));
      const r = reconcile(code(), catalogue, awoooi, new Map(), there);
      return syncCatalogue(catalogue, r, code(), awoooi, { prune: true }).text.includes('run_gone');
    };
    expect([struck('jobs/poll.py:7'), struck('7')]).toEqual([true, false]);
  });

  test('and the verdict does not count it', () => {
    const { verdict } = reconcile(code(), read(document('jobs/poll.py:7')), awoooi, new Map(), there);
    expect(verdict).toContain('1 of the 2 loops of the catalogue are in the code');
    expect(verdict).toContain('in a file that was not read, or in a call that is not proven: `run_gone`');
  });
});

describe('a call that is not proven to spawn', () => {
  const calls = (text: string, kind: Mention['kind'] = 'other-object') =>
    code({ mentions: [{ file: MAIN, line: 30, column: 1, kind, text }] });

  test('may start the loop of a row', () => {
    expect(row2('30', calls('loop.create_task(run_gone())'))).toBe('unseen');
    expect(row2('30', calls('self.create_task(jobs.run_gone(x), name="n")'))).toBe('unseen');
    expect(row2('30', calls('create_task(run_gone())', 'shadowed'))).toBe('unseen');
  });

  test('is no reason to keep a row of another name; a comment is none either', () => {
    expect(row2('30', calls('loop.create_task(run_gone_too())'))).toBe('gone');
    expect(row2('30', calls('asyncio.create_task(run_gone())', 'comment'))).toBe('gone');
  });
});

describe('a spawn that does not say what it starts', () => {
  const dynamic = (line = 33) =>
    code({ sites: [loop('run_a', 10), site('x', line, { targets: [], argument: 'getattr(jobs, name)()' })] });

  test('may start the loop of a row whose function is defined', () => {
    expect(row2('30', dynamic(), defined)).toBe('unseen');
    expect(row2('30', code(), defined)).toBe('gone');
    expect(row2('30', dynamic(), { ...defined, isDefined: () => false })).toBe('gone');
  });

  test('and the verdict names it', () => {
    const { verdict, dynamic: rows } = reconcile(dynamic(), read(document('30')), awoooi, new Map(), defined);
    expect(verdict).toContain('1 of the 2 loops of the catalogue are in the code');
    expect(verdict).toContain(`perhaps started without its name: \`run_gone\` (by ${MAIN}:33)`);
    expect(rows.map((r) => [r.entry.name, r.site.range.line])).toEqual([['run_gone', 33]]);
  });
});

test('a file that was renamed is written down, though the line is the same', () => {
  const moved = { ...site('run_b', 7, { targets: [target('run_b')] }) };
  moved.range = { ...moved.range, file: 'apps/api/src/jobs/poll.py' };
  const a = code({ sites: [loop('run_a', 10), moved], files: [MAIN, moved.range.file] });
  const cells = (cell: string) => {
    const catalogue = read(document(cell, '`run_b()`'));
    const { text } = syncCatalogue(catalogue, reconcile(a, catalogue, awoooi), a, awoooi);
    return text.split('\n')[5]?.split(' | ')[2];
  };
  expect(cells('jobs/old.py:7')).toBe('apps/api/src/jobs/poll.py:7');
  expect(cells('7')).toBe('apps/api/src/jobs/poll.py:7');
  expect(cells('jobs/poll.py:7')).toBe('jobs/poll.py:7');
  expect(cells('jobs/poll.py:9')).toBe('jobs/poll.py:7');
});
