/** How the last statement of a round decides whether there is another one. */
import { describe, expect, it } from 'vitest';
import { job } from './support.ts';

const HEAD = 'import contextlib\nfrom contextlib import suppress as quiet\nclass Own(Exception): ...\n';

const round = (statements: string): ReturnType<typeof job> =>
  job(`while True:\n${statements.replace(/^/gm, '    ')}\n`, { before: HEAD });

describe('a round that always ends by a raise', () => {
  it.each([
    ['await work()\nraise SystemExit'],
    ['try:\n    await sleep(3)\nfinally:\n    raise SystemExit'],
    ['await sleep(3)\nif ready():\n    raise SystemExit\nelse:\n    raise KeyboardInterrupt'],
    ['await sleep(3)\nif ready():\n    return\nelif work:\n    raise KeyError\nelse:\n    break'],
    ['await sleep(3)\nif True:\n    raise KeyError'],
    ['await sleep(4)\nwith contextlib.suppress(ValueError):\n    raise KeyError'],
    ['await sleep(4)\nwith contextlib.suppress():\n    raise KeyError'],
    ['await sleep(4)\nwith contextlib.suppress(Exception):\n    raise SystemExit'],
    ['await sleep(4)\nwith open("x"):\n    raise KeyError'],
    ['try:\n    await sleep(4)\n    raise ValueError\nexcept KeyError:\n    pass'],
    ['try:\n    await sleep(4)\n    raise SystemExit(1)\nexcept Exception:\n    pass'],
    ['try:\n    await sleep(4)\n    raise asyncio.CancelledError\nexcept (OSError, LookupError):\n    pass'],
    ['try:\n    await sleep(4)\nexcept KeyError:\n    pass\nelse:\n    raise KeyError'],
  ])('%s is the only one', (statements) => {
    expect(round(statements)).toMatchObject({ lifecycle: 'one-shot', periodSeconds: null });
  });

  it.each([
    ['await sleep(5)\nif ready():\n    raise SystemExit', 5],
    ['await sleep(4)\nwith contextlib.suppress(ValueError):\n    raise ValueError', 4],
    ['await sleep(4)\nwith quiet(KeyError, LookupError):\n    raise IndexError("x")', 4],
    ['await sleep(4)\nwith open("x") as f, quiet(Exception):\n    raise builtins.KeyError', 4],
    ['await sleep(4)\nwith quiet(BaseException):\n    raise Own', 4],
    [
      'await sleep(4)\nwith quiet(KeyError):\n    if ready():\n        raise KeyError\n    else:\n        raise KeyError',
      4,
    ],
    ['try:\n    await sleep(4)\n    raise ConnectionResetError\nexcept OSError:\n    pass', 4],
    ['try:\n    await sleep(4)\n    raise TimeoutError\nexcept (KeyError, IOError):\n    pass', 4],
    ['try:\n    await sleep(4)\n    raise asyncio.CancelledError\nexcept BaseException:\n    pass', 4],
    ['try:\n    await sleep(4)\n    raise UnicodeDecodeError\nexcept ValueError:\n    pass', 4],
    ['try:\n    await sleep(4)\n    raise KeyError\nexcept:\n    pass', 4],
    ['await sleep(4)\nif ready():\n    continue\nif work:\n    raise KeyError\nelse:\n    raise OSError', 4],
  ])('%s may be followed by another', (statements, seconds) => {
    expect(round(statements)).toMatchObject({ lifecycle: 'loop', periodSeconds: seconds });
  });
});

describe('a case of a match that leaves the loop', () => {
  const consumer = (subject: string, pattern: string) =>
    round(`match ${subject}:\n    case ${pattern}:\n        return\n    case _:\n        await work()`);

  it.each([
    ['await q.get()', 'None'],
    ['await q.get()', '"stop"'],
    ['await q.get()', 'None | "quit"'],
    ['await q.get()', '("stop", _)'],
    ['await q.get()', '{"op": "shutdown"}'],
    ['await q.get()', 'Shutdown()'],
    ['await q.get()', '"stop" as word'],
    ['item := await q.get()', 'None'],
    ['x', '_ if stop.is_set()'],
  ])('%s, %s is an order', (subject, pattern) => {
    expect(consumer(subject, pattern)).toMatchObject({ lifecycle: 'loop', periodSeconds: null });
  });

  it.each([
    ['await work()', 'None'],
    ['await work()', '"done"'],
    ['await q.get()', '"ok"'],
    ['await q.get()', '"stop" | "ok"'],
    ['await q.get()', '[x, *_]'],
  ])('%s, %s is the end of the work', (subject, pattern) => {
    expect(consumer(subject, pattern).lifecycle).toBe('one-shot');
  });
});
