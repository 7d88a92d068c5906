/**
 * Questions to git, asked so that nothing in the repository's own configuration runs: only plumbing that knows no hook,
 * filter, pager, alias, external diff or text conversion, with the file-system monitor switched off.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { Readable } from 'node:stream';

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

const HASH = /^[\da-f]{40,64}$/;

/** What git may know of the environment. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
  };
}

/** Where a folder stands. */
export interface Head {
  /** The folder inside the work tree, with a trailing slash; '' at the top. */
  prefix: string;
  /** null before the first commit. */
  commit: string | null;
}

export class Git {
  constructor(private readonly root: string) {}

  run(args: readonly string[], input?: Buffer | string): GitResult {
    const got = spawnSync('git', [...SAFE, '-C', this.root, ...args], {
      input,
      maxBuffer: 1 << 30,
      env: environment(),
    });
    if (got.error) return { ok: false, stdout: Buffer.alloc(0), stderr: got.error.message };
    return { ok: got.status === 0, stdout: got.stdout, stderr: got.stderr.toString('utf8').trim() };
  }

  /** What git prints, piece by piece, while other work goes on; nothing where it cannot be started. */
  stream(args: readonly string[], input = ''): Readable {
    const child = spawn('git', [...SAFE, '-C', this.root, ...args], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.on('error', () => child.stdout.destroy());
    // a process that ends early reads no more
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    return child.stdout;
  }

  /** All that git prints; less where it fails. */
  async output(args: readonly string[], input?: string): Promise<string> {
    return Buffer.concat(await piecesOf(this.stream(args, input))).toString('utf8');
  }

  /** Where the root stands; null outside of a work tree. */
  head(): Head | null {
    const { stdout } = this.run(['rev-parse', '--is-inside-work-tree', '--show-prefix', 'HEAD^{commit}']);
    const [inside, ...lines] = stdout.toString().trimEnd().split('\n');
    const commit = lines.pop() ?? '';
    // the name of a folder may hold a line end
    return inside === 'true' ? { prefix: lines.join('\n'), commit: HASH.test(commit) ? commit : null } : null;
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

async function piecesOf(stream: Readable): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of stream) pieces.push(piece as Buffer);
  } catch {
    // what git could not be asked is not known
  }
  return pieces;
}

/** The size in a header of `cat-file --batch`; null for what is not there. */
export function objectSize(header: string): number | null {
  const size = / (?:blob|commit|tree|tag) (\d+)$/.exec(header)?.[1];
  return size === undefined ? null : Number(size);
}

function readBatch(out: Buffer, count: number): (Buffer | null)[] {
  const blobs: (Buffer | null)[] = [];
  let at = 0;
  while (blobs.length < count && at < out.length) {
    const end = out.indexOf(10, at);
    if (end < 0) break;
    const header = out.toString('utf8', at, end);
    at = end + 1;
    const size = objectSize(header);
    blobs.push(size === null ? null : out.subarray(at, at + size));
    if (size !== null) at += size + 1;
  }
  while (blobs.length < count) blobs.push(null);
  return blobs;
}
