/** Strings side by side, and what f-strings hold. */
import * as T from '../tokens.ts';
import { ByteLexer } from './lexer.ts';
import { escapeEnd } from './literals.ts';
import { unsure } from './unsure.ts';

/** Far below what the parser refuses. */
export const MAX_DEPTH = 90;
const LF = 10;
const CR = 13;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

export abstract class FormatReader extends ByteLexer {
  protected nesting = 0;

  /** `yield` or expressions: what a replacement field may hold. */
  protected abstract yieldOrExpressions(): number;

  protected accept(kind: number): boolean {
    if (this.tok !== kind) return false;
    this.next();
    return true;
  }

  protected expect(kind: number): void {
    if (this.tok !== kind) unsure();
    this.next();
  }

  protected enter(): void {
    if (++this.nesting > MAX_DEPTH) unsure();
  }

  protected strings(): void {
    let plain = false;
    let bytes = false;
    while (this.tok === T.STRING || this.tok === T.FSTRING_START) {
      if (this.tok === T.STRING && this.isBytes) bytes = true;
      else plain = true;
      if (this.tok === T.STRING) this.next();
      else this.format();
    }
    if (bytes && plain) unsure();
  }

  /** An f-string, from its first quote. */
  private format(): void {
    const { bytes, isRaw } = this;
    const quote = bytes[this.pos]!;
    const triple = bytes[this.pos + 1] === quote && bytes[this.pos + 2] === quote;
    let p = this.pos + (triple ? 3 : 1);
    for (;;) {
      const c = bytes[p]!;
      if (c === quote) {
        if (!triple) break;
        if (bytes[p + 1] === quote && bytes[p + 2] === quote) {
          p += 2;
          break;
        }
        p++;
      } else if (c === BACKSLASH) {
        const next = bytes[p + 1]!;
        if (next === OPEN_BRACE || next === CLOSE_BRACE) unsure();
        p = escapeEnd(bytes, p, isRaw, false);
      } else if (c === OPEN_BRACE) p = bytes[p + 1] === OPEN_BRACE ? p + 2 : this.field(p, 0);
      else if (c === CLOSE_BRACE) p = bytes[p + 1] === CLOSE_BRACE ? p + 2 : unsure();
      else if (c === 0 || (!triple && (c === LF || c === CR))) unsure();
      else p++;
    }
    this.pos = p + 1;
    this.next();
  }

  /**
   * A replacement field, from its opening brace.
   *
   * @returns the offset past its closing brace.
   */
  private field(at: number, depth: number): number {
    if (depth > 1) unsure();
    const outer = this.fieldLevel;
    this.enter();
    this.pos = at + 1;
    this.fieldLevel = ++this.level;
    this.next();
    this.yieldOrExpressions();
    if (this.tok === T.EQUAL) this.next();
    if (this.tok === T.EXCLAMATION) this.conversion();
    if (this.tok === T.COLON) this.formatSpec(depth);
    if (this.tok !== T.RBRACE) unsure();
    this.fieldLevel = outer;
    this.nesting--;
    return this.pos;
  }

  /** `!r`, `!s` or `!a`, read by its bytes: no space may stand there. */
  private conversion(): void {
    const c = this.bytes[this.pos]!;
    const after = this.bytes[this.pos + 1]!;
    if ((c !== 97 && c !== 114 && c !== 115) || (after !== CLOSE_BRACE && after !== COLON)) unsure();
    this.next();
    this.expect(T.NAME);
  }

  /** From past the colon; the field's closing brace becomes the current token. */
  private formatSpec(depth: number): void {
    const { bytes } = this;
    let p = this.pos;
    for (let c = bytes[p]!; c !== CLOSE_BRACE; c = bytes[p]!) {
      if (c < 32 || c === 34 || c === 39 || c === BACKSLASH) unsure();
      if (c === OPEN_BRACE) {
        p = this.field(p, depth + 1);
      } else p++;
    }
    this.pos = p;
    this.next();
  }
}
