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


async def main():
    _ = asyncio.create_task(run_poll())  # expect: LT017
    held = asyncio.create_task(run_poll())  # expect: LT017
    del held
    asyncio.create_task(run_poll())  # expect: LT017


async def each(queues):
    for queue in queues:
        task = asyncio.create_task(run_poll())  # expect: LT017
        await asyncio.sleep(1)


async def given_up(stopped):
    task = asyncio.create_task(run_poll())  # expect: LT017
    del task
    await stopped.wait()


async def at_the_end(stopped):
    await stopped.wait()
    task = asyncio.create_task(run_poll())  # expect: LT017


def watched(callback):
    asyncio.create_task(run_poll()).add_done_callback(callback)  # expect: LT017


jobs = asyncio.Queue()


def put(job):
    asyncio.ensure_future(jobs.put(job))  # expect: LT017
