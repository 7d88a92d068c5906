/** A helper that the project has already: called as its parameters ask for, or left alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { looptag, temporary, write } from './support/run.ts';

const FILE = (head: string) => `import asyncio
from contextvars import ContextVar

project_id_ctx_var = ContextVar("project_id", default="")
trace_id_ctx_var = ContextVar("trace_id", default="")


def generate_trace_id():
    return "0" * 32


async def ours(${head}):
    project_id_ctx_var.set(project_id)
    if trace:
        trace_id_ctx_var.set(generate_trace_id())
    return await coro


async def poll():
    await asyncio.sleep(1)


def start():
    asyncio.create_task(poll())
`;

async function added(head: string, ...options: string[]): Promise<string[]> {
  const root = temporary();
  write(root, { 'main.py': FILE(head) });
  const args = ['migrate', '--project-id', 'awoooi', '--root', '.', '--context-var', 'main:project_id_ctx_var'];
  const { out } = await looptag([...args, ...options, 'main.py'], { cwd: root });
  return out
    .split('\n')
    .flatMap((line) => (/^\+\s+(asyncio\.create_task|trace_id_ctx_var)/.test(line) ? [line.slice(1).trim()] : []));
}

it.each([
  ['coro, project_id, trace=False', 'ours(poll(), "awoooi", trace=True)'],
  ['coro, project_id, *, trace=False', 'ours(poll(), "awoooi", trace=True)'],
  ['coro, *, project_id, trace=False', 'ours(poll(), project_id="awoooi", trace=True)'],
  ['project_id, coro, trace=None', 'ours("awoooi", poll(), trace=True)'],
  ['coro, project_id, trace=True', 'ours(poll(), "awoooi")'],
])('is asked for a trace id: (%s)', async (head, call) => {
  expect(await added(head, '--trace')).toEqual([`asyncio.create_task(${call})`]);
});

it('is not asked where nobody wants one', async () => {
  expect(await added('coro, project_id, trace=False')).toEqual(['asyncio.create_task(ours(poll(), "awoooi"))']);
});

it('sets none where it cannot be asked by name: the coroutine does', async () => {
  expect(await added('coro, project_id, trace=False, /', '--trace')).toEqual([
    'trace_id_ctx_var.set(generate_trace_id())',
    'asyncio.create_task(ours(poll(), "awoooi"))',
  ]);
});

it.each([
  'coro, project_id, trace',
  'coro, project_id, *, trace',
  'coro, tenant, project_id, trace=False',
  'coro, tenant=None, project_id="", /, trace=False',
  'project_id, trace=False, coro=None',
  '*, coro, project_id, trace=False',
])('is not called without what it asks for: (%s)', async (head) => {
  expect(await added(head)).toEqual(['asyncio.create_task(_run_with_context(poll(), "awoooi"))']);
});

it('is asked by a second run that finds what the first one wrote', async () => {
  const root = temporary();
  const file = FILE('coro, project_id, trace').replace('async def ours', 'async def unused');
  write(root, { 'main.py': `${file}\n\nasync def late():\n    asyncio.create_task(poll())\n` });
  const args = ['migrate', '--project-id', 'awoooi', '--root', '.', '--context-var', 'main:project_id_ctx_var'];
  await looptag([...args, '--write', 'main.py'], { cwd: root });
  const first = readFileSync(join(root, 'main.py'), 'utf8');
  write(root, { 'main.py': `${first}    asyncio.create_task(poll())\n` });
  expect((await looptag([...args, '--trace', 'main.py'], { cwd: root })).out).toContain('trace_id_ctx_var.set(');

  write(root, { 'main.py': file });
  await looptag([...args, '--trace', '--write', 'main.py'], { cwd: root });
  const traced = readFileSync(join(root, 'main.py'), 'utf8');
  write(root, { 'main.py': `${traced}    asyncio.create_task(poll())\n` });
  expect((await looptag([...args, '--trace', 'main.py'], { cwd: root })).out).toContain(
    '+    asyncio.create_task(_run_with_context(poll(), "awoooi", trace=True))',
  );
});
