import asyncio

from src.core import db
from src.core.context import project_id_ctx_var
from src.core.db import get_db_session, get_platform_db_session


async def _collect():
    async with get_db_session() as session:
        return session


async def run_relay():
    project_id_ctx_var.set("__platform__")
    while True:
        async with get_platform_db_session() as session, db.get_platform_db_session() as other:
            await session.relay(other)
        await asyncio.sleep(5)


async def run_reaper():
    project_id_ctx_var.set("__platform__")
    await _collect()


async def main():
    asyncio.create_task(run_relay())
    asyncio.create_task(run_reaper())
