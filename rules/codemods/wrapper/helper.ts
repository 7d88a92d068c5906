import type { HelperDefinition, HelperNames } from '../../../src/engine/contracts.ts';
import { ownNames } from '../own-names.ts';

/**
 * INV-8's `_run_with_context`, with what was measured to be wrong with it put right (see the README).
 *
 * `closing` is a generator because dropping one runs its `finally`: a coroutine that is cancelled before its first step
 * never enters its body, so no `try` in `run` could close `coro`.
 *
 * Everything is annotated: a project that has mypy check all of its functions need not touch it up. `Any` alone is what
 * every Python from 3.6 on evaluates.
 */
function render(names: HelperNames): string {
  const { helper, contextVariable, trace, imports } = names;
  const any = imports[0]!;
  const own = ownNames(names);
  const [coro, id, closing, run] = [own('coro'), own('project_id'), own('closing'), own('run')];
  const [guard, wrapped, attribute] = [own('guard'), own('wrapped'), own('attribute')];
  return `def ${helper}(${coro}: ${any}, ${id}: str${trace ? ', trace: bool = False' : ''}) -> ${any}:
    """Give the task of \`\`${coro}\`\` a project id; its result, errors and name stay."""

    def ${closing}() -> ${any}:
        try:
            yield
        finally:
            ${coro}.close()

    async def ${run}(${guard}: ${any}) -> ${any}:
${trace ? traced(contextVariable, trace, any, own) : untraced(contextVariable, own)}

    ${guard} = ${closing}()
    next(${guard})  # from now on, dropping the guard closes a coroutine that never started
    ${wrapped} = ${run}(${guard})
    for ${attribute} in ("__name__", "__qualname__"):
        setattr(${wrapped}, ${attribute}, getattr(${coro}, ${attribute}, type(${coro}).__name__))
    return ${wrapped}`;
}

const COLLECTED = 'collected while pending: this is no longer its context';

type Own = ReturnType<typeof ownNames>;

function untraced(variable: string, own: Own): string {
  const token = own('token');
  return `        ${token} = ${variable}.set(${own('project_id')})
        try:
            return await ${own('coro')}
        finally:
            try:
                ${variable}.reset(${token})
            except ValueError:
                pass  # ${COLLECTED}`;
}

function traced(variable: string, trace: { variable: string; generator: string }, any: string, own: Own): string {
  const [tokens, token, each] = [own('tokens'), own('token'), own('variable')];
  return `        ${tokens}: ${any} = [(${variable}, ${variable}.set(${own('project_id')}))]
        if trace:
            ${tokens}.append((${trace.variable}, ${trace.variable}.set(${trace.generator}())))
        try:
            return await ${own('coro')}
        finally:
            for ${each}, ${token} in ${tokens}:
                try:
                    ${each}.reset(${token})
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
