/**
 * What some tests do at length. `npm test` does a part of it that still meets every kind; `npm run test:long` does all,
 * in the test files that import this module, and in no others: that is how `vitest.config.ts` finds them.
 */
export const LONG = process.env.LOOPTAG_LONG === '1';

/** The whole, or what stands for it where time is short. */
export function atLength<T>(whole: T, part: T): T {
  return LONG ? whole : part;
}
