/** Names and attributes that depend on each other: what there is to know is found, and in bounded time. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';

const targetsOf = (text: string) =>
  analysisOf({ 'main.py': text }).sites.map((site) => site.targets.map((t) => t.name));

describe('values on a cycle', () => {
  it('an attribute that is added to in very many places', () => {
    const methods = Array.from({ length: 60 }, (_, i) => `    def m${i}(self):\n        self.rows += [self.rows]\n`);
    const text = `import asyncio
async def poll(): ...
class Box:
    def __init__(self):
        self.rows = [poll()]
${methods.join('')}
    def start(self):
        for row in self.rows:
            asyncio.create_task(row)
`;
    expect(targetsOf(text)).toEqual([['poll']]);
  });

  it('attributes that are all set from each other', () => {
    const names = Array.from({ length: 40 }, (_, i) => `a${i}`);
    const sets = names.map(
      (to) => `    def set_${to}(self):\n${names.map((n) => `        self.${to} = self.${n}\n`).join('')}`,
    );
    const text = `import asyncio
class Engine:
    async def run(self): ...
class Box:
    def __init__(self):
        self.a7 = Engine()
${sets.join('')}
    def start(self):
        asyncio.create_task(self.a7.run())
        asyncio.create_task(self.a31.run())
`;
    const [own, far] = targetsOf(text);
    expect(own).toContain('self.a7.run');
    expect(far).toContain('self.a31.run');
  });

  it('names of a module that go round', () => {
    const text = `import asyncio
async def poll(): ...
a = poll
while a:
    b = a
    c = b
    a = c
def start(): asyncio.create_task(c())
`;
    expect(targetsOf(text)).toEqual([['poll']]);
  });
});
