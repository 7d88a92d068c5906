/** The id in a context that a task is given, wherever the argument stands. */
import { expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';

const HEAD = `import asyncio, contextvars
project_id_ctx_var = contextvars.ContextVar("project_id")
def _project_context(project_id):
    ctx = contextvars.copy_context()
    ctx.run(project_id_ctx_var.set, project_id)
    return ctx
async def job():
    while True: await asyncio.sleep(3)
`;

it.each([
  ['asyncio.create_task(job(), context=_project_context("awoooi"))', 'awoooi'],
  ['asyncio.create_task(job(), name=str("poll"), context=_project_context("awoooi"))', 'awoooi'],
  ['asyncio.create_task(job(), name=_project_context("awoooi"))', null],
])('%s', (call, id) => {
  const { sites } = analysisOf({ 'main.py': `${HEAD}def boot():\n    ${call}\n` });
  const [target] = sites.flatMap((s) => s.targets);
  expect(target?.tag?.projectId ?? null).toBe(id);
});
