"""Runs a service whose loops beat, with every second round of each loop failing, and prints what each loop lived through.

    python3 beats.py SERVICE MODULE LOOP_MODULES...

The result: {"evolver_loop": {"ids": ["awoooi"], "events": ["beat", "good", "beat", "bad", "good", "beat", …]}}

`prometheus_client` is a stand-in: only what the migrated code needs of it.
"""
import asyncio
import inspect
import json
import logging
import sys
import types

sys.dont_write_bytecode = True
events = {}


class Gauge:
    def __init__(self, name, documentation, labelnames=()):
        self.labelnames = tuple(labelnames)

    def labels(self, **labels):
        assert tuple(sorted(labels)) == tuple(sorted(self.labelnames)), labels
        return Child(labels)


class Child:
    def __init__(self, labels):
        self.labels = labels

    def set_to_current_time(self):
        note(self.labels["loop_name"], "beat", self.labels["project_id"])


stand_in = types.ModuleType("prometheus_client")
stand_in.Gauge = Gauge
sys.modules["prometheus_client"] = stand_in


def note(name, what, project_id=None):
    entry = events.setdefault(name, {"ids": [], "events": []})
    if project_id is not None and project_id not in entry["ids"]:
        entry["ids"].append(project_id)
    entry["events"].append(what)


def loop_name():
    name = asyncio.current_task().get_coro().__name__.lstrip("_")
    return name[4:] if name.startswith("run_") else name


rounds = {}
working = set()


def failing(work):
    """The work of a round, made to fail every second time; what it awaits itself is part of it."""

    async def done(*args, **kwargs):
        name = loop_name()
        if name in working or name == "serve":  # of the same round, or the start of the service
            return await work(*args, **kwargs)
        working.add(name)
        try:
            rounds[name] = rounds.get(name, 0) + 1
            if rounds[name] % 2 == 0:
                note(name, "bad")
                raise RuntimeError("this round is to fail")
            result = await work(*args, **kwargs)
            note(name, "good")
            return result
        finally:
            working.discard(name)

    return done


sleep, wait_for = asyncio.sleep, asyncio.wait_for


async def short_sleep(delay, result=None):
    return await sleep(min(delay, 0.01), result)


async def short_wait_for(awaitable, timeout, **options):
    return await wait_for(awaitable, timeout and min(timeout, 0.01), **options)


async def serve(app):
    async with app.running():
        await sleep(1)


sys.path.insert(0, sys.argv[1])
app = __import__(sys.argv[2], fromlist=["app"]).app
logging.disable(logging.CRITICAL)
asyncio.sleep, asyncio.wait_for = short_sleep, short_wait_for




def replace_work():
    for name, module in list(sys.modules.items()):
        if name not in sys.argv[2:]:
            continue
        for key, value in list(vars(module).items()):
            own = inspect.iscoroutinefunction(value) and value.__module__ == name
            if own and key.startswith("_") and key != "_run_with_context":
                setattr(module, key, failing(value))


async def nothing(*_):
    pass


def ticking(record_tick):
    """A loop inside the start-up function has no work that could be replaced: its tick is the first thing of a round."""

    def tick(name):
        turn = failing(nothing)()
        try:
            turn.send(None)
        except StopIteration:
            pass
        record_tick(name)

    return tick


main = sys.modules[sys.argv[2]]
main.record_tick = ticking(main.record_tick)
for module in sys.argv[3:]:
    __import__(module)
replace_work()
asyncio.run(serve(app))
print(json.dumps(events))
