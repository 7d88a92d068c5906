import { defineConfig } from 'vitest/config';

/** What needs Debian packages: promtool, Prometheus, prometheus_client, Chromium. Run by `scripts/health-proof.mjs`. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/health/**/*.proof.test.ts', 'test/status/**/*.browser.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
