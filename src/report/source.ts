/** Lines of source text. Line breaks are Python's: LF, CR LF and a lone CR. */
const BREAK = /\r\n|\r|\n/;

export function sourceLines(text: string): string[] {
  return text.split(BREAK);
}

/** 1-based line, and column in code points, of a UTF-16 offset. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = sourceLines(text.slice(0, offset));
  return { line: before.length, column: [...before.at(-1)!].length + 1 };
}
