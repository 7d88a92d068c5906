import asyncio

from src.core.db import get_db_session


async def run_relay():
    """Relay."""
    while True:
        async with get_db_session() as session:
            await session.relay()
        await asyncio.sleep(5)


async def run_sweeper():
    while True:
        async with get_db_session() as one, get_db_session() as other:
            await one.sweep(other)
        await asyncio.sleep(60)


async def main():
    asyncio.create_task(run_relay())
    asyncio.create_task(run_sweeper())
