/** The command line within the process of the tests: what it writes is caught instead of written. */
import { pathToFileURL } from 'node:url';
import { run } from '../../src/cli/program.ts';
import { caught } from './streams.ts';

const DIST = pathToFileURL(`${process.env.LOOPTAG_MUTATION_ROOT}/dist/`);
let last: Promise<unknown> = Promise.resolve();

interface Options {
  cwd: string;
  input?: string | Uint8Array;
  env?: Record<string, string>;
}

async function one(args: readonly string[], { cwd, input, env }: Options): Promise<unknown> {
  if (input !== undefined) throw new Error('no standard input within a process');
  const before = { folder: process.cwd(), env: { ...process.env } };
  process.chdir(cwd);
  Object.assign(process.env, { NO_COLOR: '', FORCE_COLOR: '', CI: '', COLUMNS: '120', ...env });
  caught[1].length = caught[2].length = 0;
  try {
    const code = await run([...args], DIST);
    const bytes = Buffer.concat(caught[1]);
    return { code, bytes, out: bytes.toString('utf8'), err: Buffer.concat(caught[2]).toString('utf8') };
  } finally {
    process.chdir(before.folder);
    for (const key of Object.keys(process.env)) if (!(key in before.env)) delete process.env[key];
    Object.assign(process.env, before.env);
  }
}

/** One after the other: they share the current folder. */
export function looptag(args: readonly string[], options: Options): Promise<unknown> {
  const mine = last.then(() => one(args, options));
  last = mine.catch(() => {});
  return mine;
}
