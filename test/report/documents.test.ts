import { spawnSync } from 'node:child_process';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/model/index.ts';
import { formats } from '../../src/report/index.ts';
import { analysis, site } from '../support/builders.ts';
import { CHECKS, finding, INVENTORIES, ODD, options, range, result } from './samples.ts';

const check = (name: string, r: CheckResult, over = {}) =>
  formats.find((f) => f.name === name)!.check!(r, options(over));

describe('gitlab', () => {
  it('has what the code quality report asks for, with stable and distinct fingerprints', () => {
    const at = (line: number) => finding({ range: range('a.py', line, 1, 2) });
    const read = (lines: number[]) => JSON.parse(check('gitlab', result(lines.map(at))));
    const [first, second] = read([3, 8]);
    expect(first).toMatchObject({
      description: 'LT001: `run_x` is spawned without a project id',
      check_name: 'untagged-loop',
      severity: 'major',
      location: { path: 'a.py', lines: { begin: 3, end: 3 } },
    });
    expect(first.fingerprint).not.toBe(second.fingerprint);
    expect(read([30, 80]).map((i: { fingerprint: string }) => i.fingerprint)).toEqual([
      first.fingerprint,
      second.fingerprint,
    ]);
  });
  it('is an empty list without findings', () => {
    expect(check('gitlab', CHECKS.empty!)).toBe('[]\n');
  });
});

/** Reads documents with Python's own XML parser, in one start of it: name, attributes, children, text. */
function readXml(texts: string[]): Element[] {
  const script = `
import json, sys, xml.etree.ElementTree as E
def read(e): return [e.tag, e.attrib, [read(c) for c in e], (e.text or "").strip()]
print(json.dumps([read(E.fromstring(text.encode())) for text in json.load(sys.stdin.buffer)]))`;
  const { stdout, stderr } = spawnSync('python3', ['-c', script], { input: JSON.stringify(texts), encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Element[];
}
type Element = [tag: string, attributes: Record<string, string>, children: Element[], text: string];

describe('junit', { timeout: 30_000 }, () => {
  it('is well-formed, whatever is in it', () => {
    const documents = readXml(Object.values(CHECKS).map((r) => check('junit', r)));
    expect(documents.map(([tag]) => tag)).toEqual(Object.keys(CHECKS).map(() => 'testsuites'));
  });

  it('has one test case a loop, failed by what fails the run', () => {
    const remark = finding({ severity: 'note', rule: 'missing-heartbeat', code: 'LT009', message: 'no heartbeat' });
    const noted = result([finding({ severity: 'note' })]);
    const [usual, strict, lax] = readXml([
      check('junit', result([finding(), remark])),
      check('junit', noted, { failOn: 'note' }),
      check('junit', CHECKS.one!, { failOn: 'off' }),
    ]);
    const [, attributes, [loops]] = usual!;
    expect(attributes).toMatchObject({ tests: '2', failures: '1', errors: '0' });
    const [bad, good] = loops![2];
    expect(bad![1]).toMatchObject({ name: 'run_x', classname: 'src.main', file: 'apps/api/src/main.py', line: '499' });
    expect(bad![2].map(([tag, a, , text]) => [tag, a.type, text])).toEqual([
      ['failure', 'untagged-loop', expect.stringContaining(':499:9: error LT001')],
      ['system-out', undefined, expect.stringContaining('LT009')],
    ]);
    expect(good![2]).toEqual([]);
    expect([strict![1].failures, lax![1].failures]).toEqual(['1', '0']);
  });

  it('tells apart the coroutines of one site, rows, comments and broken files', () => {
    const loops = ['run_a', 'run_b'].map((name) => ({ site: 's', name, module: 'm', range: range('a.py', 1, 1, 2) }));
    const row = finding({ site: null, rule: 'stale-entry', range: range('docs/INV-8.md', 12, 1, 5) });
    const [pair, rest] = readXml([
      check('junit', result([finding({ site: 's', identity: 's[run_b]' })], { loops })),
      check('junit', { ...result([row]), errors: CHECKS.unreadable!.errors }),
    ]);
    expect(pair![2][0]![2].map((c) => [c[1].name, c[2].length])).toEqual([
      ['run_a', 0],
      ['run_b', 1],
    ]);
    expect(rest![2].map((s) => [s[1].name, s[1].failures, s[1].errors])).toEqual([
      ['loops', '0', '0'],
      ['other findings', '1', '0'],
      ['files', '0', '1'],
    ]);
    expect(rest![1].errors).toBe('1');
  });
});

const html = (markdown: string) =>
  micromark(markdown, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()], allowDangerousHtml: true });

describe('markdown', () => {
  it('is a table with a row a finding', () => {
    expect(html(check('markdown', CHECKS.many!)).match(/<tr>/g)).toHaveLength(36);
  });
  it.each([ODD, '`a|b` <img src=x onerror=y> @team #12 https://evil.example [x](y) **b** `', '``|`` a | b'])(
    'takes nothing in %j for mark-up',
    (message) => {
      const out = html(check('markdown', result([finding({ message })])));
      expect(out.match(/<tr>/g)).toHaveLength(2);
      expect(out.match(/<td/g)).toHaveLength(4);
      expect(out).not.toMatch(/<(?:img|b|a|strong|em)\b/);
    },
  );
  it('does not call people or link issues', () => {
    const text = check('markdown', result([finding({ message: 'ask @team about #12 at https://x.example' })]));
    expect(text).not.toMatch(/@team|#12|https:/);
  });
  it('stays below what a comment may hold', () => {
    const long = Array.from({ length: 2000 }, (_, i) => finding({ message: `${i} ${'x'.repeat(100)}` }));
    const text = check('markdown', result(long));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/\d+ more findings not shown\./);
  });
  it('says so when all is well', () => {
    expect(check('markdown', CHECKS.empty!)).toBe('### looptag: ✅ no findings\n\n31 spawn sites in 3 files.\n');
  });
  it('shows the inventory too', () => {
    const markdown = formats.find((f) => f.name === 'markdown')!;
    expect(html(markdown.inventory!(INVENTORIES.many!, options())).match(/<tr>/g)).toHaveLength(41);
    expect(html(markdown.inventory!(INVENTORIES.odd!, options())).match(/<tr>/g)).toHaveLength(2);
  });
});

describe('csv', () => {
  const csv = formats.find((f) => f.name === 'csv')!;
  it('has a line a coroutine, quoted where needed', () => {
    const lines = csv.inventory!(INVENTORIES.many!, options()).split('\r\n');
    expect(lines).toHaveLength(42);
    expect(lines[1]).toBe(
      '1,run_0,apps/api/src/main.py,1,loop,300,,,legacy_awoooi_default,B,P2,awoooi,asyncio.create_task,src.main:lifespan:run_0',
    );
  });
  it('hands no formula to a spreadsheet', () => {
    const bad = site('=HYPERLINK("http://x","y")', 1, { targets: [], argument: '=HYPERLINK("http://x","y")' });
    const text = csv.inventory!({ analysis: analysis([bad]), reconciliation: null, root: '.' }, options());
    expect(text).toContain(`,"'=HYPERLINK(""http://x"",""y"")",`);
  });
});
