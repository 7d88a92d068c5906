import asyncio
from contextvars import ContextVar

project_id = ContextVar("project_id", default="")


async def tick():
    while True:
        print(project_id.get())
        await asyncio.sleep(1)


async def main():
    task = asyncio.create_task(tick())
    await task
