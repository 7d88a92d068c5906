"""Only function-local imports here."""

from typing import Any

from src.core.context import project_id_ctx_var


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


async def job():
    from src.core.probe import emit
    emit("w:job")


async def main():
    import asyncio as _aio
    _aio.create_task(_run_with_context(job(), "awoooi"))
    await _aio.sleep(0)
