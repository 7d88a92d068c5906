import asyncio
import logging

from src.core.probe import emit


async def job(n):
    emit(n)


async def main(loop, log):
    asyncio.create_task(job(1))
    asyncio.create_task(
        job(2),
        name="two",
    )
    asyncio.create_task(job(3) ,)
    asyncio.create_task(coro=job(4), **{"name": "four"})
    log(f"{asyncio.create_task(job(5))!r}")
    asyncio.ensure_future(job(6))
    asyncio.run_coroutine_threadsafe(job(7), loop)
