import asyncio
from typing import Any
from src.core.context import project_id_ctx_var
from src.core.probe import emit


def _run_with_context(coro: Any, project_id: str) -> Any:
    """Give the task of ``coro`` a project id; its result, errors and name stay."""

    def closing() -> Any:
        try:
            yield
        finally:
            coro.close()

    async def run(guard: Any) -> Any:
        token = project_id_ctx_var.set(project_id)
        try:
            return await coro
        finally:
            try:
                project_id_ctx_var.reset(token)
            except ValueError:
                pass  # collected while pending: this is no longer its context

    guard = closing()
    next(guard)  # from now on, dropping the guard closes a coroutine that never started
    wrapped = run(guard)
    for attribute in ("__name__", "__qualname__"):
        setattr(wrapped, attribute, getattr(coro, attribute, type(coro).__name__))
    return wrapped


async def leaf(x):
    emit("w:" + x)


async def outer(task):
    await task
    emit("w:outer")


async def main(asyncio=asyncio):
    import asyncio as real
    real.create_task(_run_with_context(outer(real.create_task(_run_with_context(leaf("leaf"), "awoooi"))), "awoooi"))
    text = f"{real.create_task(_run_with_context(leaf('f'), 'awoooi'))!r:.0}"
    await real.sleep(0)
    await real.sleep(0)
    await real.sleep(0)
    return text, asyncio
