/**
 * The probe's source. Kept as text here rather than as a file beside, so that the bundled command needs no resources.
 * `@@LABELS@@` and `@@VARIABLES@@` are the only holes.
 */
export const PROBE_SOURCE =
  String.raw`"""List the running asyncio tasks as JSON lines. Written by \`looptag emit probe\`.

Needs nothing but Python 3.8 or later. From inside the program:

    import looptag_probe
    looptag_probe.dump_tasks("tasks.jsonl")      # in a coroutine or a callback
    looptag_probe.install("tasks.jsonl")         # or: at each SIGUSR1, from the running loop

then: looptag reconcile --runtime tasks.jsonl
"""
import asyncio
import contextvars
import gc
import inspect
import json
import os
import signal
import sys
import time

#: Names given to ContextVar("…") that hold the project id.
LABELS = @@LABELS@@
#: The same variables as (module, attribute); looked up only in modules that are loaded already.
VARIABLES = @@VARIABLES@@

_installed_loop = None


def dump_tasks(file=None, loop=None):
    """Write one header and one line a task to a path, a text file or (None) standard error; return the number of tasks."""
    loop = loop or _running_loop() or _installed_loop
    if loop is None or loop.is_closed():
        raise RuntimeError("no running event loop: call this from a coroutine, or pass loop=")
    records = sorted((describe(task) for task in asyncio.all_tasks(loop)), key=lambda r: (r["qualname"], r["name"] or ""))
    header = {
        "schema": "looptag/tasks@1",
        "python": sys.version.split()[0],
        "pid": os.getpid(),
        "time": time.time(),
        "tasks": len(records),
    }
    text = "".join(json.dumps(record) + "\n" for record in [header] + records)
    if file is None:
        # A signal may interrupt a write to sys.stderr; its buffer can't be entered twice.
        os.write(2, text.encode("ascii"))
    elif hasattr(file, "write"):
        file.write(text)
    else:
        _replace(os.fspath(file), text)
    return len(records)


def install(file=None, signum=None):
    """Dump whenever the signal comes (SIGUSR1 unless told otherwise). Call it in the main thread."""
    global _installed_loop
    _installed_loop = _running_loop()
    signum = signum if signum is not None else getattr(signal, "SIGUSR1", None)
    if signum is None:
        raise RuntimeError("this platform has no SIGUSR1: call dump_tasks() instead")

    def on_signal(number, frame):
        try:
            dump_tasks(file)
        except Exception as error:  # a diagnosis must not take the service down
            os.write(2, ("looptag probe: %r\n" % (error,)).encode("utf-8", "replace"))

    return signal.signal(signum, on_signal)


def describe(task):
    coro = task.get_coro()
    wrappers = []
    inner = _inner(coro)
    while inner is not None and len(wrappers) < 10:
        wrappers.append(_code_name(coro))
        coro, inner = inner, _inner(inner)
    code = getattr(coro, "cr_code", None) or getattr(coro, "gi_code", None) or getattr(coro, "ag_code", None)
    project, source = _project_id(task)
    return {
        "name": task.get_name(),
        "qualname": getattr(coro, "__qualname__", None) or type(coro).__name__,
        "file": code.co_filename if code else None,
        "line": code.co_firstlineno if code else None,
        "projectId": project,
        "projectIdFrom": source,
        "wrappers": wrappers,
        "at": _innermost(coro),
        "done": task.done(),
    }


def _running_loop():
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _replace(path, text):
    """A reader never sees half a dump."""
    part = "%s.%d.part" % (path, os.getpid())
    with open(part, "w", encoding="ascii") as out:
        out.write(text)
    os.replace(part, path)


def _inner(coro):
    """The coroutine that this one only passes on, or None."""
    frame, code = getattr(coro, "cr_frame", None), getattr(coro, "cr_code", None)
    if frame is None or code is None:
        return None
    awaited = getattr(coro, "cr_await", None)
    count = code.co_argcount + code.co_kwonlyargcount
    local = frame.f_locals
    # Arguments and closure only: a loop may well await a coroutine that it keeps in a local.
    given = [local[n] for n in code.co_varnames[:count] + code.co_freevars if n in local]
    given = [value for value in given if inspect.iscoroutine(value)]
    if any(value is awaited for value in given):
        return awaited
    if given and inspect.getcoroutinestate(coro) == inspect.CORO_CREATED:
        return given[0]
    # A decorator's wrapper bears the name of what it awaits.
    if code.co_name != coro.__name__ and inspect.iscoroutine(awaited) and awaited.cr_code.co_name == coro.__name__:
        return awaited
    return None


def _code_name(coro):
    code = coro.cr_code
    return getattr(code, "co_qualname", code.co_name)


def _innermost(coro):
    """Where the task waits: the last frame of the chain of awaits."""
    place, seen = None, 0
    while coro is not None and seen < 100:
        frame = getattr(coro, "cr_frame", None) or getattr(coro, "gi_frame", None) or getattr(coro, "ag_frame", None)
        if frame is not None:
            place = {"file": frame.f_code.co_filename, "line": frame.f_lineno}
        coro = getattr(coro, "cr_await", None) or getattr(coro, "gi_yieldfrom", None) or getattr(coro, "ag_await", None)
        seen += 1
    return place


def _project_id(task):
    """(id, how it was read); (None, how) when the context has none, (None, None) when it can't be known."""
    context, source = _context(task)
    if context is None:
        return None, None
    known = []
    for module, name in VARIABLES:
        variable = getattr(sys.modules.get(module), name, None)
        if isinstance(variable, contextvars.ContextVar):
            known.append(variable)
    for variable in context:
        if variable in known or (not known and variable.name in LABELS):
            value = context[variable]
            return (None if value is None else value if isinstance(value, str) else repr(value)[:200]), source
    return None, source


def _context(task):
    if hasattr(task, "get_context"):  # 3.12
        return task.get_context(), "get_context"
    context = getattr(task, "_context", None)  # tasks in Python, and those of some other loops
    if isinstance(context, contextvars.Context):
        return context, "_context"
    if sys.implementation.name == "cpython":
        # Before 3.12 a C task shows its context to the garbage collector only, and before those of its callbacks.
        for referent in gc.get_referents(task):
            if isinstance(referent, contextvars.Context):
                return referent, "gc"
    return None, None
`.replaceAll('\\`', '`');
