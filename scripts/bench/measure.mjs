/** Wall time, CPU time and peak memory of a command, and medians of rounds in which every contender runs once. */
import { spawnSync } from 'node:child_process';

/** Exact times of one child: Node itself reports those of all children together, or none. */
const CHILD = `
import json, os, sys, time
quiet = os.open(os.devnull, os.O_RDWR)
os.chdir(sys.argv[1])
files = [(os.POSIX_SPAWN_DUP2, quiet, fd) for fd in (0, 1, 2)]
start = time.perf_counter()
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=files)
_, status, use = os.wait4(pid, 0)
wall = time.perf_counter() - start
print(json.dumps({"wall": wall, "cpu": use.ru_utime + use.ru_stime, "mb": use.ru_maxrss / 1024,
                  "exit": os.waitstatus_to_exitcode(status)}))
`;

/**
 * @param {string[]} command program and arguments
 * @param {string} cwd
 * @returns {{wall: number, cpu: number, mb: number, exit: number}} seconds and MiB
 */
export function once(command, cwd) {
  const r = spawnSync('python3', ['-c', CHILD, cwd, ...command], { encoding: 'utf8' });
  if (r.status !== 0) throw new Error(`${command.join(' ')}: ${r.stderr.trim().split('\n').pop()}`);
  return JSON.parse(r.stdout);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const mid = sorted.length >> 1;
  return sorted.length % 2 ? sorted[mid] : (sorted[mid - 1] + sorted[mid]) / 2;
}

/**
 * Runs all contenders once a round, in turn, so that whatever else the machine does meets all alike.
 *
 * @param {{name: string, command: string[], cwd: string, before?: () => void, exits?: number[]}[]} contenders the first
 *   is what the others are compared with
 * @returns one row each: medians, and the median over the rounds of the ratio to the first
 */
export function compare(contenders, rounds, say = () => {}) {
  const runs = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, c] of contenders.entries()) {
      c.before?.();
      const run = once(c.command, c.cwd);
      if (!(c.exits ?? [0, 1]).includes(run.exit)) throw new Error(`${c.command.join(' ')}: exit code ${run.exit}`);
      runs[i].push(run);
    }
    say(`  round ${round + 1} of ${rounds}`);
  }
  const of = (i, key) => median(runs[i].map((r) => r[key]));
  const ratio = (i, key, to = 0) => median(runs[i].map((r, round) => r[key] / runs[to][round][key]));
  return {
    rounds,
    rows: contenders.map((c, i) => ({
      name: c.name,
      wall: of(i, 'wall'),
      cpu: of(i, 'cpu'),
      mb: of(i, 'mb'),
      wallRatio: ratio(i, 'wall'),
      cpuRatio: ratio(i, 'cpu'),
    })),
    /** Median ratio of two contenders by name; null when one did not run. */
    ratio(name, to, key) {
      const [a, b] = [name, to].map((n) => contenders.findIndex((c) => c.name === n));
      return a < 0 || b < 0 ? null : ratio(a, key, b);
    },
    row(name) {
      const i = contenders.findIndex((c) => c.name === name);
      return i < 0 ? null : { wall: of(i, 'wall'), cpu: of(i, 'cpu'), mb: of(i, 'mb') };
    },
  };
}
