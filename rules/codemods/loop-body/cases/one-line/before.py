import asyncio


async def work(name): await asyncio.sleep(0)
async def run_documented(): "doc"; await work("d")
async def run_nothing(): """Nothing to do yet."""
async def run_two(): await work("a"); await work("b");
async def run_commented(): [await work(n) for n in "ab"]  # why
async def run_over_lines(
    n=1,
): await work(
    n)
async def run_continued(): \
    await work("c")
async def run_below_a_comment(): # \
    await work("d")
async def run_documented_and_continued(): "doc" \
    ; await work("e")
class Service:
    async def run_method(self): 'doc'; global N; N = 1; await work("f")


async def main():
    asyncio.create_task(run_documented())
    asyncio.create_task(run_nothing())
    asyncio.create_task(run_two())
    asyncio.create_task(run_commented())
    asyncio.create_task(run_over_lines())
    asyncio.create_task(run_continued())
    asyncio.create_task(run_below_a_comment())
    asyncio.create_task(run_documented_and_continued())
    asyncio.create_task(Service().run_method())
