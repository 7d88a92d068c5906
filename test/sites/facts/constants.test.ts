/** Lengths of sleeps that are constants in some clothing. */
import { describe, expect, it } from 'vitest';
import { job, periodOf } from './support.ts';

describe('numbers', () => {
  it.each([
    ['round(60 / 7, 2)', 8.57],
    ['round(2.5)', 2],
    ['round(3.5)', 4],
    ['round(0.125, 2)', 0.12],
    ['round(1234, -2)', 1200],
    ['round(number=7.6)', 8],
    ['sum([1, 2, 3])', 6],
    ['sum((1, 2), 10)', 13],
    ['divmod(100, 30)[0]', 3],
    ['divmod(100, 30)[1]', 10],
    ['len("abc")', 3],
    ['len((1, 2, 3, 4))', 4],
    ['max([5, 9])', 9],
    ['math.ceil(4.2)', 5],
    ['math.floor(4.8)', 4],
    ['pow(2, 5)', 32],
    ['1 << 4', 16],
    ['int("1_000")', 1000],
    ['int("ff", 16)', 255],
    ['-7 // 2 + 10', 6],
    ['30 if 2 > 1 else 5', 30],
    ['(1 < 2 < 3) and 12', 12],
    ['5 if None is None else 6', 5],
  ])('%s', (delay, seconds) => {
    expect(periodOf(delay)).toBe(seconds);
  });

  it.each([
    'round(60 / 7, digits())',
    'int("ten")',
    'int("0x10")',
    'len(os.environ)',
    'sum(work())',
    '5 if ready() else 6',
  ])('%s is not known', (delay) => {
    expect(periodOf(delay)).toBeNull();
  });
});

describe('timedelta', () => {
  it.each([
    ['timedelta(minutes=1, seconds=30).seconds', 90],
    ['timedelta(days=2, seconds=5).seconds', 5],
    ['timedelta(days=2).days * 60', 120],
    ['timedelta(seconds=90) // timedelta(seconds=1)', 90],
    ['(timedelta(minutes=3) // 2).total_seconds()', 90],
    ['(timedelta(hours=1) % timedelta(minutes=50)).total_seconds()', 600],
    ['abs(-timedelta(minutes=1).total_seconds())', 60],
    ['timedelta(**{"minutes": 2}).total_seconds()', 120],
  ])('%s', (delay, seconds) => {
    expect(periodOf(delay)).toBe(seconds);
  });
});

describe('mappings', () => {
  const before =
    'G = {"poll": 15, "deep": {"x": 16}}\nH = dict(poll=17)\nM = {**G, "poll": 18}\nF = {"a": 1}\nF["poll"] = 2\n';
  it.each([
    ['G.get("poll", 99)', 15],
    ['G.get("nope", 98)', 98],
    ['G["deep"].get("x")', 16],
    ['G.get("deep", {})["x"]', 16],
    ['H["poll"]', 17],
    ['M["poll"]', 18],
    ['M["deep"]["x"]', 16],
    ['(G | {"poll": 19})["poll"]', 19],
    ['F.get("poll", 3)', null],
    ['G["nope"]', null],
    ['G.get(os.name, 3)', null],
  ])('%s', (delay, seconds) => {
    expect(periodOf(delay, { before })).toBe(seconds);
  });

  it.each([
    ['kw.get("every", 81)', '', 81],
    ['kw.get("every", 81)', 'every=16', 16],
    ['kw["every"]', 'every=17', 17],
    ['kw.pop("every", 5)', '', 5],
    ['kw["every"]', '', null],
    ['kw.get("every", 81)', '**{"every": 4}', 4],
    ['kw.get("every", 81)', '**os.environ', null],
  ])('**kw: %s called with (%s)', (delay, call, seconds) => {
    expect(periodOf(delay, { signature: '**kw', call })).toBe(seconds);
  });

  it('hands keywords on', () => {
    const before = 'async def inner(every=3):\n    while True: await sleep(every)\n';
    expect(job('await inner(**kw)', { before, signature: '**kw', call: 'every=44' }).periodSeconds).toBe(44);
  });
});

describe('starred arguments', () => {
  it.each([
    ['*[29]', 29],
    ['**{"every": 30}', 30],
    ['**KW', 31],
    ['*ARGS', 32],
    ['*os.sys.argv', null],
    ['**os.environ', null],
  ])('job(%s)', (call, seconds) => {
    const before = 'KW = dict(every=31)\nARGS = (32,)\n';
    expect(periodOf('every', { before, signature: 'every=1', call })).toBe(seconds);
  });
});

describe('functions of the project', () => {
  const before = `def five(n=5): return n
async def later(): return 5
def both(x):
    if x: return 5
    return 6
def same(x):
    if x: return 5
    return 2 + 3
def nothing(): pass
class A:
    each = 8
    def every(self): return self.each
    @property
    def period(self): return self.each * 2
    @staticmethod
    def fixed(): return 9
    @classmethod
    def of(cls): return cls.each
class B(A):
    each = 11
`;
  it.each([
    ['five()', 5],
    ['five(7)', 7],
    ['five(n=8)', 8],
    ['later()', null],
    ['both(ready())', null],
    ['same(ready())', 5],
    ['nothing()', null],
    ['(lambda: 4)()', 4],
    ['A().every()', 8],
    ['B().every()', 11],
    ['A().period', 16],
    ['B().period', 22],
    ['A.fixed()', 9],
    ['B.of()', 11],
    ['B.each', 11],
    ['getattr(B, "each")', 11],
    ['getattr(A(), "each", 3)', 8],
    ['getattr(A(), "nope", 3)', 3],
    ['getattr(A(), ready(), 3)', null],
  ])('%s', (delay, seconds) => {
    expect(periodOf(delay, { before })).toBe(seconds);
  });
});

describe('settings', () => {
  const before = `import configparser
from starlette.config import Config
from environs import Env
config = Config(".env")
cfg = configparser.ConfigParser()
env = Env()
`;
  it.each([
    ['config("POLL", cast=int, default=30)', 30],
    ['config("POLL", cast=int)', null],
    ['cfg.getint("loops", "poll", fallback=40)', 40],
    ['cfg.getint("loops", "poll")', null],
    ['env.int("POLL", 50)', 50],
    ['env.int("POLL", default=60)', 60],
    ['float(os.getenv("POLL") or 70)', 70],
  ])('%s', (delay, seconds) => {
    expect(periodOf(delay, { before })).toBe(seconds);
  });

  it('names the default that it went through', () => {
    const facts = job('while True: await sleep(env.int("POLL", 50))', { before });
    expect(facts.periodSource).toContain('default of .int("POLL")');
  });
});
