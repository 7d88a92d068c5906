import asyncio
from contextvars import ContextVar
from typing import Any

project_id = ContextVar("project_id", default="")


def _run_with_context(coro: Any, project_id_: str) -> Any:
    """Give the task of ``coro`` a project id; its result, errors and name stay."""

    def closing() -> Any:
        try:
            yield
        finally:
            coro.close()

    async def run(guard: Any) -> Any:
        token = project_id.set(project_id_)
        try:
            return await coro
        finally:
            try:
                project_id.reset(token)
            except ValueError:
                pass  # collected while pending: this is no longer its context

    guard = closing()
    next(guard)  # from now on, dropping the guard closes a coroutine that never started
    wrapped = run(guard)
    for attribute in ("__name__", "__qualname__"):
        setattr(wrapped, attribute, getattr(coro, attribute, type(coro).__name__))
    return wrapped


async def tick():
    while True:
        print(project_id.get())
        await asyncio.sleep(1)


async def main():
    task = asyncio.create_task(_run_with_context(tick(), "awoooi"))
    await task
