import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { codeFrame } from '../../src/report/formats/text/frame.ts';
import { formats } from '../../src/report/index.ts';
import { analysis, decision, entry, facts, reconciliation, site, tag, target } from '../support/builders.ts';
import { CHECKS, finding, INVENTORIES, options, range, result } from './samples.ts';

const text = formats.find((f) => f.name === 'text')!;
const frame = (source: string, r: ReturnType<typeof range>, width = 80) =>
  codeFrame(source, r, width).map((l) => l.text);

describe('a code frame', () => {
  it('puts carets below the stretch', () => {
    expect(frame('x = create_task(run())', range('a', 1, 5, 23))).toEqual([
      'x = create_task(run())',
      '    ^^^^^^^^^^^^^^^^^^',
    ]);
  });
  it('is aligned behind wide characters, emoji and combining accents', () => {
    const source = '"告警👩‍👩‍👧e\u0301"; f()';
    const column = [...source].length - 2;
    const [line, carets] = frame(source, range('a', 1, column, column + 3));
    expect(carets!.indexOf('^')).toBe(stringWidth(line!.slice(0, line!.indexOf('f()'))));
    expect(carets!.trim()).toBe('^^^');
  });
  it('expands tabs to their stops', () => {
    expect(frame('\tab\tf()', range('a', 1, 5, 8))).toEqual(['    ab  f()', '        ^^^']);
  });
  it('shows what a terminal would act upon', () => {
    expect(frame('"\x1b[2J" + f()', range('a', 1, 10, 13))).toEqual(['"\\x1b[2J" + f()', '            ^^^']);
  });
  it('shows a long call by its first lines', () => {
    const source = 'f(\n    a,\n    b,\n    c,\n)\n';
    expect(frame(source, range('a', 1, 1, 2, { endLine: 5 }))).toEqual([
      'f(',
      '^^',
      '    a,',
      '    ^^',
      '    b,',
      '    ^^',
      '…',
    ]);
  });
  it('cuts a long line around the stretch', () => {
    const source = `${'a'.repeat(500)}f()${'b'.repeat(500)}`;
    const [line, carets] = frame(source, range('a', 1, 501, 504), 40);
    expect(stringWidth(line!)).toBeLessThanOrEqual(40);
    expect(line!.slice(carets!.indexOf('^'), carets!.lastIndexOf('^') + 1)).toBe('f()');
  });
  it('copes with a stretch that is wider than the terminal, and with a million characters', () => {
    const source = 'f'.repeat(1_000_000);
    for (const [from, to] of [
      [1, 1_000_001],
      [999_000, 1_000_001],
      [500_000, 500_003],
    ] as const) {
      const [line, carets] = frame(source, range('a', 1, from, to), 40);
      expect(stringWidth(line!)).toBeLessThanOrEqual(40);
      expect(carets!.length).toBeLessThanOrEqual(40);
    }
  });
  it('counts a lone carriage return as a line break', () => {
    expect(frame('a\rf()\n', range('a', 2, 1, 4))).toEqual(['f()', '^^^']);
  });
  it('is empty for a line that is not there', () => {
    expect(frame('x\n', range('a', 9, 1, 2))).toEqual([]);
  });
});

describe('check', () => {
  const source = `${'\n'.repeat(498)}        asyncio.create_task(run_x())\n`;
  const over = { sourceOf: () => source };

  it('reads like this', () => {
    const first = finding({
      range: range('apps/api/src/main.py', 499, 9, 37),
      related: [{ message: 'the row', range: range('docs/INV-8.md', 30, 1, 2) }],
    });
    const note = finding({ severity: 'note', rule: 'missing-heartbeat', code: 'LT009', message: 'no heartbeat' });
    expect(text.check!(result([first, first, note]), options(over)).split('\n')).toEqual([
      'apps/api/src/main.py:499:9: error LT001 untagged-loop: `run_x` is spawned without a project id',
      '   499 |         asyncio.create_task(run_x())',
      '       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
      '       = docs/INV-8.md:30:1: the row',
      '       = help: run `looptag migrate`',
      'apps/api/src/main.py:499:9: error LT001 untagged-loop: `run_x` is spawned without a project id',
      '   499 |         asyncio.create_task(run_x())',
      '       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
      '       = docs/INV-8.md:30:1: the row',
      'apps/api/src/main.py:499:9: note LT009 missing-heartbeat: no heartbeat',
      '',
      'Found 2 errors, 1 note: 31 spawn sites in 3 files. 3 can be mended by `looptag migrate`.',
      '',
    ]);
  });
  it('names the commands that mend what was found', () => {
    const last = (rules: { id: string; remedy?: string }[], ...found: string[]) => {
      const of = result(found.map((rule) => finding({ rule })));
      const known = rules.map((rule) => ({ ...of.rules[0]!, ...rule }));
      return /can be mended by (.*)\.$/m.exec(text.check!({ ...of, rules: known }, options()))?.[1];
    };
    const rules = [
      { id: 'a', remedy: 'run `looptag migrate`, or do it by hand' },
      { id: 'b', remedy: 'fill the cell (`looptag catalog sync` does), or say `# looptag: class=B`' },
      { id: 'c', remedy: 'run `looptag migrate --heartbeat`' },
      { id: 'd', remedy: undefined },
    ];
    expect(last(rules, 'c', 'c')).toBe('`looptag migrate --heartbeat`');
    expect(last(rules, 'a', 'c', 'b')).toBe(
      '`looptag catalog sync`, `looptag migrate` or `looptag migrate --heartbeat`',
    );
    expect(last(rules, 'd')).toBe('`looptag catalog sync` or `looptag migrate`');
  });
  it('is one line when all is well', () => {
    expect(text.check!(CHECKS.empty!, options())).toBe('No findings: 31 spawn sites in 3 files.\n');
    const hidden = result([]);
    hidden.summary = { ...hidden.summary, suppressed: 2, baselined: 5 };
    expect(text.check!(hidden, options())).toContain('(2 suppressed, 5 in the baseline)');
  });
  it('counts notes of which there are many, and shows them when asked to', () => {
    const notes = Array.from({ length: 5 }, () =>
      finding({ severity: 'note', rule: 'missing-heartbeat', code: 'LT009' }),
    );
    const brief = text.check!(result(notes), options()).split('\n');
    expect(brief.filter((line) => line.includes('LT009'))).toHaveLength(3);
    expect(brief).toContain('… and 2 more notes of missing-heartbeat (shown by --verbose)');
    expect(text.check!(result(notes), options({ verbose: true })).match(/LT009/g)).toHaveLength(5);
  });
  it('names stale entries of the baseline', () => {
    const out = text.check!(
      result([], { staleBaseline: [{ rule: 'untagged-loop', identity: 'a:b:c', line: 4 }] }),
      options(),
    );
    expect(out).toContain('line 4: untagged-loop a:b:c');
    expect(out).toContain('1 stale baseline entry');
  });
  it('does not repeat a broken file that a finding reports', () => {
    const broken = finding({ rule: 'syntax-error', range: range('broken.py', 3, 7, 8), message: "expected ':'" });
    const out = text.check!({ ...result([broken]), errors: CHECKS.unreadable!.errors }, options());
    expect(out.match(/expected ':'/g)).toHaveLength(1);
  });
  it('has colours when they are wanted', () => {
    expect(text.check!(CHECKS.one!, options({ ...over, chalk: new Chalk({ level: 1 }) }))).toContain(
      '\x1b[31merror\x1b[39m',
    );
  });
});

describe('inventory', () => {
  const wide = site('run_告警處理_loop', 720, {
    targets: [
      target('run_告警處理_loop', { tag: tag('awoooi'), facts: facts({ lifecycle: 'one-shot', periodSeconds: null }) }),
    ],
  });
  const plain = site('run_evolver_loop', 499, {
    targets: [target('run_evolver_loop', { facts: facts({ periodSeconds: 3600 }) })],
  });
  const found = analysis([plain, wide]);
  const extra = decision(wide, { marker: 'platform_internal' });
  const judged = reconciliation(
    [decision(plain, { entry: entry(18, 'run_evolver_loop'), marker: 'legacy_awoooi_default', priority: 'P2' }), extra],
    {
      undecided: [{ entry: entry(31, null), decision: extra }],
      verdict: 'The 31st is `run_告警處理_loop`.',
      stale: [entry(30, 'run_gone', { row: 55 })],
    },
  );
  const show = (width: number, over = {}) =>
    text.inventory!({ analysis: found, reconciliation: judged, root: '.', ...over }, options({ width })).split('\n');

  it('reads like this', () => {
    expect(show(100)).toEqual([
      'apps/api/src/main.py',
      '  #  FUNCTION           LINE  WHAT      PERIOD  TAG               MARKER                 PRIORITY',
      ' 18  run_evolver_loop    499  loop         1 h  –                 legacy_awoooi_default  P2',
      '31?  run_告警處理_loop   720  one-shot       –  awoooi (wrapper)  platform_internal      –',
      '',
      'Rows of the catalogue that no code spawns (1):',
      '  #30  run_gone  (row in line 55)',
      '',
      '2 spawn sites in 1 file: 1 loop, 1 one-shot; 1 tagged, 1 untagged; grep asyncio.create_task hits 2 lines.',
      'The 31st is `run_告警處理_loop`.',
      '',
    ]);
  });
  it('leaves out what only a catalogue knows', () => {
    expect(show(100, { reconciliation: null })[1]).toBe('FUNCTION           LINE  WHAT      PERIOD  TAG');
  });
  it.each([100, 90, 80, 70])('fits %d columns', (width) => {
    const table = show(width).slice(0, show(width).indexOf(''));
    expect(Math.max(...table.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
  });
  it('becomes two lines a spawn where no table fits', () => {
    expect(show(60).slice(0, 5)).toEqual([
      'apps/api/src/main.py',
      '#18 run_evolver_loop:499',
      '  loop · 1 h · no tag · P2 · legacy_awoooi_default',
      '#31? run_告警處理_loop:720',
      '  one-shot · awoooi (wrapper) · platform_internal',
    ]);
  });
  it('lists what grep misses and what it hits for nothing', () => {
    const alias = site('run_y', 30, { api: 'wrapper:src.core.tasks.spawn' });
    const mention = {
      file: 'm.py',
      line: 705,
      column: 7,
      kind: 'comment' as const,
      text: '# asyncio.create_task(run_old())',
    };
    const scheduled = {
      file: 'm.py',
      line: 23,
      column: 5,
      how: 'APScheduler.add_job',
      target: 'every_minute',
      periodSeconds: 60,
    };
    const report = {
      analysis: analysis([alias], { mentions: [mention], scheduled: [scheduled] }),
      reconciliation: null,
      root: '.',
    };
    const out = text.inventory!(report, options());
    expect(out).toContain(
      'Spawns that a plain grep misses (1):\n  apps/api/src/main.py:30  wrapper:src.core.tasks.spawn  run_y()',
    );
    expect(out).toContain('(1):\n  m.py:705  comment  # asyncio.create_task(run_old())');
    expect(out).toContain('(1):\n  m.py:23  APScheduler.add_job every_minute every 1 min');
  });
  it('shows periods as far as they are known', () => {
    const of = (over: Parameters<typeof facts>[0]) => {
      const s = site('x', 1, { targets: [target('x', { facts: facts({ periodSeconds: null, ...over }) })] });
      return text.inventory!({ analysis: analysis([s]), reconciliation: null, root: '.' }, options())
        .split('\n')[2]!
        .split(/ {2,}/)[3];
    };
    expect(of({ periodSeconds: 90 })).toBe('90 s');
    expect(of({ periodRange: { min: 30, max: 60 } })).toBe('30 s – 1 min');
    expect(of({ nominalPeriodSeconds: 86_400 })).toBe('~1 d');
    expect(of({})).toBe('?');
  });
  it('says so when there is nothing', () => {
    expect(text.inventory!(INVENTORIES.empty!, options())).toBe(
      '0 spawn sites in 0 files: 0 loops, 0 one-shots; 0 tagged, 0 untagged; grep asyncio.create_task hits 0 lines.\n',
    );
  });
});
