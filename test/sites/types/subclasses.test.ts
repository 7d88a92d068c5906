/** Loops, groups and tasks that are subclassed or kept by a base class; classes that spawn what they are made with. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';

/** `API target PERIOD` of each site in `main.py`. */
function sites(main: string, files: Record<string, string> = {}): string[] {
  const text = `import asyncio\nasync def tide(every=7):\n    while True:\n        await asyncio.sleep(every)\n${main}\n`;
  return analysisOf({ ...files, 'main.py': text })
    .sites.filter((s) => s.range.file === 'main.py')
    .map((s) => [s.api, ...s.targets.map((t) => `${t.name} ${t.facts.periodSeconds}`)].join(' '));
}

describe('subclasses of what the library has', () => {
  it.each([
    [
      'class Own(asyncio.SelectorEventLoop):\n    def go(self):\n        self.create_task(tide())',
      ['loop.create_task tide 7'],
    ],
    [
      'class Crew(asyncio.TaskGroup):\n    pass\nasync def f():\n    async with Crew() as c:\n        c.create_task(tide())',
      ['TaskGroup.create_task tide 7'],
    ],
    [
      'class Crew(asyncio.TaskGroup):\n    def create_task(self, coro, **kw):\n        return super().create_task(coro, **kw)\n' +
        'async def f():\n    async with Crew() as c:\n        c.create_task(tide())',
      ['wrapper:main.Crew.create_task tide 7'],
    ],
    [
      'class Base(asyncio.TaskGroup):\n    def add(self, c):\n        return self.create_task(c)\nclass Crew(Base):\n' +
        '    def add(self, c):\n        return super().add(c)\ndef f(crew: Crew):\n    crew.add(tide())',
      ['wrapper:main.Crew.add tide 7'],
    ],
    ['class Named(asyncio.Task):\n    pass\ndef f():\n    Named(tide())', ['asyncio.Task tide 7']],
    // what a task factory is given was spawned elsewhere
    ['class Named(asyncio.Task):\n    pass\nfactory = lambda loop, coro: Named(coro, loop=loop)', []],
    ['class Named(asyncio.Task):\n    def __init__(self, n):\n        pass\ndef f():\n    Named(tide())', []],
    ['class Named(Elsewhere):\n    pass\ndef f():\n    Named(tide())\n    Named().create_task(tide())', []],
  ])('%s', (main, right) => {
    expect(sites(main)).toEqual(right);
  });
});

describe('a loop that a base class keeps', () => {
  const use = 'class Part(Base):\n    def go(self):\n        self.loop.create_task(tide())';
  it.each([
    'class Base:\n    loop: asyncio.AbstractEventLoop\n',
    'class Root:\n    loop: "asyncio.AbstractEventLoop | None" = None\nclass Base(Root):\n    pass\n',
    'class Base:\n    def __init__(self):\n        self.loop = asyncio.get_running_loop()\n',
    'class Base:\n    @property\n    def loop(self):\n        return asyncio.get_running_loop()\n',
  ])('%s', (base) => {
    expect(sites(base + use)).toEqual(['loop.create_task tide 7']);
  });

  it.each([
    // not set yet, or something else, by the time that the subclass uses it
    'class Base:\n    def set_up(self):\n        self.loop = asyncio.new_event_loop()\n',
    'class Base:\n    def __init__(self, loop):\n        self.loop = loop\n',
    'class Base:\n    loop: "Scheduler"\n',
    'class Base:\n    pass\n',
  ])('is not proven: %s', (base) => {
    expect(sites(base + use)).toEqual([]);
  });

  it('an attribute of the subclass itself goes first', () => {
    const base = 'class Base:\n    loop: asyncio.AbstractEventLoop\nclass Part(Base):\n    def __init__(self):\n';
    expect(
      sites(`${base}        self.loop = Queue()\n    def go(self):\n        self.loop.create_task(tide())`),
    ).toEqual([]);
  });
});

const KIT = `import asyncio
class Started:
    def __init__(self, coro, name=None):
        self.coro = coro
    async def __aenter__(self):
        self.task = asyncio.create_task(self.coro)
    async def __aexit__(self, *exc): ...
class Eager:
    def __init__(self, name, make):
        asyncio.ensure_future(make())
class More(Started):
    pass
class Crew:
    def __init__(self):
        self.tasks = {}
    def add(self, name, coro):
        self.tasks[name] = asyncio.create_task(coro)
    def add_all(self, **coros):
        for name, coro in coros.items():
            self.add(name, coro)
    plus = add
class Kept:
    def __init__(self, coro):
        self.coro = coro
    async def run(self):
        await self.coro
`;

describe('classes that spawn', () => {
  const from = 'from kit import Started, Eager, More, Crew, Kept\n';
  it.each([
    ['Started(tide(2))', ['wrapper:kit.Started tide 2']],
    ['Started(name="x", coro=tide(2))', ['wrapper:kit.Started tide 2']],
    ['More(tide(3))', ['wrapper:kit.Started tide 3']],
    ['Eager("x", tide)', ['wrapper:kit.Eager tide 7']],
    ['Crew().plus("x", tide(4))', ['wrapper:kit.Crew.add tide 4']],
    ['Crew().add_all(x=tide(5), y=tide(6))', ['wrapper:kit.Crew.add_all tide 5 tide 6']],
    ['Kept(tide())', []],
    ['Crew()', []],
  ])('%s', (call, right) => {
    expect(sites(`${from}def f():\n    ${call}`, { 'kit.py': KIT })).toEqual(right);
  });
});

describe('attributes that are set from outside', () => {
  it.each([
    ['bag = Bag()\nbag.start = asyncio.create_task\ndef f():\n    bag.start(tide())', ['asyncio.create_task tide 7']],
    [
      'bag.kit.loop = asyncio.new_event_loop()\ndef f():\n    bag.kit.loop.create_task(tide())',
      ['loop.create_task tide 7'],
    ],
    ['def f():\n    b = Bag()\n    b.start = asyncio.create_task\n    b.start(tide())', ['asyncio.create_task tide 7']],
    ['def g(b):\n    b.start = asyncio.create_task\ndef f(b):\n    b.start(tide())', []],
    ['one.start = asyncio.create_task\ndef f():\n    bag.start(tide())', ['asyncio.create_task tide 7']],
    ['one.start = asyncio.create_task\ndef f():\n    two.start(tide())', []],
    ['one.kit.start = asyncio.create_task\ndef f():\n    one.box.start(tide())', []],
  ])('%s', (main, right) => {
    expect(sites(`class Bag:\n    pass\none = bag = Bag()\ntwo = Bag()\n${main}`)).toEqual(right);
  });
});
