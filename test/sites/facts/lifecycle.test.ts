/** Which coroutines run for ever, and which end. */
import { describe, expect, it } from 'vitest';
import { factsOf, job } from './support.ts';

const HELPERS = `class Box: pass
async def forever(every=5):
    while True:
        await sleep(every)
async def once(): await sleep(2)
async def passing(coro): return await coro
async def calling(fn, *args): await fn(*args)
def spawn(coro): return asyncio.create_task(coro)
async def ask(): return "x"
`;

function lifecycle(body: string, signature = ''): string {
  return job(body, { signature, before: HELPERS }).lifecycle;
}

describe('loops that end', () => {
  it.each([
    ['a polled result', 'while True:\n    r = await ask()\n    if r == "done": break\n    await sleep(1)'],
    [
      'one of several results',
      'while True:\n    r = await ask()\n    if r in ("done", "failed"): break\n    await sleep(1)',
    ],
    [
      'a cancelled order',
      'while True:\n    r = await ask()\n    if r.status == "cancelled": return\n    await sleep(1)',
    ],
    [
      'a result that is awaited in the test',
      'while True:\n    if await ask() == "stopped": return\n    await sleep(1)',
    ],
    ['an attribute of a result', 'while True:\n    r = await ask()\n    if r.done: return r\n    await sleep(1)'],
    ['a method of a result', 'while True:\n    r = await ask()\n    if r.finished(): return r\n    await sleep(1)'],
    ['a future', 'while not fut.done():\n    await sleep(1)', 'fut=None'],
    ['a process', 'while proc.is_alive():\n    await sleep(1)', 'proc=None'],
    ['a reader', 'while not reader.at_eof():\n    await reader.readline()', 'reader=None'],
    ['a queue by its size', 'while q.qsize():\n    q.get_nowait()', 'q=None'],
    [
      'a deadline that raises',
      'end = time.time() + 60\nwhile True:\n    if time.time() > end: raise TimeoutError\n    await sleep(1)',
    ],
    ['a deadline by its name', 'while True:\n    if now() >= deadline: raise RuntimeError("late")\n    await sleep(1)'],
    ['an error of its own', 'while True:\n    await sleep(1)\n    raise RuntimeError'],
    ['a time limit', 'async with asyncio.timeout(10):\n    while True: await sleep(1)'],
    ['a time limit around another', 'async with asyncio.timeout(10):\n    await forever()'],
    ['dead code', 'if False:\n    while True: await sleep(1)'],
    ['code after a return', 'return\nwhile True: await sleep(1)'],
    ['code after both arms returned', 'if ready():\n    return 1\nelse:\n    return 2\nwhile True: await sleep(1)'],
    ['while False', 'while False:\n    await sleep(1)'],
    ['a task that is cancelled first', 't = asyncio.create_task(forever())\nawait sleep(3)\nt.cancel()\nawait t'],
    [
      'tasks that are cancelled first',
      'ts = [asyncio.create_task(forever())]\nfor t in ts: t.cancel()\nawait asyncio.gather(*ts)',
    ],
    ['a limited wait', 'await asyncio.wait_for(forever(), 30)'],
    ['a limited wait for tasks', 'await asyncio.wait([asyncio.create_task(forever())], timeout=3)'],
    [
      'the first of two that ends',
      'await asyncio.wait({asyncio.create_task(forever()), asyncio.create_task(once())}, return_when=asyncio.FIRST_COMPLETED)',
    ],
    ['a task that nobody waits for', 't = asyncio.create_task(forever())\nawait sleep(3)'],
  ])('%s', (_, body, signature = '') => {
    expect(lifecycle(body, signature)).toBe('one-shot');
  });
});

describe('loops', () => {
  it.each([
    ['a comparison that always holds', 'while 1 == 1:\n    await sleep(5)'],
    ['or True', 'i = 0\nwhile i < 10 or True:\n    await sleep(5)'],
    [
      'a flag that only cancellation sets',
      'stopping = False\nwhile not stopping:\n    try: await sleep(5)\n    except asyncio.CancelledError: stopping = True',
    ],
    [
      'a flag set by an interrupt',
      'running = True\nwhile running:\n    try: await sleep(5)\n    except (KeyboardInterrupt, asyncio.CancelledError): running = False',
    ],
    [
      'a flag set by an order',
      'running = True\nwhile running:\n    if stop.is_set(): running = False\n    await sleep(5)',
    ],
    [
      'a message that says stop',
      'while True:\n    m = await q.get()\n    if m == "stop": break\n    await sleep(5)',
      'q=None',
    ],
    ['a state that says stopping', 'while True:\n    if state == "stopping": break\n    await sleep(5)', 'state=None'],
    ['an event of a thread', 'while not stopped.wait(0):\n    await sleep(5)', 'stopped=None'],
    [
      'an error that is caught',
      'while True:\n    try:\n        if not ready(): raise ValueError\n    except ValueError: pass\n    await sleep(5)',
    ],
    ['too many errors', 'n = 0\nwhile True:\n    n += ready()\n    if n > 5: raise RuntimeError\n    await sleep(5)'],
    [
      'a watchdog that is fed',
      'async with asyncio.timeout(10) as cm:\n    while True:\n        await sleep(5)\n        cm.reschedule(20)',
    ],
    ['no time limit', 'async with asyncio.timeout(None):\n    while True: await sleep(5)'],
  ])('%s', (_, body, signature = '') => {
    const facts = job(body, { signature, before: HELPERS });
    expect([facts.lifecycle, facts.periodSeconds]).toEqual(['loop', 5]);
  });

  it('a consumer whose sentinel is None', () => {
    const body = 'while (item := await q.get()) is not None:\n    await work(item)';
    expect(lifecycle(body, 'q=None')).toBe('loop');
  });
});

describe('delegation', () => {
  it.each([
    ['a task', 't = asyncio.ensure_future(forever())\ntry: await t\nfinally: t.cancel()'],
    ['a coroutine in a name', 'c = forever()\nawait c'],
    ['one of two', 'await (forever() if ready() else work())'],
    ['a set of tasks', 'await asyncio.wait({asyncio.create_task(forever())})'],
    [
      'a list of tasks',
      'ts = [asyncio.create_task(forever()), asyncio.create_task(work())]\nawait asyncio.gather(*ts)',
    ],
    ['tasks one by one', 'ts = [asyncio.create_task(forever())]\nfor t in ts: await t'],
    ['a comprehension', 'await asyncio.gather(*[forever() for _ in range(3)])'],
    ['functions in a list', 'fns = [forever, work]\nawait asyncio.gather(*(f() for f in fns))'],
    ['a shielded task', 'await asyncio.shield(asyncio.ensure_future(forever()))'],
    ['no limit', 'await asyncio.wait_for(forever(), None)'],
    ['a helper that is given it', 'await passing(forever())'],
    ['a helper that calls it', 'await calling(forever)'],
    ['a helper that makes a task', 'await spawn(forever())'],
    [
      'the first of two, the other an order',
      'await asyncio.wait({asyncio.create_task(forever()), asyncio.create_task(stop.wait())}, return_when=asyncio.FIRST_COMPLETED)',
    ],
    ['two that call each other in a group', 'async with asyncio.TaskGroup() as tg:\n    tg.create_task(forever())'],
    ['a condition', 'if await forever(): pass'],
  ])('%s', (_, body) => {
    const facts = job(body, { before: HELPERS });
    expect([facts.lifecycle, facts.periodSeconds]).toEqual(['loop', 5]);
  });

  it.each([
    ['await passing(forever(9))', 9],
    ['await calling(forever, 9)', 9],
    ['await spawn(forever(every=9))', 9],
    ['t = asyncio.create_task(forever(9))\nawait t', 9],
  ])('keeps the arguments: %s', (body, seconds) => {
    expect(job(body, { before: HELPERS }).periodSeconds).toBe(seconds);
  });

  it('to a closure over its own parameter', () => {
    const body = 'async def inner():\n    while True: await sleep(every)\nawait inner()';
    expect(job(body, { signature: 'every=3', call: '8' }).periodSeconds).toBe(8);
  });

  it('over an endless generator', () => {
    const before = 'async def ticks(n=10):\n    while True:\n        yield n\n        await sleep(n)\n';
    expect(job('async for t in ticks(): await work()', { before }).periodSeconds).toBe(10);
    expect(job('async for t in ticks(12): await work()', { before }).periodSeconds).toBe(12);
    expect(job('return [x async for x in ticks()]', { before }).periodSeconds).toBe(10);
  });
});

describe('coroutines that start themselves again', () => {
  const methods = `class S:
    async def tick(self):
        asyncio.get_running_loop().call_later(30, self.again)
    def again(self):
        self.task = asyncio.create_task(self.tick())
async def other():
    await sleep(3)
    await job()
`;
  it.each([
    ['asyncio.get_running_loop().call_later(5, lambda: asyncio.create_task(job()))', 5],
    ['asyncio.get_running_loop().call_later(6, asyncio.create_task, job())', 6],
    ['loop = asyncio.get_running_loop()\nloop.call_later(7, loop.create_task, job())', 7],
    ['await sleep(2)\nasyncio.get_running_loop().call_later(5, lambda: asyncio.create_task(job()))', 7],
    ['await S().tick()', 30],
    ['await sleep(4)\nawait other()', null],
  ])('%s', (body, seconds) => {
    const facts = job(body, { before: methods });
    expect([facts.lifecycle, facts.periodSeconds]).toEqual(['loop', seconds]);
  });
});

describe('methods', () => {
  const before = `class Base:
    every = 1
    async def run(self):
        while True:
            await self.step()
            await sleep(self.every)
    async def step(self): pass
    async def outer(self): await self.run()
class Sub(Base):
    every = 12
    async def run(self): await super().run()
class Waits(Base):
    async def run(self):
        while True: await self.step()
    async def step(self): await sleep(13)
class Sub2(Sub):
    every = 14
`;
  it.each([
    ['Sub().run()', 12],
    ['Sub2().run()', 14],
    ['Sub().outer()', 12],
    ['Waits().run()', 13],
    ['Base().run()', 1],
  ])('await %s', (call, seconds) => {
    const facts = job(`await ${call}`, { before });
    expect([facts.lifecycle, facts.periodSeconds]).toEqual(['loop', seconds]);
  });
});

describe('methods that stand for others', () => {
  const kind = (call: string, sub: string, body: string, base: string, decorator: string) =>
    factsOf(`import asyncio
from abc import ABC, abstractmethod
from typing import Protocol
class Base${base}:
    ${decorator}async def run(self):
        ${body}
class Sub${sub}:
    async def run(self):
        while True: await asyncio.sleep(5)
def boot(b: Base):
    asyncio.create_task(${call})
`)[0]![1].lifecycle;

  it.each([
    ['raise NotImplementedError', '', ''],
    ['raise NotImplementedError("run")', '', ''],
    ['"Works."', '(ABC)', '@abstractmethod\n    '],
    ['...', '(Protocol)', ''],
    ['...', '(Protocol[int])', ''],
  ])('%s %s', (...parts) => {
    expect(kind('b.run()', '', ...parts)).toBe('unknown');
    // the real one, where there is one
    expect(kind('b.run()', '(Base)', ...parts)).toBe('loop');
    expect(kind('Sub().run()', '(Base)', ...parts)).toBe('loop');
  });

  it.each([
    ['pass', '', ''],
    ['await work()', '(ABC)', '@abstractmethod\n    '],
    ['raise ValueError', '', ''],
  ])('%s %s is what runs', (...parts) => {
    expect(kind('b.run()', '', ...parts)).toBe('one-shot');
  });
});
