"""Jobs."""
import asyncio
import logging

from src.core.context import (
    generate_trace_id,
    project_id_ctx_var,
    trace_id_ctx_var,
)

logger = logging.getLogger(__name__)
trace_id_ctx_var.set(generate_trace_id())


class Service:
    @staticmethod
    async def run_method():
    	"""Documented."""
    	project_id_ctx_var.set("awoooi")
    	await asyncio.sleep(0)


async def run_commented():
    project_id_ctx_var.set("awoooi")
    # first of all
    await asyncio.sleep(0)


async def run_documented():
    """One line."""
    project_id_ctx_var.set("awoooi")

    await asyncio.sleep(0)


async def run_nothing():
    """Nothing to do yet."""
    project_id_ctx_var.set("awoooi")


async def run_short(): project_id_ctx_var.set("awoooi"); await asyncio.sleep(0)


async def main():
    def nested():
        pass

    async def _run_inner():
        project_id_ctx_var.set("awoooi")
        await asyncio.sleep(0)

    asyncio.create_task(Service.run_method())
    asyncio.create_task(run_commented())
    asyncio.create_task(run_documented())
    asyncio.create_task(run_nothing())
    asyncio.create_task(run_short())
    asyncio.create_task(_run_inner())
    asyncio.create_task(run_commented(), name="again")
    asyncio.create_task(external())
