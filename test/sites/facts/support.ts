/** Small Python sources through the whole analysis, and what it says of each spawned coroutine. */
import { spawnApis } from '../../../rules/spawn-apis/index.ts';
import { MemoryFileSystem } from '../../../src/io/memory.ts';
import type { Analysis, LoopFacts } from '../../../src/model/index.ts';
import { analyse } from '../../../src/sites/index.ts';

const OPTIONS = {
  spawnApis,
  contextVariable: 'project_id_ctx_var',
  traceVariable: 'trace_id_ctx_var',
  helper: '_run_with_context',
  importRoots: [],
};

export function analysisOf(files: Record<string, string>): Analysis {
  const fs = new MemoryFileSystem(Object.entries(files));
  const { analysis } = analyse(fs, Object.keys(files), OPTIONS);
  if (analysis.errors.length) throw new Error(JSON.stringify(analysis.errors));
  return analysis;
}

/** The facts of everything that is spawned from `main.py`'s `boot()`, in order, by the text of the argument. */
export function factsOf(files: Record<string, string> | string): [string, LoopFacts][] {
  const { sites } = analysisOf(typeof files === 'string' ? { 'main.py': files } : files);
  return sites
    .filter((s) => s.enclosing === 'boot' && s.range.file === 'main.py')
    .flatMap((s) => s.targets.map((t): [string, LoopFacts] => [s.argument, t.facts]));
}

const HEAD = `import asyncio, itertools, math, os, random, time
from asyncio import sleep
from datetime import datetime, timedelta
async def work(*a): ...
def ready(): ...
stop = asyncio.Event()
`;

/** The facts of `async def job(SIGNATURE)` with this body, spawned as `job(ARGUMENTS)`; `before` stands at module level. */
export function job(
  body: string,
  { signature = '', call = '', before = '', files = {} as Record<string, string> } = {},
) {
  const indented = body
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
  const text = `${HEAD}${before}
async def job(${signature}):
${indented}
def boot():
    asyncio.create_task(job(${call}))
`;
  const [first] = factsOf({ ...files, 'main.py': text });
  if (!first) throw new Error(`nothing is spawned in\n${text}`);
  return first[1];
}

/** The period of `while True: await sleep(DELAY)`. */
export function periodOf(delay: string, options: Parameters<typeof job>[1] = {}): number | null {
  return job(`while True: await sleep(${delay})`, options).periodSeconds;
}
