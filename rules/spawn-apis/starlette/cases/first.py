from fastapi import BackgroundTasks
from fastapi_utils.tasks import repeat_every
from starlette.background import BackgroundTask


async def send_mail():
    pass


async def handler(tasks: BackgroundTasks, other):
    tasks.add_task(send_mail)  # scheduled: BackgroundTasks.add_task send_mail
    other.add_task(send_mail)
    return BackgroundTask(send_mail)  # scheduled: BackgroundTask send_mail


@repeat_every(seconds=60)  # scheduled: repeat_every clean_up
async def clean_up():
    pass
