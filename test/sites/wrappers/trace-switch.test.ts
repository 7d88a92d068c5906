/** A helper that sets a trace id only when it is asked to. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';

const HEAD = `import asyncio
from contextvars import ContextVar, copy_context

project_id_ctx_var = ContextVar("project_id", default="")
trace_id_ctx_var = ContextVar("trace_id", default="")


async def asked(coro, project_id, trace=False):
    project_id_ctx_var.set(project_id)
    if trace:
        trace_id_ctx_var.set("t")
    return await coro


async def unless_told(coro, project_id, *, trace=True):
    project_id_ctx_var.set(project_id)
    if trace:
        trace_id_ctx_var.set("t")
    return await coro


async def otherwise(coro, project_id, plain=False):
    project_id_ctx_var.set(project_id)
    if plain:
        pass
    else:
        trace_id_ctx_var.set("t")
    return await coro


def project_context(project_id, trace=False):
    context = copy_context()
    context.run(project_id_ctx_var.set, project_id)
    if trace:
        context.run(trace_id_ctx_var.set, "t")
    return context


async def poll():
    await asyncio.sleep(1)


async def main(wanted):
    `;

describe('the trace id of', () => {
  it.each([
    ['asyncio.create_task(asked(poll(), "a"))', false],
    ['asyncio.create_task(asked(poll(), "a", trace=True))', true],
    ['asyncio.create_task(asked(poll(), "a", True))', true],
    ['asyncio.create_task(asked(poll(), "a", trace=False))', false],
    ['asyncio.create_task(asked(poll(), "a", trace=wanted))', false],
    ['asyncio.create_task(unless_told(poll(), "a"))', true],
    ['asyncio.create_task(unless_told(poll(), "a", trace=False))', false],
    ['asyncio.create_task(otherwise(poll(), "a"))', true],
    ['asyncio.create_task(poll(), context=project_context("a"))', false],
    ['asyncio.create_task(poll(), context=project_context("a", trace=True))', true],
    ['asyncio.create_task(poll(), context=project_context(trace=True, project_id="a"))', true],
  ])('%s', (statement, traceId) => {
    const [site] = analysisOf({ 'main.py': `${HEAD}${statement}\n` }).sites;
    expect(site!.targets[0]).toMatchObject({ name: 'poll', traceId, tag: { projectId: 'a' } });
  });
});
