/** Configuration, policies and catalogues that were written to do harm. */
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { looptag, temporary, write } from '../e2e/support/run.ts';
import { atLength } from '../support/long.ts';
import { expectHarmless, expectOrderly, project, SERVICE } from './support.ts';

const SECRET = 'a-secret-that-no-log-may-show';
const outside = temporary('outside');
write(outside, { 'secret.yaml': SECRET, 'secret.md': `| # | Loop | Line |\n|-|-|-|\n| 1 | ${SECRET} | x |\n` });

describe('policies', () => {
  const nest = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);
  const aliases = Array.from({ length: 12 }, (_, i) => {
    const [name, of] = [String.fromCharCode(98 + i), String.fromCharCode(97 + i)];
    return `${name}: &${name} [${Array(9).fill(`*${of}`).join(',')}]\n`;
  });
  const files: Record<string, string | Uint8Array> = {
    'bomb.yaml': `a: &a [x,x,x,x,x,x,x,x,x]\n${aliases.join('')}`,
    'twice.yaml': 'name: x\nname: y\n',
    'self.yaml': 'name: &a [*a]\n',
    'deep.yaml': `name: ${nest('[', ']')}\n`,
    'tag.yaml': 'name: !!js/function "function(){}"\n',
    'merge.yaml': '<<: {__proto__: {polluted: true}}\nname: x\n',
    'proto.yaml': '__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}\nname: x\n',
    'markers.yaml': 'name: x\nmarkers:\n  __proto__: {projectId: x}\n  toString: {projectId: x}\n',
    'keys.yaml': '"k\\e[31m": 1\n"\\n::error::injected": 2\n',
    'bytes.yaml': new Uint8Array([0xff, 0xfe, 0x00, 0x80]),
  };
  const root = project(temporary('policy'), { ...files, 'main.py': SERVICE });

  test.concurrent.each(Object.keys(files))('%s is refused in one message', async (file) => {
    const outcome = await looptag(['inventory', '--policy', file], { cwd: root });
    expectOrderly(outcome);
    expect(outcome.code).toBe(2);
    expect(outcome.err).toContain(`${file}:`);
    expect(outcome.out).toBe('');
    expectHarmless(outcome.err);
  });
});

describe('configuration', () => {
  const broken: [string, string][] = [
    ['[__proto__]\nx = 1\n', '__proto__'],
    ['"constructor" = 1\n', 'constructor'],
    ['[severity]\n__proto__ = "off"\n', '__proto__'],
    ['[severity]\nconstructor = "off"\n', 'constructor'],
    ['paths = ["a"]\npaths = ["b"]\n', 'looptag.toml:2:'],
    [`paths = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`, 'looptag.toml:1:'],
    ['paths = ["../x"]\n', '../x'],
    ['catalog = "/etc/passwd"\n', '/etc/passwd'],
    ['baseline = "../../x"\n', '../../x'],
    ['import-roots = ["/"]\n', '"/"'],
    ['policy = "/proc/self/environ"\n', '/proc/self/environ'],
    ['policy = "linked.yaml"\n', 'linked.yaml'],
    ['catalog = "linked.md"\n', 'linked.md'],
    ['catalog = "\\u001b[31m\\n::error::injected"\n', 'catalogue'],
    ['select = ["\\u001b[31m\\n::error::injected"]\n', 'rule'],
  ];

  test.concurrent.each(broken)('%j', async (text, named) => {
    const root = project(temporary('toml'), { 'main.py': SERVICE, 'looptag.toml': text, 'loops.md': '' });
    symlinkSync(join(outside, 'secret.yaml'), join(root, 'linked.yaml'));
    symlinkSync(join(outside, 'secret.md'), join(root, 'linked.md'));
    const outcome = await looptag(['check'], { cwd: root, env: { SECRET } });
    expectOrderly(outcome);
    expect(outcome.err + outcome.out).not.toContain(SECRET);
    expect(outcome.code).toBe(2);
    expect(outcome.err).toContain(named);
    expectHarmless(outcome.err);
  });

  test.concurrent('names of prototypes are names like any other', async () => {
    const apis = '[[spawn-apis]]\ncallee = "__proto__"\n[[spawn-apis]]\ncallee = "constructor"\n';
    const code = SERVICE.replaceAll('poll', '__proto__').replaceAll('main', 'constructor');
    const root = project(temporary('proto'), { 'toString.py': code, '__proto__.py': code, 'looptag.toml': apis });
    const outcome = await looptag(['check', '--format', 'json'], { cwd: root });
    expectOrderly(outcome);
    const { findings } = JSON.parse(outcome.out) as { findings: { rule: string; file: string }[] };
    const untagged = findings.filter((f) => f.rule === 'untagged-loop').map((f) => f.file);
    expect(untagged.sort()).toEqual(['__proto__.py', 'toString.py']);
  });
});

describe('catalogues', () => {
  const COUNT = atLength(100_000, 10_000);
  const rows = Array.from(
    { length: COUNT },
    (_, i) => `| ${i + 1} | run_${i} | ${i + 1} | 30s | legacy_awoooi_default | P2 | |\n`,
  );
  const head = '| # | Loop | Line | Frequency | Marker | Priority | Note |\n|---|---|---|---|---|---|---|\n';
  const catalogue = `# Loops\n\n${head}${rows.join('')}`;

  test(`${COUNT} rows are checked in time`, async () => {
    const root = project(temporary('rows'), { 'main.py': SERVICE, 'loops.md': catalogue });
    const outcome = await looptag(['check', '--catalog', 'loops.md', '--format', 'json'], { cwd: root });
    expectOrderly(outcome);
    const { findings } = JSON.parse(outcome.out) as { findings: { rule: string; line: number }[] };
    const stale = findings.filter((f) => f.rule === 'stale-entry');
    expect(stale).toHaveLength(COUNT);
    expect(stale.at(-1)!.line).toBe(COUNT + 4);
  });

  test(`${COUNT} rows are brought up to date in time`, async () => {
    const root = project(temporary('rows'), { 'main.py': SERVICE, 'loops.md': catalogue });
    const outcome = await looptag(['catalog', 'sync', '--catalog', 'loops.md', '-q'], { cwd: root });
    expectOrderly(outcome);
    const lines = readFileSync(join(root, 'loops.md'), 'utf8').split('\n');
    expect(lines.filter((line) => line.includes('~~run_'))).toHaveLength(COUNT);
    expect(lines[4]).toMatch(/^\| 1 \| ~~run_0~~ \|/);
  });
});
