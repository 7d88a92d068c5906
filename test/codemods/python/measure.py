"""Runs one coroutine bare and wrapped through everything that a task can live through, and prints what was seen."""
import asyncio
import contextlib
import contextvars
import gc
import inspect
import io
import json
import sys
import warnings

sys.path.insert(0, sys.argv[1])
from service import CONTEXT_ARGUMENT, project_id_ctx_var, spawn_kwargs, wrap  # noqa: E402

seen = []


def note(*what):
    seen.append(" ".join(str(x) for x in what))


async def run_x(n=1):
    note("start", project_id_ctx_var.get())
    await asyncio.sleep(0)
    note("end", project_id_ctx_var.get())
    return n


async def boom():
    raise KeyError("boom")


async def waits():
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        note("cancelled", project_id_ctx_var.get())
        raise


class Feed:
    def next(self):
        self.fut = asyncio.get_running_loop().create_future()
        return self.fut


async def watch(feed):
    try:
        while True:
            await feed.next()
    except GeneratorExit:
        note("collected")
        raise


async def holds_itself():
    me = asyncio.current_task()
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        note("finally", me.done())


def spawn(wrapped, coro, create=None):
    create = create or asyncio.create_task
    return create(wrap(coro), **spawn_kwargs()) if wrapped else create(coro)


async def cancelled(task):
    try:
        await task
    except asyncio.CancelledError:
        return "cancelled"


class Scenarios:
    async def result(w):
        return await spawn(w, run_x(7))

    async def exception(w):
        try:
            await spawn(w, boom())
        except KeyError as error:
            return repr(error)

    async def never_retrieved(w):
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda l, c: note(c["message"], repr(c["exception"])))
        spawn(w, boom())
        await asyncio.sleep(0.01)
        gc.collect()

    async def name(w):
        task = spawn(w, run_x())
        shown = repr(task).split("coro=")[1].split(" at ")[0]
        coro = task.get_coro() if sys.version_info >= (3, 8) else task._coro
        await task
        return shown, coro.__name__, coro.__qualname__

    async def cancel_before_start(w):
        task = spawn(w, run_x())
        task.cancel()
        return await cancelled(task)

    async def cancel_while_waiting(w):
        task = spawn(w, waits())
        await asyncio.sleep(0)
        task.cancel()
        return await cancelled(task)

    async def task_group(w):
        if not hasattr(asyncio, "TaskGroup"):
            return None
        async with asyncio.TaskGroup() as group:
            task = spawn(w, run_x(3), group.create_task)
        return task.result()

    async def closed_task_group(w):
        if not hasattr(asyncio, "TaskGroup"):
            return None
        async with asyncio.TaskGroup() as group:
            pass
        try:
            spawn(w, run_x(), group.create_task)
        except RuntimeError:
            return "refused"

    async def eager(w):
        if not hasattr(asyncio, "eager_task_factory"):
            return None
        loop = asyncio.get_running_loop()
        loop.set_task_factory(asyncio.eager_task_factory)
        project_id_ctx_var.set("caller")
        task = spawn(w, run_x(3))
        note("after create", project_id_ctx_var.get())
        result = await task
        loop.set_task_factory(None)
        return result, project_id_ctx_var.get()

    async def collected_while_pending(w):
        asyncio.get_running_loop().set_exception_handler(lambda l, c: note(c["message"]))
        spawn(w, watch(Feed()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()
        return len(asyncio.all_tasks())

    async def collected_with_itself(w):
        asyncio.get_running_loop().set_exception_handler(lambda l, c: note(c["message"]))
        spawn(w, holds_itself())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()
        return len(asyncio.all_tasks())

    async def gathered(w):
        return await asyncio.gather(*[spawn(w, run_x(i)) for i in range(3)])


class WrapperScenarios:
    """What only a wrapped coroutine can live through; a context argument has no say in it."""

    async def dropped(w):
        coro = wrap(run_x()) if w else run_x()
        del coro
        gc.collect()

    async def kind(w):
        coro = wrap(run_x()) if w else run_x()
        kind = inspect.iscoroutine(coro), inspect.isawaitable(coro), asyncio.iscoroutine(coro)
        coro.close()
        return kind

    async def awaited(w):
        result = await (wrap(run_x(4)) if w else run_x(4))
        return result, project_id_ctx_var.get()

    async def timeout(w):
        try:
            await asyncio.wait_for(wrap(waits()) if w else waits(), 0.01)
        except asyncio.TimeoutError:
            return "timeout"

    async def from_a_thread(w):
        loop = asyncio.get_running_loop()

        def start():
            coro = run_x(9)
            return asyncio.run_coroutine_threadsafe(wrap(coro) if w else coro, loop)

        return await asyncio.wrap_future(await loop.run_in_executor(None, start))

    async def shared_context(w):
        if sys.version_info < (3, 11):
            return None
        context = contextvars.copy_context()
        result = await asyncio.create_task(wrap(run_x(2)) if w else run_x(2), context=context)
        return result, context.get(project_id_ctx_var)

    async def no_coroutine(w):
        class Ready:
            def __await__(self):
                return 5
                yield

            def send(self, value):
                raise StopIteration(5)

            def throw(self, *error):
                raise error[0]

            def close(self):
                pass

        return await asyncio.ensure_future(wrap(Ready()) if w else Ready())


def never_started(w):
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda l, c: note(c["message"]))
    task = spawn(w, run_x(), loop.create_task)
    loop.close()
    del task, loop


def measure(wrapped):
    tests = dict(vars(Scenarios), **({} if CONTEXT_ARGUMENT else vars(WrapperScenarios)))
    out = {}
    for name, scenario in [*tests.items(), ("never_started", None)]:
        if name.startswith("__"):
            continue
        seen.clear()
        errors = io.StringIO()
        with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stderr(errors):
            warnings.simplefilter("always")
            try:
                result = asyncio.run(scenario(wrapped)) if scenario else never_started(wrapped)
            except BaseException as error:
                result = "RAISED %r" % error
            gc.collect()
            gc.collect()
        out[name] = {
            "result": result,
            "seen": list(seen),
            "warnings": [str(warning.message) for warning in caught],
            "stderr": [line for line in errors.getvalue().splitlines() if line and not line.startswith(" ")],
        }
    return out


print(json.dumps({"bare": measure(False), "wrapped": measure(True)}))
