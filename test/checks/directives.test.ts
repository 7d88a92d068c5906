import { describe, expect, it } from 'vitest';
import { checks } from '../../rules/checks/index.ts';
import { runChecks, selectChecks } from '../../src/engine/check.ts';
import { readDirectives } from '../../src/engine/directives.ts';
import type { Directive } from '../../src/model/index.ts';
import { analysis, checkInput, decision, reconciliation, site } from '../support/builders.ts';

const FILE = 'apps/api/src/main.py';

/** Comments of a source that has no strings with `#` in it. */
function commentsOf(source: string): Directive[] {
  return source.split('\n').flatMap((line, i) => {
    const at = line.indexOf('#');
    return at < 0 || !line.includes('looptag:')
      ? []
      : [{ file: FILE, line: i + 1, column: at + 1, text: line.slice(at) }];
  });
}

function read(source: string, today = '2026-05-03') {
  return readDirectives(commentsOf(source), { rules: checks, today, sourceOf: () => source });
}

/** Spawns `run_<n>()` in each line that holds one; the statement reaches to the end of its brackets. */
function check(source: string, rules: string[] = []) {
  const sites = [...source.matchAll(/^( *)((?:\w+ = )?)(asyncio\.create_task\([\s\S]*?\)\))/gm)].map((m, i) => {
    const start = m.index + m[1]!.length + m[2]!.length;
    const line = source.slice(0, start).split('\n').length;
    const height = m[3]!.split('\n').length - 1;
    const base = site(`run_${i}`, line);
    return {
      ...base,
      range: { ...base.range, endLine: line + height, start, end: start + m[3]!.length },
      shape: { ...base.shape, statement: { start: m.index + m[1]!.length, end: start + m[3]!.length } },
    };
  });
  const { active } = selectChecks(checks, {
    select: ['untagged-loop', 'unused-suppression', 'expired-suppression', 'suppression-without-reason', ...rules],
  });
  const input = checkInput({
    analysis: analysis(sites, { directives: commentsOf(source) }),
    reconciliation: reconciliation(sites.map((s) => decision(s))),
    files: { [FILE]: source },
  });
  const result = runChecks(active, input, { known: checks });
  return { found: result.findings.map((f) => `${f.range.line} ${f.code} ${f.message}`), summary: result.summary };
}

const codes = (found: string[]) => found.map((f) => f.split(' ').slice(0, 2).join(' '));

describe('a suppression', () => {
  it('takes a finding away on its line, and is counted', () => {
    const { found, summary } = check('asyncio.create_task(run())  # looptag: ignore[untagged-loop] -- a test only\n');
    expect(found).toEqual([]);
    expect(summary.suppressed).toBe(1);
  });

  it('works by code, in any case, and for several rules', () => {
    expect(
      check('asyncio.create_task(run())  # looptag: ignore[lt001, dropped-task] -- why\n', ['dropped-task']).found,
    ).toEqual([]);
  });

  it('stands alone on the line above, also above another comment', () => {
    expect(check('# looptag: ignore[untagged-loop] -- why\nasyncio.create_task(run())\n').found).toEqual([]);
    expect(check('# looptag: ignore[untagged-loop] -- why\n# more\nasyncio.create_task(run())\n').found).toEqual([]);
    expect(codes(check('# looptag: ignore[untagged-loop] -- why\n\nasyncio.create_task(run())\n').found)).toEqual([
      '1 LT024',
      '3 LT001',
    ]);
  });

  it('stands on any line of a long statement', () => {
    expect(
      check('task = asyncio.create_task(\n    run(  # looptag: ignore[untagged-loop] -- why\n    ))\n').found,
    ).toEqual([]);
    expect(
      check('task = asyncio.create_task(\n    # looptag: ignore[untagged-loop] -- why\n    run())\n').found,
    ).toEqual([]);
    expect(check('task = asyncio.create_task(\n    run())  # looptag: ignore[untagged-loop] -- why\n').found).toEqual(
      [],
    );
  });

  it('at the end of a line does not reach the next one', () => {
    const source = 'x = 1  # looptag: ignore[untagged-loop] -- why\nasyncio.create_task(run())\n';
    expect(codes(check(source).found)).toEqual(['1 LT024', '2 LT001']);
  });

  it('speaks of its own file only', () => {
    const source = 'asyncio.create_task(run())  # looptag: ignore[untagged-loop] -- why\n';
    const there = site('run', 1);
    const elsewhere = { ...there, range: { ...there.range, file: 'apps/api/src/other.py' } };
    const input = checkInput({
      analysis: analysis([elsewhere], { directives: commentsOf(source) }),
      reconciliation: reconciliation([decision(elsewhere)]),
      files: { [FILE]: source, [elsewhere.range.file]: 'asyncio.create_task(run())\n' },
    });
    const { active } = selectChecks(checks, { select: ['untagged-loop', 'unused-suppression'] });
    const { findings } = runChecks(active, input, { known: checks });
    expect(findings.map((f) => `${f.range.file} ${f.code}`)).toEqual([`${FILE} LT024`, 'apps/api/src/other.py LT001']);
  });

  it('speaks of its own rule only', () => {
    const source = 'asyncio.create_task(run())  # looptag: ignore[dropped-task] -- why\n';
    expect(codes(check(source).found)).toEqual(['1 LT001']);
    expect(codes(check(source, ['dropped-task']).found)).toEqual(['1 LT001']);
  });

  it('may end with its date and not later', () => {
    const until = (date: string) =>
      `asyncio.create_task(run())  # looptag: ignore[untagged-loop] until=${date} -- why\n`;
    expect(check(until('2026-05-03')).found).toEqual([]);
    expect(check(until('2026-05-02')).found).toEqual([
      expect.stringContaining('1 LT001'),
      '1 LT025 the suppression of `untagged-loop` ended on 2026-05-02, and takes nothing away any more',
    ]);
    expect(codes(check(until('2026-02-30')).found)).toEqual(['1 LT001', '1 LT024']);
    expect(codes(check(until('soon')).found)).toEqual(['1 LT001', '1 LT024']);
  });

  it('needs a reason', () => {
    for (const end of ['', ' --', ' -- ', ' # other -- not a reason']) {
      expect(codes(check(`asyncio.create_task(run())  # looptag: ignore[untagged-loop]${end}\n`).found)).toEqual([
        '1 LT001',
        '1 LT026',
      ]);
    }
    expect(check('asyncio.create_task(run())  # looptag: ignore[untagged-loop] -- #123\n').found).toEqual([]);
  });

  it('names the nearest rule for an unknown one', () => {
    expect(check('asyncio.create_task(run())  # looptag: ignore[untaged-loop] -- why\n').found).toEqual([
      expect.stringContaining('LT001'),
      '1 LT024 there is no rule `untaged-loop`; did you mean `untagged-loop`?',
    ]);
  });

  it('needs rules', () => {
    for (const form of ['ignore', 'ignore[]', 'ignore untagged-loop -- why', 'ignore[untagged-loop -- why']) {
      expect(codes(check(`asyncio.create_task(run())  # looptag: ${form}\n`).found)).toEqual(['1 LT001', '1 LT024']);
    }
  });

  it('is unused when nothing is reported, and only for rules that ran', () => {
    expect(check('x = 1  # looptag: ignore[untagged-loop, dropped-task] -- why\n').found).toEqual([
      '1 LT024 `untagged-loop` reports nothing here: the suppression is not needed',
    ]);
  });

  it('may stand behind another comment', () => {
    expect(check('asyncio.create_task(run())  # noqa: RUF006 # looptag: ignore[untagged-loop] -- why\n').found).toEqual(
      [],
    );
  });
});

describe('a hint', () => {
  it('above a call speaks of the line below it', () => {
    const { hints, problems } = read('# looptag: class=B project=awoooi id=17\nasyncio.create_task(\n    run())\n');
    expect(problems).toEqual([]);
    expect([...hints]).toEqual([[`${FILE}:2`, { class: 'B', projectId: 'awoooi', number: 17 }]]);
  });

  it('may be said in parts, above the call and beside it', () => {
    const { hints } = read('# looptag: class=B\n# looptag: project=awoooi\nrun()  # looptag: id=17\n');
    expect([...hints]).toEqual([[`${FILE}:3`, { class: 'B', projectId: 'awoooi', number: 17 }]]);
  });

  it('may say one thing, with a remark', () => {
    const { hints } = read('asyncio.create_task(run())  # looptag: id=17 -- the 31st\n');
    expect([...hints]).toEqual([[`${FILE}:1`, { number: 17 }]]);
  });

  it('is refused when it makes no sense, with what was expected', () => {
    const problem = (text: string) => {
      const { hints, problems } = read(`x  # looptag: ${text}\n`);
      expect(hints.size).toBe(0);
      return problems[0];
    };
    expect(problem('class=D')).toMatchObject({ kind: 'bad-value', key: 'class', value: 'D', expected: 'A, B or C' });
    expect(problem('id=x')).toMatchObject({ kind: 'bad-value', key: 'id' });
    expect(problem('project=a"b')).toMatchObject({ kind: 'bad-value', key: 'project' });
    expect(problem('projct=awoooi')).toMatchObject({ kind: 'unknown-key', nearest: 'project' });
    expect(problem('please')).toMatchObject({ kind: 'malformed', text: 'please' });
    expect(problem('')).toMatchObject({ kind: 'malformed' });
  });
});
