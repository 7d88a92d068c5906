import asyncio
from contextvars import ContextVar

from prometheus_client import Gauge

project_id_ctx_var: ContextVar[str] = ContextVar("project_id", default="")

LAST = Gauge("last_run", "Last good round", ["loop_name", "project_id"])
PLAIN = Gauge("plain_last_run", "Last good round")  # expect: LT009
COARSE = Gauge("coarse_last_run", "Last good round", ["loop_name"])  # expect: LT009


async def _run_with_context(coro, project_id: str):
    token = project_id_ctx_var.set(project_id)
    try:
        return await coro
    finally:
        project_id_ctx_var.reset(token)


async def run_bare():
    while True:
        LAST.set_to_current_time()  # expect: LT009
        await asyncio.sleep(300)


async def run_incomplete():
    while True:
        LAST.labels(loop_name="incomplete").set_to_current_time()  # expect: LT009
        await asyncio.sleep(300)


async def run_other_names():
    while True:
        LAST.labels(loop="x", project_id="awoooi").set_to_current_time()  # expect: LT009
        await asyncio.sleep(300)


async def run_mixed():
    while True:
        LAST.labels("mixed", project_id="awoooi").set_to_current_time()  # expect: LT009
        await asyncio.sleep(300)


async def run_positions():
    while True:
        LAST.labels("positions", "awoooi").set_to_current_time()
        await asyncio.sleep(300)


async def run_open(labels):
    while True:
        LAST.labels(**labels).set_to_current_time()
        await asyncio.sleep(300)


async def run_plain():
    while True:
        PLAIN.set_to_current_time()
        await asyncio.sleep(300)


async def run_coarse():
    while True:
        COARSE.labels(loop_name="coarse").set_to_current_time()
        await asyncio.sleep(300)


async def main():
    asyncio.create_task(_run_with_context(run_bare(), "awoooi"))
    asyncio.create_task(_run_with_context(run_incomplete(), "awoooi"))
    asyncio.create_task(_run_with_context(run_other_names(), "awoooi"))
    asyncio.create_task(_run_with_context(run_mixed(), "awoooi"))
    asyncio.create_task(_run_with_context(run_positions(), "awoooi"))
    asyncio.create_task(_run_with_context(run_open({}), "awoooi"))
    asyncio.create_task(_run_with_context(run_plain(), "awoooi"))
    asyncio.create_task(_run_with_context(run_coarse(), "awoooi"))
