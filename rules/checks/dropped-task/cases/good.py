import asyncio
from contextvars import ContextVar

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


background = set()


async def main():
    task = asyncio.create_task(run_poll())
    background.add(task)
    await asyncio.create_task(poll())


def settled(loop):
    future = loop.create_future()
    asyncio.ensure_future(future)
    return future


def adopt(awaitable):
    asyncio.ensure_future(awaitable)


async def serve(stopped):
    task = asyncio.create_task(run_poll())
    await stopped.wait()


async def lifespan(app):
    _ = asyncio.create_task(run_poll())
    yield


def forever(loop):
    task = loop.create_task(run_poll())
    loop.run_forever()


def never():
    asyncio.create_task(poll()).cancel()


def wrong_place(test):
    with test.assertRaises(RuntimeError):
        asyncio.create_task(poll())


def in_thread(loop, work):
    asyncio.ensure_future(loop.run_in_executor(None, work))
