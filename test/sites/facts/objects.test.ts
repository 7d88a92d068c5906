/** Lengths of sleeps that are attributes of objects. */
import { describe, expect, it } from 'vitest';
import { job, periodOf } from './support.ts';

const MODELS = `from dataclasses import dataclass, field, KW_ONLY
from typing import ClassVar, NamedTuple
from enum import Enum, IntEnum
from pydantic import BaseModel, Field
from somewhere import Unknown
import attr
@dataclass
class Conf:
    a: int = 35
    b: int = field(default=36)
    c: int = field(default_factory=lambda: 37)
    limit: ClassVar[int] = 5
    d: int = 38
@dataclass(frozen=True)
class More(Conf):
    e: int = 39
@dataclass
class Keyed:
    a: int = 1
    _: KW_ONLY = None
    b: int = 2
class Model(BaseModel):
    poll: int = Field(default=31, alias="POLL")
    fac: int = Field(default_factory=lambda: 34)
class Pair(NamedTuple):
    a: int = 40
    b: int = 41
@attr.s(auto_attribs=True)
class At:
    every: int = 42
class Strange(Unknown):
    every: int = 43
class Own(BaseModel):
    every: int = 44
    def __init__(self, **kw):
        super().__init__(**kw)
class Plain:
    every = 45
class Speed(Enum):
    FAST = 46
    SLOW = 470
class Number(IntEnum):
    TICK = 48
`;

describe('constructors made from fields', () => {
  it.each([
    ['Conf().a', 35],
    ['Conf(a=41).a', 41],
    ['Conf(41).a', 41],
    ['Conf(41).b', 36],
    ['Conf(1, 2, 3).c', 3],
    ['Conf(1, 2, 3, 4).d', 4],
    ['Conf().c', 37],
    ['More(e=7).e', 7],
    ['More(1, 2, 3, 4, 5).e', 5],
    ['More(1, 2, 3, 4, 5).a', 1],
    ['Keyed(8).a', 8],
    ['Keyed(8, b=9).b', 9],
    ['Model(POLL=5).poll', 5],
    ['Model().poll', 31],
    ['Model().fac', 34],
    ['Pair(1, 2).b', 2],
    ['Pair(b=3).a', 40],
    ['At(every=9).every', 9],
    ['At(9).every', 9],
    ['Conf(**{"a": 6}).a', 6],
    ['Plain().every', 45],
  ])('%s', (delay, seconds) => {
    expect(periodOf(delay, { before: MODELS })).toBe(seconds);
  });

  it.each(['Conf(a=ready()).a', 'Conf(*ready()).a', 'Conf(**ready()).a', 'Own(every=5).every', 'Strange(9).every'])(
    '%s is not known',
    (delay) => {
      expect(periodOf(delay, { before: MODELS })).toBeNull();
    },
  );

  it('is seen from another module', () => {
    const files = { 'sett.py': `${MODELS}conf = Conf(a=41)\ndef get_conf():\n    return conf\n` };
    expect(periodOf('sett.conf.a', { before: 'import sett\n', files })).toBe(41);
    expect(periodOf('conf.a', { before: 'from sett import conf\n', files })).toBe(41);
    expect(periodOf('get_conf().a', { before: 'from sett import get_conf\n', files })).toBe(41);
  });
});

describe('enumerations', () => {
  it.each([
    ['Speed.FAST.value', 46],
    ['Speed["SLOW"].value', 470],
    ['Number.TICK', 48],
    ['len(Speed.FAST.name)', 4],
  ])('%s', (delay, seconds) => {
    expect(periodOf(delay, { before: MODELS })).toBe(seconds);
  });

  it('as an argument', () => {
    const options = { before: MODELS, signature: 'speed: Speed = Speed.FAST' };
    expect(periodOf('speed.value', options)).toBe(46);
    expect(periodOf('speed.value', { ...options, call: 'Speed.SLOW' })).toBe(470);
  });
});

describe('instances', () => {
  const before = `class Base:
    rate = 1
    def __init__(self, interval=10):
        self.interval = interval
        self.opts = {"every": interval}
class Sub(Base):
    def __init__(self, other=5):
        super().__init__(interval=60)
class Old(Base):
    def __init__(self):
        Base.__init__(self, 61)
class Through(Base):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
class Cut(Base):
    interval = 62
    def __init__(self):
        pass
class Shadow(Base):
    interval = 63
class Slow(Base):
    def slow_down(self):
        self.rate = 120
class If(Base):
    def __init__(self, interval=None):
        if interval is None:
            interval = 64
        self.interval = interval
`;
  it.each([
    ['Base().interval', 10],
    ['Base(11).interval', 11],
    ['Base(11).opts["every"]', null],
    ['Sub().interval', 60],
    ['Sub(7).interval', 60],
    ['Old().interval', 61],
    ['Through(12).interval', 12],
    ['Through(interval=13).interval', 13],
    ['Through().interval', 10],
    ['Cut().interval', 62],
    ['Shadow().interval', 10],
    ['Slow().rate', null],
    ['If().interval', 64],
    ['If(5).interval', 5],
  ])('%s', (delay, seconds) => {
    expect(periodOf(delay, { before })).toBe(seconds);
  });
});

describe('methods of a subclass', () => {
  const before = `class Base:
    async def run(self):
        while True: await self.pause()
    async def pause(self): await sleep(self.delay())
    def delay(self): return 50
class Sub(Base):
    def delay(self): return 51
class More(Sub):
    def delay(self): return super().delay() + 1
class Prop(Base):
    @property
    def _d(self): return 53
    def delay(self): return self._d
`;
  it.each([
    ['Base()', 50],
    ['Sub()', 51],
    ['More()', 52],
    ['Prop()', 53],
  ])('%s.run()', (object, seconds) => {
    expect(job(`await ${object}.run()`, { before }).periodSeconds).toBe(seconds);
  });
});

describe('constants of other modules', () => {
  const files = {
    'cfg/__init__.py': 'from .base import *\ntry:\n    from .local import LOCAL\nexcept ImportError:\n    LOCAL = 33\n',
    'cfg/base.py': 'MINUTE = 60\nHOUR = MINUTE * 60\n_HIDDEN = 5\n',
    'loop_a.py': 'from loop_b import *\n',
    'loop_b.py': 'from loop_a import *\n',
  };
  it.each([
    ['from cfg import HOUR', 'HOUR', 3600],
    ['from cfg import *', 'HOUR', 3600],
    ['import cfg', 'cfg.MINUTE', 60],
    ['from cfg import LOCAL', 'LOCAL', 33],
    ['from cfg import _HIDDEN', '_HIDDEN', null],
    ['from loop_a import NOTHING', 'NOTHING', null],
  ])('%s', (line, delay, seconds) => {
    expect(periodOf(delay, { before: `${line}\n`, files })).toBe(seconds);
  });
});
