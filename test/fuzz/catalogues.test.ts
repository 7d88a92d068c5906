/** Catalogues of every shape: they are read without a throw, and a sync leaves nothing to a second one. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { syncCatalogue } from '../../src/policy/catalogue/write.ts';
import { lintCatalogue, readCatalogue, reconcile } from '../../src/policy/index.ts';
import { ADR123, awoooi, INV8, service, tenantBasic } from '../policy/support.ts';
import { damaged } from './damage.ts';
import { parameters } from './support.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const code = service();

function settles(text: string): void {
  const first = readCatalogue(text, 'docs/INV-8.md', awoooi);
  lintCatalogue(first, awoooi, reconcile(code, first, awoooi), [{ file: 'docs/ADR-123.md', text: ADR123 }]);
  // the command stops before it syncs a catalogue that it could not read
  if (first.problems.length) return;
  const once = syncCatalogue(first, reconcile(code, first, awoooi), code, awoooi).text;
  const second = readCatalogue(once, 'docs/INV-8.md', awoooi);
  expect(second.problems).toEqual([]);
  const twice = syncCatalogue(second, reconcile(code, second, awoooi), code, awoooi);
  expect(twice.changes).toEqual([]);
  expect(twice.text).toBe(once);
}

test('a damaged catalogue', () => {
  fc.assert(
    fc.property(damaged([Buffer.from(INV8)]), (bytes) => settles(Buffer.from(bytes).toString('utf8'))),
    parameters(0.1),
  );
});

const cell = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '#',
    'Loop',
    '函式',
    '行號',
    'Line',
    '頻率',
    '每 5min',
    '12',
    '701+',
    'run_a',
    '`run_b`',
    '~~run_c~~',
    '31?',
    'TBD',
    '（需確認）',
    'legacy_awoooi_default',
    'P2',
    '**x**',
    '\\|',
    '`a\\|b`',
    '<br>',
    '[x](y)',
    '🟢',
    '🔴 P0',
    '---',
    ':-:',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replace(/[\r\n|]/g, ' ')),
);
const row = fc.array(cell, { maxLength: 9 }).map((cells) => `|${cells.join('|')}|`);
const table = fc
  .tuple(row, fc.integer({ min: 0, max: 9 }), fc.array(row, { maxLength: 8 }), fc.constantFrom('', '> ', '- ', '    '))
  .map(([head, columns, rows, prefix]) =>
    [head, `|${'-|'.repeat(columns)}`, ...rows].map((line) => `${prefix}${line}`).join('\n'),
  );
const document = fc
  .tuple(
    fc.array(
      fc.oneof(
        table,
        row,
        cell.map((c) => `## ${c}`),
      ),
      { maxLength: 4 },
    ),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([parts, eol]) => parts.join('\n\n').replaceAll('\n', eol));

test('random tables', () => {
  fc.assert(
    fc.property(document, fc.constantFrom(awoooi, tenantBasic), (text, policy) => {
      settles(text);
      readCatalogue(text, 'c.md', policy);
    }),
    parameters(0.05),
  );
});
