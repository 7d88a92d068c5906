import asyncio
from src.core.probe import emit
from src.core.context import project_id_ctx_var


async def _run_with_context(coro, project_id):
    token = project_id_ctx_var.set(project_id)
    try:
        await coro
    finally:
        project_id_ctx_var.reset(token)


async def leaf(x):
    emit("w:" + x)


async def outer(task):
    await task
    emit("w:outer")


async def main(asyncio=asyncio):
    import asyncio as real
    real.create_task(_run_with_context(outer(real.create_task(_run_with_context(leaf("leaf"), "awoooi"))), "awoooi"))
    text = f"{real.create_task(_run_with_context(leaf('f'), 'awoooi'))!r:.0}"
    await real.sleep(0)
    await real.sleep(0)
    await real.sleep(0)
    return text, asyncio
