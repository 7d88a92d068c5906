/** Runs the built command line on copies of the bundled service in temporary folders. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BIN, ROOT, ran } from '../../support/looptag.ts';
import { temporary } from '../../support/temporary.ts';

export { BIN, ROOT } from '../../support/looptag.ts';
export { temporary } from '../../support/temporary.ts';

export const SERVICE = join(ROOT, 'fixtures/services/awoooi');
export const MAIN = 'apps/api/src/main.py';
export const CATALOGUE = 'docs/INV-8.md';

/** Nothing of the machine's own settings may show in a test. */
export const ENV: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: tmpdir(),
  TZ: 'UTC',
  SOURCE_DATE_EPOCH: '1780000000',
};

/** A copy of the bundled service that can be changed. */
export class Project {
  readonly root = temporary();

  constructor(source: string | null = SERVICE) {
    if (source)
      cpSync(source, this.root, { recursive: true, filter: (path) => !/__pycache__|[/\\]golden([/\\]|$)/.test(path) });
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  write(file: string, text: string): this {
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    writeFileSync(join(this.root, file), text);
    return this;
  }

  edit(file: string, change: (text: string) => string): this {
    return this.write(file, change(this.read(file)));
  }

  /** With `[tool.looptag]`, so that commands need no options. */
  configured(): this {
    return this.write(
      'looptag.toml',
      `paths = ["${MAIN}"]\ncatalog = "${CATALOGUE}"\ndocuments = ["docs/ADR-123.md"]\n`,
    );
  }

  run(...args: string[]): Result {
    return looptag(this.root, args);
  }

  git(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('git', ['-C', this.root, ...args], { encoding: 'utf8', env: GIT });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  /** Commits everything, at noon UTC of the given day. */
  commit(message: string, day: string): string {
    const date = `${day}T12:00:00Z`;
    this.git('add', '-A');
    const env = { ...GIT, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const made = spawnSync('git', ['-C', this.root, 'commit', '-q', '--allow-empty', '-m', message], {
      encoding: 'utf8',
      env,
    });
    if (made.status !== 0) throw new Error(made.stderr);
    return this.git('rev-parse', 'HEAD');
  }
}

const GIT = {
  ...ENV,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

export interface Result {
  code: number | null;
  out: string;
  err: string;
}

export function looptag(cwd: string, args: string[], input?: string, more: NodeJS.ProcessEnv = {}): Result {
  const { status, stdout, stderr } = ran(args, { cwd, input, env: { ...ENV, ...more } });
  return { code: status, out: stdout.toString('utf8'), err: stderr.toString('utf8') };
}

/** A run that goes on; what it has printed so far can be asked for. */
export function start(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: { ...ENV, ...env } });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => {
    printed.out += data.toString('utf8');
  });
  child.stderr.on('data', (data: Buffer) => {
    printed.err += data.toString('utf8');
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, printed, ended };
}

/** Waits until something holds. */
export async function until<T>(ask: () => T | Promise<T>, what: string, ms = 15_000): Promise<NonNullable<T>> {
  const end = Date.now() + ms;
  for (;;) {
    const got = await ask();
    if (got) return got;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
