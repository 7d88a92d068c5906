import type { ExceptHandler, Expr, Match, MatchCase, Stmt, Try, WithItem } from './ast.ts';
import { adopt, packed } from './cursor.ts';
import { SimpleStatementParser } from './simple.ts';
import * as T from './tokens.ts';

/** Blocks, and the compound statements with clauses of their own: `with`, `try` and `match`. */
export abstract class BlockParser extends SimpleStatementParser {
  /** Reads one logical line or compound statement. */
  protected abstract statement(out: Stmt[]): void;

  /** The colon and the body after a header; `what` at `offset` is named when the body is missing. */
  protected block(what: string, offset: number): Stmt[] {
    if (this.tok !== T.COLON) this.fail(this.tok === T.NEWLINE ? "expected ':'" : undefined);
    this.advance();
    const body: Stmt[] = [];
    if (!this.accept(T.NEWLINE)) {
      this.simpleStatements(body);
      return packed(body);
    }
    if (this.tok !== T.INDENT) this.failMissingBlock(what, offset);
    this.advance();
    while (this.tok !== T.DEDENT && this.tok !== T.ENDMARKER) this.statement(body);
    this.accept(T.DEDENT);
    return packed(body);
  }

  private failMissingBlock(what: string, offset: number): never {
    this.fail(`expected an indented block after ${what} on line ${this.lineOf(offset)}`);
  }

  protected elseBlock(): Stmt[] {
    const at = this.start();
    return this.accept(T.ELSE) ? this.block("'else' statement", at) : [];
  }

  protected withStatement(start: number, isAsync: boolean): Stmt {
    this.advance();
    const items = this.tok === T.LPAR && this.bracketsHoldAs() ? this.parenthesisedItems() : this.withItems();
    const body = this.block("'with' statement", start);
    const node: Stmt = { kind: 'With', start, end: this.end(), parent: null, isAsync, items: packed(items), body };
    adopt(node, items);
    adopt(node, body);
    return node;
  }

  private withItems(): WithItem[] {
    const items: WithItem[] = [];
    do items.push(this.withItem());
    while (this.accept(T.COMMA));
    const [only] = items;
    if (items.length > 1 || !only || only.optionalVars) return items;
    const whole = only.contextExpr;
    if (whole.kind !== 'Tuple' || whole.outer || whole.elts.length === 0) return items;
    // `with (a, b):` has two items; only what no item can be keeps the parentheses a tuple.
    const isTuple = whole.elts.some((e) => e.kind === 'Starred' || (e.kind === 'NamedExpr' && !e.outer));
    return isTuple
      ? items
      : whole.elts.map((e) => this.item(e.outer?.start ?? e.start, e.outer?.end ?? e.end, e, null));
  }

  private withItem(): WithItem {
    const start = this.start();
    const contextExpr = this.expression();
    const optionalVars = this.accept(T.AS) ? this.starTarget() : null;
    return this.item(start, this.end(), contextExpr, optionalVars);
  }

  private item(start: number, end: number, contextExpr: Expr, optionalVars: Expr | null): WithItem {
    const node: WithItem = { kind: 'WithItem', start, end, parent: null, contextExpr, optionalVars };
    contextExpr.parent = node;
    if (optionalVars) optionalVars.parent = node;
    return node;
  }

  private parenthesisedItems(): WithItem[] {
    const items: WithItem[] = [];
    this.advance();
    do items.push(this.withItem());
    while (this.accept(T.COMMA) && this.tok !== T.RPAR);
    this.close(T.RPAR);
    return items;
  }

  /** True when `as` stands directly inside the brackets that open here: no expression has one there. */
  private bracketsHoldAs(): boolean {
    let depth = 0;
    for (let i = this.pos; i < this.stream.count; i++) {
      const kind = this.kinds[i]!;
      if (kind === T.LPAR || kind === T.LSQB || kind === T.LBRACE) depth++;
      else if (kind === T.RPAR || kind === T.RSQB || kind === T.RBRACE) depth--;
      else if (kind === T.AS && depth === 1) return true;
      if (depth === 0) return false;
    }
    return false;
  }

  protected tryStatement(): Try {
    const start = this.start();
    this.advance();
    const body = this.block("'try' statement", start);
    const handlers: ExceptHandler[] = [];
    let isStar = false;
    while (this.tok === T.EXCEPT) {
      const star = this.peek() === T.STAR;
      if (handlers.length > 0 && star !== isStar) {
        this.fail("cannot have both 'except' and 'except*' on the same 'try'");
      }
      isStar = star;
      handlers.push(this.exceptHandler(star));
    }
    const orelse = handlers.length > 0 ? this.elseBlock() : [];
    const finallyAt = this.start();
    const finalbody = this.accept(T.FINALLY) ? this.block("'finally' statement", finallyAt) : [];
    if (handlers.length + finalbody.length === 0) this.fail("expected 'except' or 'finally' block");
    const end = this.end();
    const node: Try = {
      kind: 'Try',
      start,
      end,
      parent: null,
      isStar,
      body,
      handlers: packed(handlers),
      orelse,
      finalbody,
    };
    adopt(node, body);
    adopt(node, handlers);
    adopt(node, orelse);
    adopt(node, finalbody);
    return node;
  }

  private exceptHandler(star: boolean): ExceptHandler {
    const start = this.start();
    this.advance();
    if (star) this.advance();
    if (star && this.tok === T.COLON) this.fail('expected one or more exception types');
    const type = this.tok === T.COLON ? null : this.exceptionTypes();
    let nameSpan: ExceptHandler['nameSpan'] = null;
    let name: string | null = null;
    if (type && this.accept(T.AS)) {
      nameSpan = this.tokenSpan();
      name = this.name();
    }
    const body = this.block(star ? "'except*' statement" : "'except' statement", start);
    const node: ExceptHandler = {
      kind: 'ExceptHandler',
      start,
      end: this.end(),
      parent: null,
      type,
      name,
      nameSpan,
      body,
    };
    if (type) type.parent = node;
    adopt(node, body);
    return node;
  }

  /** One type, or (since 3.14) several without parentheses. */
  private exceptionTypes(): Expr {
    const start = this.start();
    const first = this.expression();
    if (this.tok !== T.COMMA) return first;
    const elts = [first];
    while (this.accept(T.COMMA) && this.tok !== T.COLON && this.tok !== T.AS) elts.push(this.expression());
    if (this.tok === T.AS) this.fail("multiple exception types must be parenthesized when using 'as'", start);
    const node: Expr = { kind: 'Tuple', start, end: this.end(), parent: null, elts: packed(elts), ctx: 'load' };
    adopt(node, elts);
    return node;
  }

  /** Tells a `match` statement from a name: no simple statement ends its line in a colon. */
  protected lineEndsInColon(): boolean {
    for (let i = this.pos + 1; i < this.stream.count; i++) {
      const kind = this.kinds[i]!;
      if (kind === T.SEMI || kind === T.ERROR || kind === T.ENDMARKER) return false;
      if (kind === T.NEWLINE) return this.kinds[i - 1] === T.COLON;
    }
    return false;
  }

  protected matchStatement(): Match {
    const start = this.start();
    this.advance();
    const subject = this.matchSubject();
    this.expect(T.COLON);
    this.expect(T.NEWLINE);
    if (this.tok !== T.INDENT) this.failMissingBlock("'match' statement", start);
    this.advance();
    const cases: MatchCase[] = [];
    do cases.push(this.matchCase());
    while (this.tok !== T.DEDENT && this.tok !== T.ENDMARKER);
    const node: Match = { kind: 'Match', start, end: this.end(), parent: null, subject, cases: packed(cases) };
    this.accept(T.DEDENT);
    subject.parent = node;
    adopt(node, cases);
    return node;
  }

  private matchSubject(): Expr {
    const start = this.start();
    const first = this.element();
    if (this.tok !== T.COMMA) {
      if (first.kind === 'Starred') this.fail();
      return first;
    }
    const elts = [first];
    while (this.accept(T.COMMA) && this.tok !== T.COLON) elts.push(this.element());
    const node: Expr = { kind: 'Tuple', start, end: this.end(), parent: null, elts: packed(elts), ctx: 'load' };
    adopt(node, elts);
    return node;
  }

  private matchCase(): MatchCase {
    const start = this.start();
    if (!this.isWord('case')) this.fail();
    this.advance();
    const pattern = this.patterns();
    const guard = this.accept(T.IF) ? this.namedExpression() : null;
    const body = this.block("'case' statement", start);
    const node: MatchCase = { kind: 'MatchCase', start, end: this.end(), parent: null, pattern, guard, body };
    pattern.parent = node;
    if (guard) guard.parent = node;
    adopt(node, body);
    return node;
  }
}
