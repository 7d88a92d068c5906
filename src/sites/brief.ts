/** Sites of which only is known what counting them takes: whether each goes round, where it is started, and its tag. */
import type { Lifecycle, LoopFacts, SiteShape } from '../model/index.ts';
import { emptyFacts } from './facts-shape.ts';
import type { SpawnEvent } from './flow.ts';
import { ownGroup } from './groups.ts';
import type { Project } from './project.ts';
import { controlPath, statementOf, taskUse } from './use.ts';

const REST = Object.keys(emptyFacts()).filter((name): name is keyof LoopFacts => name !== 'lifecycle');

/** Facts of which the lifecycle is known at once, and all others are derived when one of them is asked for. */
export function asAsked(lifecycle: Lifecycle, derive: () => LoopFacts): LoopFacts {
  let all: LoopFacts | null = null;
  const whole = (): LoopFacts => {
    all ??= derive();
    return all;
  };
  const facts = emptyFacts({ lifecycle });
  for (const name of REST) Object.defineProperty(facts, name, { enumerable: true, get: () => whole()[name] });
  return facts;
}

/** Where it is started and what becomes of the task; of a rewrite nothing. */
export function briefShape(project: Project, event: SpawnEvent): SiteShape {
  const { node, scope } = event.call;
  const { start, end } = statementOf(node);
  const group = event.row.structured ? ownGroup(node) : null;
  return {
    use: taskUse(project, event),
    statement: { start, end },
    fstringQuotes: [],
    lastArgumentEnd: null,
    contextArgument: null,
    nameArgument: null,
    path: controlPath(scope),
    ...(group ? { group: { ...group } } : {}),
    refusal: null,
    wrapExtents: [],
    starred: event.argument.kind === 'starred',
    ineffective: null,
  };
}
