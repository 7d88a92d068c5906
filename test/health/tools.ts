/** The programs that the proofs need, and a loud word when one is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

function onPath(command: string): string | null {
  const run = spawnSync(command, ['--version'], { stdio: 'ignore' });
  return run.error || run.status !== 0 ? null : command;
}

export const promtool = onPath('promtool');
export const prometheus = onPath('prometheus');

/** A Python that has prometheus_client: Debian's own sees its packages, one from elsewhere may not. */
export const python =
  ['/usr/bin/python3', 'python3'].find(
    (command) =>
      (command === 'python3' || existsSync(command)) &&
      spawnSync(command, ['-c', 'import prometheus_client'], { stdio: 'ignore' }).status === 0,
  ) ?? null;

/** Says what is skipped and how to get what is missing. Returns whether something is. */
export function skipping(what: string, needed: Record<string, string | null>): boolean {
  const missing = Object.entries(needed).filter(([, found]) => found === null);
  if (missing.length === 0) return false;
  const names = missing.map(([name]) => name).join(', ');
  process.stderr.write(`\nSKIPPED: ${what}: there is no ${names} (see docs/health.md, Proof)\n`);
  return true;
}
