/** A coroutine that awaits or starts itself is a loop only when each run is followed by another. */
import { describe, expect, it } from 'vitest';
import { factsOf, job } from './support.ts';

const lifecycle = (body: string, options: Parameters<typeof job>[1] = {}) => job(body, options).lifecycle;

describe('for ever', () => {
  it.each([
    ['at its end', 'await sleep(5)\nawait job()'],
    ['whatever happens', 'try:\n    await work()\nexcept OSError: pass\nfinally:\n    await job()'],
    ['unless it is told to stop', 'await sleep(5)\nif not stop.is_set():\n    await job()'],
    ['after it has left when told to stop', 'if stop.is_set(): return\nawait sleep(5)\nawait job()'],
    ['by a task', 'await sleep(5)\nasyncio.create_task(job())'],
    ['by a timer', 'await work()\nasyncio.get_running_loop().call_later(5, lambda: asyncio.create_task(job()))'],
  ])('%s', (_, body) => {
    expect(lifecycle(body)).toBe('loop');
  });

  it('by way of another', () => {
    const before = 'async def pong():\n    await sleep(1)\n    await job()\n';
    expect(lifecycle('await pong()', { before })).toBe('loop');
  });
});

describe('a walk that ends is no loop', () => {
  it.each([
    ['down to a depth', 'if depth == 0: return\nawait job(depth - 1)'],
    ['while tries are left', 'if depth > 0:\n    await job(depth - 1)'],
    ['over children', 'for child in depth.children:\n    await job(child)'],
    ['over children, gathered', 'await asyncio.gather(*[job(c) for c in depth.children])'],
    ['in a group', 'async with asyncio.TaskGroup() as tg:\n    for c in depth.children: tg.create_task(job(c))'],
    ['in one case of several', 'match depth:\n    case 1: await job(2)\n    case _: pass'],
    ['as one of two values', 'return depth and await job(depth - 1)'],
    ['by a task', 'await sleep(5)\nif depth:\n    asyncio.create_task(job(depth - 1))'],
  ])('%s', (_, body) => {
    expect(lifecycle(body, { signature: 'depth', call: '3' })).toBe('unknown');
  });

  it('by way of another', () => {
    const before = 'async def up(n):\n    await job(n - 1)\n';
    expect(lifecycle('if n == 0: return\nawait up(n)', { before, signature: 'n', call: '3' })).toBe('unknown');
  });
});

it('awaiting a variable to which its own coroutine is bound is no round', () => {
  const facts = factsOf(`import asyncio
def boot():
    async def await_result():
        return await result
    result = await_result()
    asyncio.ensure_future(result)
`)[0]?.[1];
  expect(facts?.lifecycle).toBe('one-shot');
});
