import asyncio
import logging
from contextlib import suppress

logger = logging.getLogger(__name__)


async def run_template():
    project_id = "awoooi"

    while True:
        try:
            await work()
        except Exception as e:
            logger.error(f"Loop error: {e}")
        await asyncio.sleep(30)


async def _run_plain_loop():
    """No try."""
    while True:
        await work()  # the work

        # a pause
        await asyncio.sleep(30)


async def run_waits_first():
    while True:
        await asyncio.sleep(30)
        await work()


async def run_stoppable(stop):
    while not stop.is_set():
        if paused():
            await asyncio.sleep(1)
            continue
        async with lock:
            await work()
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stop.wait(), 30)


async def run_else():
    delay = 1
    while True:
        try:
            await work()
        except asyncio.CancelledError:
            raise
        except Exception:
            delay *= 2
        else:
            delay = 1
        delay = min(delay, 60)
        await asyncio.sleep(delay)


async def run_per_item():
    while True:
        for item in await items():
            try:
                await work(item)
            except Exception:
                logger.exception("one of many")
        await asyncio.sleep(60)


async def run_consumer(queue):
    async for item in queue:
        await work(item)


async def run_already():
    while True:
        await work()
        LOOP_LAST_RUN.labels(loop_name="already", project_id="awoooi").set_to_current_time()
        await asyncio.sleep(60)


async def run_two_phases():
    while True:
        try:
            await work()
        except Exception:
            logger.exception("first")
        await more_work()
        await asyncio.sleep(60)


async def run_idle(queue):
    while True:
        try:
            item = await asyncio.wait_for(queue.get(), 5)
        except asyncio.TimeoutError:
            continue
        await work(item)


async def run_one_line():
    while True: await work()


async def every_round():
    while True:
        await work()
        await asyncio.sleep(60)


async def run_delegates():
    await every_round()


async def main():
    asyncio.create_task(run_template())
    asyncio.create_task(_run_plain_loop())
    asyncio.create_task(run_waits_first())
    asyncio.create_task(run_stoppable(stop))
    asyncio.create_task(run_else())
    asyncio.create_task(run_per_item())
    asyncio.create_task(run_consumer(queue))
    asyncio.create_task(run_already())
    asyncio.create_task(run_two_phases())
    asyncio.create_task(run_idle(queue))
    asyncio.create_task(run_one_line())
    asyncio.create_task(run_delegates())
