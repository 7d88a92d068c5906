/** Functions reached by name, through the tools of `functools` and `operator`, and through what they wrap. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';
import { spawned, spawnedIn } from './support.ts';

const WORKER = `class Worker:
    every = 4
    async def poll(self, every=3):
        while True: await asyncio.sleep(every)
    async def flush(self): ...
    def boot(self):
        `;

function inWorker(body: string): string[] {
  return spawned(WORKER + body.replaceAll('\n', '\n        '));
}

describe('getattr', () => {
  it.each([
    ['a literal', 'go(getattr(self, "poll")())', ['Worker.poll']],
    ['a local', 'name = "poll"\ngo(getattr(self, name)())', ['Worker.poll']],
    ['a choice', 'name = "poll" if self.x else "flush"\ngo(getattr(self, name)())', ['Worker.flush|Worker.poll']],
    ['a loop', 'for name in ("poll", "flush"):\n    go(getattr(self, name)())', ['Worker.flush|Worker.poll']],
    [
      'pairs',
      'for name, n in [("poll", 1), ("flush", 2)]:\n    go(getattr(self, name)())',
      ['Worker.flush|Worker.poll'],
    ],
    ['of the class', 'go(getattr(type(self), "poll")(self))', ['Worker.poll']],
    ['not known', 'go(getattr(self, self.name)())', ['?']],
    ['one not known', 'name = "poll"\nif self.x: name = self.name\ngo(getattr(self, name)())', ['?']],
  ])('%s', (_, body, targets) => {
    expect(inWorker(body)).toEqual(targets);
  });

  it('of a module constant, and globals()', () => {
    expect(spawned('NAME = "bees"\ndef boot(): go(globals()[NAME]())')).toEqual(['bees']);
    expect(spawnedIn('for n in ["ants", "cats"]: go(globals()[n]())')).toEqual(['ants|cats']);
  });
});

describe('tools', () => {
  it.each([
    ['__call__', 'go(ants.__call__())', ['ants']],
    ['methodcaller', 'import operator\ngo(operator.methodcaller("run", 2)(x))', ['?']],
    ['map with a call', 'for w in map(lambda f: f(), [ants, bees]): go(w)', ['ants|bees']],
    ['map over coroutines', 'for w in map(lambda w: w, [ants(), bees()]): go(w)', ['ants|bees']],
    ['map of a maker', 'for w in map(lambda n: cats(), x): go(w)', ['cats']],
  ])('%s', (_, body, targets) => {
    expect(spawnedIn(body)).toEqual(targets);
  });

  it('methodcaller and map with methods', () => {
    expect(inWorker('import operator\ngo(operator.methodcaller("poll")(Worker()))')).toEqual(['Worker.poll']);
    expect(inWorker('for w in map(lambda o: o.poll(), [Worker()]): go(w)')).toEqual(['Worker.poll']);
  });

  it('partialmethod gives its arguments', () => {
    const text = `${WORKER}pass\n    from functools import partialmethod\n    slow = partialmethod(poll, 25)\n`;
    const { sites } = analysisOf({ 'main.py': `import asyncio\n${text}asyncio.create_task(Worker().slow())\n` });
    expect(sites.map((s) => s.targets.map((t) => [t.qualifiedName, t.facts.periodSeconds]))).toEqual([
      [['main.Worker.poll', 25]],
    ]);
  });

  it('what a decorator wraps', () => {
    const head =
      'import functools\ndef logged(f):\n    @functools.wraps(f)\n    async def w(*a): return await f(*a)\n    return w\n';
    expect(spawned(`${head}@logged\nasync def dogs(): ...\ndef boot(): go(dogs.__wrapped__())`)).toEqual(['dogs']);
  });
});

it('a scheduled job is named after its function, not after the variable of a loop', () => {
  const main = `from apscheduler.schedulers.asyncio import AsyncIOScheduler
async def sweep(): ...
async def purge(): ...
s = AsyncIOScheduler()
s.add_job(sweep, "interval", seconds=1)
for f, secs in ((sweep, 10), (purge, 10)):
    s.add_job(f, "interval", seconds=secs)
`;
  const { scheduled } = analysisOf({ 'main.py': main });
  expect(scheduled.map((s) => [s.target, s.periodSeconds])).toEqual([
    ['sweep', 1],
    ['sweep, purge', 10],
  ]);
});

it('a deleted function of the API is mentioned as a reference', () => {
  const { mentions } = analysisOf({ 'main.py': 'import asyncio\ndel asyncio.create_task\n' });
  expect(mentions.map((m) => m.kind)).toEqual(['reference']);
});
