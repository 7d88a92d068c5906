/** The machine's python3, for one thing only: to compile. It never imports, and never runs what it compiles. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

const SCRIPT = `import sys, json, base64, warnings
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
json.dump({"version": sys.version_info[:2], "problems": out}, sys.stdout)
`;

export interface CompileReport {
  /** null: there is no python3 that can be used. */
  version: readonly [number, number] | null;
  problems: { file: string; line: number | null; message: string }[];
  /** How a python3 that is there failed to answer. */
  failed?: string;
}

/** What a shim says of a Python that it does not have: pyenv's, and the one that Windows comes with. */
const NOT_THERE = new Set([127, 9009]);

function endOf({ error, signal, status }: SpawnSyncReturns<Buffer>): string {
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return 'no answer in two minutes';
  if (signal) return `killed by ${signal}`;
  return status === null ? String(error?.message) : `exit code ${status}`;
}

/** Compiles files in one isolated process (`-I`: no environment, no site of the user, no current folder). */
export function compileWithPython(
  files: readonly { file: string; bytes: Uint8Array }[],
  python = 'python3',
): CompileReport {
  const input = files
    .map((f) => `${JSON.stringify({ file: f.file, bytes: Buffer.from(f.bytes).toString('base64') })}\n`)
    .join('');
  const got = spawnSync(python, ['-I', '-c', SCRIPT], { input, maxBuffer: 1 << 28, timeout: 120_000, cwd: '/' });
  if ((got.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT' || NOT_THERE.has(got.status ?? 0))
    return { version: null, problems: [] };
  const unanswered = (failed: string): CompileReport => ({ version: null, problems: [], failed });
  if (got.status !== 0) return unanswered(endOf(got));
  try {
    return JSON.parse(got.stdout.toString('utf8')) as CompileReport;
  } catch {
    return unanswered('its answer makes no sense');
  }
}
