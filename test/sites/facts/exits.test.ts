/** How the last statement of a round decides whether there is another one. */
import { describe, expect, it } from 'vitest';
import { job } from './support.ts';

const round = (statements: string): ReturnType<typeof job> =>
  job(`while True:\n${statements.replace(/^/gm, '    ')}\n`);

describe('a round that always ends by a raise', () => {
  it.each([['await work()\nraise SystemExit'], ['try:\n    await sleep(3)\nfinally:\n    raise SystemExit']])(
    '%s is the only one',
    (statements) => {
      expect(round(statements).lifecycle).toBe('one-shot');
    },
  );

  it.each([['await sleep(5)\nif ready():\n    raise SystemExit', 5]])(
    '%s may be followed by another',
    (statements, seconds) => {
      expect(round(statements)).toMatchObject({ lifecycle: 'loop', periodSeconds: seconds });
    },
  );
});
