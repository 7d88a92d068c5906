import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/model/index.ts';
import { formats, stepSummary } from '../../src/report/index.ts';
import { CHECKS, finding, options, range, result } from './samples.ts';

const github = formats.find((f) => f.name === 'github')!;
const out = (r: CheckResult, over = {}) => github.check!(r, options(over)).split('\n');
const commands = (r: CheckResult, over = {}) => out(r, over).filter((line) => line.startsWith('::'));

/** A multi-line call whose string tries to start a line of its own, in a file with an odd name. */
const FILE = 'odd,name: 100%.py';
const CALL = 'asyncio.create_task(run_poll(\n        "100%", """\n::set-output name=token::leaked\n"""))';
const SOURCE = `import asyncio\n\n\nasync def startup():\n    ${CALL}\n`;
const start = SOURCE.indexOf(CALL);
const forged = finding({
  message: 'it quotes\n::set-output name=x::y',
  range: range(FILE, 5, 5, 6, { endLine: 8, start, end: start + CALL.length }),
});

describe('annotations', () => {
  it('escape data and properties', () => {
    const [line] = commands(result([forged]), { sourceOf: () => SOURCE });
    expect(line).toMatch(
      /^::error file=odd%2Cname%3A 100%25\.py,line=5,col=5,title=LT001 untagged loop::asyncio\.create_task\(run_poll\(%0A {8}"100%25"/,
    );
    expect(line).toContain('%0A::set-output name=token::leaked%0A"""))%0Ait quotes%0A::set-output name=x::y');
  });

  it('are one line each, and nothing else begins like a command', () => {
    const sneaky = finding({ range: range('::set-output name=a::b', 1, 1, 2), message: '\r::error::x' });
    const lines = out(result([forged, sneaky]), { sourceOf: () => SOURCE });
    expect(lines.filter((line) => line.trimStart().startsWith('::'))).toHaveLength(2);
  });

  it('come worst first, at most ten of a kind, then the whole list', () => {
    const lines = out(CHECKS.many!);
    const kinds = lines.filter((line) => line.startsWith('::')).map((line) => line.split(' ')[0]);
    expect(kinds).toEqual([
      ...Array(10).fill('::error'),
      ...Array(10).fill('::warning'),
      ...Array(10).fill('::notice'),
    ]);
    expect(lines).toContain('5 findings above without annotation; all of them:');
    expect(lines.filter((line) => /^(error|warning|note) apps\/api\/src\/main\.py:\d+:5 LT/.test(line))).toHaveLength(
      35,
    );
    expect(lines.at(-2)).toBe('looptag: 12 errors, 12 warnings, 11 notes; 31 spawn sites in 3 files.');
  });

  it('print no list that a name could turn into commands', () => {
    const many = Array.from({ length: 11 }, () => finding({ range: range('::error::x.py', 1, 1, 2) }));
    expect(commands(result(many))).toHaveLength(10);
    expect(out(result(many)).filter((line) => line.startsWith('error ::error::x.py'))).toHaveLength(11);
  });

  it('are few for few findings', () => {
    expect(out(CHECKS.one!)).toHaveLength(3);
    expect(out(CHECKS.empty!)).toEqual(['looptag: no findings; 31 spawn sites in 3 files.', '']);
  });
});

describe('the step summary', () => {
  it('lists all, worst first', () => {
    const rows = stepSummary(CHECKS.many!)
      .split('\n')
      .filter((line) => line.startsWith('| 🔴') || line.startsWith('| 🟡') || line.startsWith('| 🔵'));
    expect(rows).toHaveLength(35);
    expect(rows[0]).toContain('error');
    expect(rows[34]).toContain('note');
  });
});
