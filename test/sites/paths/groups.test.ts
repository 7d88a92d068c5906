/** Tasks that the function which starts them waits for: in a group of its own, or by a helper that blocks. */
import { describe, expect, it } from 'vitest';
import { isBackground } from '../../../src/policy/index.ts';
import { analysisOf } from '../facts/support.ts';

const JOBS = `import asyncio, contextlib
async def fetch(url): print(url)
async def drain(stream):
    async for item in stream: print(item)
async def sweep():
    while True: await asyncio.sleep(60)
`;

/** Does what this code starts work in the background? One answer a spawn, in the order of the lines. */
function background(code: string): boolean[] {
  const { sites } = analysisOf({ 'app.py': JOBS + code });
  return sites.map((site) => isBackground({ site, target: site.targets[0] ?? null }));
}

describe('a group that its own function opens', () => {
  const GROUP = '    async with asyncio.TaskGroup() as tg:\n';

  it.each<[string, string, boolean[]]>([
    ['of one-shots', `async def pair():\n${GROUP}        tg.create_task(fetch(1)); await other()\n`, [false]],
    [
      'of one-shots, called at start-up',
      `async def pair():\n${GROUP}        tg.create_task(fetch(1))\nasync def lifespan(app): await pair()\n`,
      [false],
    ],
    ['of a loop', `async def pair():\n${GROUP}        tg.create_task(sweep())\n`, [true]],
    [
      'of a loop, and nothing to hand back',
      `async def pair():\n${GROUP}        tg.create_task(sweep())\n    return None\n`,
      [true],
    ],
    [
      'of streams that are read to their end, for a result',
      `async def run_process(p):\n${GROUP}        tg.create_task(drain(p)); await p.wait()\n    return p.code\n`,
      [false],
    ],
    ['of a stream, for no result', `async def run_process(p):\n${GROUP}        tg.create_task(drain(p))\n`, [true]],
    [
      'whose result is handed back before',
      `async def pair(p):\n    if p: return p.code\n${GROUP}        tg.create_task(drain(p))\n`,
      [true],
    ],
    [
      'of a loop in start-up',
      `async def main():\n${GROUP}        tg.create_task(sweep())\n    return done()\n`,
      [true],
    ],
    ['in start-up, and nothing else', `async def main():\n${GROUP}        tg.create_task(fetch(1))\n`, [false]],
    [
      'in start-up that goes on',
      `async def main():\n${GROUP}        tg.create_task(fetch(1)); await serve()\n`,
      [true],
    ],
    [
      'in start-up, beside a loop',
      `async def main():\n${GROUP}        tg.create_task(fetch(1))\n        tg.create_task(sweep())\n`,
      [true, true],
    ],
    [
      'around a lifespan',
      `@contextlib.asynccontextmanager\nasync def lifespan(app):\n${GROUP}        tg.create_task(fetch(1))\n        yield\n`,
      [true],
    ],
    [
      'around a generator of any name',
      `async def opened(app):\n${GROUP}        tg.create_task(fetch(1))\n        yield\nasync def main(): opened(1)\n`,
      [true],
    ],
    [
      'of another function',
      'async def into(tg: asyncio.TaskGroup): tg.create_task(fetch(1))\nasync def main(): await into(make())\n',
      [true],
    ],
    [
      'within another',
      `async def pair():\n${GROUP}        async with asyncio.TaskGroup() as inner:\n            tg.create_task(fetch(1)); inner.create_task(fetch(2))\n`,
      [false, false],
    ],
  ])('%s', (_, code, expected) => {
    expect(background(code)).toEqual(expected);
  });
});

describe('a future of another thread', () => {
  const START = 'def main(): call()\n';
  it.each<[string, string, boolean[]]>([
    ['asked at once', 'def call(): asyncio.run_coroutine_threadsafe(fetch(1), loop).result()\n', [false]],
    [
      'asked later',
      'def call():\n    f = asyncio.run_coroutine_threadsafe(fetch(1), loop)\n    f.result(5)\n',
      [false],
    ],
    [
      'asked for something else',
      'def call():\n    f = asyncio.run_coroutine_threadsafe(fetch(1), loop)\n    f.done()\n',
      [true],
    ],
    [
      'by a helper that waits',
      'def wait(c): return asyncio.run_coroutine_threadsafe(c, loop).result()\ndef call(): wait(fetch(1))\n',
      [false],
    ],
    [
      'by a helper of a helper',
      'def wait(c): return asyncio.run_coroutine_threadsafe(c, loop).result()\ndef w2(c): return wait(c)\ndef call(): w2(fetch(1))\n',
      [false],
    ],
    [
      'by a helper that does not wait',
      'def go(c): asyncio.run_coroutine_threadsafe(c, loop)\ndef call(): go(fetch(1))\n',
      [true],
    ],
    [
      'by a helper that hands it back',
      'def go(c): return asyncio.run_coroutine_threadsafe(c, loop)\ndef call():\n    f = go(fetch(1))\n    f.result()\n',
      [false],
    ],
    ['with a loop', 'def call(): asyncio.run_coroutine_threadsafe(sweep(), loop).result()\n', [true]],
  ])('%s', (_, code, expected) => {
    expect(background(code + START)).toEqual(expected);
  });

  it('a task is not waited for by asking it', () => {
    expect(background(`def call():\n    t = asyncio.create_task(fetch(1))\n    t.result()\n${START}`)).toEqual([true]);
  });
});
