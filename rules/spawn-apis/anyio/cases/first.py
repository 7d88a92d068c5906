import anyio
from anyio.abc import TaskGroup


async def run_poll():
    pass


async def main():
    async with anyio.create_task_group() as group:
        group.start_soon(run_poll)  # spawns: anyio.TaskGroup.start_soon run_poll
        await group.start(run_poll)  # spawns: anyio.TaskGroup.start run_poll


async def annotated(group: TaskGroup, other):
    group.start_soon(run_poll)  # spawns: anyio.TaskGroup.start_soon run_poll
    other.start_soon(run_poll)
