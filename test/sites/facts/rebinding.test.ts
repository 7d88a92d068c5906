/** A name that is bound anew before the loop, from itself or under a condition. */
import { describe, expect, it } from 'vitest';
import { job } from './support.ts';

const LOOP = '\nwhile True:\n    await sleep(every)\n';

function period(head: string, call = '', signature = 'every=None'): number | null {
  return job(head + LOOP, { signature, call }).periodSeconds;
}

describe('a default set in the body', () => {
  it.each([
    ['every = every or 80', '', 80],
    ['every = every or 80', 'every=15', 15],
    ['every = 80 if every is None else every', '', 80],
    ['every = every if every is not None else 80', '7', 7],
    ['if every is None:\n    every = 82', '', 82],
    ['if every is None:\n    every = 82', '18', 18],
    ['if not every:\n    every = 83', '', 83],
    ['if not every:\n    every = 83', '0', 83],
    ['if every is None: every = 84\nelif every < 5: every = 5', '2', 5],
    ['if every is None: every = 84\nelif every < 5: every = 5', '20', 20],
    ['if isinstance(every, timedelta): every = every.total_seconds()', 'timedelta(minutes=1)', 60],
    ['if isinstance(every, timedelta): every = every.total_seconds()', '12', 12],
    ['if isinstance(every, (int, float)): every = every * 60', '2', 120],
    ['every = every or 80\nevery *= 60', '', 4800],
    ['every = max(every or 0, 10)', '', 10],
  ])('%s, job(%s)', (head, call, seconds) => {
    expect(period(head, call)).toBe(seconds);
  });
});

describe('not known', () => {
  it.each([
    ['a condition at run time', 'if ready():\n    every = 5', '30'],
    ['a setting', 'if DEBUG:\n    every = 5', '30'],
    ['an environment variable', 'if os.getenv("FAST"):\n    every = 5', '30'],
    ['a try', 'try:\n    every = float(ready())\nexcept ValueError:\n    every = 5', '30'],
    ['a loop before', 'for _ in range(3):\n    every = every * 2', '30'],
  ])('%s', (_, head, call) => {
    expect(period(head, call)).toBeNull();
  });

  it('what changes from round to round', () => {
    const facts = job(
      'every = 1\nwhile True:\n    await sleep(every)\n    every = every * 2\n    every = every + every\n',
    );
    expect(facts.periodSeconds).toBeNull();
    expect(facts.lifecycle).toBe('loop');
  });

  it('functions that call themselves, in good time', () => {
    const before = 'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n';
    expect(job('while True: await sleep(fib(60))', { before }).periodSeconds).toBeNull();
  });
});

it('keeps the last of two assignments', () => {
  expect(period('every = 5\nevery = 6')).toBe(6);
});

it('keeps the assignment at the top of each round', () => {
  expect(job('while True:\n    n = 90\n    await sleep(n)\n    n = 91').periodSeconds).toBe(90);
  expect(job('n = 90\nwhile True:\n    await sleep(n)\n    n = 91').periodSeconds).toBeNull();
});
