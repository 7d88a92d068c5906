import trio


async def run_poll():
    pass


async def main():
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run_poll)  # spawns: trio.Nursery.start_soon run_poll
        await nursery.start(run_poll)  # spawns: trio.Nursery.start run_poll


async def annotated(nursery: trio.Nursery, other):
    nursery.start_soon(run_poll)  # spawns: trio.Nursery.start_soon run_poll
    other.start_soon(run_poll)


trio.run(main)
