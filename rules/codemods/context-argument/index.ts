import { insert, pythonString, remove, replace } from '../../../src/edit/build.ts';
import {
  type CodemodInput,
  type CodemodResult,
  defineCodemod,
  type HelperNames,
} from '../../../src/engine/contracts.ts';
import type { Refusal } from '../../../src/model/index.ts';
import { withTraceInBody } from '../body.ts';
import { ownNames } from '../own-names.ts';

/** The spawn APIs that take `context=` from Python 3.11 on. */
const ACCEPTS = new Set(['asyncio.create_task', 'asyncio.Task', 'loop.create_task', 'TaskGroup.create_task']);

/** `create_task(run_x())` → `create_task(run_x(), context=_project_context("awoooi"))`. */
export default defineCodemod({
  id: 'context-argument',
  summary: 'hand the task a context that holds the project id (Python 3.11 and later)',
  safe: true,
  scope: 'site',
  carriesId: true,
  limits: ['Task names, results, cancellation and stacks stay exactly as they were; the files need Python 3.11.'],
  helper: {
    name: () => '_project_context',
    kind: 'function',
    usesContext: true,
    imports: [
      { module: 'contextvars', name: 'copy_context' },
      { module: 'contextvars', name: 'Context' },
    ],
    moduleDoc: 'The project id for the tasks of background loops.',
    render,
  },
  run,
  undo,
});

function render(names: HelperNames): string {
  const { helper, contextVariable, trace, imports } = names;
  const own = ownNames(names);
  const [id, context] = [own('project_id'), own('context')];
  const lines = [
    `def ${helper}(${id}: str${trace ? ', trace: bool = False' : ''}) -> ${imports[1]}:`,
    '    """A copy of the current context with the project id set, for ``create_task(..., context=...)``."""',
    `    ${context} = ${imports[0]}()`,
    `    ${context}.run(${contextVariable}.set, ${id})`,
    ...(trace ? ['    if trace:', `        ${context}.run(${trace.variable}.set, ${trace.generator}())`] : []),
    `    return ${context}`,
  ];
  return lines.join('\n');
}

function run(input: CodemodInput): CodemodResult {
  const { site, pythonMinimum } = input;
  const refusal = refusalOf(input);
  if (refusal) return { refusal };
  const reference = input.helper(site.range.file, site.range.start);
  if ('refusal' in reference) return reference;
  const nested = pythonMinimum![0] > 3 || pythonMinimum![1] >= 12;
  const id = pythonString(input.projectIds[0]!, site.shape.fstringQuotes, nested);
  if (id === null)
    return refuse(
      'no-safe-quote',
      'both quotes are taken by the f-strings around the call: move the call out of the string',
    );
  const value = `${reference.name}(${id}${input.trace && reference.trace ? ', trace=True' : ''})`;
  const { contextArgument } = site.shape;
  const edit = contextArgument
    ? replace(site.range.file, contextArgument.extent, `context=${value}`)
    : insert(site.range.file, site.shape.lastArgumentEnd!, `, context=${value}`);
  const result = { edits: [edit], needs: reference.needs };
  return input.trace && reference.trace === null ? withTraceInBody(input, result, reference.name) : result;
}

const refuse = (code: Refusal['code'], reason: string) => ({ refusal: { code, reason } });

function refusalOf({ site, pythonMinimum, projectIds }: CodemodInput): Refusal | null {
  const { shape } = site;
  const no = (code: Refusal['code'], reason: string): Refusal => ({ code, reason });
  if (shape.refusal) return shape.refusal;
  if (!pythonMinimum || pythonMinimum[0] < 3 || (pythonMinimum[0] === 3 && pythonMinimum[1] < 11))
    return no(
      'python-version',
      'context= needs Python 3.11: say `requires-python = ">=3.11"` in pyproject.toml, or use --method wrapper',
    );
  if (!ACCEPTS.has(site.api)) return no('shape', `${site.api} takes no context=: use --method wrapper`);
  if (projectIds.length > 1)
    return no('mixed-classes', 'one call starts coroutines of several projects: give each its own call');
  if (shape.ineffective) return no('gathered', shape.ineffective);
  if (shape.contextArgument && shape.contextArgument.kind !== 'project')
    return no(
      'shared-context',
      `context=${shape.contextArgument.value} is there already: use --method wrapper, or set the id in that context by hand`,
    );
  if (shape.spreadContext)
    return no(
      'shared-context',
      `a **mapping at the call ${shape.spreadContext === 'yes' ? 'holds' : 'may hold'} a context= already: write its keywords out, or use --method wrapper`,
    );
  if (!site.argumentExtent || shape.wrapExtents.length > 0)
    return no('shape', 'the call starts several coroutines, or has no argument of its own');
  if (shape.lastArgumentEnd === null) return no('shape', 'the call has no argument');
  return null;
}

/** Take `, context=_project_context(…)` out again. */
function undo({ site, textOf }: CodemodInput): CodemodResult {
  const { contextArgument } = site.shape;
  if (contextArgument?.kind !== 'project') return refuse('shape', 'there is no context= of ours at this call');
  const { start, end } = contextArgument.extent;
  const before = /,[ \t]*$/.exec(textOf(site.range.file).slice(0, start));
  if (!before) return refuse('shape', 'context= stands on a line of its own: take it out by hand');
  return { edits: [remove(site.range.file, { start: start - before[0].length, end })], needs: [] };
}
