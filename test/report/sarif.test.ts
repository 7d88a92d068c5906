import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/model/index.ts';
import { lineHashes } from '../../src/report/fingerprint.ts';
import { formats } from '../../src/report/index.ts';
import { relativeUri } from '../../src/report/uri.ts';
import { CHECKS, finding, ODD, ODD_FILE, options, range, result } from './samples.ts';

const sarif = formats.find((f) => f.name === 'sarif')!;
const { $schema, id, ...schema } = JSON.parse(
  readFileSync(new URL('schemas/sarif-2.1.0-rtm.5.json', import.meta.url), 'utf8'),
);
const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);

function log(r: CheckResult, over = {}) {
  return JSON.parse(sarif.check!(r, options(over)));
}

describe('SARIF', () => {
  it.each(Object.keys(CHECKS))('%s is valid against the schema of 2.1.0', (name) => {
    validate(
      log(CHECKS[name]!, {
        sourceOf: () => `${ODD}\nsecond line\n`,
        tool: { name: 'looptag', version: '1.0.0', url: 'https://example.org' },
      }),
    );
    expect(validate.errors ?? []).toEqual([]);
  });

  it('the schema would refuse a wrong log', () => {
    expect(validate({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
  });

  it('has what GitHub asks for', () => {
    const source = `${'\n'.repeat(498)}        asyncio.create_task(run_x())\n`;
    const { $schema: url, version, runs } = log(CHECKS.one!, { sourceOf: () => source });
    expect(version).toBe('2.1.0');
    expect(url).toMatch(/sarif-schema-2\.1\.0\.json$/);
    const [run] = runs;
    expect(run.columnKind).toBe('unicodeCodePoints');
    expect(run.tool.driver.rules[0]).toMatchObject({
      id: 'untagged-loop',
      name: 'UntaggedLoop',
      help: { text: 'A summary. To mend it, run `looptag migrate`.' },
      defaultConfiguration: { level: 'error' },
    });
    const [first] = run.results;
    expect(run.tool.driver.rules[first.ruleIndex].id).toBe(first.ruleId);
    expect(first.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'apps/api/src/main.py', uriBaseId: 'SRCROOT' },
      region: { startLine: 499, startColumn: 9, endLine: 499, endColumn: 40 },
    });
    expect(first.partialFingerprints.primaryLocationLineHash).toBe(lineHashes(source)[498]);
    expect(first.partialFingerprints['looptagSite/v1']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('links to the documentation only by URL', () => {
    const r = CHECKS.one!;
    expect(log(r).runs[0].tool.driver.rules[0].helpUri).toBeUndefined();
    const docUrl = 'https://example.org/rules#untagged-loop';
    const linked = log({ ...r, rules: r.rules.map((rule) => ({ ...rule, docUrl })) }).runs[0].tool.driver.rules[0];
    expect(linked.helpUri).toBe(docUrl);
    expect(linked.help.markdown).toContain(`(${docUrl})`);
  });

  it('keeps our own fingerprint when the line moves, and tells findings apart', () => {
    const prints = (...lines: number[]) =>
      log(result(lines.map((line) => finding({ range: range('a.py', line, 1, 2) })))).runs[0].results.map(
        (r: { partialFingerprints: Record<string, string> }) => r.partialFingerprints['looptagSite/v1'],
      );
    expect(prints(5, 9)).toEqual(prints(50, 90));
    expect(new Set(prints(5, 9)).size).toBe(2);
  });

  it('turns edits into replacements by line and column in code points', () => {
    const source = 'x\r\n名😀 = "awoooi"\n';
    const start = source.indexOf('"awoooi"');
    const edits = [{ file: 'a.py', start, end: start + 8, text: '"__platform__"' }];
    const fix = { title: 'Carry `__platform__`', safe: true, edits };
    const [first] = log(result([finding({ fix })]), { sourceOf: () => source }).runs[0].results;
    expect(first.fixes).toEqual([
      {
        description: { text: 'Carry `__platform__`' },
        artifactChanges: [
          {
            artifactLocation: { uri: 'a.py', uriBaseId: 'SRCROOT' },
            replacements: [
              {
                deletedRegion: { startLine: 2, startColumn: 6, endLine: 2, endColumn: 14 },
                insertedContent: { text: '"__platform__"' },
              },
            ],
          },
        ],
      },
    ]);
    const unsafe = log(result([finding({ fix: { ...fix, safe: false } })]), { sourceOf: () => source });
    expect(unsafe.runs[0].results[0].fixes).toBeUndefined();
  });

  it('says that a file was not analysed', () => {
    const [invocation] = log(CHECKS.unreadable!).runs[0].invocations;
    expect(invocation.executionSuccessful).toBe(false);
    expect(invocation.toolExecutionNotifications[0]).toMatchObject({
      level: 'error',
      message: { text: "expected ':'" },
    });
  });

  it('encodes paths so that they are nothing but paths', () => {
    expect(relativeUri(ODD_FILE)).toBe('odd%2Cname%3A%20100%25%1B%5D0%3Bx%07%20%3F%23%C3%A9%E4%B8%AD%F0%9F%98%80.py');
    expect(decodeURIComponent(relativeUri(ODD_FILE))).toBe(ODD_FILE);
    expect(relativeUri('a b/c:d/\ud800.py')).toBe('a%20b/c%3Ad/%EF%BF%BD.py');
  });
});

describe('the line hash', () => {
  // Values that GitHub's own implementation is tested with.
  const END = 'c129715d7a2bc9a3:1';
  const GREETING = [
    'e9496ae3ebfced30:1',
    'fb7c023a8b9ccb3f:1',
    'ce8ba1a563dcdaca:1',
    'e20e36e16fcb0cc8:1',
    'b3edc88f2938467e:1',
    'c8e28b0b4002a3a0:1',
    END,
  ];
  it.each([
    ['', [END]],
    [' a\nb\n  \t\tc\n d', ['271789c17abda88f:1', '54703d4cd895b18:1', '180aee12dab6264:1', 'a23a3dc5e078b07b:1']],
    [' hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n', GREETING],
    [' hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r', GREETING],
    [' hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n', GREETING],
    [' hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n', GREETING],
  ])('of %j is GitHub’s', (text, hashes) => {
    expect(lineHashes(text)).toEqual(hashes);
  });
  it('counts equal lines', () => {
    expect(lineHashes('Lorem ipsum dolor sit amet.\n'.repeat(10))).toEqual([
      'a7f2ff13bc495cf2:1',
      'a7f2ff13bc495cf2:2',
      'a7f2ff13bc495cf2:3',
      'a7f2ff13bc495cf2:4',
      'a7f2ff13bc495cf2:5',
      'a7f2ff13bc495cf2:6',
      'a7f2ff1481e87703:1',
      'a9cf91f7bbf1862b:1',
      '55ec222b86bcae53:1',
      'cc97dc7b1d7d8f7b:1',
      END,
    ]);
  });
});
