/** Expressions and their values: what a sleep of so many seconds comes to. `?`: not known; `≤ 0`: no pause. Below `values/`. */
import { join } from 'node:path';
import { testExamples } from '../support/examples.ts';
import { factsOf } from './facts/support.ts';

testExamples(join(import.meta.dirname, 'values'), ({ expressions, ...files }) => {
  const asked = expressions!.trimEnd().split('\n');
  const jobs = asked.map((each, i) => `async def job${i}():\n    while True: await asyncio.sleep(${each})\n`);
  const boot = `def boot():\n${asked.map((_, i) => `    asyncio.create_task(job${i}())\n`).join('')}`;
  const facts = factsOf({ ...files, 'main.py': `import asyncio\n${files['main.py'] ?? ''}${jobs.join('')}${boot}` });
  return facts
    .map(([, { periodSeconds, periodSource }], i) => {
      const none = periodSource?.includes('only lets others run') ? '≤ 0' : '?';
      const via = periodSeconds === null ? '' : /at main\.py:\d+ \((.*)\)$/.exec(periodSource ?? '')?.[1];
      return `${asked[i]} → ${periodSeconds ?? none}${via ? `  (${via})` : ''}`;
    })
    .join('\n');
});
