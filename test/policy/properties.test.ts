import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SpawnSite } from '../../src/model/index.ts';
import { initCatalogue, syncCatalogue } from '../../src/policy/catalogue/write.ts';
import { isOpen, lintCatalogue, readCatalogue, reconcile } from '../../src/policy/index.ts';
import { readCell, writeText } from '../../src/policy/markdown/cells.ts';
import { analysis } from '../support/builders.ts';
import { atLength } from '../support/long.ts';
import { awoooi, loop, request } from './support.ts';

const name = fc.constantFrom(
  'run_a',
  'run_b',
  '_run_b',
  'run_c_loop',
  'run_c_poller',
  'worker.run',
  'run',
  'seed',
  'TBD',
  'todo',
);
const period = fc.constantFrom<number | 'once' | null>(30, 90, 3600, 86_400, 0.5, 'once', null);
const sites = fc
  .uniqueArray(fc.tuple(name, fc.integer({ min: 1, max: 900 }), period, fc.boolean()), {
    selector: ([, line]) => line,
    maxLength: 8,
  })
  .map((list) => list.map(([n, line, p, onRequest]): SpawnSite => (onRequest ? request(n, line) : loop(n, line, p))));

const remark = fc
  .array(fc.constantFrom('|', '\\', '`', '**', '~~', ' ', '備註', '🟢', 'Phase 8 前', 'x', '（', '）', '#1'), {
    maxLength: 6,
  })
  .map((parts) => writeText(parts.join('')));

const cell = {
  line: fc.constantFrom('12', '701+', 'L40', 'TBD', '', 'main.py:77', 'apps/api/src/main.py:9'),
  frequency: fc.constantFrom('每 30s', '每 5min（估計）', 'daily', '啟動一次', 'TBD', '', '視情況'),
  marker: fc.constantFrom(
    '`legacy_awoooi_default`',
    '**`platform_internal`**',
    'TBD',
    'legacy_awoooi_default（過渡）',
    '—',
  ),
  priority: fc.constantFrom('P0', '**P1**', 'P2（中）', 'N/A（已完成）', 'TBD', ''),
};

const rows = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('`run_a()`', 'run_b', '~~`run_c_loop`~~', '（需確認）', '`worker.run`', '`gone()`', '?'),
    cell.line,
    cell.frequency,
    cell.marker,
    cell.priority,
    remark,
  ),
  { selector: ([n]) => n, maxLength: 6 },
);

const tables = fc
  .record({
    rows,
    order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 }),
    eol: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
    end: fc.boolean(),
    pad: fc.constantFrom(0, 1, 20),
    outer: fc.boolean(),
  })
  .map(({ rows: list, order, eol, bom, end, pad, outer }) => {
    const headings = ['#', '函數名', '行號', '頻率', '標記', '優先度', '備註'];
    const line = (cells: string[]) => {
      const body = order.map((i) => (pad > 1 ? ` ${(cells[i] ?? '').padEnd(pad)} ` : ` ${cells[i] ?? ''} `)).join('|');
      return outer || body.trimStart().startsWith('|') || /^\s*[#—?]|(^|\|)\s*$/.test(body) ? `|${body}|` : body.trim();
    };
    const content = [
      '行號來自 `apps/api/src/main.py`，全部 3 個 loop',
      '',
      '| 統計 | 數量 |',
      '|--|--|',
      '| 總 loop | 9 |',
      '| platform_internal | 1（#1） |',
      '',
      line(headings),
      order
        .map(() => '---')
        .join('|')
        .replace(/^|$/g, '|'),
      ...list.map((r, i) => line([String(i + 1), ...r])),
      '',
      '| 優先度 | 對應 loop |',
      '|--|--|',
      '| P0 | #1~2 |',
      '| P2 | #3（x） |',
      '',
      '```',
      '| # | 函數名 | 行號 |',
      '```',
    ];
    return `${bom ? '\ufeff' : ''}${content.join(eol)}${end ? eol : ''}`;
  });

function sync(text: string, code: SpawnSite[], prune = false) {
  const a = analysis(code);
  const catalogue = readCatalogue(text, 'c.md', awoooi);
  const r = reconcile(a, catalogue, awoooi);
  return { ...syncCatalogue(catalogue, r, a, awoooi, { prune }), catalogue, r };
}

describe('properties', () => {
  test('what sync writes is a fixed point, has no problems and no drift', () => {
    fc.assert(
      fc.property(tables, sites, fc.boolean(), (text, code, prune) => {
        const once = sync(text, code, prune);
        expect(once.catalogue.problems).toEqual([]);
        const twice = sync(once.text, code, prune);
        expect(twice.catalogue.problems).toEqual([]);
        expect(twice.changes).toEqual([]);
        expect(twice.text).toBe(once.text);
        expect(once.changes.length === 0).toBe(once.text === text);
        const drift = lintCatalogue(twice.catalogue, awoooi, twice.r).filter(
          (p) => p.fixable && p.code !== 'undecided',
        );
        expect(drift.map((p) => p.message)).toEqual([]);
      }),
      { numRuns: Number(process.env.FC_RUNS ?? atLength(300, 100)) },
    );
  });

  test('human columns keep their bytes, lines outside of the changes too', () => {
    fc.assert(
      fc.property(tables, sites, (text, code) => {
        const { text: after, catalogue, changes } = sync(text, code);
        const entries = readCatalogue(after, 'c.md', awoooi).entries;
        for (const [i, entry] of catalogue.entries.entries()) {
          const now = entries[i]!;
          if (!isOpen(entry.remark)) expect(now.cells.remark?.raw).toBe(entry.cells.remark?.raw);
          if (entry.priority) expect(now.cells.priority?.raw).toBe(entry.cells.priority?.raw);
        }
        const touched = new Set(changes.map((c) => c.line));
        const kept = text.split('\n').filter((_, i) => !touched.has(i + 1) && i < text.split('\n').length - 1);
        const lines = new Set(after.split('\n'));
        expect(kept.filter((l) => !lines.has(l))).toEqual([]);
      }),
      { numRuns: Number(process.env.FC_RUNS ?? atLength(200, 70)) },
    );
  });

  test('a new catalogue needs no sync', () => {
    fc.assert(
      fc.property(sites, fc.constantFrom('zh-TW' as const, 'en' as const), (code, lang) => {
        const text = initCatalogue(analysis(code), awoooi, { lang, today: '2026-05-03' });
        const again = sync(text, code);
        expect(again.catalogue.problems).toEqual([]);
        expect(again.changes).toEqual([]);
        expect(lintCatalogue(again.catalogue, awoooi, again.r)).toEqual([]);
      }),
      { numRuns: Number(process.env.FC_RUNS ?? atLength(100, 40)) },
    );
  });

  test('remarks with pipes and backslashes survive the table', () => {
    fc.assert(
      fc.property(remark, (raw) => {
        const text = `| # | Loop | Line | Note |\n|-|-|-|-|\n| 1 | run_a | 1 | ${raw} |\n`;
        const { entries, problems } = readCatalogue(text, 'c.md');
        expect(problems).toEqual([]);
        expect(entries[0]?.remark).toBe(readCell(raw).text);
        expect(sync(text, [loop('run_a', 1)]).text).toBe(text);
      }),
    );
  });
});
