import asyncio
import logging
from contextlib import suppress

from src.core.context import project_id_ctx_var
from src.core.loop_health import LOOP_LAST_RUN

logger = logging.getLogger(__name__)


async def run_template():
    project_id_ctx_var.set("awoooi")
    project_id = "awoooi"

    LOOP_LAST_RUN.labels(loop_name="template", project_id="awoooi").set_to_current_time()
    while True:
        try:
            await work()
            LOOP_LAST_RUN.labels(loop_name="template", project_id="awoooi").set_to_current_time()
        except Exception as e:
            logger.error(f"Loop error: {e}")
        await asyncio.sleep(30)


async def _run_plain_loop():
    """No try."""
    project_id_ctx_var.set("awoooi")
    LOOP_LAST_RUN.labels(loop_name="plain_loop", project_id="awoooi").set_to_current_time()
    while True:
        await work()  # the work
        LOOP_LAST_RUN.labels(loop_name="plain_loop", project_id="awoooi").set_to_current_time()

        # a pause
        await asyncio.sleep(30)


async def run_waits_first():
    project_id_ctx_var.set("awoooi")
    LOOP_LAST_RUN.labels(loop_name="waits_first", project_id="awoooi").set_to_current_time()
    while True:
        await asyncio.sleep(30)
        await work()
        LOOP_LAST_RUN.labels(loop_name="waits_first", project_id="awoooi").set_to_current_time()


async def run_stoppable(stop):
    project_id_ctx_var.set("awoooi")
    LOOP_LAST_RUN.labels(loop_name="stoppable", project_id="awoooi").set_to_current_time()
    while not stop.is_set():
        if paused():
            LOOP_LAST_RUN.labels(loop_name="stoppable", project_id="awoooi").set_to_current_time()
            await asyncio.sleep(1)
            continue
        async with lock:
            await work()
            LOOP_LAST_RUN.labels(loop_name="stoppable", project_id="awoooi").set_to_current_time()
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stop.wait(), 30)


async def run_else():
    project_id_ctx_var.set("awoooi")
    delay = 1
    LOOP_LAST_RUN.labels(loop_name="else", project_id="awoooi").set_to_current_time()
    while True:
        try:
            await work()
        except asyncio.CancelledError:
            raise
        except Exception:
            delay *= 2
        else:
            delay = 1
            LOOP_LAST_RUN.labels(loop_name="else", project_id="awoooi").set_to_current_time()
        delay = min(delay, 60)
        await asyncio.sleep(delay)


async def run_per_item():
    project_id_ctx_var.set("awoooi")
    LOOP_LAST_RUN.labels(loop_name="per_item", project_id="awoooi").set_to_current_time()
    while True:
        for item in await items():
            try:
                await work(item)
            except Exception:
                logger.exception("one of many")
        LOOP_LAST_RUN.labels(loop_name="per_item", project_id="awoooi").set_to_current_time()
        await asyncio.sleep(60)


async def run_consumer(queue):
    project_id_ctx_var.set("awoooi")
    LOOP_LAST_RUN.labels(loop_name="consumer", project_id="awoooi").set_to_current_time()
    async for item in queue:
        await work(item)
        LOOP_LAST_RUN.labels(loop_name="consumer", project_id="awoooi").set_to_current_time()


async def run_already():
    project_id_ctx_var.set("awoooi")
    while True:
        await work()
        LOOP_LAST_RUN.labels(loop_name="already", project_id="awoooi").set_to_current_time()
        await asyncio.sleep(60)


async def run_two_phases():
    project_id_ctx_var.set("awoooi")
    while True:
        try:
            await work()
        except Exception:
            logger.exception("first")
        await more_work()
        await asyncio.sleep(60)


async def run_idle(queue):
    project_id_ctx_var.set("awoooi")
    while True:
        try:
            item = await asyncio.wait_for(queue.get(), 5)
        except asyncio.TimeoutError:
            continue
        await work(item)


async def run_one_line():
    project_id_ctx_var.set("awoooi")
    while True: await work()


async def every_round():
    while True:
        await work()
        await asyncio.sleep(60)


async def run_delegates():
    project_id_ctx_var.set("awoooi")
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
