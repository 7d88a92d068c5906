import * as C from './chars.ts';
import { PythonSyntaxError } from './errors.ts';
import { Indentation } from './indentation.ts';
import { LiteralScanner } from './literals.ts';
import { scanNumber } from './numbers.ts';
import type { TokenStream } from './stream.ts';
import * as T from './tokens.ts';

const TAB = 9;
const LF = 10;
const FF = 12;
const CR = 13;
const SPACE = 32;
const EQUALS = 61;
const BACKSLASH = 92;
const CLOSE_BRACE = 125;

/**
 * Splits a whole file into tokens.
 *
 * Never throws: an error becomes the final `ERROR` token, so that a parser error before it is reported first.
 */
export function tokenize(text: string): TokenStream {
  const last = text.charCodeAt(text.length - 1);
  const terminated = text.length === 0 || last === LF || last === CR ? text : `${text}\n`;
  return new Tokenizer(terminated).run();
}

class Tokenizer extends LiteralScanner {
  private readonly indentation = new Indentation();

  run(): TokenStream {
    try {
      const nul = this.text.indexOf('\0');
      if (nul >= 0) throw new PythonSyntaxError('source code cannot contain null bytes', nul);
      while (this.pos < this.text.length) {
        this.lineStart();
        this.line();
      }
      const unclosed = this.brackets.neverClosed();
      if (unclosed) throw unclosed;
      this.dedentTo(this.indentation.moveTo(0, 0, this.pos), this.pos);
      this.out.push(T.ENDMARKER, this.pos, this.pos);
    } catch (error) {
      if (!(error instanceof PythonSyntaxError)) throw error;
      this.out.error = error;
      this.out.push(T.ERROR, error.offset, error.offset);
    }
    return this.out;
  }

  /** Skips blank lines and handles the indentation of the first other line. */
  private lineStart(): void {
    const text = this.text;
    while (this.pos < text.length) {
      let column = 0;
      let altColumn = 0;
      // A backslash in the indentation freezes the column: it cannot be split over physical lines.
      let frozen = 0;
      let c = text.charCodeAt(this.pos);
      for (; ; c = text.charCodeAt(this.pos)) {
        if (c === SPACE) {
          column++;
          altColumn++;
          this.pos++;
        } else if (c === TAB) {
          column = (column >> 3) * 8 + 8;
          altColumn++;
          this.pos++;
        } else if (c === FF) {
          column = 0;
          altColumn = 0;
          this.pos++;
        } else if (c === BACKSLASH) {
          frozen = frozen || column;
          this.continuation();
        } else break;
      }
      if (c === 35) this.comment();
      else if (c !== LF && c !== CR) {
        if (this.brackets.level === 0) this.indent(frozen || column, frozen || altColumn);
        return;
      }
      this.pos = this.afterLineEnd(this.pos);
    }
  }

  private indent(column: number, altColumn: number): void {
    const change = this.indentation.moveTo(column, altColumn, this.pos);
    if (change > 0) this.out.push(T.INDENT, this.pos, this.pos);
    else if (change < 0) this.dedentTo(change, this.pos);
  }

  private dedentTo(change: number, at: number): void {
    for (let i = change; i < 0; i++) this.out.push(T.DEDENT, at, at);
  }

  private comment(): void {
    const text = this.text;
    const start = this.pos;
    let p = start + 1;
    for (let c = text.charCodeAt(p); c !== LF && c !== CR; c = text.charCodeAt(p)) p++;
    this.out.comments.push({ start, end: p });
    this.pos = p;
  }

  /** Steps over a backslash and the line end after it. */
  private continuation(): void {
    const next = this.text.charCodeAt(this.pos + 1);
    if (next !== LF && next !== CR) {
      throw new PythonSyntaxError('unexpected character after line continuation character', this.pos + 1);
    }
    const after = this.afterLineEnd(this.pos + 1);
    if (after >= this.text.length) {
      throw this.brackets.neverClosed() ?? new PythonSyntaxError('unexpected EOF while parsing', this.pos);
    }
    this.pos = after;
  }

  /** Scans tokens up to and including the end of the physical line. */
  private line(): void {
    const text = this.text;
    const length = text.length;
    while (this.pos < length) {
      const c = text.charCodeAt(this.pos);
      const cls = c < 128 ? C.CHAR_CLASS[c]! : C.IDENTIFIER;
      if (cls === C.IDENTIFIER) this.word(c);
      else if (cls === C.SPACE) this.pos++;
      else if (cls === C.OPERATOR) this.operator(c);
      else if (cls === C.OPEN) this.open(c);
      else if (cls === C.CLOSE) this.close(c);
      else if (cls === C.LINE_END) {
        if (this.brackets.level === 0) this.out.push(T.NEWLINE, this.pos, this.pos);
        this.pos = this.afterLineEnd(this.pos);
        return;
      } else if (cls === C.PERIOD) this.period();
      else if (cls === C.QUOTE) this.string(this.pos, c);
      else if (cls === C.DIGIT) this.number();
      else if (cls === C.HASH) this.comment();
      else if (cls === C.BACKSLASH) this.continuation();
      else this.otherCharacter(c);
    }
  }

  private otherCharacter(c: number): void {
    if (c < SPACE || c === 127) throw new PythonSyntaxError(C.invalidCharacterMessage(c), this.pos);
    this.out.push(T.UNKNOWN, this.pos, this.pos + 1);
    this.pos++;
  }

  private number(): void {
    const start = this.pos;
    this.pos = scanNumber(this.text, start);
    this.out.push(T.NUMBER, start, this.pos);
  }

  private period(): void {
    const start = this.pos;
    const next = this.text.charCodeAt(start + 1);
    if (C.isDigit(next)) {
      this.number();
      return;
    }
    const ellipsis = next === 46 && this.text.charCodeAt(start + 2) === 46;
    this.pos = start + (ellipsis ? 3 : 1);
    this.out.push(ellipsis ? T.ELLIPSIS : T.DOT, start, this.pos);
  }

  private word(first: number): void {
    const text = this.text;
    const start = this.pos;
    let p = start;
    let c = first;
    while (c < 128 && (C.CHAR_CLASS[c] === C.IDENTIFIER || C.CHAR_CLASS[c] === C.DIGIT)) c = text.charCodeAt(++p);
    if (c >= 128) {
      this.unicodeWord(p);
      return;
    }
    if ((c === 34 || c === 39) && p - start <= 2 && this.prefixedString(start, p, c)) return;
    this.pos = p;
    this.out.push(T.keywordKind(text, start, p), start, p);
  }

  private unicodeWord(from: number): void {
    const start = this.pos;
    let p = from;
    for (let c = this.text.charCodeAt(p); c >= 128 || C.isAsciiWord(c); c = this.text.charCodeAt(p)) p++;
    const invalid = C.invalidIdentifierIndex(this.text.slice(start, p));
    if (invalid >= 0) {
      const at = start + invalid;
      throw new PythonSyntaxError(C.invalidCharacterMessage(this.text.codePointAt(at)!), at);
    }
    this.out.hasUnicodeNames = true;
    this.out.push(T.NAME, start, p);
    this.pos = p;
  }

  /** Tries the letters from `start` to the quote at `quoteAt` as a string prefix. */
  private prefixedString(start: number, quoteAt: number, quote: number): boolean {
    const prefix = this.text.slice(start, quoteAt).toLowerCase();
    switch (prefix) {
      case 'f':
      case 't':
      case 'fr':
      case 'rf':
      case 'tr':
      case 'rt':
        this.fstringStart(start, quoteAt, quote, prefix);
        return true;
      case 'r':
      case 'b':
      case 'u':
      case 'br':
      case 'rb':
        this.pos = quoteAt;
        this.string(start, quote);
        return true;
      default:
        return false;
    }
  }

  private operator(c: number): void {
    const text = this.text;
    const start = this.pos;
    if (c === 58 && this.mode && this.mode.depth - 1 === this.mode.fieldDepth) {
      this.out.push(T.COLON, start, ++this.pos);
      this.mode.inFormatSpec = true;
      this.fstringLiteral(this.mode);
      return;
    }
    const next = text.charCodeAt(start + 1);
    let kind = 0;
    let end = start + 1;
    if (next === EQUALS) {
      kind = T.WITH_EQUAL[c]!;
      if (kind) end = start + 2;
    } else if (next === c && T.DOUBLED[c]) {
      end = start + 2;
      kind = T.DOUBLED[c]!;
      if (text.charCodeAt(end) === EQUALS && T.DOUBLED_EQUAL[c]) {
        kind = T.DOUBLED_EQUAL[c]!;
        end++;
      }
    } else if (next === 62 && (c === 45 || c === 60)) {
      kind = c === 45 ? T.ARROW : T.UNKNOWN;
      end = start + 2;
    }
    this.pos = end;
    this.out.push(kind || T.ONE_CHAR[c]!, start, end);
  }

  private open(c: number): void {
    this.brackets.open(this.pos);
    if (this.mode) this.mode.depth++;
    this.out.push(T.ONE_CHAR[c]!, this.pos, ++this.pos);
  }

  private close(c: number): void {
    const mode = this.mode;
    this.brackets.close(this.pos, mode);
    this.out.push(T.ONE_CHAR[c]!, this.pos, ++this.pos);
    if (!mode) return;
    mode.depth--;
    if (c === CLOSE_BRACE && mode.depth === mode.fieldDepth) {
      mode.fieldDepth--;
      mode.inFormatSpec = false;
      this.fstringLiteral(mode);
    }
  }
}
