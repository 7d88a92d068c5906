/** When wrapping the argument of a spawn would be wrong, and what to do by hand. */
import type { Extent, Refusal } from '../model/index.ts';
import type { Expr } from '../syntax/index.ts';
import type { SpawnEvent } from './flow.ts';
import { outerExtent, type Project } from './project.ts';

/** What an expression of these kinds gives can never be awaited by a task. */
const NO_COROUTINE = new Set<Expr['kind']>([
  'Constant',
  'JoinedStr',
  'List',
  'Tuple',
  'Set',
  'Dict',
  'ListComp',
  'SetComp',
  'DictComp',
  'GeneratorExp',
  'Compare',
  'Lambda',
]);

export class Refusals {
  constructor(private readonly project: Project) {}

  of(event: SpawnEvent, elements: readonly Extent[]): Refusal | null {
    const { argument, alternatives } = event;
    if (argument.kind === 'missing')
      return { code: 'starred', reason: 'no argument is given at this call: tag it where the coroutine is made' };
    if (argument.kind === 'starred')
      return { code: 'starred', reason: 'the coroutine comes out of starred arguments: tag it where it is made' };
    if (event.mode.endsWith('callable')) return this.callable(event);
    if (argument.kind === 'given' && argument.inPartial)
      return { code: 'shape', reason: 'the coroutine is bound by functools.partial: tag it there by hand' };
    if (event.mode.startsWith('iterable') && !elements.length)
      return { code: 'dynamic', reason: 'the coroutines are made elsewhere: tag them where they are made' };
    if (event.mode === 'coroutine' && argument.kind === 'given' && NO_COROUTINE.has(argument.place.node.kind))
      return { code: 'shape', reason: 'what is started here is no coroutine, and fails when it runs' };
    if (alternatives.length && alternatives.every((a) => a.kind === 'task'))
      return { code: 'existing-task', reason: 'an existing task or future is passed on: tag it where it was started' };
    const wrong = alternatives.find((a) => a.kind === 'not-spawnable');
    if (wrong?.kind === 'not-spawnable')
      return { code: wrong.async ? 'async-generator' : 'not-a-coroutine', reason: wrong.why };
    const gathered = this.ineffective(event);
    if (gathered) return { code: 'gathered', reason: gathered };
    if (
      event.row.api === 'asyncio.ensure_future' &&
      argument.kind === 'given' &&
      argument.place.node.kind === 'Name' &&
      alternatives.every((a) => a.kind === 'unknown')
    )
      return { code: 'existing-task', reason: 'it may be a task or future already: tag it where it was made' };
    return this.sharedContext(event);
  }

  private callable(event: SpawnEvent): Refusal {
    if (event.wrapper) {
      return {
        code: 'callable',
        reason: `${event.wrapper.fn.qualname} takes a function, not a coroutine: tag the call inside it (line ${this.project.line(event.wrapper.inner.module, event.wrapper.inner.call.node.start)}), or in the function itself (--method loop-body)`,
      };
    }
    return {
      code: 'callable',
      reason: `${event.row.api} takes a function and its arguments, not a coroutine: set the id as the first statement of the function (--method loop-body)`,
    };
  }

  private sharedContext(event: SpawnEvent): Refusal | null {
    const context = event.call.node.keywords.find((k) => k.arg === 'context')?.value;
    if (!context || context.kind === 'Call' || context.kind === 'Constant') return null;
    return {
      code: 'shared-context',
      reason:
        'context= names an object that others may share: a set() inside it would be seen by all its users; pass a copy',
    };
  }

  /** A tag on gather or shield reaches none of the tasks inside. */
  ineffective(event: SpawnEvent): string | null {
    for (const a of event.alternatives) {
      const q = a.kind === 'external' ? a.q : a.kind === 'coroutine' ? a.inside : null;
      if (q === 'asyncio.gather')
        return 'gather has started its tasks already when it is spawned: tag each coroutine given to it';
      if (q === 'asyncio.shield') return 'shield has started the inner task already: tag the coroutine given to it';
    }
    return null;
  }

  /** What to wrap when a wrapper takes an iterable: the element of a comprehension, the entries of a literal. */
  elementExtents(node: Expr): Extent[] {
    if (node.kind === 'GeneratorExp' || node.kind === 'ListComp' || node.kind === 'SetComp')
      return [outerExtent(node.elt)];
    if (node.kind === 'List' || node.kind === 'Tuple' || node.kind === 'Set')
      return node.elts.some((e) => e.kind === 'Starred') ? [] : node.elts.map(outerExtent);
    return [];
  }
}
