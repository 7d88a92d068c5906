/**
 * Asks the registry whether a fault is known in any package of the lock file. Exit codes: 0 none is, 1 some are,
 * 3 the registry could not be asked, which says nothing.
 */
import { spawnSync } from 'node:child_process';

const { stdout, stderr } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 });
process.exitCode = judged(parsed(stdout));

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function judged(answer) {
  const counts = answer?.metadata?.vulnerabilities;
  if (!counts) {
    console.log(`skipped: the registry gives no answer (${answer?.message ?? stderr.trim().split('\n')[0]})`);
    return 3;
  }
  for (const [name, { severity, via }] of Object.entries(answer.vulnerabilities))
    console.log(`${name}: ${severity}: ${via.map((v) => v.title ?? v).join('; ')}`);
  console.log(`${counts.total} known vulnerabilities in ${answer.metadata.dependencies.total} packages`);
  return counts.total ? 1 : 0;
}
