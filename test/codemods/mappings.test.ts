/** `**mapping` at the call: a second `context=` would be a TypeError, and a shared one must not be set in. */
import { expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';

import { applied, CONTEXT, project, textOf } from './support/project.ts';

const APP = `import asyncio
from ctx import project_id_ctx_var


async def poll():
    pass


async def main(shared, **options):
    asyncio.create_task(poll(), **options)
    asyncio.create_task(poll(), **{"name": "a"})
    asyncio.create_task(poll(), **dict(name="b"))
    asyncio.create_task(poll(), **{"context": shared})
    asyncio.create_task(poll(), name="c", **dict(context=shared))
    asyncio.create_task(poll(), **{"name": "d", **options})
`;

function migrated(method: string): { calls: string[]; skipped: string[] } {
  const files = { 'ctx.py': CONTEXT, 'app.py': APP };
  const input = project(files, {
    codemods,
    method,
    paths: ['app.py'],
    helper: 'inline',
    pythonMinimum: [3, 11],
    contextVariable: { module: 'ctx', name: 'project_id_ctx_var' },
  });
  const plan = planMigration(input);
  return {
    calls: textOf(applied(files, plan)['app.py']!).match(/(?<=create_task\().*(?=\)$)/gm)!,
    skipped: plan.skipped.map(({ site, code, reason }) => `${site.range.line}: ${code}: ${reason}`),
  };
}

it('context-argument adds no second context=', () => {
  const { calls, skipped } = migrated('context-argument');
  expect(calls).toEqual([
    'poll(), **options',
    'poll(), **{"name": "a"}, context=_project_context("awoooi")',
    'poll(), **dict(name="b"), context=_project_context("awoooi")',
    'poll(), **{"context": shared}',
    'poll(), name="c", **dict(context=shared)',
    'poll(), **{"name": "d", **options}',
  ]);
  expect(skipped).toEqual([
    expect.stringMatching(/^10: shared-context: a \*\*mapping at the call may hold a context= already/),
    expect.stringMatching(/^13: shared-context: a \*\*mapping at the call holds a context= already/),
    expect.stringMatching(/^14: shared-context: .* holds a context=/),
    expect.stringMatching(/^15: shared-context: .* may hold a context=/),
  ]);
});

it('wrapper sets no id in a context that others share', () => {
  const { calls, skipped } = migrated('wrapper');
  expect(calls.filter((call) => call.startsWith('_run_with_context(poll(), "awoooi")'))).toHaveLength(4);
  expect(skipped.map((line) => line.split(':').slice(0, 2).join(':'))).toEqual([
    '13: shared-context',
    '14: shared-context',
  ]);
});
