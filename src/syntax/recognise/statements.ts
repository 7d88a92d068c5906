/** Statements, read without a tree. */
import * as T from '../tokens.ts';
import { HOLDS_STAR, SINGLE, STARRED, STORE } from './atoms.ts';
import { ExpressionReader } from './expressions.ts';
import { isUnsure, unsure } from './unsure.ts';
import { WORD } from './words.ts';

const MATCH = 'match';
const TYPE = 'type';

export class StatementReader extends ExpressionReader {
  /** True when a module surely parses; false leaves it to the parser. */
  reads(text: Uint8Array): boolean {
    this.nesting = 0;
    try {
      this.open(text);
      while (this.tok !== T.ENDMARKER) this.statement();
      return true;
    } catch (error) {
      if (isUnsure(error)) return false;
      throw error;
    }
  }

  private statement(): void {
    switch (this.tok) {
      case T.IF:
        this.conditional();
        return;
      case T.DEF:
        this.functionDef();
        return;
      case T.CLASS:
        this.classDef();
        return;
      case T.AT:
        this.decorated();
        return;
      case T.ASYNC:
        this.next();
        if (this.tok === T.DEF) this.functionDef();
        else if (this.tok === T.FOR) this.forLoop();
        else if (this.tok === T.WITH) this.withBlock();
        else unsure();
        return;
      case T.FOR:
        this.forLoop();
        return;
      case T.WHILE:
        this.next();
        this.namedExpression();
        this.block();
        this.elseBlock();
        return;
      case T.WITH:
        this.withBlock();
        return;
      case T.TRY:
        this.tryBlock();
        return;
      default:
        this.simpleStatements();
    }
  }

  private block(): void {
    this.expect(T.COLON);
    if (this.tok !== T.NEWLINE) {
      this.simpleStatements();
      return;
    }
    this.next();
    this.expect(T.INDENT);
    while (this.tok !== T.DEDENT) this.statement();
    this.next();
  }

  private elseBlock(): void {
    if (this.accept(T.ELSE)) this.block();
  }

  private conditional(): void {
    do {
      this.next();
      this.namedExpression();
      this.block();
    } while (this.tok === T.ELIF);
    this.elseBlock();
  }

  private forLoop(): void {
    this.next();
    this.targets();
    this.expect(T.IN);
    this.starExpressions();
    this.block();
    this.elseBlock();
  }

  private withBlock(): void {
    this.next();
    const inBrackets = this.tok === T.LPAR && this.bracketsHoldAs();
    if (inBrackets) this.next();
    do {
      this.expression();
      if (this.accept(T.AS)) this.target();
    } while (this.accept(T.COMMA) && !(inBrackets && this.tok === T.RPAR));
    if (inBrackets) this.expect(T.RPAR);
    this.block();
  }

  /** True when `as` stands directly inside the brackets that opened with the current token: no expression has one there. */
  private bracketsHoldAs(): boolean {
    const { pos, level, tok } = this;
    let found = false;
    while (this.level >= level && !found) {
      this.next();
      found = this.tok === T.AS && this.level === level;
    }
    this.pos = pos;
    this.level = level;
    this.tok = tok;
    return found;
  }

  private tryBlock(): void {
    this.next();
    this.block();
    let handlers = 0;
    let groups = false;
    while (this.tok === T.EXCEPT) {
      this.next();
      const group = this.accept(T.STAR);
      if (handlers++ > 0 && group !== groups) unsure();
      groups = group;
      if (group || this.tok !== T.COLON) {
        this.expression();
        if (this.accept(T.AS)) this.expect(T.NAME);
      }
      this.block();
    }
    if (handlers > 0) this.elseBlock();
    if (this.accept(T.FINALLY)) this.block();
    else if (handlers === 0) unsure();
  }

  private decorated(): void {
    while (this.accept(T.AT)) {
      this.namedExpression();
      this.expect(T.NEWLINE);
    }
    if (this.tok === T.CLASS) {
      this.classDef();
      return;
    }
    this.accept(T.ASYNC);
    if (this.tok !== T.DEF) unsure();
    this.functionDef();
  }

  private functionDef(): void {
    this.next();
    this.expect(T.NAME);
    this.typeParams();
    this.expect(T.LPAR);
    this.parameters(T.RPAR, true);
    this.next();
    if (this.accept(T.ARROW)) this.expression();
    this.block();
  }

  private classDef(): void {
    this.next();
    this.expect(T.NAME);
    this.typeParams();
    if (this.accept(T.LPAR)) this.arguments(false);
    this.block();
  }

  private typeParams(): void {
    if (!this.accept(T.LSQB)) return;
    do {
      const plain = !this.accept(T.STAR) && !this.accept(T.DOUBLESTAR);
      this.expect(T.NAME);
      if (plain && this.accept(T.COLON)) this.expression();
      if (this.accept(T.EQUAL)) this.expression();
    } while (this.accept(T.COMMA) && this.tok !== T.RSQB);
    this.expect(T.RSQB);
  }

  private simpleStatements(): void {
    for (;;) {
      this.simpleStatement();
      if (this.accept(T.NEWLINE)) return;
      this.expect(T.SEMI);
      if (this.accept(T.NEWLINE)) return;
    }
  }

  private simpleStatement(): void {
    switch (this.tok) {
      case T.RETURN:
        this.next();
        if (!this.atStatementEnd()) this.starExpressions();
        return;
      case T.IMPORT:
        this.next();
        do {
          this.dottedName();
          this.asName();
        } while (this.accept(T.COMMA));
        return;
      case T.FROM:
        this.importFrom();
        return;
      case T.RAISE:
        this.next();
        if (this.atStatementEnd()) return;
        this.expression();
        if (this.accept(T.FROM)) this.expression();
        return;
      case T.PASS:
      case T.BREAK:
      case T.CONTINUE:
        this.next();
        return;
      case T.DEL:
        this.next();
        do this.deleted();
        while (this.accept(T.COMMA) && !this.atStatementEnd());
        return;
      case T.ASSERT:
        this.next();
        this.expression();
        if (this.accept(T.COMMA)) this.expression();
        return;
      case T.GLOBAL:
      case T.NONLOCAL:
        this.next();
        do this.expect(T.NAME);
        while (this.accept(T.COMMA));
        return;
      default:
        this.expressionStatement();
    }
  }

  private expressionStatement(): void {
    if (this.tok === T.NAME && this.mayBeSoftKeyword()) unsure();
    let what = this.yieldOrExpressions();
    if (this.tok === T.EQUAL) {
      while (this.tok === T.EQUAL) {
        if (!(what & STORE)) unsure();
        this.next();
        what = this.yieldOrExpressions();
      }
    } else if (this.tok === T.COLON) {
      if (!(what & SINGLE)) unsure();
      this.next();
      this.expression();
      if (this.accept(T.EQUAL)) this.yieldOrExpressions();
    } else if (this.tok >= T.FIRST_AUGMENTED && this.tok <= T.LAST_AUGMENTED) {
      if (!(what & SINGLE)) unsure();
      this.next();
      this.yieldOrExpressions();
    }
  }

  /** What `match` and `type` begin is rare, unless they are names. */
  private mayBeSoftKeyword(): boolean {
    const length = this.pos - this.wordStart;
    if (length < TYPE.length || length > MATCH.length || !(this.isWord(MATCH) || this.isWord(TYPE))) return false;
    let p = this.pos;
    while (this.bytes[p] === 32) p++;
    const c = this.bytes[p]!;
    if (length === TYPE.length) return WORD[c] === 1 || c > 127 || c === 92;
    // `=`, `.` and `,`
    return c !== 61 && c !== 46 && c !== 44;
  }

  private isWord(word: string): boolean {
    const { bytes, wordStart } = this;
    if (this.pos - wordStart !== word.length) return false;
    for (let i = 0; i < word.length; i++) if (bytes[wordStart + i] !== word.charCodeAt(i)) return false;
    return true;
  }

  private deleted(): void {
    const what = this.starExpression();
    if (!(what & STORE) || what & (STARRED | HOLDS_STAR)) unsure();
  }

  private atStatementEnd(): boolean {
    return this.tok === T.NEWLINE || this.tok === T.SEMI;
  }

  private dottedName(): void {
    do this.expect(T.NAME);
    while (this.accept(T.DOT));
  }

  private asName(): void {
    if (this.accept(T.AS)) this.expect(T.NAME);
  }

  private importFrom(): void {
    this.next();
    let relative = false;
    while (this.tok === T.DOT || this.tok === T.ELLIPSIS) {
      relative = true;
      this.next();
    }
    if (!relative || this.tok !== T.IMPORT) this.dottedName();
    this.expect(T.IMPORT);
    if (this.accept(T.STAR)) return;
    const inBrackets = this.accept(T.LPAR);
    do {
      this.expect(T.NAME);
      this.asName();
    } while (this.accept(T.COMMA) && !(inBrackets && this.tok === T.RPAR));
    if (inBrackets) this.expect(T.RPAR);
  }
}
