import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A file to which the numbers of the run are written as JSON; `.ci/run` adds them up. */
const numbers = process.env.LOOPTAG_TEST_JSON;

/** The folder of the real interpreter first: a version manager's shim takes ten times as long to start as Python does. */
const { stdout: executable } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
const PATH = [...(executable ? [dirname(executable.trim())] : []), process.env.PATH].join(delimiter);

const exclude = [...configDefaults.exclude, '**/*.proof.test.ts', '**/*.browser.test.ts', '**/*.hook.test.ts'];

/** Tests of pure functions: they leave nothing behind, so that one process loads the sources once for many files. */
const pure = ['checks', 'codemods', 'edit', 'fuzz', 'policy', 'report', 'sites', 'syntax'].map(
  (area) => `test/${area}/**/*.test.ts`,
);

/** What is long comes first: the many short files of pure functions fill both workers to the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const late = ({ project }: TestSpecification): number => Number(project.name === 'pure');
    return sorted.sort((a, b) => late(a) - late(b));
  }
}

/** Every test that needs only Node, git and python3. What needs Debian packages runs by `scripts/proofs.mjs`. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'runs',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...pure],
          globalSetup: 'test/support/resident/setup.ts',
        },
      },
      { extends: true, test: { name: 'pure', include: pure, exclude, isolate: false } },
    ],
    env: { PATH, XDG_CACHE_HOME: resolve('node_modules/.cache/looptag-tests') },
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    // Vitest leaves a core free otherwise, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxConcurrency: 3,
    reporters: numbers ? ['default', ['json', { outputFile: numbers }]] : ['default'],
  },
});
