import aiojobs
from aiojobs.aiohttp import spawn


async def run_poll():
    pass


async def main(request):
    scheduler = aiojobs.Scheduler()
    await scheduler.spawn(run_poll())  # spawns: aiojobs.Scheduler.spawn run_poll
    await spawn(request, run_poll())  # spawns: aiojobs.Scheduler.spawn run_poll


async def annotated(scheduler: aiojobs.Scheduler, other):
    await scheduler.spawn(run_poll())  # spawns: aiojobs.Scheduler.spawn run_poll
    await other.spawn(run_poll())
