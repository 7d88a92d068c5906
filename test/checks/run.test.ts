import { describe, expect, it } from 'vitest';
import { checks } from '../../rules/checks/index.ts';
import { failing, runChecks, selectChecks } from '../../src/engine/check.ts';
import { nearest } from '../../src/engine/nearest.ts';
import { analysis, checkInput, reconciliation, tag } from '../support/builders.ts';
import { loop } from './support.ts';

const ids = (selection: Parameters<typeof selectChecks>[1]) =>
  selectChecks(checks, selection).active.map((a) => a.check.id);

describe('selecting rules', () => {
  it('runs all without a choice, in the order of their codes', () => {
    expect(ids({})).toHaveLength(27);
    expect(ids({})[0]).toBe('untagged-loop');
  });
  it('takes ids and codes, and ignores after selecting', () => {
    expect(ids({ select: ['LT002', 'untagged-loop'], ignore: ['lt001'] })).toEqual(['wrong-project-id']);
  });
  it('switches off, and lets the command line have its way for a rule that is off by default', () => {
    expect(ids({ severities: { LT001: 'off' } })).not.toContain('untagged-loop');
    const off = checks.map((c) => (c.id === 'untagged-loop' ? { ...c, severity: 'off' as const } : c));
    expect(selectChecks(off, {}).active.map((a) => a.check.id)).not.toContain('untagged-loop');
    expect(selectChecks(off, { select: ['untagged-loop'] }).active).toMatchObject([{ severity: 'warning' }]);
  });
  it.each(['select', 'ignore'] as const)('names the nearest rule for an unknown one in %s', (key) => {
    expect(selectChecks(checks, { [key]: ['untaged-loop'] }).problems).toEqual([
      { level: 'error', message: 'there is no rule "untaged-loop"', remedy: 'did you mean "untagged-loop"?' },
    ]);
  });
  it('names it in the severities too', () => {
    expect(selectChecks(checks, { severities: { zzz: 'off' } }).problems[0]!.remedy).toBe('`looptag rules` lists them');
  });
});

describe('a run', () => {
  const b = loop('run_b', { line: 5 });
  const a = loop('run_a', { line: 9 });
  const input = checkInput({ reconciliation: reconciliation([a, b]), analysis: analysis([a.site, b.site]) });

  it('sorts by place, whatever the order of decisions', () => {
    const { active } = selectChecks(checks, { select: ['untagged-loop', 'dropped-task'] });
    const order = (over: typeof input) => runChecks(active, over).findings.map((f) => `${f.range.line} ${f.code}`);
    expect(order(input)).toEqual(['5 LT001', '5 LT017', '9 LT001', '9 LT017']);
    expect(order({ ...input, reconciliation: reconciliation([b, a]) })).toEqual(order(input));
  });

  it('holds a severity that the user set above what the check thinks of one finding', () => {
    const shot = loop('seed', { facts: { lifecycle: 'one-shot' } });
    const over = checkInput({ reconciliation: reconciliation([shot]) });
    const severity = (severities: Record<string, 'error'>) =>
      runChecks(selectChecks(checks, { select: ['dropped-task'], severities }).active, over).findings.map(
        (f) => f.severity,
      );
    expect(severity({})).toEqual(['note']);
    expect(severity({ 'dropped-task': 'error' })).toEqual(['error']);
  });

  it('counts, and lists the loops and rules', () => {
    const result = runChecks(selectChecks(checks, { select: ['untagged-loop'] }).active, input);
    expect(result.summary).toEqual({
      files: 1,
      sites: 2,
      errors: 2,
      warnings: 0,
      notes: 0,
      suppressed: 0,
      baselined: 0,
      staleBaseline: 0,
      fixable: 2,
    });
    expect(result.loops.map((l) => l.name)).toEqual(['run_b', 'run_a']);
    expect(result.rules).toMatchObject([
      { id: 'untagged-loop', code: 'LT001', severity: 'error', docUrl: 'docs/rules.md#untagged-loop' },
    ]);
  });

  it('reports only what is to be kept, and judges the baseline by all', () => {
    const { active } = selectChecks(checks, { select: ['untagged-loop'] });
    const baseline = [{ rule: 'untagged-loop', identity: b.site.id, line: 3 }];
    const result = runChecks(active, input, { baseline, keep: (f) => f.range.line === 5 });
    expect([result.findings, result.staleBaseline, result.summary.errors]).toEqual([[], [], 0]);
    const gone = [{ rule: 'untagged-loop', identity: 'x', line: 3 }];
    expect(runChecks(active, input, { baseline: gone }).staleBaseline).toHaveLength(1);
    expect(runChecks(active, input, { baseline: gone, partial: true }).staleBaseline).toEqual([]);
  });

  it('yields nothing at all for a clean service', () => {
    const heartbeat = {
      metric: 'm',
      variable: 'v',
      file: 'f.py',
      line: 1,
      labelNames: [],
      labels: null,
      onSuccess: true,
      inLoop: true,
      definition: null,
    };
    const clean = loop('run_x', { target: { tag: tag('awoooi') }, facts: { heartbeat }, shape: { use: 'kept' } });
    const result = runChecks(selectChecks(checks, {}).active, checkInput({ reconciliation: reconciliation([clean]) }));
    expect(result.findings).toEqual([]);
  });

  it('does not change its input', () => {
    const frozen = JSON.stringify(input);
    runChecks(selectChecks(checks, {}).active, input);
    expect(JSON.stringify(input)).toBe(frozen);
  });
});

it('failing: what is at or above the level', () => {
  const of = (severity: 'error' | 'warning' | 'note') => ({ severity }) as Parameters<typeof failing>[0][number];
  const all = [of('error'), of('warning'), of('note')];
  expect(failing(all, 'error')).toHaveLength(1);
  expect(failing(all, 'warning')).toHaveLength(2);
  expect(failing(all, 'note')).toHaveLength(3);
  expect(failing(all, 'off')).toEqual([]);
});

it('nearest: a slip or two, a swap, and no wild guess', () => {
  const known = ['untagged-loop', 'line-drift', 'LT001'];
  expect(nearest('untagged-lopo', known)).toBe('untagged-loop');
  expect(nearest('LINE-DRIFT', known)).toBe('line-drift');
  expect(nearest('completely-other', known)).toBeNull();
});
