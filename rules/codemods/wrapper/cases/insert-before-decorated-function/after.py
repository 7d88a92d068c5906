import asyncio
from contextvars import ContextVar
from typing import Any

project_id_ctx_var = ContextVar("project_id", default="awoooi")


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


# --- routes -------------------------------------------------
# keep this comment glued to startup


@router.on_event("startup")
@traced(
    name="boot",
)
async def startup():
    asyncio.create_task(_run_with_context(run_poll(), "awoooi"))
