/**
 * Questions to git, asked so that nothing in the repository's own configuration runs: only plumbing that knows no hook,
 * filter, pager, alias, external diff or text conversion, with the file-system monitor switched off.
 */
import { spawnSync } from 'node:child_process';

export interface GitResult {
  ok: boolean;
  stdout: Buffer;
  stderr: string;
}

const SAFE = [
  '--no-pager',
  '--no-replace-objects',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'protocol.allow=never',
  '-c',
  'core.attributesFile=/dev/null',
];

export class Git {
  constructor(private readonly root: string) {}

  run(args: readonly string[], input?: Buffer | string): GitResult {
    const got = spawnSync('git', [...SAFE, '-C', this.root, ...args], {
      input,
      maxBuffer: 1 << 30,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LC_ALL: 'C',
        GIT_TERMINAL_PROMPT: '0',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_NO_LAZY_FETCH: '1',
      },
    });
    if (got.error) return { ok: false, stdout: Buffer.alloc(0), stderr: got.error.message };
    return { ok: got.status === 0, stdout: got.stdout, stderr: got.stderr.toString('utf8').trim() };
  }

  /** Is the root inside a work tree? */
  isRepository(): boolean {
    return this.run(['rev-parse', '--is-inside-work-tree']).stdout.toString().trim() === 'true';
  }

  /** The commit that a revision names; null when it names none. */
  commit(revision: string): string | null {
    const got = this.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
    return got.ok ? got.stdout.toString().trim() : null;
  }

  /** The root's folder inside the work tree, with a trailing slash; '' at the top. */
  prefix(): string {
    return this.run(['rev-parse', '--show-prefix']).stdout.toString().trim();
  }

  /** Blobs by `<commit>:<path below the root>`; null for what is not there. */
  blobs(commit: string, files: readonly string[]): (Buffer | null)[] {
    if (!files.length) return [];
    const prefix = this.prefix();
    const input = files.map((f) => `${commit}:${prefix}${f}\n`).join('');
    return readBatch(this.run(['cat-file', '--batch'], input).stdout, files.length);
  }

  /** Objects by name (`<commit>:<path>` or an id), in the order asked for. */
  objects(names: readonly string[]): (Buffer | null)[] {
    if (!names.length) return [];
    return readBatch(this.run(['cat-file', '--batch'], `${names.join('\n')}\n`).stdout, names.length);
  }
}

function readBatch(out: Buffer, count: number): (Buffer | null)[] {
  const blobs: (Buffer | null)[] = [];
  let at = 0;
  while (blobs.length < count && at < out.length) {
    const end = out.indexOf(10, at);
    if (end < 0) break;
    const header = out.toString('utf8', at, end);
    at = end + 1;
    const size = / (?:blob|commit|tree|tag) (\d+)$/.exec(header)?.[1];
    if (size === undefined) {
      blobs.push(null);
      continue;
    }
    blobs.push(out.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  while (blobs.length < count) blobs.push(null);
  return blobs;
}
