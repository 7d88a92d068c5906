/**
 * The two ways to run the built command. `spawned` starts it as a user does. `ran` gives the same from a process that is
 * there already, at a fraction of the time (`test/cli/resident.test.ts` proves that it is the same); it is not for what
 * is about a process: signals, closed pipes, terminals, limits, the time that a run takes, many runs at once.
 */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { inject } from 'vitest';
import { placeOf } from './resident/place.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const BIN = fileURLToPath(new URL('../../bin/looptag.js', import.meta.url));

export interface RunOptions {
  cwd?: string;
  /** The whole environment; that of the tests when there is none. */
  env?: NodeJS.ProcessEnv;
  input?: string | Uint8Array;
}

export interface Ran {
  status: number | null;
  stdout: Buffer;
  stderr: Buffer;
}

/** In a process of its own. */
export function spawned(argv: readonly string[], { cwd, env, input = '' }: RunOptions = {}): Ran {
  const got = spawnSync(process.execPath, [BIN, ...argv], { cwd, env, input, maxBuffer: 1 << 28 });
  if (got.error) throw got.error;
  return { status: got.status, stdout: got.stdout, stderr: got.stderr };
}

const LIMIT_MS = 110_000;
const NEVER = new Int32Array(new SharedArrayBuffer(4));
let asked = 0;

/** As `spawned`, in the process that is kept for the tests of this worker. */
export function ran(argv: readonly string[], options: RunOptions = {}): Ran {
  const folder = inject('residents');
  if (!folder) return spawned(argv, options);
  const { cwd = process.cwd(), env = process.env, input = '' } = options;
  accessSync(cwd);
  const place = placeOf(folder, Number(process.env.VITEST_POOL_ID));
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const id = `${process.pid}-${++asked}`;
  const [request, answer] = [join(folder, `${id}.request`), join(folder, `${id}.answer`)];
  const answers = openSync(place.answers, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    let since = Date.now();
    const wait = (what: string): void => {
      const waited = Date.now() - since;
      if (waited > LIMIT_MS) throw new Error(`looptag ${argv.join(' ')}: ${what}`);
      // what takes longer is asked for less often
      Atomics.wait(NEVER, 0, 0, 1 + waited / 20);
    };
    while (read(answers) === null) wait('there is no process to run it in');
    writeFileSync(
      request,
      serialize({ argv: [...argv], cwd, env: Object.fromEntries(given), input: Buffer.from(input as string) }),
    );
    since = Date.now();
    const requests = openSync(place.requests, 'w');
    writeSync(requests, `${id}\n`);
    closeSync(requests);
    for (let seen = ''; !seen.split('\n').slice(0, -1).includes(id); ) {
      const more = read(answers);
      if (more === null) throw new Error(`looptag ${argv.join(' ')}: the process that it ran in has ended`);
      seen += more;
      if (more !== '') continue;
      if (Date.now() - since > LIMIT_MS) process.kill(Number(readFileSync(place.pid, 'utf8')), 'SIGKILL');
      wait(`no end after ${LIMIT_MS / 1000} s`);
    }
    return deserialize(readFileSync(answer)) as Ran;
  } finally {
    closeSync(answers);
    for (const file of [request, answer]) rmSync(file, { force: true });
  }
}

/** What has come so far; null when nobody holds the other end. */
function read(fd: number): string | null {
  const chunk = Buffer.alloc(256);
  try {
    const length = readSync(fd, chunk);
    return length === 0 ? null : chunk.toString('latin1', 0, length);
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === 'EAGAIN') return '';
    throw e;
  }
}
