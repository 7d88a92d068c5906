/** Names, literals, displays, comprehensions and brackets. */
import * as T from '../tokens.ts';
import { FormatReader } from './formats.ts';
import { unsure } from './unsure.ts';

/** What an expression is, as bits; 0 for one that nothing can be assigned to. */
export const STORE = 1;
/** A name, an attribute or a subscript. */
export const SINGLE = 2;
/** A name, without brackets around it. */
export const BARE = 4;
export const STARRED = 8;
/** A tuple or a list with a starred element. */
export const HOLDS_STAR = 16;
/** `name := value` without brackets. */
export const WALRUS = 32;

export abstract class AtomReader extends FormatReader {
  protected abstract expression(): number;
  protected abstract namedExpression(): number;
  /** What binds at least as tightly as `or`. */
  protected abstract disjunction(): number;
  /** What binds at least as tightly as `|`. */
  protected abstract bitwiseOr(): number;
  protected abstract yielded(): void;

  protected atom(): number {
    switch (this.tok) {
      case T.NAME:
        this.next();
        return STORE | SINGLE | BARE;
      case T.STRING:
      case T.FSTRING_START:
        this.strings();
        return 0;
      case T.LPAR:
        return this.brackets(T.RPAR);
      case T.LSQB:
        return this.brackets(T.RSQB);
      case T.LBRACE:
        this.braces();
        return 0;
      case T.NUMBER:
      case T.NONE:
      case T.TRUE:
      case T.FALSE:
      case T.ELLIPSIS:
        this.next();
        return 0;
      default:
        return unsure();
    }
  }

  protected starred(): number {
    this.next();
    const what = this.bitwiseOr();
    return STARRED | (what & STARRED ? 0 : what & STORE);
  }

  protected element(): number {
    return this.tok === T.STAR ? this.starred() : this.namedExpression();
  }

  /** A tuple, a list, a comprehension, or an expression in brackets. */
  private brackets(close: number): number {
    this.next();
    if (this.tok === close) {
      this.next();
      return STORE;
    }
    const group = close === T.RPAR;
    if (group && this.tok === T.YIELD) {
      this.yielded();
      this.expect(close);
      return 0;
    }
    const first = this.element();
    if (this.tok === T.FOR || this.tok === T.ASYNC) {
      if (first & STARRED) unsure();
      this.comprehension();
      this.expect(close);
      return 0;
    }
    if (group && this.tok === close) {
      if (first & STARRED) unsure();
      this.next();
      return first & ~(BARE | WALRUS);
    }
    let store = first & STORE;
    let star = first & (STARRED | HOLDS_STAR);
    while (this.accept(T.COMMA) && this.tok !== close) {
      const what = this.element();
      store &= what;
      star |= what & (STARRED | HOLDS_STAR);
    }
    this.expect(close);
    return (store & STORE) | (star ? HOLDS_STAR : 0);
  }

  private braces(): void {
    this.next();
    if (this.tok === T.RBRACE || this.tok === T.DOUBLESTAR) {
      this.items(true);
      return;
    }
    const first = this.element();
    if (this.tok === T.COLON && !(first & (STARRED | WALRUS))) {
      this.items(false);
      return;
    }
    if (this.tok === T.FOR || this.tok === T.ASYNC) {
      if (first & STARRED) unsure();
      this.comprehension();
    } else while (this.accept(T.COMMA) && this.tok !== T.RBRACE) this.element();
    this.expect(T.RBRACE);
  }

  /** The items of a dict, from the first one's colon when its key is read. */
  private items(atKey: boolean): void {
    let keyless = atKey;
    let first = true;
    while (this.tok !== T.RBRACE) {
      if (keyless && this.tok === T.DOUBLESTAR) {
        this.next();
        this.bitwiseOr();
      } else {
        if (keyless) this.expression();
        this.expect(T.COLON);
        this.expression();
        if (first && (this.tok === T.FOR || this.tok === T.ASYNC)) {
          this.comprehension();
          break;
        }
      }
      first = false;
      keyless = true;
      if (!this.accept(T.COMMA)) break;
    }
    this.expect(T.RBRACE);
  }

  protected comprehension(): void {
    while (this.tok === T.FOR || this.tok === T.ASYNC) {
      this.accept(T.ASYNC);
      this.expect(T.FOR);
      this.targets();
      this.expect(T.IN);
      this.disjunction();
      while (this.accept(T.IF)) this.disjunction();
    }
  }

  /** What a `for` assigns to. */
  protected targets(): void {
    do this.target();
    while (this.accept(T.COMMA) && this.tok !== T.IN);
  }

  protected target(): void {
    const what = this.tok === T.STAR ? this.starred() : this.bitwiseOr();
    if (!(what & STORE)) unsure();
  }
}
