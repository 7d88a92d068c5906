import type { HelperDefinition, HelperNames } from '../../../src/engine/contracts.ts';

/**
 * INV-8's `_run_with_context`, with what was measured to be wrong with it put right (see the README).
 *
 * `closing` is a generator because dropping one runs its `finally`: a coroutine that is cancelled before its first step
 * never enters its body, so no `try` in `run` could close `coro`.
 *
 * Everything is annotated: a project that has mypy check all of its functions need not touch it up. `Any` alone is what
 * every Python from 3.6 on evaluates.
 */
function render({ helper, contextVariable, trace, imports }: HelperNames): string {
  const any = imports[0]!;
  return `def ${helper}(coro: ${any}, project_id: str${trace ? ', trace: bool = False' : ''}) -> ${any}:
    """Give the task of \`\`coro\`\` a project id; its result, errors and name stay."""

    def closing() -> ${any}:
        try:
            yield
        finally:
            coro.close()

    async def run(guard: ${any}) -> ${any}:
${trace ? traced(contextVariable, trace, any) : untraced(contextVariable)}

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

function traced(variable: string, trace: { variable: string; generator: string }, any: string): string {
  return `        tokens: ${any} = [(${variable}, ${variable}.set(project_id))]
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
  imports: [{ module: 'typing', name: 'Any' }],
  moduleDoc: 'The project id for the tasks of background loops.',
  render,
};
