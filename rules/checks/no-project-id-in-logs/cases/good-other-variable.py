"""No variable here carries a project id; the one of the decimal context says nothing about loops."""
import asyncio
import contextvars

current_precision = contextvars.ContextVar("precision", default=28)


async def run_poll():
    while True:
        await asyncio.sleep(300)


async def main():
    await asyncio.create_task(run_poll())
