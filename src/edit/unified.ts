import { structuredPatch } from 'diff';

/** One file of a patch. `null` bytes: the file is not there on that side. */
export interface FileChange {
  /** Relative to the root, forward slashes. */
  file: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/**
 * A unified diff that `git apply` takes, as bytes.
 *
 * Files are compared line by line on a one-byte-a-character view, so that bytes of any encoding survive and a CR stays
 * part of its line.
 * @param header Lines of explanation before the first file; empty for none.
 */
export function unifiedDiff(changes: readonly FileChange[], header: readonly string[] = []): Uint8Array {
  const parts = changes.map(fileDiff).filter((part) => part !== '');
  if (parts.length === 0) return new Uint8Array();
  return Buffer.concat([headerBytes(header), Buffer.from(parts.join(''), 'latin1')]);
}

/** The comment in front of a patch; git ignores what stands before the first `diff --git`. */
export function headerBytes(lines: readonly string[]): Buffer {
  if (lines.length === 0) return Buffer.alloc(0);
  return Buffer.from(`${lines.map((line) => `# ${line}`.trimEnd()).join('\n')}\n\n`, 'utf8');
}

function fileDiff(change: FileChange): string {
  const before = change.before ? latin1(change.before) : '';
  const after = change.after ? latin1(change.after) : '';
  if (before === after && (change.before === null) === (change.after === null)) return '';
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  return fileHeader(change) + hunks.map(formatHunk).join('');
}

/** The lines in front of a file's hunks; file names are quoted as git quotes them. */
export function fileHeader(change: FileChange): string {
  const [a, b] = [gitPath(`a/${change.file}`), gitPath(`b/${change.file}`)];
  const lines = [`diff --git ${a} ${b}`];
  if (change.before === null) lines.push('new file mode 100644');
  if (change.after === null) lines.push('deleted file mode 100644');
  // git ends a name that holds a blank with a tab, for tools that look for a time stamp after it.
  const tab = (name: string) => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name);
  lines.push(`--- ${change.before === null ? '/dev/null' : tab(a)}`);
  lines.push(`+++ ${change.after === null ? '/dev/null' : tab(b)}`);
  return `${lines.join('\n')}\n`;
}

/** A file name as git prints it: in C style with octal bytes when it holds anything odd. */
export function gitPath(path: string): string {
  const escapes: Record<number, string> = {
    7: '\\a',
    8: '\\b',
    9: '\\t',
    10: '\\n',
    11: '\\v',
    12: '\\f',
    13: '\\r',
    34: '\\"',
    92: '\\\\',
  };
  const bytes = [...Buffer.from(path, 'utf8')];
  const quoted = bytes.map((byte) => {
    if (escapes[byte] !== undefined) return escapes[byte];
    return byte < 0x20 || byte >= 0x7f ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte);
  });
  const text = quoted.join('');
  return text === path ? path : `"${text}"`;
}

export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

/** One hunk as text. The start of an empty side is the line before it. */
export function formatHunk(hunk: Hunk): string {
  const oldStart = hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart;
  const newStart = hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart;
  return `@@ -${oldStart},${hunk.oldLines} +${newStart},${hunk.newLines} @@\n${hunk.lines.join('\n')}\n`;
}
