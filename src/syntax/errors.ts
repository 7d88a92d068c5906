/** A syntax error as CPython's tokenizer or parser would raise it. */
export class PythonSyntaxError extends Error {
  /** UTF-16 offset into the parsed text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'PythonSyntaxError';
    this.offset = offset;
  }
}

/** 1-based number of the line that holds `offset`; lines end by `\n`, `\r\n` or `\r`. */
export function lineNumberAt(text: string, offset: number): number {
  let line = 1;
  for (let i = 0; i < offset; i++) {
    const c = text.charCodeAt(i);
    if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) line++;
  }
  return line;
}
