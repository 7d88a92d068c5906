import { pythonString, remove, replace, wrap } from '../../../src/edit/build.ts';
import {
  type CodemodInput,
  type CodemodResult,
  defineCodemod,
  type HelperReference,
} from '../../../src/engine/contracts.ts';
import type { Refusal } from '../../../src/model/index.ts';
import { withTraceInBody } from '../body.ts';
import { helper } from './helper.ts';

const USES_RESULT = new Set(['awaited', 'kept', 'returned', 'passed', 'structured']);

/** `create_task(run_x())` → `create_task(_run_with_context(run_x(), "awoooi"))`. */
export default defineCodemod({
  id: 'wrapper',
  summary: 'wrap the coroutine in a helper that sets the project id for its task',
  safe: true,
  scope: 'site',
  carriesId: true,
  limits: [
    'The stack of a pending task (Task.get_stack, its repr) names the helper as the innermost frame, and a traceback has one frame more.',
    'The id is set while the coroutine runs: done callbacks and the "exception was never retrieved" handler do not see it.',
  ],
  helper,
  run(input): CodemodResult {
    const { site } = input;
    const refusal = refusalOf(input);
    if (refusal) return { refusal };
    const extents = site.shape.wrapExtents.length > 0 ? site.shape.wrapExtents : [site.argumentExtent!];
    const retag = changedId(input);
    if (retag) return retag;
    const reference = input.helper(site.range.file, site.range.start);
    if ('refusal' in reference) return reference;
    const keyword = input.trace && reference.trace !== 'always' ? reference.trace : null;
    const nested = input.pythonMinimum !== null && atLeast(input.pythonMinimum, 3, 12);
    const edits = extents.flatMap((extent, index) => {
      const id = pythonString(input.projectIds[index] ?? input.projectIds[0]!, site.shape.fstringQuotes, nested);
      return id === null ? [] : wrap(site.range.file, extent, ...around(reference, id, keyword));
    });
    if (edits.length < extents.length * 2) return { refusal: noQuote };
    const result = { edits, needs: reference.needs, unsafe: droppedResult(input, reference) };
    return input.trace && reference.trace === null ? withTraceInBody(input, result, reference.name) : result;
  },
  undo({ site, target }): CodemodResult {
    const wrapping = (site.tag ?? target?.tag)?.wrapping;
    const { file } = site.range;
    if (!wrapping)
      return { refusal: { code: 'shape', reason: 'the wrapping call is not in this file: take it out by hand' } };
    const { call, inner } = wrapping;
    const edits = [
      remove(file, { start: call.start, end: inner.start }),
      remove(file, { start: inner.end, end: call.end }),
    ];
    return { edits, needs: [] };
  },
});

/** A wrap of ours with another id: the id is changed in place. */
function changedId({ site, target, projectIds }: CodemodInput): CodemodResult | null {
  const tag = site.tag ?? target?.tag ?? null;
  if (tag?.via !== 'wrapper' || !tag.wrapping || tag.file !== site.range.file) return null;
  const id = pythonString(projectIds[0]!, site.shape.fstringQuotes);
  return id === null ? { refusal: noQuote } : { edits: [replace(tag.file, tag.wrapping.id, id)], needs: [] };
}

const noQuote: Refusal = {
  code: 'no-safe-quote',
  reason: 'both quotes are taken by the f-strings around the call: move the call out of the string',
};

function atLeast(version: readonly [number, number], major: number, minor: number): boolean {
  return version[0] > major || (version[0] === major && version[1] >= minor);
}

function refusalOf({ site }: CodemodInput): Refusal | null {
  const { shape } = site;
  if (shape.refusal) return shape.refusal;
  if (site.takes === 'callable')
    return {
      code: 'callable',
      reason: `${site.api} takes a function, not a coroutine: set the id inside it (--method loop-body)`,
    };
  if (shape.starred)
    return {
      code: 'starred',
      reason: 'the coroutine comes out of a starred argument: write it as an argument of its own',
    };
  if (shape.ineffective) return { code: 'gathered', reason: shape.ineffective };
  if (shape.contextArgument?.kind === 'shared')
    return {
      code: 'shared-context',
      reason: `context=${shape.contextArgument.value} is shared with other code: set the id in that context by hand`,
    };
  if (shape.spreadContext === 'yes')
    return {
      code: 'shared-context',
      reason: 'a **mapping at the call holds a context= that other code may share: set the id in that context by hand',
    };
  if (!site.argumentExtent && shape.wrapExtents.length === 0)
    return { code: 'shape', reason: 'there is no argument that could be wrapped' };
  if (site.api === 'asyncio.ensure_future' && site.targets.length === 0 && site.certainty !== 'proven')
    return {
      code: 'dynamic',
      reason:
        'ensure_future may be given a Future here, which must not be wrapped: wrap it by hand if it is a coroutine',
    };
  return null;
}

function droppedResult({ site }: CodemodInput, reference: HelperReference): string | undefined {
  if (reference.returnsResult || !USES_RESULT.has(site.shape.use)) return undefined;
  return `the task's result may be read, and ${reference.name} drops it: write \`return await\` in ${reference.name} first`;
}

/** Text before and after the coroutine, in the helper's own order of parameters. */
function around(helperReference: HelperReference, id: string, trace: string | null): [string, string] {
  const { name, coroParam, idParam, idParamName } = helperReference;
  const extra = trace ? `, ${trace}=True` : '';
  if (coroParam === 0 && idParam === 1) return [`${name}(`, `, ${id}${extra})`];
  if (coroParam === 1 && idParam === 0) return [`${name}(${id}, `, `${extra})`];
  return [`${name}(`, `, ${idParamName}=${id}${extra})`];
}
