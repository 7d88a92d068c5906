/** The helpers under every CPython of the machine: what a task lives through with and without them is compared. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { temporary } from '../support/temporary.ts';
import { policy } from './support/project.ts';
import { type Job, pythons, runJobs } from './support/pythons.ts';

interface Outcome {
  result: unknown;
  seen: string[];
  warnings: string[];
  stderr: string[];
}

const SCRIPT = join(import.meta.dirname, 'python/measure.py');

function helperText(id: string, trace: boolean): string {
  const { helper } = codemods[id]!;
  return helper!.render({
    helper: 'helper',
    contextVariable: 'project_id_ctx_var',
    trace: trace ? { variable: 'trace_id_ctx_var', generator: 'generate_trace_id' } : null,
    imports: helper!.imports.map(({ name }) => name),
    policy,
  });
}

const HEAD = `from contextvars import Context, ContextVar, copy_context
from typing import Any

project_id_ctx_var = ContextVar("project_id", default="unset")
trace_id_ctx_var = ContextVar("trace_id", default="unset")
CONTEXT_ARGUMENT = False


def generate_trace_id():
    return "t" * 32


def spawn_kwargs():
    return {}


`;

const INV8 = `async def helper(coro, project_id: str):
    ctx_token = project_id_ctx_var.set(project_id)
    try:
        await coro
    finally:
        project_id_ctx_var.reset(ctx_token)


def wrap(coro):
    return helper(coro, "awoooi")
`;

function folderOf(service: string): string {
  const folder = temporary('helper');
  writeFileSync(join(folder, 'service.py'), service);
  return folder;
}

const measured = (service: string): Job => {
  const folder = folderOf(service);
  return { run: SCRIPT, args: [folder], folder };
};

type Measured = { bare: Record<string, Outcome>; wrapped: Record<string, Outcome> };

/** A bare coroutine sees the caller's id, a wrapped one its own; beside that nothing may differ. */
function withId(outcome: Outcome): Outcome {
  const seen = outcome.seen.map((line) => line.replace(/^(start|end|cancelled) (unset|caller)$/, '$1 awoooi'));
  return { ...outcome, seen };
}

function expectSame(measured: Measured): void {
  const expected = Object.fromEntries(Object.entries(measured.bare).map(([name, outcome]) => [name, withId(outcome)]));
  expect(measured.wrapped).toEqual(expected);
}

const call = (trace: boolean) =>
  `\n\n\ndef wrap(coro):\n    return helper(coro, "awoooi"${trace ? ', trace=True' : ''})\n`;

const TRACED = `
import asyncio

async def show():
    return project_id_ctx_var.get(), trace_id_ctx_var.get()

async def main():
    plain = await asyncio.create_task(helper(show(), "a"))
    traced = await asyncio.create_task(helper(show(), "b", trace=True))
    return plain, traced, await show()

print(asyncio.run(main()))
`;

const CONTEXT_ARGUMENT = `${HEAD.replace('CONTEXT_ARGUMENT = False', 'CONTEXT_ARGUMENT = True').replace('return {}', 'return {"context": helper("awoooi")}')}${helperText('context-argument', false)}\n\n\ndef wrap(coro):\n    return coro\n`;

const found = pythons();
if (found.length === 0) console.warn('SKIPPED: no python3 from 3.7 on');

describe.each(found)('the helper under Python $version', (python) => {
  const hasContext = python.version[1] >= 11;
  let results: (() => string)[];
  const result = (index: number): Measured => JSON.parse(results[index]!());

  beforeAll(() => {
    results = runJobs(
      python,
      ['-W', 'error::SyntaxWarning'],
      [
        ...[false, true].map((trace) => measured(HEAD + helperText('wrapper', trace) + call(trace))),
        measured(HEAD + INV8),
        { run: 'service.py', folder: folderOf(HEAD + helperText('wrapper', true) + TRACED) },
        ...(hasContext ? [measured(CONTEXT_ARGUMENT)] : []),
      ],
    );
  });

  it.each([
    [false, 0],
    [true, 1],
  ])('changes nothing but the id (trace: %s)', (_trace, index) => {
    expectSame(result(index));
  });

  it('is better than the printed one, which fails in these ways', () => {
    const { bare, wrapped } = result(2);
    const differs = Object.keys(bare).filter(
      (name) => JSON.stringify(wrapped[name]) !== JSON.stringify(withId(bare[name]!)),
    );
    expect(differs).toEqual(
      expect.arrayContaining(['result', 'name', 'cancel_before_start', 'collected_while_pending', 'gathered']),
    );
  });

  it('sets a trace id on demand', () => {
    const trace = 't'.repeat(32);
    expect(results[3]!().trim()).toBe(`(('a', 'unset'), ('b', '${trace}'), ('unset', 'unset'))`);
  });

  it.skipIf(!hasContext)('as a context argument, too', () => {
    expectSame(result(4));
  });
});
