/** Which statements of a coroutine run for ever, those that only one way through it reaches among them. */
import { describe, expect, it } from 'vitest';
import { job } from './support.ts';

const before = `import itertools, anyio, trio
async def forever(every=5):
    while True:
        await sleep(every)
async def ticks(n=10):
    while True:
        yield n
        await sleep(n)
async def few():
    yield 1
FOREVER = True
forever_flag = True
`;
const signature = 'self, q, x';

describe('run for ever', () => {
  it.each([
    ['for _ in itertools.count(): await sleep(5)', 5],
    ['for _ in itertools.cycle([1]): await sleep(5)', 5],
    ['for _ in itertools.repeat(None): await sleep(5)', 5],
    ['for _ in iter(int, 1): await sleep(5)', 5],
    ['for _ in iter(str, "x"): await sleep(5)', 5],
    ['async for m in q: await work(m)', null],
    ['async for m in q.listen(): await work(m)', null],
    ['async for m in ticks(7): await work(m)', 7],
    ['for x in itertools.count(): await forever()', 5],
    ['match x:\n    case 1: await forever()\n    case _: pass', 5],
    ['try: await forever()\nexcept KeyError: pass', 5],
    ['try: pass\nfinally: await forever()', 5],
    ['try: pass\nexcept KeyError: pass\nelse: await forever()', 5],
    ['with x: await forever()', 5],
    ['with anyio.move_on_after(None): await forever()', 5],
    ['with trio.move_on_at(3) as scope:\n    while True:\n        await sleep(5)\n        scope.deadline += 3', 5],
    ['with trio.move_on_at(3) as scope:\n    while True:\n        await sleep(5)\n        work(scope)', 5],
    ['while x.ready:\n    await sleep(5)\nelse:\n    await forever(6)', 6],
    ['while False: pass\nelse: await forever(6)', 6],
    ['if x.foo: pass\nelse: await forever()', 5],
    ['if not True: pass\nelse: await forever()', 5],
    ['return await forever()', 5],
    ['x = await forever()', 5],
    ['x: int = await forever()', 5],
    ['x += await forever()', 5],
    ['assert await forever()', 5],
    ['raise await forever()', 5],
    ['return [await forever() for _ in x]', 5],
    ['return await forever() if x else None', 5],
    ['await work(await forever())', 5],
    ['await asyncio.gather(work(), forever())', 5],
    ['async with asyncio.TaskGroup() as tg: tg.create_task(forever())', 5],
    ['async with anyio.create_task_group() as tg: tg.start_soon(forever)', 5],
    ['async with anyio.create_task_group() as tg: tg.start_soon(forever, 9)', 9],
    ['async with trio.open_nursery() as n: n.start_soon(forever, 8)', 8],
    ['while 1:\n    await sleep(5)', 5],
    ['while "x":\n    await sleep(5)', 5],
    ['while 2 > 1:\n    await sleep(5)', 5],
    ['while not False:\n    await sleep(5)', 5],
    ['while ...:\n    await sleep(5)', 5],
    ['while FOREVER:\n    await sleep(5)', 5],
    ['while True and True:\n    await sleep(5)', 5],
    ['while x.ready or True:\n    await sleep(5)', 5],
    ['while await asyncio.sleep(5, result=True): pass', 5],
    ['while True:\n    while True:\n        if x.ready: break\n        await sleep(1)\n    await sleep(5)', null],
    ['while True:\n    for _ in x:\n        if x.ready: break\n    await sleep(5)', 5],
    ['while True:\n    try:\n        await work()\n    except KeyError:\n        break\n    await sleep(5)', 5],
    ['while True:\n    if False: break\n    await sleep(5)', 5],
    ['while True:\n    await sleep(5)\n    continue\n    break', 5],
    ['while True:\n    def f(): return 1\n    await sleep(5)', 5],
    [
      'while True:\n    try:\n        await asyncio.wait_for(stop.wait(), 5)\n        break\n    except asyncio.TimeoutError: pass',
      5,
    ],
    [
      'while True:\n    try:\n        await asyncio.wait_for(stop.wait(), 5)\n    except asyncio.TimeoutError:\n        continue\n    break',
      5,
    ],
    ['while True:\n    if x: raise ValueError\n    await sleep(5)', 5],
  ])('%s', (body, seconds) => {
    expect(job(body, { before, signature })).toMatchObject({ lifecycle: 'loop', periodSeconds: seconds });
  });
});

describe('come to an end', () => {
  it.each([
    'for _ in itertools.repeat(None, 3): await sleep(5)',
    'for _ in itertools.repeat(None, times=3): await sleep(5)',
    'for _ in iter([1, 2]): await sleep(5)',
    'for _ in range(3): await sleep(5)',
    'for _ in [1]: await sleep(5)',
    'for _ in itertools.count():\n    if x: break\n    await sleep(5)',
    'async for m in few(): await work(m)',
    'match x:\n    case 1: pass',
    'try: pass\nexcept KeyError: await forever()',
    'async with asyncio.timeout_at(10): await forever()',
    'async with anyio.move_on_after(3): await forever()',
    'with anyio.fail_after(delay=3): await forever()',
    'with trio.move_on_after(3): await forever()',
    'with trio.fail_at(3): await forever()',
    'if TYPE_CHECKING: await forever()',
    'async def inner(): await forever()',
    'class A:\n    async def m(self): await forever()',
    'f = lambda: forever()',
    'await asyncio.wait([forever()], timeout=4)',
    'tg = asyncio.TaskGroup()\nasync with tg:\n    tg.create_task(work())',
    'while None:\n    await sleep(5)',
    'while 0:\n    await sleep(5)',
    'while True and x.ready:\n    await sleep(5)',
    'while await asyncio.sleep(5, False): pass',
    'while await asyncio.sleep(5): pass',
    'while True:\n    for _ in x:\n        break\n    else:\n        break\n    await sleep(5)',
    'while True:\n    for _ in x:\n        return\n    await sleep(5)',
    'while True:\n    match await work():\n        case 1: break\n    await sleep(5)',
    'while True:\n    with x:\n        break',
    'while True:\n    try:\n        await work()\n    except KeyError:\n        pass\n    else:\n        break\n    await sleep(5)',
    'while True:\n    try:\n        await sleep(5)\n    finally:\n        if x.ready: break',
    'while True:\n    if True: break\n    await sleep(5)',
    'while True:\n    try:\n        await asyncio.wait_for(work(), 5)\n        break\n    except asyncio.TimeoutError: pass',
    'while True:\n    if x: raise TimeoutError\n    await sleep(5)',
    'while True:\n    if x: raise asyncio.TimeoutError("x")\n    await sleep(5)',
    'while True:\n    if time.monotonic() > x: raise ValueError\n    await sleep(5)',
    'while True:\n    if x.expires_at < 3: raise ValueError\n    await sleep(5)',
  ])('%s', (body) => {
    expect(job(body, { before, signature })).toMatchObject({ lifecycle: 'one-shot', periodSeconds: null });
  });
});

describe('are not known', () => {
  it.each([
    'for _ in iter(int, 0): await sleep(5)',
    'for _ in iter(q.get, None): await sleep(5)',
    'while x.something:\n    await sleep(5)\nelse:\n    await forever(6)',
    'while forever_flag:\n    await sleep(5)',
  ])('%s', (body) => {
    expect(job(body, { before, signature }).lifecycle).toBe('unknown');
  });
});

describe('a time limit', () => {
  const LIMITS = [
    'asyncio.timeout',
    'asyncio.timeout_at',
    'anyio.move_on_after',
    'anyio.fail_after',
    'trio.move_on_after',
    'trio.fail_after',
    'trio.move_on_at',
    'trio.fail_at',
    'async_timeout.timeout',
  ];
  const body = (manager: string) => `import async_timeout\nwith ${manager}:\n    while True: await sleep(5)`;

  it.each(LIMITS)('of %s ends what stands in it', (name) => {
    for (const manager of [`${name}(3)`, `${name}(delay=3)`, `x, ${name}(3)`, `${name}(q) as scope`])
      expect([manager, job(body(manager), { before, signature }).lifecycle]).toEqual([manager, 'one-shot']);
    for (const manager of [`${name}(None)`, `${name}()`])
      expect([manager, job(body(manager), { before, signature }).lifecycle]).toEqual([manager, 'loop']);
  });

  it.each(['asyncio.Lock', 'anyio.create_task_group', 'x.timeout'])('is none of %s', (name) => {
    expect(job(body(`${name}(3)`), { before, signature }).lifecycle).toBe('loop');
  });
});
