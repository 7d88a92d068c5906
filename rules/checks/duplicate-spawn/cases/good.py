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


async def run_worker(queue):
    while True:
        await queue.get()


async def run_poll(fast=False):
    while True:
        await asyncio.sleep(300)


async def main():
    asyncio.create_task(run_worker(asyncio.Queue(1)))
    asyncio.create_task(run_worker(asyncio.Queue(2)))
    if project_id_ctx_var.get():
        asyncio.create_task(run_poll())
    else:
        asyncio.create_task(run_poll())


async def read(stream, chunks):
    while True:
        chunks.append(await stream.receive())


async def both(nursery: trio.Nursery, process, out, err):
    nursery.start_soon(read, process.stdout, out)
    nursery.start_soon(read, process.stderr, err)
