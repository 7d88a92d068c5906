/**
 * A long session of the properties under `test/fuzz`: a hundred thousand runs, or as many as the argument says, with
 * inputs of its own. A failure names its seed and the smallest input; `LOOPTAG_FUZZ_SEED` repeats it.
 */
import { spawnSync } from 'node:child_process';

const [runs = '100000'] = process.argv.slice(2);
if (!/^\d+$/.test(runs)) {
  console.error('usage: npm run fuzz [-- NUMBER-OF-RUNS]');
  process.exit(2);
}
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, LOOPTAG_FUZZ_RUNS: runs },
});
process.exitCode = status ?? 1;
