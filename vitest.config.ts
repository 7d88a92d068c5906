import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG } from './test/support/long.ts';

/** A file to which the numbers of the run are written as JSON; `.ci/run` adds them up. */
const numbers = process.env.LOOPTAG_TEST_JSON;

const cache = resolve('node_modules/.cache/looptag-tests');

const PATH = [...pythonFolders(), process.env.PATH].join(delimiter);

/**
 * Where `python3` is found first: in an environment around the real one. A version manager's shim takes ten times as long
 * to start as Python does, and what is installed beside the library may take longer, too; no test is about either.
 */
function pythonFolders(): string[] {
  const real = spawnSync('python3', ['-c', 'import os, sys; print(os.path.realpath(sys.executable))'], {
    encoding: 'utf8',
  }).stdout?.trim();
  if (!real) return [];
  const own = join(cache, 'python');
  const its = join(own, 'bin', 'python3');
  const there = existsSync(its) && realpathSync(its) === real && spawnSync(its, ['-c', 'pass']).status === 0;
  if (there) return [dirname(its), dirname(real)];
  // made beside and swapped in: another run may be using it
  const made = `${own}.${process.pid}`;
  const { status } = spawnSync(real, ['-m', 'venv', '--without-pip', made]);
  rmSync(own, { recursive: true, force: true });
  if (status === 0) renameSync(made, own);
  return [...(status === 0 ? [dirname(its)] : []), dirname(real)];
}

/** What says what is long. */
const LENGTH = join('test', 'support', 'long.ts');
const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file));

/** Those that have more to do than `npm test` asks of them, themselves or in what they are made of. */
const long = tests.filter((file) => lengthens(file, new Set()));

function lengthens(file: string, seen: Set<string>): boolean {
  if (seen.has(file) || !file.startsWith(`test${sep}`)) return false;
  seen.add(file);
  const imported = [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+\.ts)'/g)].map(([, path]) =>
    join(dirname(file), path!),
  );
  return imported.some((each) => each === LENGTH || lengthens(each, seen));
}

/** Where tests are of pure functions. */
const PURE = /\/test\/(checks|codemods|edit|fuzz|policy|report|sites|syntax)\//;

/** What starts processes comes first: the many short files of pure functions fill both workers to the end. */
class PureLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const late = ({ moduleId }: TestSpecification): number => Number(PURE.test(moduleId));
    return sorted.sort((a, b) => late(a) - late(b));
  }
}

/** Every test that needs only Node, git and python3. What needs Debian packages runs by `scripts/proofs.mjs`. */
export default defineConfig({
  test: {
    include: LONG ? long : ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.{proof,browser,hook,typed}.test.ts'],
    globalSetup: 'test/support/resident/setup.ts',
    setupFiles: 'test/support/each-file.ts',
    env: { PATH, XDG_CACHE_HOME: cache },
    sequence: { sequencer: PureLast },
    pool: 'forks',
    // tests leave nothing behind in the process, so that it loads the sources once for many files
    isolate: false,
    // Vitest leaves a core free otherwise, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    // on a busy machine a process takes its time
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxConcurrency: 3,
    reporters: numbers ? ['default', ['json', { outputFile: numbers }]] : ['default'],
  },
});
