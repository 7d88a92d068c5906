/** Tokens straight from bytes, one at a time. */
import * as C from '../chars.ts';
import * as T from '../tokens.ts';
import { numberEnd, stringEnd } from './literals.ts';
import { unsure } from './unsure.ts';
import { keywordAt, WORD } from './words.ts';

const TAB = 9;
const LF = 10;
const FF = 12;
const CR = 13;
const SPACE = 32;
const HASH = 35;
const COLON = 58;
const EQUALS = 61;
const B = 98;
const F = 102;
const R = 114;
const TEMPLATE = 116;
const U = 117;

/** Far below what the tokenizer refuses: whatever is deeper is its to judge. */
const MAX_LEVEL = 90;
const MAX_INDENT = 90;

const CLASS = new Uint8Array(256);
CLASS.set(C.CHAR_CLASS);

export class ByteLexer {
  protected bytes = new Uint8Array(1 << 16);
  private size = 0;
  /** Offset past the current token. */
  protected pos = 0;
  protected tok = T.ENDMARKER;
  /** Offset of the current token where that is a word. */
  protected wordStart = 0;
  /** Prefixes of the current string literal. */
  protected isBytes = false;
  protected isRaw = false;
  /** Open brackets. */
  protected level = 0;
  /** `level` inside the innermost replacement field of an f-string; 0 outside of all. */
  protected fieldLevel = 0;
  private atLineStart = true;
  private dedents = 0;
  private depth = 0;
  private readonly columns = new Int32Array(MAX_INDENT + 1);
  private readonly altColumns = new Int32Array(MAX_INDENT + 1);

  /** Begins a text; it is copied, so that it ends in a line end and a 0. */
  protected open(text: Uint8Array): void {
    if (text.length + 2 > this.bytes.length) this.bytes = new Uint8Array((text.length + 2) * 2);
    this.bytes.set(text);
    this.size = text.length;
    if (text.at(-1) !== LF) this.bytes[this.size++] = LF;
    this.bytes[this.size] = 0;
    this.pos = 0;
    this.level = 0;
    this.fieldLevel = 0;
    this.atLineStart = true;
    this.dedents = 0;
    this.depth = 0;
    this.next();
  }

  protected next(): void {
    if (this.dedents > 0) {
      this.dedents--;
      this.tok = T.DEDENT;
      return;
    }
    if (this.atLineStart && this.indentation()) return;
    const { bytes } = this;
    let p = this.pos;
    for (;;) {
      const c = bytes[p]!;
      switch (CLASS[c]) {
        case C.SPACE:
          p++;
          break;
        case C.IDENTIFIER:
          this.word(p);
          return;
        case C.OPERATOR:
          this.operator(p, c);
          return;
        case C.OPEN:
          if (++this.level > MAX_LEVEL) unsure();
          this.tok = T.ONE_CHAR[c]!;
          this.pos = p + 1;
          return;
        case C.CLOSE:
          if (--this.level < 0) unsure();
          this.tok = T.ONE_CHAR[c]!;
          this.pos = p + 1;
          return;
        case C.LINE_END:
          if (c === CR && bytes[++p] !== LF) unsure();
          p++;
          if (this.level > 0) {
            if (this.fieldLevel > 0) unsure();
            break;
          }
          this.atLineStart = true;
          this.tok = T.NEWLINE;
          this.pos = p;
          return;
        case C.PERIOD:
          this.period(p);
          return;
        case C.QUOTE:
          this.string(p, false, false);
          return;
        case C.DIGIT:
          this.tok = T.NUMBER;
          this.pos = numberEnd(bytes, p);
          return;
        case C.HASH:
          if (this.fieldLevel > 0) unsure();
          p = this.commentEnd(p);
          break;
        case C.BACKSLASH:
          p = this.continuation(p);
          break;
        default:
          // the end, where a bracket is open; a character that is none of the grammar's, or no ASCII
          unsure();
      }
    }
  }

  /** @returns false when the line's first token is still to be read. */
  private indentation(): boolean {
    const { bytes } = this;
    let p = this.pos;
    for (;;) {
      let column = 0;
      let altColumn = 0;
      for (; ; p++) {
        const c = bytes[p];
        if (c === SPACE) {
          column++;
          altColumn++;
        } else if (c === TAB) {
          column = (column >> 3) * 8 + 8;
          altColumn++;
        } else if (c === FF) {
          column = 0;
          altColumn = 0;
        } else break;
      }
      if (bytes[p] === HASH) p = this.commentEnd(p);
      if (bytes[p] === CR) p++;
      if (bytes[p] === LF) p++;
      else if (bytes[p] === 92 || bytes[p - 1] === CR) unsure();
      else {
        const ended = p >= this.size;
        this.pos = p;
        this.atLineStart = ended;
        if (ended && this.depth === 0) {
          this.tok = T.ENDMARKER;
          return true;
        }
        return this.moveTo(ended ? 0 : column, ended ? 0 : altColumn);
      }
    }
  }

  private moveTo(column: number, altColumn: number): boolean {
    const top = this.columns[this.depth]!;
    if (column === top) {
      if (altColumn !== this.altColumns[this.depth]) unsure();
      return false;
    }
    if (column > top) {
      if (this.depth >= MAX_INDENT || altColumn <= this.altColumns[this.depth]!) unsure();
      this.depth++;
      this.columns[this.depth] = column;
      this.altColumns[this.depth] = altColumn;
      this.tok = T.INDENT;
      return true;
    }
    while (this.depth > 0 && column < this.columns[this.depth]!) {
      this.depth--;
      this.dedents++;
    }
    if (column !== this.columns[this.depth] || altColumn !== this.altColumns[this.depth]) unsure();
    this.dedents--;
    this.tok = T.DEDENT;
    return true;
  }

  /** The offset of the line end after a comment. */
  private commentEnd(at: number): number {
    const { bytes } = this;
    let p = at + 1;
    while (bytes[p] !== LF && bytes[p] !== CR) p++;
    if (bytes[p] === CR && bytes[p + 1] !== LF) unsure();
    return p;
  }

  private continuation(at: number): number {
    const { bytes } = this;
    let p = at + 1;
    if (bytes[p] === CR) p++;
    if (bytes[p] !== LF || p + 1 >= this.size || this.fieldLevel > 0) unsure();
    return p + 1;
  }

  private word(start: number): void {
    const { bytes } = this;
    let p = start + 1;
    while (WORD[bytes[p]!]) p++;
    const c = bytes[p]!;
    if (c > 127) unsure();
    if ((c === 34 || c === 39) && p - start <= 2 && this.prefixed(start, p)) return;
    this.wordStart = start;
    this.tok = keywordAt(bytes, start, p);
    this.pos = p;
  }

  /** Tries the one or two letters before a quote as the prefix of a string. */
  private prefixed(start: number, quote: number): boolean {
    const first = this.bytes[start]! | 32;
    const second = quote - start === 2 ? this.bytes[start + 1]! | 32 : 0;
    const raw = first === R || second === R;
    if (second !== 0 && !raw) return false;
    switch (first === R ? second : first) {
      case 0:
        this.string(quote, true, false);
        return true;
      case B:
        this.string(quote, raw, true);
        return true;
      case F:
        // the literal's own parser goes on at the quote
        this.isRaw = raw;
        this.tok = T.FSTRING_START;
        this.pos = quote;
        return true;
      case U:
        if (second !== 0) return false;
        this.string(quote, false, false);
        return true;
      case TEMPLATE:
        return unsure();
      default:
        return false;
    }
  }

  private string(quote: number, raw: boolean, isBytes: boolean): void {
    this.pos = stringEnd(this.bytes, quote, raw, isBytes);
    this.isBytes = isBytes;
    this.tok = T.STRING;
  }

  private period(at: number): void {
    const { bytes } = this;
    if (C.isDigit(bytes[at + 1]!)) {
      this.tok = T.NUMBER;
      this.pos = numberEnd(bytes, at);
      return;
    }
    const ellipsis = bytes[at + 1] === 46 && bytes[at + 2] === 46;
    this.tok = ellipsis ? T.ELLIPSIS : T.DOT;
    this.pos = at + (ellipsis ? 3 : 1);
  }

  private operator(at: number, c: number): void {
    const { bytes } = this;
    const next = bytes[at + 1]!;
    let kind = 0;
    let end = at + 1;
    if (c === COLON && this.fieldLevel > 0 && this.level === this.fieldLevel) kind = T.COLON;
    else if (next === EQUALS) {
      kind = T.WITH_EQUAL[c]!;
      if (kind) end = at + 2;
    } else if (next === c && T.DOUBLED[c]) {
      kind = T.DOUBLED[c]!;
      end = at + 2;
      if (bytes[end] === EQUALS && T.DOUBLED_EQUAL[c]) {
        kind = T.DOUBLED_EQUAL[c]!;
        end++;
      }
    } else if (next === 62 && c === 45) {
      kind = T.ARROW;
      end = at + 2;
    } else if (next === 62 && c === 60) unsure();
    this.tok = kind || T.ONE_CHAR[c]!;
    this.pos = end;
  }
}
