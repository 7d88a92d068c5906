/** Lines of source text. Line breaks are Python's: LF, CR LF and a lone CR. */
const BREAK = /\r\n|\r|\n/;

let last: { text: string; lines: readonly string[] } = { text: '', lines: [''] };

/** Reports go through a file finding by finding: the file asked for last is not split again. */
export function sourceLines(text: string): readonly string[] {
  if (last.text !== text) last = { text, lines: text.split(BREAK) };
  return last.lines;
}

/** 1-based line, and column in code points, of a UTF-16 offset. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(BREAK);
  return { line: before.length, column: [...before.at(-1)!].length + 1 };
}
