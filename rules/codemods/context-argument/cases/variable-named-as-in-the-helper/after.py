import asyncio
from contextvars import Context, ContextVar, copy_context

context = ContextVar("project_id", default="")


def _project_context(project_id: str) -> Context:
    """A copy of the current context with the project id set, for ``create_task(..., context=...)``."""
    context_ = copy_context()
    context_.run(context.set, project_id)
    return context_


async def tick():
    while True:
        print(context.get())
        await asyncio.sleep(1)


async def main():
    task = asyncio.create_task(tick(), context=_project_context("awoooi"))
    await task
