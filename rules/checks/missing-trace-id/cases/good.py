import asyncio
from contextvars import ContextVar

project_id_ctx_var: ContextVar[str] = ContextVar("project_id", default="")


async def _run_with_context(coro, project_id: str):
    token = project_id_ctx_var.set(project_id)
    try:
        return await coro
    finally:
        project_id_ctx_var.reset(token)


trace_id_ctx_var: ContextVar[str] = ContextVar("trace_id", default="")


def generate_trace_id() -> str:
    return "t"


async def run_poll():
    trace_id_ctx_var.set(generate_trace_id())
    while True:
        await asyncio.sleep(300)


async def main():
    asyncio.create_task(_run_with_context(run_poll(), "awoooi"))
