import type { HelperDefinition, HelperNames } from '../../../src/engine/contracts.ts';

/**
 * INV-8's `_run_with_context`, with what was measured to be wrong with it put right (see the README).
 *
 * `closing` is a generator because dropping one runs its `finally`: a coroutine that is cancelled before its first step
 * never enters its body, so no `try` in `run` could close `coro`.
 */
function render({ helper, contextVariable, trace }: HelperNames): string {
  return `def ${helper}(coro, project_id: str${trace ? ', trace: bool = False' : ''}):
    """Give the task of \`\`coro\`\` a project id; result, exceptions and name stay its own."""

    def closing():
        try:
            yield
        finally:
            coro.close()

    async def run(guard):
${trace ? traced(contextVariable, trace) : untraced(contextVariable)}

    guard = closing()
    next(guard)  # from now on, dropping the guard closes a coroutine that never started
    wrapped = run(guard)
    for attribute in ("__name__", "__qualname__"):
        setattr(wrapped, attribute, getattr(coro, attribute, type(coro).__name__))
    return wrapped`;
}

const COLLECTED = 'collected while pending: this is no longer its context';

function untraced(variable: string): string {
  return `        token = ${variable}.set(project_id)
        try:
            return await coro
        finally:
            try:
                ${variable}.reset(token)
            except ValueError:
                pass  # ${COLLECTED}`;
}

function traced(variable: string, trace: { variable: string; generator: string }): string {
  return `        tokens = [(${variable}, ${variable}.set(project_id))]
        if trace:
            tokens.append((${trace.variable}, ${trace.variable}.set(${trace.generator}())))
        try:
            return await coro
        finally:
            for variable, token in tokens:
                try:
                    variable.reset(token)
                except ValueError:
                    pass  # ${COLLECTED}`;
}

export const helper: HelperDefinition = {
  name: (policy) => policy.helper,
  kind: 'function',
  usesContext: true,
  imports: [],
  moduleDoc: 'The project id for the tasks of background loops.',
  render,
};
