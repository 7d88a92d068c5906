from src.core.context import project_id_ctx_var
import asyncio
asyncio.run(main(project_id_ctx_var))
asyncio.create_task(run_x())
async def run_x():
    """Only this."""
    project_id_ctx_var.set("awoooi")