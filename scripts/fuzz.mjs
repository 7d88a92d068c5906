/**
 * A long session of the properties under `test/fuzz` and of the recogniser: a hundred thousand runs, or as many as the
 * argument says, with inputs of its own. `--minutes N` ends it earlier: each property stops when its share of them is over. A failure names its
 * seed and the smallest input; `LOOPTAG_FUZZ_SEED` repeats it.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

function usage() {
  console.error('usage: npm run fuzz [-- NUMBER-OF-RUNS] [--minutes N]');
  process.exit(2);
}

function asked() {
  try {
    const { positionals, values } = parseArgs({ options: { minutes: { type: 'string' } }, allowPositionals: true });
    return { runs: positionals[0] ?? '100000', minutes: values.minutes ?? '' };
  } catch {
    return usage();
  }
}

const { runs, minutes } = asked();
if (!/^\d+$/.test(runs) || !/^\d*$/.test(minutes)) usage();
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz', 'test/syntax/recognise.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, LOOPTAG_FUZZ_RUNS: runs, LOOPTAG_FUZZ_MINUTES: minutes },
});
process.exitCode = status ?? 1;
