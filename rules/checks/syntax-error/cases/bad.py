import asyncio


async def main(:  # expect: LT023
    asyncio.create_task(run_poll())
