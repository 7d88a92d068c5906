import asyncio
import logging
from contextvars import Context, copy_context

from src.core.context import project_id_ctx_var
from src.core.probe import emit


def _project_context(project_id: str) -> Context:
    """A copy of the current context with the project id set, for ``create_task(..., context=...)``."""
    context = copy_context()
    context.run(project_id_ctx_var.set, project_id)
    return context


async def job(n):
    emit(n)


async def main(loop, log):
    asyncio.create_task(job(1), context=_project_context("awoooi"))
    asyncio.create_task(
        job(2),
        name="two", context=_project_context("awoooi"),
    )
    asyncio.create_task(job(3), context=_project_context("awoooi") ,)
    asyncio.create_task(coro=job(4), **{"name": "four"}, context=_project_context("awoooi"))
    log(f"{asyncio.create_task(job(5), context=_project_context('awoooi'))!r}")
    asyncio.ensure_future(job(6))
    asyncio.run_coroutine_threadsafe(job(7), loop)
