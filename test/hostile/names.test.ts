/** Names and texts of a hostile repository in every output. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { git, looptag, type Outcome, snapshot, temporary } from '../e2e/support/run.ts';
import { expectHarmless, expectOrderly, MIGRATE, project, SERVICE, xmlFault } from './support.ts';

/** POSIX file systems take all of these. */
const FILES = [
  'esc\x1b[31mred.py',
  'line\n::error title=injected::injected.py',
  'cr\r::warning::injected.py',
  'cdata]]>.py',
  'tag<script>alert(1)<.py',
  'quote"apos\'.py',
  'back\\slash.py',
  'tab\t.py',
  'bidi\u202egnp.py',
  'separator\u2028.py',
  'c1\u009b31m.py',
  'percent%0A::error::injected.py',
  'comma,colon:.py',
  '--help.py',
  'pipe|tick`.py',
  'zero\u200bwidth.py',
];

const NASTY = '\x1b]0;owned\x07 \u202e ]]> <script>alert(1)</script> ::error::injected %0A';

/** Where Python lets a text stand: in the argument, a comment, a name of a task, a directive. */
const TEXTS = `import asyncio


async def poll(text):
    while True:
        await asyncio.sleep(30)


async def 名前ﬁ(x):  # ${NASTY}
    while True:
        await asyncio.sleep(5)


async def main():
    asyncio.create_task(poll("${NASTY}"), name="${NASTY}")  # ${NASTY}
    # looptag: ignore[${NASTY}] -- ${NASTY}
    asyncio.create_task(名前ﬁ("""
::error::injected
##[error]injected
"""))
    # asyncio.create_task(${NASTY})
    s = "asyncio.create_task(${NASTY})"
    lambda: asyncio.create_task(poll("${NASTY}"))
`;

const root = project(temporary('names'), {
  ...Object.fromEntries(FILES.map((file) => [file, SERVICE])),
  'texts.py': TEXTS,
});
const run = (...args: string[]) => looptag(args, { cwd: root });

function orderly(outcome: Outcome): Outcome {
  expectOrderly(outcome);
  expectHarmless(outcome.err);
  return outcome;
}

describe('names and texts of the repository', () => {
  test.concurrent.each(['text', 'json', 'sarif', 'gitlab', 'markdown'])('check --format %s', async (format) => {
    const { out, code } = orderly(await run('check', '--format', format));
    expect(code).toBe(1);
    expectHarmless(out);
    if (!['text', 'markdown'].includes(format)) JSON.parse(out);
    if (format === 'markdown') expect(out.replace(/`[^`\n]*`/g, '')).not.toContain('<script');
  });

  test.concurrent('check --format github: each command is one of its own', async () => {
    const { out } = orderly(await run('check', '--format', 'github'));
    expectHarmless(out);
    const commands = out.split('\n').filter((line) => line.trim().startsWith('::'));
    expect(commands.length).toBeGreaterThan(FILES.length);
    for (const command of commands) expect(command).toMatch(/^::(error|warning|notice) file=[^,:]+,line=\d+,/);
  });

  test.concurrent('check --format junit is XML', async () => {
    const { out } = orderly(await run('check', '--format', 'junit'));
    expectHarmless(out);
    expect(out).not.toContain('<script');
    expect(xmlFault(out)).toBe('');
  });

  test.concurrent.each(['text', 'json', 'markdown', 'csv'])('inventory --format %s', async (format) => {
    const { out, code } = orderly(await run('inventory', '--format', format));
    expect(code).toBe(0);
    expectHarmless(out, { allowed: /\r$/gm });
    if (format === 'json') expect(JSON.parse(out).sites.length).toBe(FILES.length + 3);
  });

  test.concurrent.each(['text', 'json', 'html'])('status --format %s', async (format) => {
    const { out } = orderly(await run('status', '--format', format));
    expectHarmless(out, { allowed: /\t/g });
    if (format === 'html') expect(out).not.toContain('<script>alert');
  });

  test.concurrent('explain', async () => {
    expectHarmless(orderly(await run('explain', 'poll')).out);
  });

  test('the diff quotes its names, and git takes it', async () => {
    const { bytes, out, code, err } = orderly(await run(...MIGRATE));
    expect(code, err).toBe(0);
    const headers = out.split('\n').filter((line) => /^(diff --git|---|\+\+\+) /.test(line));
    expect(headers.length).toBeGreaterThanOrEqual(3 * FILES.length);
    for (const header of headers) expectHarmless(header);
    writeFileSync(`${root}/../names.diff`, bytes);
    git(root, 'init', '-q');
    expect(git(root, 'apply', '--check', '../names.diff')).toEqual({ status: 0, output: '' });
  });

  test('and --write changes each file, whatever its name', async () => {
    const before = snapshot(root);
    const { code, err } = orderly(await run(...MIGRATE, '--write', '--allow-dirty'));
    expect(code, err).toBe(0);
    const after = snapshot(root);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const file of FILES) expect(after.get(file)!.toString()).toContain('_run_with_context(poll(), "awoooi")');
  });
});
