import type { Extent } from '../model/index.ts';
import type { Span } from '../syntax/index.ts';

const EOL = /\r\n|\n|\r/g;

/** Physical lines as Python counts them (LF, CRLF and lone CR end a line), and where logical ones end. */
export class TextLines {
  readonly #comments: Map<number, number>;

  constructor(
    readonly text: string,
    comments: readonly Span[],
  ) {
    this.#comments = new Map(comments.map((comment) => [comment.start, comment.end]));
  }

  /** The line end that most lines have; LF when there is none. */
  eol(): string {
    const counts = new Map<string, number>();
    for (const [end] of this.text.matchAll(EOL)) counts.set(end, (counts.get(end) ?? 0) + 1);
    const sorted = [...counts].sort((a, b) => b[1] - a[1]);
    return sorted[0]?.[0] ?? '\n';
  }

  isEol(offset: number): boolean {
    return this.text[offset] === '\n' || this.text[offset] === '\r';
  }

  /** Offset after the line end that starts at `offset`. */
  afterEol(offset: number): number {
    return this.text[offset] === '\r' && this.text[offset + 1] === '\n' ? offset + 2 : offset + 1;
  }

  lineStart(offset: number): number {
    let at = offset;
    while (at > 0 && !this.isEol(at - 1)) at--;
    return at;
  }

  /** Offset of the line end of the physical line, or the text's end. */
  lineEnd(offset: number): number {
    let at = offset;
    while (at < this.text.length && !this.isEol(at)) at++;
    return at;
  }

  nextLine(offset: number): number {
    const end = this.lineEnd(offset);
    return end < this.text.length ? this.afterEol(end) : end;
  }

  /** Blanks, tabs and form feeds in front of the text at `offset`; null when something else stands before it on the line. */
  indentOf(offset: number): string | null {
    const start = this.lineStart(offset);
    const indent = this.text.slice(start, offset);
    if (!/^[ \t\f]*$/.test(indent) || this.#isContinued(start)) return null;
    return indent.slice(indent.lastIndexOf('\f') + 1);
  }

  /** Does a backslash join the line to the one above? */
  #isContinued(lineStart: number): boolean {
    const end = lineStart - (this.text.startsWith('\r\n', lineStart - 2) ? 2 : 1);
    if (this.text[end - 1] !== '\\') return false;
    for (let at = end - 1; at >= 0 && !this.isEol(at); at--) if (this.#comments.has(at)) return false;
    return true;
  }

  /** From the end of a statement to after the end of its logical line, or to where the next statement on it begins. */
  logicalEnd(offset: number): number {
    let at = offset;
    while (at < this.text.length) {
      const character = this.text[at]!;
      if (character === '#') at = this.#comments.get(at) ?? this.lineEnd(at);
      else if (this.isEol(at)) return this.afterEol(at);
      else if (character === '\\' && at + 1 < this.text.length && this.isEol(at + 1)) at = this.afterEol(at + 1);
      else if (/[ \t\f;]/.test(character)) at++;
      else return this.text.length === at ? at : at + 1;
    }
    return at;
  }

  /** Start of the comment lines that stand directly above a line, at the given indentation; the line's start when none. */
  commentBlockStart(lineStart: number, indent = ''): number {
    let start = lineStart;
    while (start > 0) {
      const above = this.lineStart(start - (this.text[start - 1] === '\n' && this.text[start - 2] === '\r' ? 2 : 1));
      if (!this.text.startsWith(indent, above) || !this.#comments.has(above + indent.length)) return start;
      start = above;
    }
    return start;
  }

  /** After the comment lines that follow a line at a deeper indentation than `indent`. */
  afterDeeperComments(offset: number, indent: string): number {
    let at = offset;
    while (at < this.text.length) {
      const blanks = /^[ \t\f]*/.exec(this.text.slice(at, this.lineEnd(at)))![0];
      if (blanks.length <= indent.length || !this.#comments.has(at + blanks.length)) return at;
      at = this.nextLine(at);
    }
    return at;
  }

  blankLinesAfter(offset: number): { count: number; atEnd: boolean } {
    let [count, at] = [0, offset];
    while (at < this.text.length) {
      const end = this.lineEnd(at);
      if (!/^[ \t\f]*$/.test(this.text.slice(at, end))) return { count, atEnd: false };
      if (end === this.text.length) break;
      count++;
      at = this.afterEol(end);
    }
    return { count, atEnd: true };
  }

  /** After the shebang and the coding cookie. */
  cookieEnd(limit: number): number {
    let end = 0;
    for (let line = 0, at = 0; line < 2 && at < limit; line++) {
      const next = this.nextLine(at);
      const content = this.text.slice(at, next);
      if (/^#!/.test(content) && line === 0) end = next;
      else if (/^[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+/.test(content)) end = next;
      else if (!/^[ \t\f]*(#|\r?\n?$)/.test(content)) break;
      at = next;
    }
    return end;
  }

  hasComment(start: number, end: number): boolean {
    for (const comment of this.#comments.keys()) if (comment >= start && comment < end) return true;
    return false;
  }

  /** After the last line with a comment in [start, end). */
  lastBlockEnd(start: number, end: number): number {
    let last = start;
    for (const [from, to] of this.#comments) if (from >= start && from < end) last = Math.max(last, this.nextLine(to));
    return last;
  }

  /** Nothing on the physical line but this, a comma and a comment. */
  standsAlone(extent: Extent): boolean {
    if (this.indentOf(extent.start) === null) return false;
    const rest = this.text.slice(extent.end, this.lineEnd(extent.end));
    return /^[ \t]*,?[ \t]*(#.*)?$/.test(rest);
  }

  /** Does a line end (or the start of the text) stand directly before the offset? */
  endsLine(offset: number): boolean {
    return offset === 0 || this.isEol(offset - 1);
  }

  /** The lines from that of `start` to `end`; at the end of a text without line end, the one before them goes along. */
  wholeLines(start: number, end: number): Extent {
    let from = this.lineStart(start);
    if (this.endsLine(end) || from === 0) return { start: from, end };
    from -= this.text.startsWith('\r\n', from - 2) ? 2 : 1;
    return { start: from, end };
  }

  /** Nothing but a comment follows on the line. */
  onlyComment(offset: number): boolean {
    return /^[ \t\f]*(#|$)/.test(this.text.slice(offset, this.lineEnd(offset)));
  }

  /** First offset of a 1-based line, and the first of the next. */
  lineRange(line: number): [number, number] {
    let start = 0;
    for (let n = 1; n < line && start < this.text.length; n++) start = this.nextLine(start);
    return [start, Math.max(start + 1, this.nextLine(start))];
  }
}
