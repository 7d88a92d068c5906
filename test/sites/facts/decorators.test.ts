/** Decorators of the project that repeat, retry, limit or just watch what they stand above. */
import { describe, expect, it } from 'vitest';
import { factsOf } from './support.ts';

const DECORATORS = `import asyncio, functools
def again(pause, *, first=0):
    def over(work):
        @functools.wraps(work)
        async def rounds(*args, **named):
            await asyncio.sleep(first)
            while True:
                await work(*args, **named)
                await asyncio.sleep(pause)
        return rounds
    return over
def each_minute(work):
    async def rounds():
        while True:
            await work()
            await asyncio.sleep(60)
    return functools.update_wrapper(rounds, work)
def with_pause(work, pause=15):
    async def rounds():
        while True:
            await work()
            await asyncio.sleep(pause)
    return rounds
class Every:
    def __init__(self, pause): self.pause = pause
    def __call__(self, work):
        async def rounds(*args):
            while True:
                await work(*args)
                await asyncio.sleep(self.pause)
        return rounds
async def drive(work, pause):
    while True:
        await work()
        await asyncio.sleep(pause)
def driven(pause):
    def over(work):
        async def rounds(): await drive(work, pause)
        return rounds
    return over
def handed(pause):
    def over(work):
        def rounds(): return drive(work, pause)
        return rounds
    return over
def retried(times):
    def over(work):
        async def attempts(*args):
            while True:
                try:
                    return await work(*args)
                except OSError:
                    await asyncio.sleep(times)
        return attempts
    return over
def watched(work):
    async def look(*args): return await work(*args)
    return look
def perhaps(work):
    if DEBUG: return work
    async def rounds():
        while True:
            await work()
            await asyncio.sleep(5)
    return rounds
def spawned(work): return work
`;

function decorated(above: string, { def = 'async def beat(n=3): print(n)', call = 'beat()' } = {}) {
  const [first] = factsOf(`${DECORATORS}
${above}
${def}
class Box:
    ${above.split('\n').join('\n    ')}
    async def beat(self): ...
async def outer(): await beat()
def boot():
    asyncio.create_task(${call})
`);
  return first![1];
}

describe('a decorator that repeats', () => {
  it.each([
    ['@again(30)', 30],
    ['@again(pause=31, first=4)', 31],
    ['@each_minute', 60],
    ['@with_pause', 15],
    ['@functools.partial(with_pause, pause=16)', 16],
    ['@Every(17)', 17],
    ['@driven(18)', 18],
    ['@handed(19)', 19],
    ['@watched\n@again(20)', 20],
    ['@again(21)\n@watched', 21],
  ])('%s', (above, seconds) => {
    for (const call of ['beat()', 'Box().beat()', 'outer()']) {
      const facts = decorated(above, { call });
      expect([call, facts.lifecycle, facts.periodSeconds]).toEqual([call, 'loop', seconds]);
    }
  });

  it('says where it is written', () => {
    const { evidence } = decorated('@again(30)');
    expect(evidence.map(({ fact, text }) => `${fact}: ${text}`)).toEqual([
      'definition: async def beat(…)',
      'delegates: again(30)',
      'loop: while True:',
      'period: asyncio.sleep(pause)',
    ]);
  });
});

describe('a decorator that does not repeat', () => {
  it.each(['@retried(3)', '@watched', '@spawned', '@unheard_of(7)'])('%s', (above) => {
    expect(decorated(above).lifecycle).toBe('one-shot');
  });

  it('leaves a loop alone', () => {
    const def = 'async def beat():\n    while True: await asyncio.sleep(8)';
    expect(decorated('@watched', { def }).periodSeconds).toBe(8);
    expect(decorated('@again(30)', { def }).periodSeconds).toBe(8);
  });

  it('is not known when it repeats in some cases only', () => {
    expect(decorated('@perhaps').lifecycle).toBe('unknown');
  });
});
