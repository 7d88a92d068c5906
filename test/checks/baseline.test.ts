import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checks } from '../../rules/checks/index.ts';
import { applyBaseline, pruneBaseline, readBaseline, writeBaseline } from '../../src/engine/baseline.ts';
import { runChecks, selectChecks } from '../../src/engine/check.ts';
import type { SpawnSite } from '../../src/model/index.ts';
import { analysis, checkInput, decision, reconciliation, site } from '../support/builders.ts';

const FILE = 'app.py';

/** Spawns of `run_poll`, each `enclosing:line`; ids count repetitions, as the analysis does. */
function spawns(...places: string[]): SpawnSite[] {
  const times = new Map<string, number>();
  return places.map((where) => {
    const [enclosing, line] = where.split(':') as [string, string];
    const id = `app:${enclosing}:run_poll`;
    const n = (times.get(id) ?? 0) + 1;
    times.set(id, n);
    const base = site('run_poll', Number(line));
    return {
      ...base,
      id: n === 1 ? id : `${id}#${n}`,
      enclosing,
      module: 'app',
      range: { ...base.range, file: FILE, column: 5 },
    };
  });
}

function check(sites: SpawnSite[], baseline?: string) {
  const { active } = selectChecks(checks, { select: ['untagged-loop'] });
  const input = checkInput({
    analysis: analysis(sites),
    reconciliation: reconciliation(sites.map((s) => decision(s))),
  });
  const read = baseline === undefined ? null : readBaseline(baseline, 'looptag.baseline', checks);
  expect(read?.problems ?? []).toEqual([]);
  return runChecks(active, input, { known: checks, baseline: read?.entries ?? null });
}

const before = spawns('startup:9', 'startup:10');
const text = writeBaseline(check(before).findings, before);

describe('a baseline', () => {
  it('is one sorted line an entry, without line numbers', () => {
    expect(text.split('\n').slice(2)).toEqual([
      'untagged-loop app:startup:run_poll',
      'untagged-loop app:startup:run_poll#2',
      '',
    ]);
    expect(text.split('\n')[0]).toBe('# looptag baseline v1');
  });

  it('accepts what it was taken from, wherever the lines go', () => {
    const moved = check(spawns('startup:9', 'startup:13'), text);
    expect([moved.findings, moved.staleBaseline, moved.summary.baselined]).toEqual([[], [], 2]);
  });

  it('lets a third identical spawn fail, and only that', () => {
    const { findings } = check(spawns('startup:9', 'startup:10', 'startup:11'), text);
    expect(findings.map((f) => [f.range.line, f.range.column])).toEqual([[11, 5]]);
  });

  it('is not fooled by a swap: one mended, one new elsewhere', () => {
    const result = check(spawns('startup:9', 'other:13'), text);
    expect(result.findings.map((f) => f.range.line)).toEqual([13]);
    expect(result.staleBaseline.map((e) => e.identity)).toEqual(['app:startup:run_poll#2']);
    expect(result.summary.staleBaseline).toBe(1);
  });

  it('tells two services apart that have the same module', () => {
    const a = spawns('startup:9');
    const b = spawns('startup:9').map((s) => ({ ...s, range: { ...s.range, file: 'b/app.py' } }));
    const both = [...a, ...b];
    const accepted = writeBaseline(
      check(both).findings.filter((f) => f.range.file === FILE),
      both,
    );
    expect(check(both, accepted).findings.map((f) => f.range.file)).toEqual(['b/app.py']);
  });

  it('loses what is stale when pruned, and nothing else', () => {
    const { entries } = readBaseline(text, 'b', checks);
    const { staleBaseline } = check(spawns('startup:9'), text);
    const pruned = pruneBaseline(entries, staleBaseline);
    expect(pruned).toBe(writeBaseline(check(spawns('startup:9')).findings, before));
  });

  it('calls nothing stale that did not run', () => {
    const entries = readBaseline(`${text}dropped-task app:startup:run_poll\n`, 'b', checks).entries;
    const { stale } = applyBaseline([], entries, { ran: new Set(['dropped-task']), sites: [] });
    expect(stale.map((e) => e.rule)).toEqual(['dropped-task']);
  });

  it('never accepts a file that can not be read', () => {
    const errors = [{ file: 'x.py', line: 1, column: 1, message: 'm', kind: 'syntax' as const }];
    const { active } = selectChecks(checks, { select: ['syntax-error'] });
    const input = checkInput({ analysis: analysis([], { errors }) });
    const { findings } = runChecks(active, input);
    expect(writeBaseline(findings, [])).not.toContain('x.py');
    const entries = [{ rule: 'syntax-error', identity: 'x.py', line: 3 }];
    expect(runChecks(active, input, { baseline: entries }).findings).toHaveLength(1);
  });

  it('survives a merge by union: order, repetition and blank lines do not matter', () => {
    const rows = text.trimEnd().split('\n');
    const merged = [rows[0], rows[3], '', rows[2], rows[3]].join('\r\n');
    expect(check(before, merged).findings).toEqual([]);
  });
});

describe('a baseline broken by hand', () => {
  const problems = (content: string) =>
    readBaseline(content, 'ci/baseline', checks).problems.map((p) => `${p.file}:${p.line} ${p.message} | ${p.remedy}`);
  const title = '# looptag baseline v1\n';

  it.each([
    ['', 'ci/baseline:1 this is no looptag baseline'],
    ['{"entries": []}', 'ci/baseline:1 this is no looptag baseline'],
    ['# looptag baseline v2\n', 'ci/baseline:1 this baseline has the format v2, and this looptag reads v1'],
    [`${title}<<<<<<< HEAD\n`, 'ci/baseline:2 a merge conflict is left in the baseline | keep the entries'],
    [`${title}\nuntagged-loop\n`, 'ci/baseline:3 an entry is a rule, a space and a spawn | remove the line'],
    [`${title}untaged-loop a:b:c\n`, 'ci/baseline:2 there is no rule "untaged-loop" | did you mean "untagged-loop"?'],
  ])('%j is named with its line and remedy', (content, start) => {
    const found = problems(content);
    expect(found).toHaveLength(1);
    expect(found[0]!.startsWith(start)).toBe(true);
  });
});

it('any identity survives writing and reading', () => {
  const entryOf = (identity: string) => {
    const base = check(spawns('startup:9')).findings[0]!;
    return { ...base, site: null, identity };
  };
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 8 }), (identities) => {
      const findings = identities.map(entryOf);
      const written = writeBaseline(findings, []);
      const { entries, problems } = readBaseline(written, 'b', checks);
      expect(problems).toEqual([]);
      const { kept, stale } = applyBaseline(findings, entries, { ran: new Set(['untagged-loop']), sites: [] });
      expect([kept, stale]).toEqual([[], []]);
    }),
  );
});
