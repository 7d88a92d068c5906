/** Functions given to wrappers and supervisors: the arguments that they are called with in the end. */
import { describe, expect, it } from 'vitest';
import { analysisOf, factsOf } from '../facts/support.ts';

const WRAPPERS = `import asyncio, functools
async def poll(every=9, *, slow=None):
    while True: await asyncio.sleep(slow or every)
def later(pause, make, *args, **named):
    loop = asyncio.get_event_loop()
    loop.call_later(pause, lambda: asyncio.create_task(make(*args, **named)))
def reordered(make, pause, *args): return asyncio.create_task(make(*args))
def plain(make, every): return asyncio.create_task(make())
def fixed(make): return asyncio.create_task(make(12))
def opaque(make, options): return asyncio.create_task(make(*options.values()))
def two_deep(make, *args): return reordered(make, 100, *args)
async def looked_after(name, make, *args):
    try: await make(*args)
    finally: print(name)
async def set_up(make, every=14):
    await make(every)
class Pool:
    def run(self, make, *args): asyncio.create_task(make(*args))
class Meter:
    async def read(self, every=9):
        while True: await asyncio.sleep(every)
`;

function period(statement: string): number | null {
  const [first, ...more] = factsOf(`${WRAPPERS}
def boot():
    ${statement}
`);
  expect(more).toEqual([]);
  expect(first![1].lifecycle).toBe('loop');
  return first![1].periodSeconds;
}

describe('the arguments of a function that is given away', () => {
  it.each([
    ['later(3, poll)', 9],
    ['later(3, poll, 4)', 4],
    ['later(3, poll, every=5)', 5],
    ['later(3, poll, 4, slow=6)', 6],
    ['later(3, functools.partial(poll, 7))', 7],
    ['reordered(poll, 30)', 9],
    ['reordered(poll, 30, 8)', 8],
    ['plain(poll, 30)', 9],
    ['fixed(poll)', 12],
    ['opaque(poll, {})', null],
    ['two_deep(poll, 11)', 11],
    ['Pool().run(poll, 13)', 13],
    ['Pool().run(Meter().read, 15)', 15],
    ['asyncio.create_task(looked_after("meter", poll, 16))', 16],
    ['asyncio.create_task(looked_after("meter", Meter().read, 17))', 17],
    ['asyncio.create_task(looked_after("meter", poll))', 9],
    ['asyncio.create_task(set_up(poll))', 14],
    ['asyncio.create_task(set_up(poll, 18))', 18],
  ])('%s', (statement, seconds) => {
    expect(period(statement)).toBe(seconds);
  });
});

describe('a decorator that is applied where the task is started', () => {
  const HEAD_OF_DECORATORS = `import asyncio, functools
from contextvars import ContextVar
project_id_ctx_var = ContextVar("project_id_ctx_var")
def again(pause):
    def deco(fn):
        @functools.wraps(fn)
        async def inner(*a, **k):
            while True:
                await fn(*a, **k)
                await asyncio.sleep(pause)
        return inner
    return deco
def safe(fn):
    async def inner(*a):
        try:
            return await fn(*a)
        except OSError:
            return None
    return inner
def tagged(pid):
    def deco(fn):
        async def inner(*a):
            project_id_ctx_var.set(pid)
            return await fn(*a)
        return inner
    return deco
class Times:
    def __init__(self, n): self.n = n
    def __call__(self, fn):
        async def inner(*a):
            for _ in range(self.n): await fn(*a)
        return inner
async def one(x=1): ...
async def poll(x=2):
    while True: await asyncio.sleep(x)
@tagged("below")
async def below(): ...
`;

  it.each([
    ['again(5)(one)()', ['one loop 5']],
    ['safe(poll)()', ['poll loop 2']],
    ['safe(poll)(3)', ['poll loop 3']],
    ['functools.partial(safe(poll), 6)()', ['poll loop null']],
    ['tagged("q")(poll)()', ['poll loop 2 q']],
    ['tagged("q")(one)(4)', ['one one-shot null q']],
    ['Times(3)(one)()', ['one one-shot null']],
    ['Times(3)(poll)()', ['poll loop 2']],
    ['below()', ['below one-shot null below']],
  ])('%s', (argument, targets) => {
    const main = `${HEAD_OF_DECORATORS}def boot():\n    asyncio.create_task(${argument})\n`;
    const { sites: found } = analysisOf({ 'main.py': main });
    expect(found.map((s) => s.api)).toEqual(['asyncio.create_task']);
    expect(
      found.flatMap((s) =>
        s.targets.map((t) =>
          [t.name, t.facts.lifecycle, t.facts.periodSeconds ?? 'null', t.tag?.projectId ?? ''].join(' ').trim(),
        ),
      ),
    ).toEqual(targets);
  });

  it('adds no site where it stands above another function', () => {
    const main = `${HEAD_OF_DECORATORS}def boot():\n    asyncio.create_task(tagged("q")(one)())\n    asyncio.create_task(below())\n`;
    expect(analysisOf({ 'main.py': main }).sites.map((s) => s.targets.map((t) => t.name))).toEqual([
      ['one'],
      ['below'],
    ]);
  });
});

describe('a function that hands back a coroutine around the one it is given', () => {
  const MAKERS = `import asyncio
async def poll(x=2):
    while True: await asyncio.sleep(x)
async def one(): ...
def closure(coro):
    async def inner(): await coro
    return inner()
def every(fn, pause):
    async def inner():
        while True:
            await fn()
            await asyncio.sleep(pause)
    return inner()
class Kit:
    def wrap(self, coro):
        async def inner(): return await coro
        return inner()
def hands(coro): return closure(coro)
`;

  it.each([
    ['closure(poll(11))', 'poll 11'],
    ['every(one, 4)', 'one 4'],
    ['Kit().wrap(poll(5))', 'poll 5'],
    ['hands(poll(6))', 'poll 6'],
  ])('%s is a site where it is spawned', (argument, target) => {
    const { sites: found } = analysisOf({
      'main.py': `${MAKERS}def boot():\n    asyncio.create_task(${argument})\n`,
    });
    expect(found.map((s) => `${s.api} ${s.argument}`)).toEqual([`asyncio.create_task ${argument}`]);
    expect(found[0]!.targets.map((t) => `${t.name} ${t.facts.periodSeconds}`)).toEqual([target]);
  });
});
