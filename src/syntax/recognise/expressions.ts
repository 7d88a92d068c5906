/** Expressions, read without a tree: what is kept of one is whether something can be assigned to it. */
import * as T from '../tokens.ts';
import { AtomReader, BARE, SINGLE, STORE, WALRUS } from './atoms.ts';
import { MAX_DEPTH } from './formats.ts';
import { unsure } from './unsure.ts';

const OPERATOR = new Uint8Array(256);
const ARITHMETIC = 1;
const COMPARISON = 2;
const BOOLEAN = 3;
for (const kind of [T.VBAR, T.CIRCUMFLEX, T.AMPER, T.LEFTSHIFT, T.RIGHTSHIFT, T.PLUS, T.MINUS, T.STAR, T.SLASH])
  OPERATOR[kind] = ARITHMETIC;
for (const kind of [T.DOUBLESLASH, T.PERCENT, T.AT]) OPERATOR[kind] = ARITHMETIC;
for (const kind of [T.LESS, T.GREATER, T.EQEQUAL, T.NOTEQUAL, T.LESSEQUAL, T.GREATEREQUAL, T.IN, T.IS, T.NOT])
  OPERATOR[kind] = COMPARISON;
for (const kind of [T.AND, T.OR]) OPERATOR[kind] = BOOLEAN;

/** 1 for a token that can begin an expression, `*` before one included. */
const STARTS = new Uint8Array(256);
for (let kind = T.NAME; kind <= T.FSTRING_START; kind++) STARTS[kind] = 1;
for (const kind of [T.FALSE, T.NONE, T.TRUE, T.LPAR, T.LSQB, T.LBRACE, T.TILDE, T.ELLIPSIS]) STARTS[kind] = 1;
for (const kind of [T.LAMBDA, T.NOT, T.AWAIT, T.STAR, T.PLUS, T.MINUS]) STARTS[kind] = 1;

export class ExpressionReader extends AtomReader {
  protected expression(): number {
    this.enter();
    let what = 0;
    if (this.tok === T.LAMBDA) this.lambda();
    else what = this.disjunction();
    if (this.tok === T.IF) {
      this.next();
      this.disjunction();
      this.expect(T.ELSE);
      this.expression();
      what = 0;
    }
    this.nesting--;
    return what;
  }

  private lambda(): void {
    this.next();
    this.parameters(T.COLON, false);
    // in a replacement field the colon begins the format
    if (this.fieldLevel > 0) unsure();
    this.expect(T.COLON);
    this.expression();
  }

  protected namedExpression(): number {
    const what = this.expression();
    if (this.tok !== T.COLONEQUAL || !(what & BARE)) return what;
    this.next();
    this.expression();
    return WALRUS;
  }

  /** `or`, `and`, `not`, comparisons and all that binds tighter. */
  protected disjunction(): number {
    let what = 0;
    let operators = 0;
    let expected = true;
    while (expected) {
      expected = false;
      while (this.tok === T.NOT) {
        if (++operators > MAX_DEPTH) unsure();
        this.next();
      }
      what = this.factor();
      for (let kind = OPERATOR[this.tok]!; kind !== 0 && !expected; kind = OPERATOR[this.tok]!) {
        operators |= 1;
        if (kind === COMPARISON) this.comparison();
        else this.next();
        if (kind === BOOLEAN) expected = true;
        else this.factor();
      }
    }
    return operators === 0 ? what : 0;
  }

  private comparison(): void {
    const kind = this.tok;
    this.next();
    if (kind === T.NOT) this.expect(T.IN);
    else if (kind === T.IS && this.tok === T.NOT) this.next();
  }

  /** What binds at least as tightly as `|`. */
  protected bitwiseOr(): number {
    let what = this.factor();
    while (OPERATOR[this.tok] === ARITHMETIC) {
      this.next();
      this.factor();
      what = 0;
    }
    return what;
  }

  private factor(): number {
    let signs = 0;
    while (this.tok === T.MINUS || this.tok === T.PLUS || this.tok === T.TILDE) {
      if (++signs > MAX_DEPTH) unsure();
      this.next();
    }
    const awaited = this.accept(T.AWAIT);
    const what = this.primary();
    if (this.tok === T.DOUBLESTAR) {
      this.enter();
      this.next();
      this.factor();
      this.nesting--;
      return 0;
    }
    return signs > 0 || awaited ? 0 : what;
  }

  private primary(): number {
    let what = this.atom();
    for (;;) {
      if (this.tok === T.DOT) {
        this.next();
        this.expect(T.NAME);
        what = STORE | SINGLE;
      } else if (this.tok === T.LPAR) {
        this.next();
        this.arguments(true);
        what = 0;
      } else if (this.tok === T.LSQB) {
        this.next();
        this.slices();
        what = STORE | SINGLE;
      } else return what;
    }
  }

  /** The arguments of a call or of a class, closing bracket included. */
  protected arguments(mayBeGenerator: boolean): void {
    let keywords = false;
    let unpacked = false;
    let first = mayBeGenerator;
    while (this.tok !== T.RPAR) {
      if (this.tok === T.STAR) {
        if (unpacked) unsure();
        this.next();
        this.expression();
      } else if (this.tok === T.DOUBLESTAR) {
        unpacked = true;
        keywords = true;
        this.next();
        this.expression();
      } else {
        const what = this.namedExpression();
        if (this.tok === T.EQUAL) {
          if (!(what & BARE)) unsure();
          keywords = true;
          this.next();
          this.expression();
        } else if (keywords) unsure();
        else if (this.tok === T.FOR || this.tok === T.ASYNC) {
          if (!first) unsure();
          this.comprehension();
          break;
        }
      }
      first = false;
      if (!this.accept(T.COMMA)) break;
    }
    this.expect(T.RPAR);
  }

  private slices(): void {
    do {
      if (this.tok === T.STAR) {
        this.next();
        this.expression();
        continue;
      }
      if (this.tok !== T.COLON) {
        const what = this.namedExpression();
        if (this.tok === T.COLON && what & WALRUS) unsure();
      }
      if (!this.accept(T.COLON)) continue;
      if (!this.atSliceEnd()) this.expression();
      if (this.accept(T.COLON) && !this.atSliceEnd()) this.expression();
    } while (this.accept(T.COMMA) && this.tok !== T.RSQB);
    this.expect(T.RSQB);
  }

  private atSliceEnd(): boolean {
    return this.tok === T.COLON || this.tok === T.COMMA || this.tok === T.RSQB;
  }

  /** Comma-separated, possibly starred expressions. */
  protected starExpressions(): number {
    const first = this.starExpression();
    if (this.tok !== T.COMMA) return first;
    let store = first & STORE;
    while (this.accept(T.COMMA) && STARTS[this.tok]) store &= this.starExpression();
    return store;
  }

  protected starExpression(): number {
    return this.tok === T.STAR ? this.starred() : this.expression();
  }

  protected yieldOrExpressions(): number {
    if (this.tok !== T.YIELD) return this.starExpressions();
    this.yielded();
    return 0;
  }

  protected yielded(): void {
    this.next();
    if (this.accept(T.FROM)) this.expression();
    else if (STARTS[this.tok]) this.starExpressions();
  }

  /** Parameters up to (not including) the token `close`; a `def` has annotations, a lambda has none. */
  protected parameters(close: number, annotated: boolean): void {
    let star = false;
    let slash = false;
    let any = false;
    let defaults = false;
    while (this.tok !== close) {
      if (this.tok === T.SLASH) {
        if (star || slash || !any) unsure();
        slash = true;
        this.next();
      } else if (this.tok === T.STAR) {
        if (star) unsure();
        star = true;
        this.next();
        if (this.tok === T.COMMA) {
          this.next();
          if (this.tok !== T.NAME) unsure();
          continue;
        }
        this.parameter(annotated, true);
      } else if (this.tok === T.DOUBLESTAR) {
        this.next();
        this.parameter(annotated, false);
        this.accept(T.COMMA);
        if (this.tok !== close) unsure();
        return;
      } else {
        any = true;
        this.parameter(annotated, false);
        if (this.accept(T.EQUAL)) {
          defaults = true;
          this.expression();
        } else if (defaults && !star) unsure();
      }
      if (this.tok !== close) this.expect(T.COMMA);
    }
  }

  private parameter(annotated: boolean, starred: boolean): void {
    this.expect(T.NAME);
    if (!annotated || !this.accept(T.COLON)) return;
    if (starred) this.starExpression();
    else this.expression();
  }
}
