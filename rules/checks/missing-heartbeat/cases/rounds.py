import asyncio
from contextvars import ContextVar

from prometheus_client import Gauge

project_id_ctx_var: ContextVar[str] = ContextVar("project_id", default="")

LAST = Gauge("last_run", "Last good round", ["loop_name", "project_id"])


async def _run_with_context(coro, project_id: str):
    token = project_id_ctx_var.set(project_id)
    try:
        return await coro
    finally:
        project_id_ctx_var.reset(token)


async def run_idle(queue):
    while True:
        if not queue:
            await asyncio.sleep(5)
            continue
        await work()
        LAST.labels(loop_name="idle", project_id="awoooi").set_to_current_time()  # expect: LT009
        await asyncio.sleep(5)


async def run_when_changed(queue):
    while True:
        if await work():
            LAST.labels(loop_name="when_changed", project_id="awoooi").set_to_current_time()  # expect: LT009
        await asyncio.sleep(5)


async def run_each_item(queue):
    while True:
        for item in queue:
            await work(item)
            LAST.labels(loop_name="each_item", project_id="awoooi").set_to_current_time()  # expect: LT009
        await asyncio.sleep(5)


async def run_failing():
    while True:
        try:
            await work()
        except Exception:
            LAST.labels(loop_name="failing", project_id="awoooi").set_to_current_time()  # expect: LT009
        await asyncio.sleep(5)


async def run_both_ways(queue, stop):
    while True:
        if not queue:
            LAST.labels(loop_name="both_ways", project_id="awoooi").set_to_current_time()
            await asyncio.sleep(5)
            continue
        try:
            await work()
            LAST.labels(loop_name="both_ways", project_id="awoooi").set_to_current_time()
        except ValueError:
            pass
        try:
            await asyncio.wait_for(stop.wait(), 5)
            break
        except asyncio.TimeoutError:
            pass


async def work(item=None):
    pass


async def main(queue, stop):
    asyncio.create_task(_run_with_context(run_idle(queue), "awoooi"))
    asyncio.create_task(_run_with_context(run_when_changed(queue), "awoooi"))
    asyncio.create_task(_run_with_context(run_each_item(queue), "awoooi"))
    asyncio.create_task(_run_with_context(run_failing(), "awoooi"))
    asyncio.create_task(_run_with_context(run_both_ways(queue, stop), "awoooi"))
