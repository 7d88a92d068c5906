import { Brackets, type FStringMode, literalName } from './brackets.ts';
import { lineNumberAt, PythonSyntaxError } from './errors.ts';
import { TokenStream } from './stream.ts';
import * as T from './tokens.ts';

const MAX_FSTRING_LEVEL = 150;
const MAX_FIELD_NESTING = 3;

const LF = 10;
const CR = 13;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Scans string literals and the literal parts of f-strings (PEP 701). */
export class LiteralScanner {
  protected readonly text: string;
  protected readonly out = new TokenStream();
  protected readonly brackets: Brackets;
  /** The innermost f-string around the position. */
  protected mode: FStringMode | undefined;
  protected pos = 0;
  private readonly modes: FStringMode[] = [];

  constructor(text: string) {
    this.text = text;
    this.brackets = new Brackets(text);
  }

  protected afterLineEnd(at: number): number {
    return this.text.charCodeAt(at) === CR && this.text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
  }

  private quoteSize(at: number, quote: number): number {
    return this.text.charCodeAt(at + 1) === quote && this.text.charCodeAt(at + 2) === quote ? 3 : 1;
  }

  /** Scans a plain string whose opening quote is at `pos`. */
  protected string(start: number, quote: number): void {
    const text = this.text;
    const length = text.length;
    const size = this.quoteSize(this.pos, quote);
    let run = 0;
    let p = this.pos + size;
    while (run !== size) {
      const c = text.charCodeAt(p);
      if (p >= length || (size === 1 && (c === LF || c === CR))) this.unterminated(start, p, size, quote);
      p++;
      if (c === quote) run++;
      else {
        run = 0;
        if (c === BACKSLASH) p = this.afterLineEnd(p);
      }
    }
    this.pos = p;
    this.out.push(T.STRING, start, p);
  }

  private unterminated(start: number, at: number, size: number, quote: number): never {
    const mode = this.mode;
    if (mode && mode.quote === quote && mode.quoteSize === size) {
      throw new PythonSyntaxError(`${literalName(mode)}: expecting '}'`, start);
    }
    const detected = lineNumberAt(this.text, Math.min(at, this.text.length - 1));
    const kind = size === 3 ? 'triple-quoted string' : 'string';
    throw new PythonSyntaxError(`unterminated ${kind} literal (detected at line ${detected})`, start);
  }

  protected fstringStart(start: number, quoteAt: number, quote: number, prefix: string): void {
    if (this.modes.length + 1 >= MAX_FSTRING_LEVEL) throw new PythonSyntaxError('too many nested f-strings', start);
    const quoteSize = this.quoteSize(quoteAt, quote);
    const mode: FStringMode = {
      start,
      quote,
      quoteSize,
      raw: prefix.includes('r'),
      isTemplate: prefix.includes('t'),
      depth: 0,
      fieldDepth: -1,
      inFormatSpec: false,
    };
    this.modes.push(mode);
    this.mode = mode;
    this.pos = quoteAt + quoteSize;
    this.out.push(T.FSTRING_START, start, this.pos);
    this.fstringLiteral(mode);
  }

  /** Scans the literal text of an f-string or format spec up to a replacement field, the closing brace or quote. */
  protected fstringLiteral(mode: FStringMode): void {
    const text = this.text;
    const start = this.pos;
    let run = 0;
    let named = false;
    let p = start;
    while (run !== mode.quoteSize) {
      const c = text.charCodeAt(p);
      const inSpec = mode.inFormatSpec && mode.fieldDepth >= 0;
      if (p >= text.length || (mode.quoteSize === 1 && (c === LF || c === CR))) {
        if (inSpec && p < text.length) {
          mode.inFormatSpec = false;
          this.literalUpTo(start, p);
          return;
        }
        this.unterminatedFString(mode, p);
      }
      p++;
      run = c === mode.quote ? run + 1 : 0;
      if (c === BACKSLASH) {
        const next = text.charCodeAt(p);
        if (next === OPEN_BRACE || next === CLOSE_BRACE) continue;
        const opensName = !mode.raw && next === 78 && text.charCodeAt(p + 1) === OPEN_BRACE;
        named ||= opensName;
        p = opensName ? p + 2 : this.afterLineEnd(p);
      } else if (c === OPEN_BRACE) {
        if (text.charCodeAt(p) !== OPEN_BRACE || inSpec) {
          this.literalUpTo(start, p - 1);
          this.fieldStart(mode, p - 1);
          return;
        }
        p++;
      } else if (c === CLOSE_BRACE) {
        if (named) named = false;
        else if (text.charCodeAt(p) === CLOSE_BRACE && !inSpec && mode.depth === 0) p++;
        else {
          this.literalUpTo(start, p - 1);
          return;
        }
      }
    }
    this.literalUpTo(start, p - mode.quoteSize);
    this.out.push(T.FSTRING_END, this.pos, p);
    this.pos = p;
    this.modes.pop();
    this.mode = this.modes.at(-1);
  }

  private literalUpTo(start: number, end: number): void {
    if (end > start) this.out.push(T.FSTRING_MIDDLE, start, end);
    this.pos = end;
  }

  private fieldStart(mode: FStringMode, at: number): void {
    mode.fieldDepth++;
    if (mode.fieldDepth >= MAX_FIELD_NESTING) {
      throw new PythonSyntaxError(`${literalName(mode)}: expressions nested too deeply`, at);
    }
  }

  private unterminatedFString(mode: FStringMode, at: number): never {
    const detected = lineNumberAt(this.text, Math.min(at, this.text.length - 1));
    const kind = mode.quoteSize === 3 ? `triple-quoted ${literalName(mode)}` : literalName(mode);
    throw new PythonSyntaxError(`unterminated ${kind} literal (detected at line ${detected})`, mode.start);
  }
}
