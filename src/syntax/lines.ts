import { firstWhere } from '../model/order.ts';

/** A 1-based line and a 1-based column in Unicode code points. */
interface Position {
  line: number;
  column: number;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  if (!text.includes('\r')) return starts;
  const all = [0];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) all.push(i + 1);
  }
  return all;
}

/** Maps UTF-16 offsets to lines and back; lines end by `\n`, `\r\n` or `\r`, as in Python. */
export class LineIndex {
  private readonly text: string;
  private cachedStarts: number[] | null = null;
  private surrogates: boolean | null = null;
  private last = { start: -1, end: 0, column: 1 };

  constructor(text: string) {
    this.text = text;
  }

  private get starts(): number[] {
    this.cachedStarts ??= lineStarts(this.text);
    return this.cachedStarts;
  }

  /** Number of lines; a final line end opens no further line. */
  get lineCount(): number {
    const { starts } = this;
    return starts.length - (starts.at(-1) === this.text.length ? 1 : 0);
  }

  /** Where `offset` is; the end of a text that ends in a line end is column 1 of the line after it. */
  position(offset: number): Position {
    const { starts, text } = this;
    const line = Math.max(
      1,
      firstWhere(starts, (start) => start > offset),
    );
    return { line, column: this.columnAt(starts[line - 1]!, Math.min(offset, text.length)) };
  }

  private columnAt(start: number, end: number): number {
    this.surrogates ??= /[\ud800-\udfff]/.test(this.text);
    if (!this.surrogates) return end - start + 1;
    // on from the place that was asked for last: all of a file may stand on one line
    const { last, text } = this;
    const on = last.start === start && last.end <= end;
    let column = on ? last.column : 1;
    for (let i = on ? last.end : start; i < end; i++) {
      const c = text.charCodeAt(i);
      const low10 = c >= 0xdc00 && c <= 0xdfff;
      if (!low10 || !isHighSurrogate(text.charCodeAt(i - 1))) column++;
    }
    this.last = { start, end, column };
    return column;
  }

  /**
   * The offset of a 1-based line and code-point column; a column past the end of the line is its end.
   *
   * @throws RangeError for a line that does not exist.
   */
  offsetOf(line: number, column: number): number {
    const start = this.startOf(line);
    const end = start + this.lineText(line).length;
    let offset = start;
    for (let left = column - 1; left > 0 && offset < end; left--) {
      offset += this.text.codePointAt(offset)! > 0xffff ? 2 : 1;
    }
    return offset;
  }

  /**
   * The text of a 1-based line without its line end.
   *
   * @throws RangeError for a line that does not exist.
   */
  lineText(line: number): string {
    const { text } = this;
    let end = this.starts[line] ?? text.length;
    const start = this.startOf(line);
    if (end > start && text.charCodeAt(end - 1) === 10) end--;
    if (end > start && text.charCodeAt(end - 1) === 13) end--;
    return text.slice(start, end);
  }

  private startOf(line: number): number {
    const start = this.starts[line - 1];
    if (start === undefined) throw new RangeError(`no line ${line}`);
    return start;
  }
}

function isHighSurrogate(c: number): boolean {
  return c >= 0xd800 && c <= 0xdbff;
}
