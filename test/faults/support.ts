/** Runs that something happens to. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../e2e/support/run.ts';

export const BIN = join(ROOT, 'bin', 'looptag.js');

/** A run whose process the test holds in its hands. */
export function start(args: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], options);
}

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  err: string;
}

export function ended(child: ChildProcess): Promise<End> {
  let err = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((done) => child.on('close', (code, signal) => done({ code, signal, err })));
}

/** Runs a shell command line in which `looptag` stands for the built command. */
export function shell(script: string, cwd: string): { code: number; out: string; err: string } {
  const prepared = `looptag() { '${process.execPath}' '${BIN}' "$@"; }; ${script}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', prepared], { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { code: status ?? -1, out: stdout, err: stderr };
}

/** A service of many files, so that a run takes its time. */
export function many(count: number): Record<string, string> {
  const one = (i: number): string =>
    `import asyncio\n\n\nasync def poll_${i}():\n    while True:\n        await asyncio.sleep(30)\n\n\nasync def main():\n    asyncio.create_task(poll_${i}())\n`;
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`pkg/m${i}.py`, one(i)]));
}
