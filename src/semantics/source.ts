/** One Python file: bytes, text, tree, or why not. */
import { FileAccessError, type FileSystem } from '../io/files.ts';
import type { FileError } from '../model/index.ts';
import {
  decodePython,
  LineIndex,
  type Module,
  PythonSyntaxError,
  parseModule,
  SourceEncodingError,
  surelyParses,
} from '../syntax/index.ts';

export interface Source {
  file: string;
  bytes: Uint8Array;
  text: string;
  encoding: string;
  bom: boolean;
  lines: LineIndex;
  tree: Module | null;
  error: FileError | null;
}

/** Larger files are data, not code. */
const MAX_BYTES = 20 * 1024 * 1024;

/** null when the file is not there. */
export function readSource(fs: FileSystem, file: string): Source | null {
  let bytes: Uint8Array | null;
  try {
    bytes = fs.read(file);
  } catch (e) {
    if (!(e instanceof FileAccessError)) throw e;
    return failed(file, new Uint8Array(), '', { file, line: 1, column: 1, message: e.reason, kind: 'unreadable' });
  }
  return bytes ? parseOnce(file, bytes) : null;
}

const parsed = new WeakMap<Uint8Array, Source>();

/** The very same bytes again (history, watching, an editor, the proof of a rewrite) get the tree they had. */
export function parseOnce(file: string, bytes: Uint8Array): Source {
  const known = parsed.get(bytes);
  if (known?.file === file) return known;
  const source = parseSource(file, bytes);
  parsed.set(bytes, source);
  return source;
}

const faults = new WeakMap<Uint8Array, FileError | 'none'>();

/** Why bytes are no Python; the tree is not kept. */
export function syntaxFault(file: string, bytes: Uint8Array): FileError | null {
  const known = parsed.get(bytes)?.error ?? faults.get(bytes);
  if (known) return known === 'none' ? null : { ...known, file };
  const { error } = surelyParses(bytes) ? { error: null } : parseSource(file, bytes);
  faults.set(bytes, error ?? 'none');
  return error;
}

/** Decodes and parses; a fault ends up in `error`. */
function parseSource(file: string, bytes: Uint8Array): Source {
  if (bytes.length > MAX_BYTES) {
    const message = `file is larger than ${MAX_BYTES / 1024 / 1024} MiB`;
    return failed(file, bytes, '', { file, line: 1, column: 1, message, kind: 'unreadable' });
  }
  let decoded: ReturnType<typeof decodePython>;
  try {
    decoded = decodePython(bytes);
  } catch (e) {
    if (!(e instanceof SourceEncodingError)) throw e;
    return failed(file, bytes, '', { file, ...bytePosition(bytes, e.offset), message: e.message, kind: 'encoding' });
  }
  const { text } = decoded;
  const lines = new LineIndex(text);
  try {
    return { file, bytes, ...decoded, lines, tree: parseModule(text), error: null };
  } catch (e) {
    if (!(e instanceof PythonSyntaxError)) throw e;
    const { line, column } = lines.position(e.offset);
    return {
      ...failed(file, bytes, text, { file, line, column, message: `syntax error: ${e.message}`, kind: 'syntax' }),
      ...decoded,
      lines,
    };
  }
}

function failed(file: string, bytes: Uint8Array, text: string, error: FileError): Source {
  return { file, bytes, text, encoding: 'utf-8', bom: false, lines: new LineIndex(text), tree: null, error };
}

/** Line and column of a byte that cannot be decoded: what stands before it is taken for one byte a character. */
function bytePosition(bytes: Uint8Array, offset: number): { line: number; column: number } {
  const before = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(offset, bytes.length)).toString('latin1');
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: lines[lines.length - 1]!.length + 1 };
}
