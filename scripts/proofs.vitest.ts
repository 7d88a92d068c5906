import { defineConfig } from 'vitest/config';

/** A file to which the numbers of the run are written as JSON; `.ci/run` adds them up. */
const numbers = process.env.LOOPTAG_TEST_JSON;

/** What needs Debian packages: promtool, Prometheus, prometheus_client, Chromium, pre-commit, mypy. Run by `scripts/proofs.mjs`. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.{proof,browser,hook,typed}.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    reporters: numbers ? ['default', ['json', { outputFile: numbers }]] : ['default'],
  },
});
