/** What a round waits for. */
import { describe, expect, it } from 'vitest';
import { job } from './support.ts';

const HELPERS = `async def nap(n=84): await sleep(n)
async def told(n):
    try: await asyncio.wait_for(stop.wait(), n)
    except asyncio.TimeoutError: return False
    return True
`;

function period(round: string): number | null {
  const body = `while True:\n${round.replace(/^/gm, '    ')}\n`;
  const facts = job(body, { before: HELPERS });
  expect(facts.lifecycle).toBe('loop');
  return facts.periodSeconds;
}

describe('a round', () => {
  it.each([
    ['await asyncio.gather(work(), sleep(83))', 83],
    ['await asyncio.gather(work(), sleep(3), sleep(8))', 8],
    ['await asyncio.shield(sleep(92))', 92],
    ['await asyncio.create_task(sleep(93))', 93],
    ['t = asyncio.create_task(sleep(94))\nawait work()\nawait t', 94],
    ['pause = sleep(95)\nawait pause', 95],
    ['await asyncio.to_thread(time.sleep, 96)', 96],
    ['await asyncio.get_running_loop().run_in_executor(None, time.sleep, 97)', 97],
    ['time.sleep(90)', 90],
    ['await asyncio.wait_for(sleep(50), 20)', 20],
    ['await asyncio.wait_for(sleep(50), None)', 50],
    ['await asyncio.wait([asyncio.create_task(stop.wait())], timeout=9)', 9],
    ['w = asyncio.create_task(stop.wait())\nawait asyncio.wait([w], timeout=9)', 9],
    [
      'await asyncio.wait({asyncio.create_task(sleep(9)), asyncio.create_task(stop.wait())}, return_when=asyncio.FIRST_COMPLETED)',
      9,
    ],
    ['async with asyncio.TaskGroup() as tg:\n    tg.create_task(work())\n    tg.create_task(sleep(71))', 71],
    ['await nap()', 84],
    ['await asyncio.gather(nap(), work())', 84],
    ['await asyncio.create_task(nap(85))', 85],
    ['if await told(8): return', 8],
    [
      'try:\n    while True:\n        await work()\n        await sleep(2)\nexcept ConnectionError:\n    await sleep(30)',
      2,
    ],
  ])('%s', (round, seconds) => {
    expect(period(round)).toBe(seconds);
  });

  it.each([
    ['await asyncio.wait_for(work(), timeout=5)'],
    ['await asyncio.sleep(0)'],
    ['await asyncio.sleep(-1)'],
    ['await asyncio.gather(*[sleep(n) for n in ready()])'],
  ])('%s has no known period', (round) => {
    expect(period(round)).toBeNull();
  });

  it('says that a sleep of no length is no pause', () => {
    expect(job('while True: await sleep(0)').periodSource).toMatch(/only lets others run/);
  });
});

it.each([
  ['while await asyncio.sleep(95, True):\n    await work()', 95],
  ['while await sleep(delay=6, result=1):\n    await work()', 6],
  ['while not await told(8):\n    await work()', 8],
])('a wait in the condition: %s', (body, seconds) => {
  const facts = job(body, { before: HELPERS });
  expect([facts.lifecycle, facts.periodSeconds]).toEqual(['loop', seconds]);
});

describe('a fixed rate', () => {
  it.each([
    [
      'next = time.monotonic()\nwhile True:\n    next += 78\n    await work()\n    await sleep(next - time.monotonic())',
      78,
    ],
    [
      'next = time.monotonic()\nwhile True:\n    await work()\n    await sleep(max(0, next - time.monotonic()))\n    next = next + 60 * 2',
      120,
    ],
    [
      'loop = asyncio.get_running_loop()\nat = loop.time()\nwhile True:\n    at = 30 + at\n    await sleep(at - loop.time())',
      30,
    ],
    ['while True:\n    end = time.time() + 40\n    await work()\n    await sleep(end - time.time())', 40],
    [
      'while True:\n    start = time.time()\n    await work()\n    now = time.time()\n    await sleep(start + 41 - now)',
      41,
    ],
    [
      'at = datetime.now()\nwhile True:\n    at += timedelta(hours=1)\n    await work()\n    await sleep((at - datetime.now()).total_seconds())',
      3600,
    ],
    ['at = time.time()\nwhile True:\n    at += ready()\n    await sleep(at - time.time())', null],
    ['at = time.time()\nwhile True:\n    at += 5\n    if ready(): at += 50\n    await sleep(at - time.time())', null],
  ])('%s', (body, seconds) => {
    expect(job(body).periodSeconds).toBe(seconds);
  });
});

describe('a wait between two limits', () => {
  it.each([
    ['random.random()', 0, 1],
    ['30 + random.random()', 30, 31],
    ['30 - random.random()', 29, 30],
    ['10 * random.random()', 0, 10],
    ['5 + (1 - 3 * random.random()) * (2 - random.random())', 1, 7],
    ['random.uniform(3, 7)', 3, 7],
    ['random.uniform(7, 3)', 3, 7],
    ['random.randint(3, 7)', 3, 7],
    ['random.randrange(3, 7)', 3, 6],
    ['float(random.uniform(3, 7))', 3, 7],
    ['int(random.uniform(3.4, 7.9))', 3, 7],
    ['round(random.uniform(3.4, 7.9))', 3, 8],
    ['max(5, random.uniform(3, 7))', 5, 7],
    ['min(5, random.uniform(3, 7))', 3, 5],
    ['min(60, 2 ** ready())', 0, 60],
    ['5 if ready() else 9', 5, 9],
    ['5 if ready() else random.uniform(3, 7)', 3, 7],
    ['(wait := random.uniform(3, 7))', 3, 7],
    ['(3 + random.random() * 2) * 10', 30, 50],
  ])('%s', (delay, min, max) => {
    expect(job(`while True: await sleep(${delay})`)).toMatchObject({ periodSeconds: null, periodRange: { min, max } });
  });

  it.each([
    ['random.uniform(ready(), 7)'],
    ['random.randint(3, ready())'],
    ['random.randrange(ready(), 8)'],
    ['max(5, ready())'],
    ['min(ready(), ready())'],
    ['5 if ready() else ready()'],
    ['5 / random.random()'],
    ['5 + ready()'],
    ['ready() - 5'],
    ['random.random() - ready()'],
    ['round(random.random(), 1)'],
    ['random.choice(ready())'],
  ])('%s has none that are known', (delay) => {
    expect(job(`while True: await sleep(${delay})`)).toMatchObject({ periodSeconds: null, periodRange: null });
  });

  it('that grows from round to round', () => {
    const body = 'delay = 2\nwhile True:\n    await sleep(delay)\n    delay = 30 if ready() else 60';
    expect(job(body)).toMatchObject({ periodSeconds: null, periodRange: { min: 2, max: 60 } });
  });
});

describe('a sleep for each of some things', () => {
  const before = 'EQUAL = (2, 2, 2)\nRISING = (1, 5, 30)\nGROWN = [1, 1]\nGROWN.append(1)\n';
  const each = (iterable: string, delay = 'd') =>
    job(`while True:\n    for d in ${iterable}: await sleep(${delay})`, { before, signature: 'xs=None' });

  it.each([
    ['(1, 1)', 'd', 2],
    ['EQUAL', 'd', 6],
    ['RISING', '4', 12],
  ])('for d in %s: sleep(%s)', (iterable, delay, period) => {
    expect(each(iterable, delay).periodSeconds).toBe(period);
  });

  it.each(['xs', 'GROWN', '(1, *xs)', 'RISING'])('of %s is not known to be of one length', (iterable) => {
    expect(each(iterable).periodSeconds).toBeNull();
  });
});
