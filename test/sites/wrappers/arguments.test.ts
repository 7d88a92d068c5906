/** Functions given to wrappers and supervisors: the arguments that they are called with in the end. */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../facts/support.ts';

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
