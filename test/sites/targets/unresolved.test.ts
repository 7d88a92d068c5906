/** Why no coroutine could be named, and what else is said of a spawn. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';

const HEAD = `import asyncio, json, time, mod
from asyncio import create_task as go
async def ants(): ...
async def bees(): ...
def plain(): return 5
class Thing: ...
def gen():
    yield 1
async def agen():
    yield 1
`;

const sitesOf = (body: string) =>
  analysisOf({ 'mod.py': 'x = 1\n', 'main.py': `${HEAD}def boot(x, y):\n    ${body}\n` }).sites;

it.each([
  ['go()', 'no argument is given'],
  ['go(5)', 'it is a constant, not a coroutine'],
  ['go(None)', 'not known statically: it is no call'],
  ['go([ants()])', 'it is a list, a tuple, a set or a mapping, not a coroutine'],
  ['go(lambda: ants())', 'a callable, not a coroutine'],
  ['go(ants)', 'ants is a function, not a coroutine'],
  ['go(Thing)', 'it is a class, not a coroutine'],
  ['go(missing)', 'not known statically: the name is not bound there'],
  ['go({}["k"])', 'not known statically: what is taken out of a container'],
  ['go(json)', 'not known statically: json is defined outside the project'],
  ['go(plain())', 'plain is a plain function that returns a value that is not a coroutine: it cannot be spawned'],
  ['go(gen())', 'gen is a generator, not a coroutine: it cannot be spawned'],
  ['go(agen())', 'agen is an async generator, not a coroutine: iterate over it in a coroutine'],
])('%s: %s', (call, why) => {
  expect(sitesOf(call)).toMatchObject([{ unresolved: why }]);
});

it('a task that is made a task again', () => {
  expect(sitesOf('go(go(ants()))').map((s) => s.unresolved)).toEqual(['an existing task or future is passed on', null]);
});

describe('what is defined elsewhere is named as it is written', () => {
  it.each([
    ['go(x())', 'x', 'unknown'],
    ['go(x.y())', 'x.y', 'unknown'],
    ['go(missing())', 'missing', 'unknown'],
    ['go(mod.missing())', 'mod.missing', 'unknown'],
    ['go(asyncio.sleep(3))', 'asyncio.sleep', 'proven'],
    ['go(json.load())', 'json.load', 'proven'],
  ])('%s', (call, name, certainty) => {
    expect(sitesOf(call)).toMatchObject([{ unresolved: null, certainty, targets: [{ name, file: null, line: null }] }]);
  });
});

it('sites and mentions come in the order of the text, file by file', () => {
  const text = `${HEAD}go(bees()); go(ants())\ngo(ants())\n# asyncio.create_task(a) and asyncio.create_task(b)\nx = "asyncio.create_task"; y = "asyncio.create_task"\n`;
  const { sites, mentions } = analysisOf({ 'z.py': text, 'a.py': text, 'mod.py': '', 'm/a.py': text });
  const place = (r: { file: string; line: number; column: number }) => [r.file, r.line, r.column];
  const each = [
    [11, 1],
    [11, 13],
    [12, 1],
  ];
  expect(sites.map((s) => place(s.range))).toEqual(
    ['a.py', 'm/a.py', 'z.py'].flatMap((f) => each.map((e) => [f, ...e])),
  );
  const own = mentions.filter((m) => m.file === 'a.py' && m.kind !== 'import').map((m) => [m.kind, m.line, m.column]);
  expect(own).toEqual([
    ['comment', 13, 3],
    ['comment', 13, 30],
    ['string', 14, 6],
    ['string', 14, 33],
  ]);
});
