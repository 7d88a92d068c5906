/** Shapes of wrappers: what is a site, what is merely the forwarding call, and what each starts. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';

const HEAD = `import asyncio
async def poll(every=9):
    while True: await asyncio.sleep(every)
async def once(): ...
class Feed:
    def __init__(self, every=4): self.every = every
    async def run(self, factor=1):
        while True: await asyncio.sleep(self.every * factor)
class Slow(Feed):
    async def run(self):
        while True: await asyncio.sleep(50)
def unknown(): return __import__("x").y
`;

/** `line: api → targets` of every site, lines counted from the first one of the text. */
function sites(text: string): string[] {
  const { sites: found } = analysisOf({ 'main.py': `${HEAD}${text}\n` });
  const first = HEAD.split('\n').length - 1;
  return found.map((s) => {
    const targets = s.targets.map((t) =>
      [t.qualifiedName?.replace('main.', ''), t.facts.periodSeconds].join(' ').trim(),
    );
    return `${s.range.line - first}: ${s.api.replace('wrapper:main.', '')} → ${targets.join(', ')}`;
  });
}

describe('the callers of a wrapper are the sites', () => {
  it.each([
    ['shielded', 'def go(c): return asyncio.ensure_future(asyncio.shield(c))\ngo(poll())', ['2: go → poll 9']],
    [
      'gathered',
      'def go(*cs): return asyncio.ensure_future(asyncio.gather(*cs))\ngo(poll(), once())',
      ['2: go → poll 9, once'],
    ],
    [
      'waited for without end',
      'def go(c): asyncio.create_task(asyncio.wait_for(c, None))\ngo(poll())',
      ['2: go → poll 9'],
    ],
    [
      'keywords one by one',
      'def go(**cs):\n    for n, c in cs.items(): asyncio.create_task(c, name=n)\ngo(a=poll(), b=once())',
      ['3: go → poll 9, once'],
    ],
    [
      'a keyword beside others',
      'def go(tag, **cs):\n    for c in cs.values(): asyncio.create_task(c)\ngo(tag="x", a=poll())',
      ['3: go → poll 9'],
    ],
    [
      'one after the other',
      'class Jobs:\n    def add(self, c):\n        asyncio.create_task(c)\n        return self\nJobs().add(poll()).add(poll(2))',
      ['5: Jobs.add → poll 9', '5: Jobs.add → poll 2'],
    ],
    [
      'repeated by a closure',
      'def each(fn, *, pause=6):\n    async def again():\n        while True:\n            await fn()\n            await asyncio.sleep(pause)\n' +
        '    return asyncio.create_task(again())\neach(once)\neach(once, pause=3)\neach(poll)',
      ['7: each → once 6', '8: each → once 3', '9: each → poll 9'],
    ],
    [
      'guarded by a closure',
      'def guard(fn):\n    async def safely():\n        try:\n            await fn()\n        except OSError:\n            pass\n' +
        '    asyncio.create_task(safely())\nguard(once)',
      ['8: guard → once'],
    ],
    ['a lambda called at once', '(lambda c: asyncio.create_task(c))(poll())', ['1: <lambda> → poll 9']],
    [
      'a constructor',
      'class Run:\n    def __init__(self, c): self.c = c\n    def start(self): self.t = asyncio.create_task(self.c)\nRun(poll(3)).start()',
      ['4: Run → poll 3'],
    ],
    [
      'a context manager',
      'class Run:\n    def __init__(self, c): self.c = c\n    async def __aenter__(self): self.t = asyncio.create_task(self.c)\nasync def f():\n    async with Run(c=poll(3)): pass',
      ['5: Run → poll 3'],
    ],
    [
      'a constructor of a subclass',
      'class Run:\n    def __init__(self, c): self.t = asyncio.create_task(c)\nclass Named(Run): pass\nNamed(poll(3))',
      ['4: Run → poll 3'],
    ],
    [
      'a parameter with a stand-in',
      'def go(c=None):\n    c = c or once()\n    asyncio.create_task(c)\ngo(poll())\ngo()',
      ['4: go → poll 9', '5: go → once'],
    ],
    [
      'a stand-in and no caller',
      'def go(c=None):\n    c = c or once()\n    asyncio.create_task(c)',
      ['3: asyncio.create_task → once'],
    ],
  ])('%s', (_, text, expected) => {
    expect(sites(text)).toEqual(expected);
  });
});

describe('a method of a parameter', () => {
  it.each([
    ['an object', 'def go(f): asyncio.create_task(f.run())\ngo(Feed(2))', ['1: asyncio.create_task → Feed.run 2']],
    [
      'several callers',
      'def go(f): asyncio.create_task(f.run())\ngo(Feed(2))\ngo(f=Slow())',
      ['1: asyncio.create_task → Feed.run 2, Slow.run 50'],
    ],
    [
      'arguments of the wrapper',
      'def go(f, n): asyncio.create_task(f.run(n))\ngo(Feed(2), 5)',
      ['1: asyncio.create_task → Feed.run 10'],
    ],
    [
      'each of a list',
      'def go(fs):\n    for f in fs: asyncio.create_task(f.run())\ngo([Feed(), Slow()])',
      ['2: asyncio.create_task → Feed.run 4, Slow.run 50'],
    ],
    [
      'each of what is given',
      'def go(*fs):\n    for f in fs: asyncio.create_task(f.run())\ngo(Feed(), Slow())',
      ['2: asyncio.create_task → Feed.run 4, Slow.run 50'],
    ],
    [
      'a method that takes it',
      'class Hub:\n    def add(self, f): asyncio.create_task(f.run())\nHub().add(Slow())',
      ['2: asyncio.create_task → Slow.run 50'],
    ],
    ['nothing known', 'def go(f): asyncio.create_task(f.run())\ngo(unknown())', ['1: asyncio.create_task → ']],
  ])('%s', (_, text, expected) => {
    expect(sites(text)).toEqual(expected);
  });

  it('is likely, not proven, when one caller is not known', () => {
    const text = 'def go(f): asyncio.create_task(f.run())\ngo(Slow())\n';
    const certainty = (more: string): string | undefined =>
      analysisOf({ 'main.py': HEAD + text + more }).sites[0]?.certainty;
    expect(certainty('')).toBe('proven');
    expect(certainty('go(unknown())\n')).toBe('likely');
  });

  it('is found across files', () => {
    const files = {
      'hub.py': 'import asyncio\ndef go(f): asyncio.create_task(f.run())\n',
      'feeds.py': 'class Feed:\n    async def run(self): ...\n',
      'main.py': 'from hub import go\nfrom feeds import Feed\ngo(Feed())\n',
    };
    expect(analysisOf(files).sites[0]?.targets).toMatchObject([{ qualifiedName: 'feeds.Feed.run', file: 'feeds.py' }]);
  });
});
