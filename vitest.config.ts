import { configDefaults, defineConfig } from 'vitest/config';

/** A file to which the numbers of the run are written as JSON; `.ci/run` adds them up. */
const numbers = process.env.LOOPTAG_TEST_JSON;

/** Every test that needs only Node, git and python3. What needs Debian packages runs by `npm run test:health` and `test:browser`. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.proof.test.ts', '**/*.browser.test.ts'],
    pool: 'forks',
    // Vitest leaves a core free otherwise, which is half of a machine with two.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxConcurrency: 3,
    reporters: numbers ? ['default', ['json', { outputFile: numbers }]] : ['default'],
  },
});
