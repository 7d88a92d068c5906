import { describe, expect, it } from 'vitest';
import type { Analysis, Decision, Frequency, LintProblem, LoopFacts } from '../../src/model/index.ts';
import { analysis, catalogue, entry, policy, reconciliation } from '../support/builders.ts';
import { lines, loop, run } from './support.ts';

const periodic = (seconds: number): Frequency => ({ text: '', seconds, kind: 'periodic' });

/** Findings of a rule on one loop with its row. */
function onRow(rule: string, decision: Decision, over = {}) {
  const cat = catalogue(decision.entry ? [decision.entry] : [], over);
  return run(rule, { catalogue: cat, reconciliation: reconciliation([decision]) });
}

describe('uncatalogued-loop', () => {
  const cat = catalogue([entry(31, null)]);
  it('fires on unlisted loops and required one-shots, not on work of one request', () => {
    const request = loop('answer', { facts: { lifecycle: 'one-shot' }, decision: { required: false } });
    const shot = loop('seed', { line: 6, facts: { lifecycle: 'one-shot' } });
    const unlisted = [loop('run_x', { line: 5 }), shot, request];
    const found = run('uncatalogued-loop', { catalogue: cat, reconciliation: reconciliation(unlisted, { unlisted }) });
    expect(lines(found)).toEqual([
      'apps/api/src/main.py:5 error `run_x` is in no row of `docs/INV-8.md`',
      'apps/api/src/main.py:6 error `seed` is in no row of `docs/INV-8.md`',
    ]);
  });
  it('names the undecided row that waits for the loop, once', () => {
    const extra = loop('run_channel_poller', { line: 705 });
    const undecided = [{ entry: cat.entries[0]!, decision: extra }];
    const found = run('uncatalogued-loop', {
      catalogue: cat,
      reconciliation: reconciliation([extra], { undecided, unlisted: [extra] }),
    });
    expect(found.map((f) => f.message)).toEqual([
      '`run_channel_poller` is in no row of `docs/INV-8.md` by name; the undecided row #31 waits for it',
    ]);
    expect(found[0]!.related[0]!.range).toMatchObject({ file: 'docs/INV-8.md', line: 31 });
  });
  it('tells a struck row from none', () => {
    const revived = loop('run_x', { decision: { entry: entry(12, 'run_x', { struck: true }) } });
    const over = { catalogue: cat, reconciliation: reconciliation([revived], { unlisted: [revived] }) };
    expect(run('uncatalogued-loop', over).map((f) => f.message)).toEqual([
      '`run_x` is struck out in row #12 of `docs/INV-8.md`, but it is spawned',
    ]);
  });
  it('says nothing without a catalogue', () => {
    const unlisted = [loop('run_x')];
    expect(run('uncatalogued-loop', { reconciliation: reconciliation(unlisted, { unlisted }) })).toEqual([]);
  });
});

describe('stale-entry', () => {
  it('fires on rows without code, at the cell of the name', () => {
    const text = '| 2 | `run_gone()` | 40 |\n';
    const cell = { extent: { start: 5, end: 19 }, raw: '`run_gone()`', text: 'run_gone()' };
    const gone = entry(2, 'run_gone', { row: 1, cells: { function: cell } });
    const struck = entry(3, 'run_old', { struck: true });
    const found = run('stale-entry', {
      catalogue: catalogue([gone, struck], { text }),
      reconciliation: reconciliation([], { stale: [gone, struck] }),
    });
    expect(found.map((f) => f.message)).toEqual(['row #2 lists `run_gone`, which no code spawns']);
    expect(found[0]!.range).toMatchObject({ line: 1, column: 7, endColumn: 19, start: 6, end: 18 });
    expect(found[0]!.identity).toBe('docs/INV-8.md:run_gone');
  });
  it('fires on an undecided row that nothing can fill, when the whole of its file was read', () => {
    const row = entry(31, null);
    const other = loop('run_x');
    const findings = (over: Partial<Analysis>) =>
      run('stale-entry', {
        catalogue: catalogue([row]),
        analysis: analysis([other.site], over),
        reconciliation: reconciliation([other], { undecided: [{ entry: row, decision: null }] }),
      }).map((f) => f.message);
    expect(findings({})).toEqual(['row #31 is undecided, and no spawn is left for it']);
    expect(findings({ files: ['apps/api/src/other.py'] })).toEqual([]);
    const broken = { file: 'apps/api/src/main.py', line: 1, column: 1, message: '', kind: 'syntax' as const };
    expect(findings({ errors: [broken] })).toEqual([]);
  });
});

describe('unclassified-loop', () => {
  it('fires on a row without a marker or class, and not where one is known', () => {
    const open = loop('run_x', { decision: { entry: entry(3, 'run_x', { marker: null }), class: null, marker: null } });
    expect(onRow('unclassified-loop', open).map((f) => [f.message, f.fixable])).toEqual([
      ['`run_x` has no marker in row #3', false],
    ]);
    const suggested = loop('run_x', {
      decision: { entry: entry(3, 'run_x', { marker: null }), marker: 'legacy_awoooi_default' },
    });
    expect(onRow('unclassified-loop', suggested).map((f) => [f.message, f.fixable])).toEqual([
      ['`run_x` has no marker in row #3; the policy suggests `legacy_awoooi_default`', true],
    ]);
    const marked = loop('run_x', {
      decision: { entry: entry(3, 'run_x'), class: null, marker: 'requires_project_id' },
    });
    expect(onRow('unclassified-loop', marked)).toHaveLength(1);
    expect(onRow('unclassified-loop', loop('run_x', { decision: { entry: entry(3, 'run_x') } }))).toEqual([]);
    expect(onRow('unclassified-loop', loop('run_x', { decision: { class: null } }))).toEqual([]);
  });
});

describe('line-drift', () => {
  const at = (line: number, lineText: string) =>
    loop('run_x', { line: 503, decision: { entry: entry(18, 'run_x', { line, lineText, row: 1 }) } });

  it('fires on another line of the file that the catalogue speaks of', () => {
    expect(lines(onRow('line-drift', at(499, '499')))).toEqual([
      'docs/INV-8.md:1 note `run_x` is listed at line 499, but it is spawned at apps/api/src/main.py:503',
    ]);
  });
  it('lets the right line, an open range and other files pass', () => {
    expect(onRow('line-drift', at(503, '503'))).toEqual([]);
    expect(onRow('line-drift', at(499, '499+'))).toEqual([]);
    expect(onRow('line-drift', at(499, '499'), { sourceFile: 'worker/main.py' })).toEqual([]);
    expect(onRow('line-drift', at(499, '499'), { sourceFile: null })).toHaveLength(1);
  });
  it('compares with the file that the row itself names', () => {
    const other = { sourceFile: 'worker/main.py' };
    expect(onRow('line-drift', at(503, 'src/main.py:503'), other)).toEqual([]);
    expect(lines(onRow('line-drift', at(499, 'src/main.py:499'), other))).toEqual([
      'docs/INV-8.md:1 note `run_x` is listed at src/main.py:499, but it is spawned at apps/api/src/main.py:503',
    ]);
    expect(lines(onRow('line-drift', at(503, 'src/old.py:503')))).toEqual([
      'docs/INV-8.md:1 note `run_x` is listed at src/old.py:503, but it is spawned at apps/api/src/main.py:503',
    ]);
  });
});

describe('rows whose loop is spawned more than once', () => {
  const row = entry(18, 'run_x', { line: 499, lineText: '499', row: 1 });
  const at = (line: number) => loop('run_x', { line, decision: { entry: row } });
  it('drift only when no spawn is at the line, and then by the nearest', () => {
    const drift = (...lines: number[]) =>
      run('line-drift', { catalogue: catalogue([row]), reconciliation: reconciliation(lines.map(at)) }).map(
        (f) => f.message,
      );
    expect(drift(499, 800)).toEqual([]);
    expect(drift(800, 510)).toEqual([expect.stringContaining('main.py:510')]);
  });
});

describe('period-drift', () => {
  const drift = (frequency: Frequency, facts: Partial<LoopFacts>) =>
    onRow('period-drift', loop('run_x', { facts, decision: { entry: entry(1, 'run_x', { frequency }) } })).map(
      (f) => `${f.severity} ${f.message}`,
    );

  it('compares the figures', () => {
    expect(drift(periodic(60), { periodSeconds: 14400 })).toEqual([
      'warning `run_x` is listed as every 1 min, but it runs every 4 h',
    ]);
    expect(drift(periodic(300), { periodSeconds: 300 })).toEqual([]);
    expect(drift(periodic(300), { periodSeconds: 290 })).toEqual([]);
    expect(drift(periodic(300), { periodSeconds: 270 })).toHaveLength(1);
  });
  it('knows jitter and computed schedules', () => {
    const jitter = { periodSeconds: null, periodRange: { min: 30, max: 60 } };
    expect(drift(periodic(45), jitter)).toEqual([]);
    expect(drift(periodic(120), jitter)).toEqual([
      'warning `run_x` is listed as every 2 min, but it runs every 30 s to 1 min',
    ]);
    const midnight = { periodSeconds: null, nominalPeriodSeconds: 86_400 };
    expect(drift(periodic(86_400), midnight)).toEqual([]);
    expect(drift(periodic(3600), midnight)).toHaveLength(1);
  });
  it('compares once with forever', () => {
    const once: Frequency = { text: '啟動一次', seconds: null, kind: 'once' };
    expect(drift(once, { periodSeconds: 30 })).toEqual([
      'warning `run_x` is listed as running once, but it loops every 30 s',
    ]);
    expect(drift(once, { lifecycle: 'one-shot', periodSeconds: null })).toEqual([]);
    expect(drift(periodic(30), { lifecycle: 'one-shot', periodSeconds: null })).toEqual([
      'warning `run_x` is listed as every 30 s, but it runs once',
    ]);
  });
  it('guesses nothing: an unknown period is reported only when the catalogue has none either', () => {
    const open: Frequency = { text: 'TBD', seconds: null, kind: 'unknown' };
    expect(drift(periodic(60), { periodSeconds: null })).toEqual([]);
    expect(drift(open, { periodSeconds: 60 })).toEqual([]);
    expect(drift(open, { periodSeconds: null })).toEqual([
      'note neither the catalogue nor the code says how often `run_x` runs',
    ]);
  });
});

describe('catalog-contradiction', () => {
  const named = (name: string, loopClass: 'A' | 'B') =>
    policy({ named: [{ name, class: loopClass, line: null, phase: null, note: '' }] });

  it('finds doubles and classes that the policy names otherwise', () => {
    const rows = [entry(1, 'run_x'), entry(2, 'run_x'), entry(3, 'run_dog')];
    const found = run('catalog-contradiction', { catalogue: catalogue(rows), policy: named('run_dog', 'A') });
    expect(found.map((f) => f.message)).toEqual([
      '`run_x` is listed again in line 2',
      '`run_dog` has the marker `legacy_awoooi_default`, but ADR-123 puts it into class A (`platform_internal`)',
    ]);
    expect(
      run('catalog-contradiction', { catalogue: catalogue(rows.slice(1)), policy: named('run_dog', 'B') }),
    ).toEqual([]);
  });
  it('takes the transitional marker for any class but the platform’s', () => {
    const markers = { ...policy().markers };
    markers.legacy_awoooi_default = { ...markers.legacy_awoooi_default!, class: null };
    const found = (wanted: 'A' | 'B') =>
      run('catalog-contradiction', {
        catalogue: catalogue([entry(3, 'run_dog')]),
        policy: { ...named('run_dog', wanted), markers },
      });
    expect([found('A').length, found('B').length]).toEqual([1, 0]);
  });
  it('reports what the reader of the document found, instead of looking itself, without what other rules report', () => {
    const problem: LintProblem = {
      code: 'count',
      message: 'the overview counts 31',
      file: 'docs/INV-8.md',
      line: 2,
      column: 3,
      related: [{ file: 'docs/INV-8.md', line: 1, message: 'the rows' }],
      remedy: 'write 30',
      fixable: true,
    };
    const contradictions = [problem, { ...problem, code: 'line-drift' as const }];
    const found = run('catalog-contradiction', {
      catalogue: catalogue([entry(1, 'a'), entry(2, 'a')], { contradictions }),
    });
    expect(lines(found)).toEqual(['docs/INV-8.md:2 warning the overview counts 31; write 30']);
    expect(found[0]).toMatchObject({ range: { column: 3, endColumn: 13 }, related: [{ message: 'the rows' }] });
    expect(found[0]!.identity).toBe('docs/INV-8.md:count:the overview counts #');
  });
});

describe('stale-threshold', () => {
  const listed = (name: string, periodSeconds: number | null, row: number) =>
    loop(name, { facts: { periodSeconds }, decision: { entry: entry(row, name) } });
  const findings = (decisions: Decision[], over = {}) =>
    run('stale-threshold', {
      catalogue: catalogue(decisions.map((d) => d.entry!)),
      reconciliation: reconciliation(decisions),
      ...over,
    });

  it('counts the loops that are slower than the documented threshold, in one finding', () => {
    const found = findings([
      listed('fast', 30, 1),
      listed('equal', 300, 2),
      listed('slow', 21_600, 3),
      listed('open', null, 4),
    ]);
    expect(lines(found)).toEqual([
      'docs/INV-8.md:3 note the documented alert threshold of 5 min is not longer than the period of 2 loops, such as `slow` (6 h): it fires while they are healthy',
    ]);
  });
  it('is content with fast loops, or without a documented threshold', () => {
    expect(findings([listed('fast', 299, 1)])).toEqual([]);
    const alerts = { ...policy().alerts, documentedThresholdSeconds: null };
    expect(findings([listed('slow', 21_600, 1)], { policy: policy({ alerts }) })).toEqual([]);
  });
});
