/** The machine's python3, for one thing only: to compile. It never imports, and never runs what it compiles. */
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';

import type { Answered } from './python-witness.ts';

const SCRIPT = `import sys, os, json, base64, warnings
warnings.simplefilter("ignore")
out = []
for line in sys.stdin:
    item = json.loads(line)
    try:
        compile(base64.b64decode(item["bytes"]), item["file"], "exec", dont_inherit=True)
    except SyntaxError as e:
        out.append({"file": item["file"], "line": e.lineno, "message": str(e.msg)})
    except (ValueError, RecursionError, MemoryError, OverflowError) as e:
        out.append({"file": item["file"], "line": None, "message": str(e)})
files = set(sys.path) | set(getattr(m, "__file__", None) or "/" for m in list(sys.modules.values()))
try:
    program = os.readlink("/proc/self/exe")
    with open("/proc/self/maps") as maps:
        files.update(line.rstrip("\\n").split(None, 5)[5] for line in maps if "/" in line)
except (OSError, ValueError):
    program = None
made_of = {"program": program, "files": sorted(files)}
json.dump({"version": sys.version_info[:2], "problems": out, "madeOf": made_of}, sys.stdout)
`;

export interface CompileReport {
  /** null: there is no python3 that can be used. */
  version: readonly [number, number] | null;
  problems: { file: string; line: number | null; message: string }[];
  /** How a python3 that is there failed to answer. */
  failed?: string;
  /** What answered; absent where nothing tells, null where there is no python3 at all. */
  madeOf?: Answered | null;
}

/** What a shim says of a Python that it does not have: pyenv's, and the one that Windows comes with. */
const NOT_THERE = new Set([127, 9009]);

type End = Pick<SpawnSyncReturns<Buffer>, 'error' | 'signal' | 'status' | 'stdout'>;

function endOf({ error, signal, status }: End): string {
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return 'no answer in two minutes';
  if (signal) return `killed by ${signal}`;
  return status === null ? String(error?.message) : `exit code ${status}`;
}

/** `-I`: no environment, no site of the user, no current folder. */
const ARGUMENTS = ['-I', '-c', SCRIPT];
const TIME = 120_000;

type Files = readonly { file: string; bytes: Uint8Array }[];

const inputOf = (files: Files): string =>
  files.map((f) => `${JSON.stringify({ file: f.file, bytes: Buffer.from(f.bytes).toString('base64') })}\n`).join('');

/** Compiles files in one isolated process. */
export function compileWithPython(files: Files, python = 'python3'): CompileReport {
  return reportOf(spawnSync(python, ARGUMENTS, { input: inputOf(files), maxBuffer: 1 << 28, timeout: TIME, cwd: '/' }));
}

function reportOf(got: End): CompileReport {
  if ((got.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    return { version: null, problems: [], madeOf: null };
  if (NOT_THERE.has(got.status ?? 0)) return { version: null, problems: [] };
  const unanswered = (failed: string): CompileReport => ({ version: null, problems: [], failed });
  if (got.status !== 0) return unanswered(endOf(got));
  try {
    return JSON.parse(got.stdout.toString('utf8')) as CompileReport;
  } catch {
    return unanswered('its answer makes no sense');
  }
}

interface Started {
  child: ChildProcess;
  ended: Promise<End>;
}

/** The same beside other work: one process is started before it is known what it is to compile. */
export class PythonBeside {
  private waiting: Started | null;

  constructor(private readonly python = 'python3') {
    this.waiting = this.start();
  }

  /** Hands the files over; the answer is waited for when it is asked for. */
  compile(files: Files): () => Promise<CompileReport> {
    const { child, ended } = this.waiting ?? this.start();
    this.waiting = null;
    child.stdin?.end(inputOf(files));
    return async () => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill();
      }, TIME);
      const end = await ended;
      clearTimeout(timer);
      const error = late ? Object.assign(new Error(), { code: 'ETIMEDOUT' }) : end.error;
      return reportOf(late ? { ...end, status: null, error } : end);
    };
  }

  /** Ends the process that was given nothing. */
  close(): void {
    this.waiting?.child.kill();
    this.waiting = null;
  }

  private start(): Started {
    const child = spawn(this.python, ARGUMENTS, { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
    const pieces: Buffer[] = [];
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
    const ended = new Promise<End>((resolve) => {
      const end = (status: number | null, signal: NodeJS.Signals | null, error?: Error) =>
        resolve({ status, signal, error, stdout: Buffer.concat(pieces) });
      child.on('error', (error) => end(null, null, error));
      child.on('close', (status, signal) => end(status, signal));
    });
    return { child, ended };
  }
}
