import asyncio

from src.core import db
from src.core.db import get_db_session


async def _collect():
    async with get_db_session() as session:
        return session


async def run_relay():
    while True:
        async with get_db_session() as session, db.get_db_session() as other:
            await session.relay(other)
        await asyncio.sleep(5)


async def run_reaper():
    await _collect()


async def main():
    asyncio.create_task(run_relay())
    asyncio.create_task(run_reaper())
