from apscheduler.schedulers.asyncio import AsyncIOScheduler

scheduler = AsyncIOScheduler()


async def run_poll():
    pass


@scheduler.scheduled_job("interval", minutes=1)  # scheduled: APScheduler.scheduled_job every_minute
async def every_minute():
    pass


async def main(other):
    scheduler.add_job(run_poll, "interval", seconds=30)  # scheduled: APScheduler.add_job run_poll
    other.add_job(run_poll, "interval", seconds=30)
