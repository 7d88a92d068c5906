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
    asyncio.create_task(_run_with_context(run_poll(), "awoooi"))


def poll_once():
    # a request leads here: the task works for its project
    asyncio.create_task(poll())


async def handle(request):
    poll_once()


async def run_queue():
    while True:
        # the loop has an id, and its helpers inherit it
        asyncio.create_task(poll())
        await asyncio.sleep(60)


async def serve():
    asyncio.create_task(_run_with_context(run_queue(), "awoooi"))


async def poll_twice():
    await asyncio.create_task(poll())
    return asyncio.create_task(poll())
