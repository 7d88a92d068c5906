/** Spawns of what is no coroutine: the definition is named, and it is said that this cannot work. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from './facts/support.ts';

const TEXT = `import asyncio, functools, types
from somewhere import decorated
async def job(): ...
async def stream(): yield 1
def numbers(): yield 1
def log(text): print(text)
def count(): return 1
def rows():
    if log("x"): return []
    return {"a": 1}
def nothing():
    log("x")
    return
def made(): return job()
def kept(): return asyncio.create_task(job())
def foreign(client): return client.send()
def abstract(): raise NotImplementedError
def dots(): ...
@decorated
def wrapped(): return 1
@types.coroutine
def old(): yield
class Box:
    def get(self): return 1
def fire(thing):
    if asyncio.iscoroutine(thing): asyncio.create_task(thing)
`;

function spawned(argument: string, call = 'asyncio.create_task') {
  const { sites } = analysisOf({ 'main.py': `${TEXT}def boot():\n    ${call}(${argument})\n` });
  const [site] = sites.filter((s) => s.enclosing === 'boot');
  return { targets: site?.targets.map((t) => [t.name, t.line, t.facts.lifecycle]), site };
}

describe('no coroutine', () => {
  it.each([
    ['stream()', 4, 'stream is an async generator, not a coroutine: iterate over it in a coroutine', 'async-generator'],
    ['numbers()', 5, 'numbers is a generator, not a coroutine: it cannot be spawned', 'not-a-coroutine'],
    ['log("x")', 6, 'log is a plain function that returns nothing: it cannot be spawned', 'not-a-coroutine'],
    [
      'count()',
      7,
      'count is a plain function that returns a value that is not a coroutine: it cannot be spawned',
      'not-a-coroutine',
    ],
    [
      'rows()',
      8,
      'rows is a plain function that returns a value that is not a coroutine: it cannot be spawned',
      'not-a-coroutine',
    ],
    ['nothing()', 11, 'nothing is a plain function that returns nothing: it cannot be spawned', 'not-a-coroutine'],
    [
      'Box().get()',
      24,
      'get is a plain function that returns a value that is not a coroutine: it cannot be spawned',
      'not-a-coroutine',
    ],
  ])('%s', (argument, line, why, code) => {
    const { targets, site } = spawned(argument);
    expect(targets).toEqual([[expect.any(String), line, 'unknown']]);
    expect(site?.unresolved).toBe(why);
    expect(site?.shape.refusal).toEqual({ code, reason: why });
  });

  it('a coroutine function that is not called', () => {
    const { targets, site } = spawned('job');
    expect(targets).toEqual([]);
    expect(site?.unresolved).toBe('job is a function, not a coroutine');
  });
});

describe('what may be a coroutine', () => {
  it.each(['job()', 'made()', 'kept()', 'foreign(1)', 'abstract()', 'dots()', 'wrapped()', 'old()'])(
    '%s',
    (argument) => {
      const { site } = spawned(argument);
      expect(site?.unresolved ?? '').not.toMatch(/cannot be spawned|not a coroutine/);
      expect(site?.shape.refusal?.code).not.toBe('not-a-coroutine');
    },
  );

  it('a wrapper may look at what it is given', () => {
    expect(spawned('count()', 'fire').site?.unresolved ?? null).toBeNull();
  });
});
