import asyncio

from src.core.context import generate_trace_id, project_id_ctx_var, trace_id_ctx_var


async def work(name): await asyncio.sleep(0)
async def run_documented(): "doc"; project_id_ctx_var.set("awoooi"); trace_id_ctx_var.set(generate_trace_id()); await work("d")
async def run_nothing(): """Nothing to do yet."""; project_id_ctx_var.set("awoooi"); trace_id_ctx_var.set(generate_trace_id())
async def run_two(): project_id_ctx_var.set("awoooi"); trace_id_ctx_var.set(generate_trace_id()); await work("a"); await work("b");
async def run_commented(): project_id_ctx_var.set("awoooi"); trace_id_ctx_var.set(generate_trace_id()); [await work(n) for n in "ab"]  # why
async def run_over_lines(
    n=1,
): project_id_ctx_var.set("awoooi"); trace_id_ctx_var.set(generate_trace_id()); await work(
    n)
async def run_continued(): \
    project_id_ctx_var.set("awoooi"); trace_id_ctx_var.set(generate_trace_id()); await work("c")
async def run_below_a_comment(): # \
    project_id_ctx_var.set("awoooi")
    trace_id_ctx_var.set(generate_trace_id())
    await work("d")
async def run_documented_and_continued(): "doc" \
    ; project_id_ctx_var.set("awoooi"); trace_id_ctx_var.set(generate_trace_id()); await work("e")
class Service:
    async def run_method(self): 'doc'; project_id_ctx_var.set("awoooi"); trace_id_ctx_var.set(generate_trace_id()); global N; N = 1; await work("f")


async def main():
    asyncio.create_task(run_documented())
    asyncio.create_task(run_nothing())
    asyncio.create_task(run_two())
    asyncio.create_task(run_commented())
    asyncio.create_task(run_over_lines())
    asyncio.create_task(run_continued())
    asyncio.create_task(run_below_a_comment())
    asyncio.create_task(run_documented_and_continued())
    asyncio.create_task(Service().run_method())
