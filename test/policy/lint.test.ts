import { describe, expect, test } from 'vitest';
import type { Analysis, LintProblem } from '../../src/model/index.ts';
import { syncCatalogue } from '../../src/policy/catalogue/write.ts';
import { lintCatalogue, readCatalogue, reconcile } from '../../src/policy/index.ts';
import { analysis } from '../support/builders.ts';
import { ADR123, awoooi, CHANNEL_POLLER, INV8, loop, MAIN, service } from './support.ts';

const ADR = { file: 'docs/ADR-123.md', text: ADR123 };

function lint(text: string, a: Analysis | null = null, others = [ADR]): LintProblem[] {
  const catalogue = readCatalogue(text, 'docs/INV-8.md', awoooi);
  return lintCatalogue(catalogue, awoooi, a && reconcile(a, catalogue, awoooi), others);
}

/** The line of a document that holds a text, as `file:line`. */
function at(text: string): string {
  for (const [file, content] of [
    ['docs/INV-8.md', INV8],
    ['docs/ADR-123.md', ADR123],
  ] as const) {
    const line = content.split('\n').findIndex((l) => l.includes(text)) + 1;
    if (line > 0) return `${file}:${line}`;
  }
  throw new Error(text);
}

const brief = (p: LintProblem) => [
  p.code,
  p.message,
  `${p.file}:${p.line}`,
  ...p.related.map((r) => `${r.file}:${r.line}`),
];

const P2 = '| P2（Phase 6 前）|';
const P3 = '| P3（Phase 8 前）|';
const LEGACY = '| legacy_awoooi_default（過渡）|';
const PLATFORM = '| platform_internal |';

describe('INV-8 against itself and ADR-123', () => {
  const problems = lint(INV8);

  test('every contradiction, each with both lines, and no other', () => {
    expect(problems.map(brief)).toEqual([
      [
        'count',
        '29 counts the undecided row #31: 28 rows are marked legacy_awoooi_default',
        at(LEGACY),
        at('| 31 | （'),
      ],
      [
        'deadline',
        'row #4 is P1（Phase 4 前）, but its remark allows until before Phase 8',
        at('| 4 |'),
        at('| P1（Phase 4 前）|'),
      ],
      [
        'deadline',
        'row #17 is P0（立即）, but its remark allows until before Phase 8',
        at('| 17 |'),
        at('| P0（立即）|'),
      ],
      [
        'count',
        '29 counts the undecided row #31: 28 rows are marked legacy_awoooi_default',
        at('### legacy_awoooi_default'),
        at('| 31 | （'),
      ],
      ['range-overlap', "P2's #5~16 overlaps P3's #11~12", at(P2), at(P3)],
      ['range-overlap', "P2's #5~16 overlaps P3's #15~16", at(P2), at(P3)],
      ['priority-list', 'row #21 is P2, but no group of the P2 list holds it', at(P2), at('| 21 |')],
      [
        'policy-loop-missing',
        'awoooi counts 4 loops of class A, and `run_contract_outbox_relay` (to come in Phase 2) is no row yet',
        at('| `run_contract_outbox_relay` |'),
        at(PLATFORM),
      ],
      [
        'policy-loop-missing',
        'awoooi counts 4 loops of class A, and `run_stale_run_reaper` (to come in Phase 2) is no row yet',
        at('| `run_stale_run_reaper` |'),
        at(PLATFORM),
      ],
      [
        'policy-loop-missing',
        '`run_alert_processor`, an example of class B, names nothing in the catalogue',
        at('`run_alert_processor`'),
        at(LEGACY),
      ],
      [
        'policy-loop-missing',
        '`run_incident_timeline_loop`, an example of class B, names nothing in the catalogue',
        at('`run_incident_timeline_loop`'),
        at(LEGACY),
      ],
      [
        'policy-count',
        'the milestones expect 4 + 27 = 31 loops, the catalogue counts 2 + 29 = 31',
        at('| 分類 A 全部標記'),
        at('| 分類 B 全部標記'),
        at(PLATFORM),
        at(LEGACY),
      ],
    ]);
    expect(problems.every((p) => p.remedy !== '' && p.related.length > 0)).toBe(true);
  });

  test('columns count code points', () => {
    const overlap = problems.find((p) => p.code === 'range-overlap')!;
    const line = INV8.split('\n')[overlap.line - 1]!;
    expect([...line].slice(overlap.column - 1).join('')).toMatch(/^#5~16/);
  });

  test('without the document the lines of the policy stand in', () => {
    const missing = lint(INV8, null, []).filter((p) => p.code === 'policy-loop-missing');
    expect(missing.map((p) => p.file)).toEqual(Array(4).fill('rules/policies/awoooi.yaml'));
    expect(missing[0]?.line).toBeGreaterThan(40);
  });

  test('CRLF and BOM make no difference', () => {
    expect(lint(`\ufeff${INV8.replaceAll('\n', '\r\n')}`).map(brief)).toEqual(problems.map(brief));
  });

  test('a loop that the text mentions as planned is known to be missing', () => {
    const text = `${INV8}\n待建：run_contract_outbox_relay、run_stale_run_reaper\n`;
    expect(lint(text).filter((p) => p.message.includes('class A'))).toEqual([]);
    expect(lint(`${INV8}\nrun_stale_run_reapers\n`).filter((p) => p.message.includes('class A'))).toHaveLength(2);
  });
});

describe('other contradictions', () => {
  const change = (from: string | RegExp, to: string) => {
    const text = INV8.replace(from, to);
    expect(text).not.toBe(INV8);
    const known = new Set(lint(INV8).map((p) => p.message));
    return lint(text)
      .filter((p) => !known.has(p.message))
      .map((p) => [p.code, p.message]);
  };

  test.each<[string, string | RegExp, string, string[][]]>([
    [
      'a total',
      '| 總 background loop | 31 |',
      '| 總 background loop | 30 |',
      [['count', '30 is written, but the catalogue has 31 rows']],
    ],
    [
      'a marker list',
      '2（#27、#30）',
      '2（#27、#29）',
      [
        ['count', 'platform_internal lists #29, whose row is marked legacy_awoooi_default'],
        ['count', 'row #30 is marked platform_internal, but the list lacks it'],
      ],
    ],
    [
      'a row that is none',
      '#25、#28~29',
      '#25、#28~29、#40',
      [['dangling-reference', '#40 is no row of the catalogue']],
    ],
    [
      'a row listed under another priority',
      '#4、#22',
      '#4、#22、#23',
      [['range-overlap', "P1's #23 overlaps P3's #23~24"]],
    ],
    [
      'a row with the wrong marker',
      /\*\*`platform_internal`\*\*( \| N\/A（已完成）\| 看守)/,
      '`legacy_awoooi_default`$1',
      [
        ['count', '2 is written, but platform_internal marks 1 rows'],
        ['count', 'platform_internal lists #27, whose row is marked legacy_awoooi_default'],
        [
          'policy-class',
          'row #27 is marked legacy_awoooi_default, but `run_ai_slo_watchdog_loop` is of class A (platform_internal)',
        ],
        ['count', 'platform_internal lists #27, whose row is marked legacy_awoooi_default'],
      ],
    ],
    [
      'a priority that the policy contradicts',
      /(540 .*) P1 /,
      '$1 P2 ',
      [
        ['policy-priority', 'row #22 is P2, but `run_aol_writeback_loop` is to be P1'],
        ['priority-list', 'the P1 list holds #22, whose row says P2'],
        ['priority-list', 'row #22 is P2, but no group of the P2 list holds it'],
      ],
    ],
  ])('%s', (_what, from, to, expected) => {
    expect(change(from, to)).toEqual(expected);
  });
});

describe('against the code', () => {
  test('drift of line and frequency, vanished and unlisted loops, the undecided row', () => {
    const sites = service([loop(CHANNEL_POLLER, 712, 10), loop('run_new', 800, 60)]).sites.flatMap((s) => {
      if (s.range.line === 499) return [loop('run_evolver_loop', 501, 1800)];
      return s.range.line === 614 ? [] : [s];
    });
    const code = lint(INV8, analysis(sites)).filter((p) => /drift|vanished|unlisted|undecided/.test(p.code));
    expect(code.map((p) => brief(p))).toEqual([
      ['line-drift', 'row #18 says line 499, `run_evolver_loop` is spawned on line 501', at('| 18 |'), `${MAIN}:501`],
      [
        'frequency-drift',
        'row #18 says 每 1h, the code of `run_evolver_loop` says every 30 min',
        at('| 18 |'),
        'apps/api/src/jobs/run_evolver_loop.py:10',
      ],
      [
        'vanished',
        'row #26 names `run_offline_replay_loop`, which nothing in the code starts',
        at('| 26 |'),
        `${MAIN}:614`,
      ],
      ['undecided', expect.stringContaining('row #31 is undecided: The 31st loop is'), at('| 31 | （'), `${MAIN}:712`],
      ['unlisted', 'no row names `run_new`', `${MAIN}:800`, at('| 31 | （')],
    ]);
  });

  test('after a sync only what people must decide is left', () => {
    const catalogue = readCatalogue(INV8, 'docs/INV-8.md', awoooi);
    const a = service();
    const { text } = syncCatalogue(catalogue, reconcile(a, catalogue, awoooi), a, awoooi);
    expect(lint(text, a).filter((p) => p.fixable)).toEqual([]);
    expect(lint(text, a).map((p) => p.code)).toEqual([
      'deadline',
      'deadline',
      ...Array(4).fill('policy-loop-missing'),
      'policy-count',
    ]);
  });
});
