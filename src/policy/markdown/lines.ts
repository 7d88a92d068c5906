/** One line of a document. Offsets are UTF-16 into the whole text. */
export interface Line {
  /** 1-based. */
  number: number;
  start: number;
  /** Before the line ending. */
  end: number;
  /** `\n`, `\r\n`, `\r` or '' at the end of the document. */
  eol: string;
}

/** Splits at every line ending CommonMark knows. A BOM belongs to no line. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== 10 && code !== 13) continue;
    const eol = code === 13 ? (text.charCodeAt(i + 1) === 10 ? '\r\n' : '\r') : '\n';
    lines.push({ number: lines.length + 1, start, end: i, eol });
    i += eol.length - 1;
    start = i + 1;
  }
  if (start < text.length || lines.length === 0) {
    lines.push({ number: lines.length + 1, start, end: text.length, eol: '' });
  }
  return lines;
}

/** 1-based column in code points of an offset on a line. */
export function columnAt(text: string, line: Line, offset: number): number {
  return [...text.slice(line.start, offset)].length + 1;
}
