import asyncio


async def main():
    asyncio.create_task(job())
