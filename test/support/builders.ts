/** Small whole values of the data model for tests that need no Python source. */
import type { Analysis, LoopFacts, SpawnSite, Target } from '../../src/model/index.ts';

export function facts(over: Partial<LoopFacts> = {}): LoopFacts {
  return {
    lifecycle: 'loop',
    periodSeconds: 300,
    periodSource: null,
    periodRange: null,
    nominalPeriodSeconds: null,
    initialDelaySeconds: null,
    setsTraceId: false,
    heartbeat: null,
    diesOnException: false,
    swallowsCancellation: null,
    calls: [],
    executorCalls: [],
    evidence: [],
    ...over,
  };
}

export function target(name: string, over: Partial<Target> = {}): Target {
  return {
    name,
    qualifiedName: `src.jobs.${name}`,
    file: `apps/api/src/jobs/${name}.py`,
    line: 10,
    facts: facts(),
    tag: null,
    traceId: false,
    ...over,
  };
}

export function site(name: string, line: number, over: Partial<SpawnSite> = {}): SpawnSite {
  const file = over.range?.file ?? 'apps/api/src/main.py';
  const text = `asyncio.create_task(${name}())`;
  return {
    id: `src.main:lifespan:${name}`,
    module: 'src.main',
    range: {
      file,
      line,
      column: 9,
      endLine: line,
      endColumn: 9 + text.length,
      start: line * 100,
      end: line * 100 + text.length,
    },
    api: 'asyncio.create_task',
    takes: 'coroutine',
    enclosing: 'lifespan',
    argument: `${name}()`,
    argumentExtent: { start: line * 100 + 20, end: line * 100 + text.length - 1 },
    targets: [target(name)],
    unresolved: null,
    certainty: 'proven',
    shape: {
      use: 'dropped',
      statement: { start: line * 100, end: line * 100 + text.length },
      fstringQuotes: [],
      parens: { start: line * 100 + 19, end: line * 100 + text.length },
      lastArgumentEnd: line * 100 + text.length - 1,
      contextArgument: null,
      nameArgument: null,
      many: false,
      path: 'startup',
      refusal: null,
      wrapExtents: [],
      starred: false,
      ineffective: null,
    },
    evidence: [],
    ...over,
  };
}

export function analysis(sites: SpawnSite[], over: Partial<Analysis> = {}): Analysis {
  const files = [...new Set(sites.map((s) => s.range.file))].sort();
  const grepHits = sites
    .filter((s) => s.api === 'asyncio.create_task')
    .map((s) => ({ file: s.range.file, line: s.range.line }));
  return {
    files,
    parsed: files.length,
    sites,
    mentions: [],
    scheduled: [],
    entries: [],
    errors: [],
    contextVariables: [],
    helpers: [],
    grepLines: grepHits.length,
    grepHits,
    ...over,
  };
}
