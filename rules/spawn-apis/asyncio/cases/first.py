import asyncio
import asyncio as aio
from asyncio import create_task as start, ensure_future


async def run_poll():
    pass


async def main():
    asyncio.create_task(run_poll())  # spawns: asyncio.create_task run_poll
    aio.create_task(run_poll())  # spawns: asyncio.create_task run_poll
    start(run_poll())  # spawns: asyncio.create_task run_poll
    ensure_future(run_poll())  # spawns: asyncio.ensure_future run_poll
    asyncio.get_running_loop().create_task(run_poll())  # spawns: loop.create_task run_poll
    loop = asyncio.new_event_loop()
    loop.create_task(run_poll())  # spawns: loop.create_task run_poll
    asyncio.run_coroutine_threadsafe(run_poll(), loop)  # spawns: asyncio.run_coroutine_threadsafe run_poll
    asyncio.Task(run_poll(), loop=loop)  # spawns: asyncio.Task run_poll
    async with asyncio.TaskGroup() as group:
        group.create_task(run_poll())  # spawns: TaskGroup.create_task run_poll
    await asyncio.gather(run_poll())  # scheduled: asyncio.gather run_poll


def annotated(loop: asyncio.AbstractEventLoop, other):
    loop.create_task(run_poll())  # spawns: loop.create_task run_poll
    other.create_task(run_poll())


def shadowed(asyncio):
    asyncio.create_task(run_poll())


asyncio.run(main())
