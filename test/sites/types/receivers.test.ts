/** Methods that hand back `self` or make one of `cls`, and factories: which object is it, made with what? */
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';
import { spawned, target } from './support.ts';

const PUMPS = `from typing import Self
class Pump:
    stroke = 14
    def __init__(self, every=5):
        self.every = every
    async def turn(self):
        while True:
            await asyncio.sleep(14)
    async def beat(self):
        while True:
            await asyncio.sleep(self.every)
    async def paced(self):
        while True:
            await asyncio.sleep(self.pace())
    def pace(self):
        return self.stroke
    def primed(self):
        return self
    def typed(self) -> Self:
        return self
    def named(self) -> "Pump":
        return self
    def twin(self):
        return type(self)(self.every)
    def cousin(self):
        return self.__class__()
    def method(self):
        return self.turn
    def turning(self):
        return self.turn()
    @property
    def me(self):
        return self
    @property
    def work(self):
        return self.beat()
    @classmethod
    def make(cls):
        return cls()
    @classmethod
    def every_n(cls, n) -> Self:
        return cls(n)
    @classmethod
    def chain(cls, n):
        return cls.every_n(n + 1)
    @classmethod
    async def later(cls, n):
        pump = cls(every=n)
        return pump
    @staticmethod
    def plain(n):
        return Pump(n)
class Diesel(Pump):
    stroke = 15
    async def turn(self):
        while True:
            await asyncio.sleep(15)
    def pace(self):
        return super().pace() + 1
class Silent(Diesel):
    def __init__(self):
        pass
def built(n):
    return Pump(n)
def rebuilt(n):
    return built(n * 2)
def beating(n):
    return Pump(n).beat()
def held(n):
    return [Pump(n), Diesel(n + 1)]
def pair(n):
    return Pump(n), Diesel(n)
_one = None
def one():
    global _one
    if _one is None:
        _one = Diesel(30)
    return _one
class Shop:
    def __init__(self, n):
        self.n = n
        self.pump = Pump(n)
    async def serve(self):
        await self.pump.beat()
    async def local(self):
        pump = Pump(self.n)
        await pump.beat()
    async def steal(self, shop: "Shop"):
        await shop.pump.beat()
`;

describe('the object of a call', () => {
  it.each([
    ['Diesel().primed().turn()', 'Diesel.turn 15'],
    ['Pump().primed().turn()', 'Pump.turn 14'],
    ['Diesel().typed().turn()', 'Diesel.turn 15'],
    ['Diesel().named().turn()', 'Diesel.turn 15'],
    ['Diesel().primed().typed().primed().turn()', 'Diesel.turn 15'],
    ['Diesel().me.turn()', 'Diesel.turn 15'],
    ['Diesel().twin().turn()', 'Diesel.turn 15'],
    ['Diesel().cousin().turn()', 'Diesel.turn 15'],
    ['Diesel().turning()', 'Diesel.turn 15'],
    ['Diesel().method()()', 'Diesel.turn 15'],
    ['Diesel.make().turn()', 'Diesel.turn 15'],
    ['Diesel().make().turn()', 'Diesel.turn 15'],
    ['(await Diesel.later(3)).turn()', 'Diesel.turn 15'],
    ['Diesel.plain(3).turn()', 'Pump.turn 14'],
    ['one().turn()', 'Diesel.turn 15'],
    ['Diesel().paced()', 'Pump.paced 16'],
    ['Pump().paced()', 'Pump.paced 14'],
  ])('%s', (expression, right) => {
    expect(target(expression, PUMPS)).toEqual([right]);
  });
});

describe('the arguments that it was made with', () => {
  it.each([
    ['Pump.every_n(16).beat()', 'Pump.beat 16'],
    ['Pump.chain(16).beat()', 'Pump.beat 17'],
    ['(await Pump.later(7)).beat()', 'Pump.beat 7'],
    ['Pump.plain(8).beat()', 'Pump.beat 8'],
    ['built(9).beat()', 'Pump.beat 9'],
    ['rebuilt(9).beat()', 'Pump.beat 18'],
    ['beating(4)', 'Pump.beat 4'],
    ['Pump(6).work', 'Pump.beat 6'],
    ['built(6).work', 'Pump.beat 6'],
    ['Pump(6).twin().beat()', 'Pump.beat 6'],
    ['one().beat()', 'Pump.beat 30'],
    ['pair(3)[1].beat()', 'Pump.beat 3'],
    ['Shop(21).serve()', 'Shop.serve 21'],
    ['Shop(22).local()', 'Shop.local 22'],
    // what the constructor is given is not known
    ['built(x).beat()', 'Pump.beat null'],
    ['Pump(x).work', 'Pump.beat null'],
    ['Shop(21).steal(x)', 'Shop.steal null'],
  ])('%s', (expression, right) => {
    expect(target(expression, PUMPS)).toEqual([right]);
  });

  it('is told apart for two of a kind', () => {
    expect(spawned('for p in (Pump(1), Pump(2)):\n    asyncio.create_task(p.beat())', PUMPS)).toEqual([
      'Pump.beat 1',
      'Pump.beat 2',
    ]);
    expect(spawned('for p in (built(1), built(2)):\n    asyncio.create_task(p.beat())', PUMPS)).toEqual([
      'Pump.beat 1',
      'Pump.beat 2',
    ]);
    expect(spawned('for p in held(4):\n    asyncio.create_task(p.beat())', PUMPS)).toEqual([
      'Pump.beat 4',
      'Pump.beat 5',
    ]);
    expect(spawned('first, second = pair(5)\nasyncio.create_task(second.turn())', PUMPS)).toEqual(['Diesel.turn 15']);
  });
});

describe('another object of the same family is not the one that runs', () => {
  it('a parameter of the class is not self', () => {
    const code = `class Lamp:
    def __init__(self, every):
        self.every = every
    async def follow(self, other: "Lamp"):
        while True:
            await asyncio.sleep(other.every)
`;
    expect(target('Lamp(3).follow(x)', code)).toEqual(['Lamp.follow null']);
  });

  it('a class that is named is not the subclass', () => {
    const code = `class Lamp:
    every = 3
    async def shine(self):
        while True:
            await asyncio.sleep(Lamp.every)
class Torch(Lamp):
    every = 4
`;
    expect(target('Torch().shine()', code)).toEqual(['Lamp.shine 3']);
  });

  it.each(['self.every', 'self.delay()', 'self.twice() / 2', 'type(self).every', 'self.__class__.every'])(
    'self may be of a subclass that says it anew: %s',
    (every) => {
      const code = (other: number) => `class Lamp:
    every = 3
    def delay(self): return 3
    def twice(self): return self.delay() * 2
    async def shine(self):
        while True:
            await asyncio.sleep(${every})
    def start(self):
        asyncio.create_task(self.shine())
class Torch(Lamp):
    every = ${other}
    def delay(self): return ${other}
class Lantern(Torch): pass
`;
      const periods = (other: number) =>
        analysisOf({ 'main.py': `import asyncio\n${code(other)}` }).sites.flatMap(({ targets }) =>
          targets.map(({ facts }) => facts.periodSeconds),
        );
      expect(periods(4)).toEqual([null]);
      expect(periods(3)).toEqual([3]);
      expect(target('Lamp().shine()', code(4))).toContain('Lamp.shine 3');
      expect(target('Lantern().shine()', code(4))).toContain('Lamp.shine 4');
    },
  );
});
