/** Lengths of sleeps that hang on the object which a call is given, on copies of it, and on what is set from outside. */
import { describe, expect, it } from 'vitest';
import { factsOf } from './support.ts';

const HEAD = `import asyncio, copy, dataclasses
from dataclasses import dataclass, replace
from typing import NamedTuple
from pydantic import BaseModel
@dataclass
class Conf:
    every: float = 10
    on: bool = True
class Pair(NamedTuple):
    every: int = 7
class Model(BaseModel):
    every: int = 8
class Worker:
    period = 5
    def __init__(self, conf: Conf):
        self.conf = conf
        self.own = conf.every
    async def by_conf(self):
        while True: await asyncio.sleep(self.conf.every)
    async def by_own(self):
        while True: await asyncio.sleep(self.own)
    async def by_class(self):
        while True: await asyncio.sleep(self.period)
@dataclass
class Kept:
    conf: Conf
    async def run(self):
        while True: await asyncio.sleep(self.conf.every)
async def job(conf: Conf):
    while True: await asyncio.sleep(conf.every)
async def pair(p: Pair = Pair(every=9)):
    while True: await asyncio.sleep(p.every)
async def model(m: Model):
    while True: await asyncio.sleep(m.every)
async def outer(conf: Conf):
    await job(conf)
def made(): return Conf(every=19)
`;

function periodOf(argument: string, before: string[] = [], after: string[] = []): number | null {
  const body = [...before, `asyncio.create_task(${argument})`, ...after].map((line) => `    ${line}\n`).join('');
  const [first] = factsOf(`${HEAD}def boot(x):\n${body}`);
  return first![1].periodSeconds;
}

describe('a parameter that is declared to be of a class', () => {
  it.each([
    ['job(Conf(every=2))', 2],
    ['job(Conf(3))', 3],
    ['job(conf=Conf(on=False))', 10],
    ['job(made())', 19],
    ['job(Conf(**x))', null],
    ['job(Conf(*x))', null],
    ['job(Conf(every=x))', null],
    ['outer(Conf(every=4))', 4],
    ['pair()', 9],
    ['pair(Pair())', 7],
    ['model(Model(every=6))', 6],
    ['Worker(Conf(every=12)).by_conf()', 12],
    ['Worker(Conf(every=13)).by_own()', 13],
    ['Kept(Conf(every=14)).run()', 14],
    // nothing is known of the object: the defaults of its class
    ['job(x)', 10],
    ['Worker(x).by_conf()', 10],
  ])('%s', (argument, period) => expect(periodOf(argument)).toBe(period));
});

describe('copies', () => {
  it.each([
    ['job(replace(Conf(every=2), on=False))', 2],
    ['job(replace(Conf(), every=6))', 6],
    ['job(dataclasses.replace(made(), on=False))', 19],
    ['job(replace(replace(Conf(), every=6), on=False))', 6],
    ['job(replace(Conf(), **{"every": 15}))', 15],
    ['job(replace(Conf(), **x))', null],
    ['job(replace(x, every=16))', 10],
    ['pair(Pair()._replace(every=11))', 11],
    ['model(Model(every=6).model_copy(update={"every": 18}))', 18],
    ['model(Model(every=6).model_copy())', 6],
    ['model(Model().model_copy(update=x))', null],
    ['job(copy.copy(Conf(every=17)))', 17],
  ])('%s', (argument, period) => expect(periodOf(argument)).toBe(period));

  it('are told apart from what they were made of', () => {
    const before = ['slow = Conf(every=60)', 'fast = replace(slow, every=1)'];
    expect(periodOf('job(fast)', before)).toBe(1);
    expect(periodOf('job(slow)', before)).toBe(60);
  });
});

describe('attributes that are set from outside', () => {
  const worker = 'w = Worker(Conf())';
  it.each<[string, string[], string[], number | null]>([
    ['always', [worker, 'w.period = 77'], [], 77],
    ['by setattr', [worker, 'setattr(w, "period", 78)'], [], 78],
    ['twice', [worker, 'w.period = 1', 'w.period = 79'], [], 79],
    ['after the start: each round reads it anew', [worker], ['w.period = 80'], 80],
    ['to something unknown', [worker, 'w.period = x'], [], null],
    ['under a condition', [worker, 'if x:', '    w.period = 81'], [], null],
    ['under a condition, to the same', [worker, 'if x:', '    w.period = 5'], [], 5],
    ['changed in place', [worker, 'w.period *= 2'], [], null],
    ['of another object', [worker, 'v = Worker(Conf())', 'v.period = 82'], [], 5],
  ])('%s', (_name, before, after, period) => expect(periodOf('w.by_class()', before, after)).toBe(period));

  it('of an object that a call is given', () => {
    expect(periodOf('job(c)', ['c = Conf()', 'c.every = 99'])).toBe(99);
  });

  it('of a class', () => {
    const of = (text: string) =>
      factsOf(`import asyncio
class A:
    async def run(self):
        while True: await asyncio.sleep(self.every)
${text}
def boot():
    asyncio.create_task(A().run())
`)[0]![1].periodSeconds;
    expect(of('A.every = 33')).toBe(33);
    expect(of('A.every = 33\ndef slow():\n    A.every = 330')).toBeNull();
  });
});
