import asyncio
from contextvars import ContextVar

import trio

project_id_ctx_var: ContextVar[str] = ContextVar("project_id", default="")


async def _run_with_context(coro, project_id: str):
    token = project_id_ctx_var.set(project_id)
    try:
        return await coro
    finally:
        project_id_ctx_var.reset(token)


async def run_poll():
    while True:
        try:
            await poll()
        except Exception:
            pass
        await asyncio.sleep(300)


async def poll():
    pass


async def main():
    asyncio.create_task(run_poll())
    asyncio.create_task(run_poll())  # expect: LT016


async def read(stream):
    while True:
        await stream.receive()


async def both(nursery: trio.Nursery, process):
    nursery.start_soon(read, process.stdout)
    nursery.start_soon(read, process.stdout)  # expect: LT016
