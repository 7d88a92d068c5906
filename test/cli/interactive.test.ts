/** `migrate -i`, on a real terminal and with piped answers: what each answer does to the bytes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONTEXT_HELPER } from '../support/context-helper.ts';
import { BIN, ENV, looptag, temporary } from './support/project.ts';

const CONTEXT = 'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id", default="")\n';

/** The calls stand where a statement may stand: alone, over several lines, in a block, after another, at the end. */
const plain = (eol = '\n'): string =>
  [
    'import asyncio',
    'from ctx import _run_with_context',
    '',
    '',
    'async def poll(n=0):',
    '    while True:',
    '        await asyncio.sleep(5)',
    '',
    '',
    'async def main():',
    '    asyncio.create_task(poll(0))',
    '    if True:',
    '        task = asyncio.create_task(',
    '            poll(1),  # the second',
    '        )',
    '    asyncio.create_task(poll(2)); print()',
    '    asyncio.create_task(poll(3))',
    '    asyncio.create_task(poll(4))',
    '',
  ].join(eol);

/** The file with some calls wrapped, and a comment above the statement of others. */
function tagged(wrapped: number[], suppressed: Record<number, string> = {}, eol = '\n'): string {
  let text = plain(eol);
  for (const n of wrapped) text = text.replace(`poll(${n})`, `_run_with_context(poll(${n}), "awoooi")`);
  for (const [n, reason] of Object.entries(suppressed)) {
    const statement = n === '1' ? '        task = ' : `    asyncio.create_task(poll(${n}))`;
    const indent = /^ */.exec(statement)![0];
    text = text.replace(statement, `${indent}# looptag: ignore[untagged-loop] -- ${reason}${eol}${statement}`);
  }
  return text;
}

function project(app: string | Uint8Array = plain()): string {
  const root = temporary();
  for (const [file, content] of [
    ['ctx.py', CONTEXT_HELPER],
    ['app.py', app],
  ] as const) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}

const ARGS = ['migrate', 'app.py', '--project-id', 'awoooi', '--allow-dirty', '-i', '--write'];
const read = (root: string): string => readFileSync(join(root, 'app.py'), 'utf8');

function piped(root: string, answers: string, args = ARGS): { code: number | null; err: string; out: string } {
  return looptag(root, [...args, '--root', root], answers);
}

const ASKS = 'uppress: ';

function typed(root: string, answers: [string, string | null][], args = ARGS): { code: number | null; shown: string } {
  const driver = join(import.meta.dirname, 'support/terminal.py');
  const command = [process.execPath, BIN, ...args, '--root', root];
  const run = spawnSync('python3', [driver, JSON.stringify(answers), ...command], {
    cwd: root,
    env: { ...ENV, TERM: 'xterm' },
    encoding: 'utf8',
  });
  return { code: run.status, shown: run.stdout + run.stderr };
}

const python3 = spawnSync('python3', ['-c', 'import pty']).status === 0;
if (!python3) console.warn('SKIPPED: no python3 with a pty module, so -i was not driven on a terminal');

describe.skipIf(!python3)('on a terminal', () => {
  test('yes, no, suppress with a reason, all that follow', () => {
    const root = project();
    const { code, shown } = typed(root, [
      [ASKS, 'y'],
      [ASKS, 's'],
      ['reason: ', 'ends with the service -- 服務'],
      [ASKS, 'n'],
      [ASKS, 'a'],
    ]);
    expect(code, shown).toBe(0);
    expect(shown).toContain('[1/5] app.py:11: poll(0) → awoooi');
    expect(shown).toContain('[4/5] app.py:17: poll(3) → awoooi');
    expect(shown).not.toContain('[5/5]');
    expect(read(root)).toBe(tagged([0, 3, 4], { 1: 'ends with the service -- 服務' }));
  });

  test('an answer that is none is asked for again, and so is a missing reason', () => {
    const root = project();
    const { code, shown } = typed(root, [
      [ASKS, ''],
      [ASKS, 'what?'],
      [ASKS, 'Yes'],
      [ASKS, 's'],
      ['reason: ', ''],
      ['reason: ', 'q'],
      [ASKS, 'q'],
    ]);
    expect(code, shown).toBe(0);
    expect(read(root)).toBe(tagged([0], { 1: 'q' }));
  });

  test('control-D quits and keeps what was said so far', () => {
    const root = project();
    const { code, shown } = typed(root, [
      [ASKS, 'n'],
      [ASKS, 'y'],
      [ASKS, null],
    ]);
    expect(code, shown).toBe(0);
    expect(read(root)).toBe(tagged([1]));
  });
});

describe('with piped answers', () => {
  test.each<[string, string, string]>([
    ['no for each', 'n\nn\nn\nn\nn\n', plain()],
    ['quit at once', 'q\n', plain()],
    ['no input at all', '', plain()],
    ['all', 'a\n', tagged([0, 1, 2, 3, 4])],
    ['yes and quit', 'y\nq\n', tagged([0])],
    ['only suppressed', 's\nfirst\nn\nn\nn\nn\n', tagged([], { 0: 'first' })],
    ['suppressed and all', 's\nfirst\na\n', tagged([1, 2, 3, 4], { 0: 'first' })],
    ['a statement beside another', 'n\nn\ns\nshared\nq\n', tagged([], { 2: 'shared' })],
    ['the input ends in the reason', 'y\ns\n', tagged([0])],
  ])('%s', (_, answers, wanted) => {
    const root = project();
    const { code, err } = piped(root, answers);
    expect(code, err).toBe(0);
    expect(read(root)).toBe(wanted);
  });

  test('line ends stay', () => {
    const root = project(plain('\r\n'));
    expect(piped(root, 's\nfirst\ny\nq\n').code).toBe(0);
    expect(read(root)).toBe(tagged([1], { 0: 'first' }, '\r\n'));
  });

  test('what is suppressed is no finding, and is not asked for again', () => {
    const root = project();
    piped(root, 's\nfirst\na\n');
    const check = looptag(root, ['check', 'app.py', '--select', 'untagged-loop', '--root', root]);
    expect(check.code, check.out + check.err).toBe(0);
  });

  test('without --write the diff goes to standard output, the questions do not', () => {
    const root = project();
    const { out, err } = piped(
      root,
      'y\nq\n',
      ARGS.filter((arg) => arg !== '--write'),
    );
    expect(out.match(/^\+ .*$/gm)).toEqual(['+    asyncio.create_task(_run_with_context(poll(0), "awoooi"))']);
    expect(err).toContain('tag it?');
    expect(read(root)).toBe(plain());
  });

  test('tags are taken out one by one', () => {
    const root = project(tagged([0, 1, 2, 3, 4]));
    const { code, err } = piped(root, 'y\nn\ny\nq\n', [...ARGS, '--revert']);
    expect(code, err).toBe(0);
    expect(err).toContain('take its tag out?');
    expect(read(root)).toBe(tagged([1, 3, 4]));
  });

  test.each<[string, string, number[]]>([
    ['no for each', 'n\nn\nn\nn\nn\n', []],
    ['some', 'y\nn\nn\ny\nq\n', [0, 3]],
    ['all', 'a\n', [0, 1, 2, 3, 4]],
  ])('a conversion goes with what was said: %s', (_, answers, converted) => {
    const all = [0, 1, 2, 3, 4];
    const root = project(tagged(all));
    writeFileSync(join(root, 'pyproject.toml'), '[project]\nrequires-python = ">=3.11"\n');
    const { code, err } = piped(root, answers, [...ARGS, '--method', 'context-argument']);
    expect(code, err).toBe(0);
    const text = read(root);
    for (const n of all) {
      expect(text.includes(`_run_with_context(poll(${n}), "awoooi")`)).toBe(!converted.includes(n));
      expect(
        new RegExp(`poll\\(${n}\\),[^\\n]*\\s+context=_project_context\\("awoooi"\\)|poll\\(${n}\\), context=`).test(
          text,
        ),
      ).toBe(converted.includes(n));
    }
    if (converted.length === 0) expect(text).toBe(tagged(all));
    expect(err).toContain('[1/5] app.py:11: ');
  });

  test('a reason that the encoding cannot hold changes nothing', () => {
    const text = Buffer.from(`# -*- coding: latin-1 -*-\n# \u00e4\n${plain()}`, 'latin1');
    const root = project(text);
    const { code, err } = piped(root, 's\n服務\na\n');
    expect(code).toBe(2);
    expect(err).toMatch(/the encoding of app\.py cannot hold the reason/);
    expect(readFileSync(join(root, 'app.py')).equals(text)).toBe(true);
  });
});

test('a site is asked for once, also when it gets a heartbeat', () => {
  const root = project();
  writeFileSync(join(root, 'ctx.py'), `${CONTEXT}${CONTEXT_HELPER.slice(CONTEXT_HELPER.indexOf('\n\n\nasync'))}`);
  const { err } = piped(root, 'a\n', [...ARGS, '--heartbeat']);
  expect(err).toContain('[1/5]');
});
