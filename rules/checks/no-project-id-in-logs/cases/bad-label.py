import asyncio
from contextvars import ContextVar

tenant = ContextVar("project_id", default="")  # expect: LT021


async def run_poll():
    while True:
        await asyncio.sleep(300)


async def main():
    await asyncio.create_task(run_poll())
