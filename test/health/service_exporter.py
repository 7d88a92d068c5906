"""Runs a migrated service with its time scaled down and exports the gauge that its own loops update.

    python3 service_exporter.py --service apps/api --module src.main --control control.json --port 9000

A round's rest never takes longer than --longest seconds. Loops named in the control file's "stopped" do not come
back from their rest until their name is gone from it: stuck, as a loop that waits for something for ever.
"""
import argparse
import asyncio
import importlib
import json
import sys

sys.dont_write_bytecode = True

from prometheus_client import start_http_server  # noqa: E402

_sleep = asyncio.sleep
_wait_for = asyncio.wait_for


def stopped(control):
    with open(control, encoding="utf-8") as file:
        return set(json.load(file).get("stopped", ()))


def loop_name():
    """The label value that the loop of the current task bears."""
    name = asyncio.current_task().get_coro().__name__.lstrip("_")
    return name[4:] if name.startswith("run_") else name


def scale(control, longest):
    async def rest(delay, result=None):
        await _sleep(min(delay, longest))
        while delay > longest and loop_name() in stopped(control):
            await _sleep(0.05)
        return result

    async def wait_for(awaitable, timeout, **options):
        try:
            return await _wait_for(awaitable, None if timeout is None else min(timeout, longest), **options)
        finally:
            while timeout is not None and timeout > longest and loop_name() in stopped(control):
                await _sleep(0.05)

    asyncio.sleep, asyncio.wait_for = rest, wait_for


async def serve(module):
    async with importlib.import_module(module).app.running():
        await asyncio.Event().wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--service", required=True)
    parser.add_argument("--module", default="src.main")
    parser.add_argument("--control", required=True)
    parser.add_argument("--longest", type=float, default=0.5)
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    sys.path.insert(0, options.service)
    scale(options.control, options.longest)
    start_http_server(options.port, "127.0.0.1")
    asyncio.run(serve(options.module))


if __name__ == "__main__":
    main()
