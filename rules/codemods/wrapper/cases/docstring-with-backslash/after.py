"entry point"\

import asyncio; import os

from app.ctx import _run_with_context
from app.jobs import (
    run_poll,
)  # jobs


def start(loop):
    os.nice(1)
    return asyncio.run_coroutine_threadsafe(_run_with_context(run_poll(), "awoooi"), loop)
