/** Done for each test file: one process runs many, and what they import is loaded once. */
import { setFlagsFromString } from 'node:v8';
import { afterAll, expect } from 'vitest';
import { clear } from './temporary.ts';

// most of what is tested runs a few times: code that is optimised early does not pay for it
if (process.versions.v8.startsWith('11.3.')) setFlagsFromString('--interrupt-budget=1000000');

// byte after byte as any two lists takes longer than most of what made them
expect.addEqualityTesters([
  (one: unknown, other: unknown) => (Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined),
]);

afterAll(clear);
