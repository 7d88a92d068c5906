import asyncio
from contextvars import ContextVar

project_id_ctx_var: ContextVar[str] = ContextVar("project_id", default="")


async def _run_with_context(coro, project_id: str):
    token = project_id_ctx_var.set(project_id)
    try:
        return await coro
    finally:
        project_id_ctx_var.reset(token)


async def run_relay():
    while True:
        async with get_db_session() as db:  # expect: LT014
            await db.flush()
        await asyncio.sleep(30)


def get_db_session():
    raise NotImplementedError


def get_platform_db_session():
    raise NotImplementedError


async def main():
    asyncio.create_task(_run_with_context(run_relay(), "__platform__"))
