/** A project's own module with the context variable and INV-8's helper, its result returned. */
export const CONTEXT_HELPER = `from contextvars import ContextVar

project_id_ctx_var = ContextVar("project_id", default="")


async def _run_with_context(coro, project_id):
    token = project_id_ctx_var.set(project_id)
    try:
        return await coro
    finally:
        project_id_ctx_var.reset(token)
`;
