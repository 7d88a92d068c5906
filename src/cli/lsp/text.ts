/** Between looptag's places (1-based, code points) and the protocol's (0-based, UTF-16 units), paths and URIs. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Position, Range } from 'vscode-languageserver/node';
import { below } from '../../io/watch.ts';

/** Lines of one text, split once. The protocol and Python agree on what ends a line. */
export class Lines {
  readonly lines: string[];

  constructor(text: string) {
    this.lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  }

  /** A 1-based line and code-point column. */
  position(line: number, column: number): Position {
    const text = this.lines[line - 1] ?? '';
    let character = 0;
    for (let n = 1; n < column && character < text.length; n++)
      character += text.codePointAt(character)! > 0xffff ? 2 : 1;
    return { line: line - 1, character };
  }

  range(r: { line: number; column: number; endLine: number; endColumn: number }): Range {
    return { start: this.position(r.line, r.column), end: this.position(r.endLine, r.endColumn) };
  }

  /** The whole of a 1-based line, without its indentation. */
  line(line: number): Range {
    const text = this.lines[line - 1] ?? '';
    const first = text.length - text.trimStart().length;
    return { start: { line: line - 1, character: first }, end: { line: line - 1, character: text.length } };
  }

  /** 1-based line and column of a protocol position. */
  place({ line, character }: Position): { line: number; column: number } {
    return { line: line + 1, column: [...(this.lines[line] ?? '').slice(0, character)].length + 1 };
  }
}

/** Path of a `file:` URI; null for anything else (untitled documents, remote schemes). */
export function pathOf(uri: string): string | null {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : null;
  } catch {
    return null;
  }
}

export function uriOf(root: string, file: string): string {
  return pathToFileURL(resolve(root, file)).href;
}

/** Relative to the root; null outside of it. Links are followed where the path as given leads out. */
export function insideOf(root: string, path: string): string | null {
  const inside = below(root, path);
  if (inside !== null) return inside;
  try {
    return below(realpathSync(root), realpathSync(path));
  } catch {
    return null;
  }
}
