import asyncio
from contextvars import ContextVar

context = ContextVar("project_id", default="")


async def tick():
    while True:
        print(context.get())
        await asyncio.sleep(1)


async def main():
    task = asyncio.create_task(tick())
    await task
