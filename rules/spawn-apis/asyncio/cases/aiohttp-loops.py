from aiohttp import web


async def run_poll():
    pass


class Service(web.Application):
    def start(self):
        self.loop.create_task(run_poll())  # spawns: loop.create_task run_poll


async def started(app: web.Application):
    app.loop.create_task(run_poll())  # spawns: loop.create_task run_poll


async def handler(request: web.Request, other):
    request.app.loop.create_task(run_poll())  # spawns: loop.create_task run_poll
    request.loop.create_task(run_poll())  # spawns: loop.create_task run_poll
    other.app.loop.create_task(run_poll())


def make():
    app = web.Application()
    app.loop.create_task(run_poll())  # spawns: loop.create_task run_poll
    return app
