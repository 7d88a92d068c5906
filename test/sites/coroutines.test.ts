/** Coroutines and the facts of each: every coroutine function of `main.py` is spawned as it is, below `coroutines/`. */
import { join } from 'node:path';
import { testExamples } from '../support/examples.ts';
import { portrait } from '../support/portrait.ts';
import { factsOf } from './facts/support.ts';

testExamples(join(import.meta.dirname, 'coroutines'), (files) => {
  const main = files['main.py']!;
  const names = [...main.matchAll(/^async def (\w+)\(/gm)].map(([, name]) => name!);
  const boot = `\ndef boot():\n${names.map((name) => `    asyncio.create_task(${name}())\n`).join('')}`;
  return factsOf({ ...files, 'main.py': `${main}${boot}` })
    .map(([name, { lifecycle, periodSeconds, evidence, diesOnException: dies, ...facts }]) => {
      const [definition, ...proofs] = evidence;
      const rest = {
        ...facts,
        nominalPeriodSeconds: facts.nominalPeriodSeconds === periodSeconds ? null : facts.nominalPeriodSeconds,
        evidence: definition?.fact === 'definition' ? proofs : evidence,
      };
      const first = [name.replace('()', ''), lifecycle, periodSeconds, dies && 'dies on an exception'];
      const text = portrait(rest, { main, textOf: (file) => files[file] }, ['calls']).replace(/^(?=.)/gm, '  ');
      return `${first.filter((each) => each !== null && each !== false).join(', ')}\n${text}`.trimEnd();
    })
    .join('\n');
});
