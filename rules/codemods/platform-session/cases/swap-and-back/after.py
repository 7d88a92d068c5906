import asyncio

from src.core.context import project_id_ctx_var
from src.core.db import get_db_session, get_platform_db_session


async def run_relay():
    """Relay."""
    project_id_ctx_var.set("__platform__")
    while True:
        async with get_platform_db_session() as session:
            await session.relay()
        await asyncio.sleep(5)


async def run_sweeper():
    project_id_ctx_var.set("__platform__")
    while True:
        async with get_platform_db_session() as one, get_platform_db_session() as other:
            await one.sweep(other)
        await asyncio.sleep(60)


async def main():
    asyncio.create_task(run_relay())
    asyncio.create_task(run_sweeper())
