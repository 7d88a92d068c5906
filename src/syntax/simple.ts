import type { Alias, AnnAssign, Assign, AugAssign, Expr, ImportFrom, Stmt, TypeAlias, TypeParam } from './ast.ts';
import { adopt, expressionName, packed } from './cursor.ts';
import { PatternParser } from './patterns.ts';
import { toDelete, toStore } from './targets.ts';
import * as T from './tokens.ts';

/** Statements of one logical line. */
export class SimpleStatementParser extends PatternParser {
  /** Statements separated by semicolons, line end included. */
  protected simpleStatements(out: Stmt[]): void {
    for (;;) {
      const statement = this.simpleStatement();
      out.push(statement);
      if (this.accept(T.NEWLINE)) return;
      if (!this.accept(T.SEMI)) this.failAfter(statement);
      if (this.accept(T.NEWLINE)) return;
    }
  }

  private failAfter(statement: Stmt): never {
    if (statement.kind === 'ExprStmt' && statement.value.kind === 'Name' && this.atExpression()) {
      const { id } = statement.value;
      if (id === 'print' || id === 'exec') {
        this.fail(`Missing parentheses in call to '${id}'. Did you mean ${id}(...)?`, statement.start);
      }
    }
    this.fail();
  }

  private simpleStatement(): Stmt {
    const { start, end } = this.tokenSpan();
    switch (this.tok) {
      case T.NAME:
        return this.isWord('type') && this.peek() === T.NAME ? this.typeAlias() : this.expressionStatement();
      case T.RETURN:
        return this.returnStatement();
      case T.IMPORT:
        return this.importStatement();
      case T.FROM:
        return this.importFrom();
      case T.RAISE:
        return this.raiseStatement();
      case T.PASS:
        this.advance();
        return { kind: 'Pass', start, end, parent: null };
      case T.BREAK:
        this.advance();
        return { kind: 'Break', start, end, parent: null };
      case T.CONTINUE:
        this.advance();
        return { kind: 'Continue', start, end, parent: null };
      case T.DEL:
        return this.deleteStatement();
      case T.ASSERT:
        return this.assertStatement();
      case T.GLOBAL:
      case T.NONLOCAL:
        return this.scopeStatement();
      default:
        return this.expressionStatement();
    }
  }

  private expressionStatement(): Stmt {
    const start = this.start();
    const value = this.annotatedRhs();
    if (this.tok === T.EQUAL) return this.assignment(start, value);
    if (this.tok === T.COLON && value.kind !== 'Yield' && value.kind !== 'YieldFrom') {
      return this.annotated(start, value);
    }
    if (this.tok >= T.FIRST_AUGMENTED && this.tok <= T.LAST_AUGMENTED) return this.augmented(start, value);
    const node: Stmt = { kind: 'ExprStmt', start, end: this.end(), parent: null, value };
    value.parent = node;
    return node;
  }

  private assignment(start: number, first: Expr): Assign {
    this.advance();
    this.checkAssignable(first);
    // a list that starts out empty keeps room for sixteen more
    const targets = [first];
    let value = this.annotatedRhs();
    while (this.accept(T.EQUAL)) {
      this.checkAssignable(value);
      targets.push(value);
      value = this.annotatedRhs();
    }
    const node: Assign = { kind: 'Assign', start, end: this.end(), parent: null, targets, value };
    adopt(node, targets);
    value.parent = node;
    return node;
  }

  private checkAssignable(target: Expr): void {
    const problem = toStore(target);
    if (!problem) return;
    if (problem.kind === 'Yield' || problem.kind === 'YieldFrom') {
      this.fail('assignment to yield expression not possible', problem.start);
    }
    const isName = problem.kind === 'Constant' && (problem.type === 'none' || problem.type === 'bool');
    const hint = problem === target && !isName && problem.kind !== 'GeneratorExp';
    const here = hint ? " here. Maybe you meant '==' instead of '='?" : '';
    this.fail(`cannot assign to ${expressionName(problem)}${here}`, problem.start);
  }

  private annotated(start: number, target: Expr): AnnAssign {
    const colon = this.start();
    this.advance();
    const annotation = this.expressionAfterColon(colon);
    if (target.kind === 'Tuple' || target.kind === 'List') {
      this.fail(`only single target (not ${target.kind.toLowerCase()}) can be annotated`, target.start);
    }
    if (target.kind !== 'Name' && target.kind !== 'Attribute' && target.kind !== 'Subscript') {
      this.fail('illegal target for annotation', target.start);
    }
    toStore(target);
    const value = this.accept(T.EQUAL) ? this.annotatedRhs() : null;
    const node: AnnAssign = { kind: 'AnnAssign', start, end: this.end(), parent: null, target, annotation, value };
    target.parent = node;
    annotation.parent = node;
    if (value) value.parent = node;
    return node;
  }

  /** A colon that no expression follows is itself the error. */
  private expressionAfterColon(colon: number): Expr {
    if (this.tok === T.NEWLINE) this.fail('invalid syntax', colon);
    return this.expression();
  }

  private augmented(start: number, target: Expr): AugAssign {
    if (target.kind !== 'Name' && target.kind !== 'Attribute' && target.kind !== 'Subscript') {
      this.fail(`'${expressionName(target)}' is an illegal expression for augmented assignment`, target.start);
    }
    toStore(target);
    const op = T.TOKEN_TEXT[this.tok]!.slice(0, -1);
    this.advance();
    const value = this.annotatedRhs();
    const node: AugAssign = { kind: 'AugAssign', start, end: this.end(), parent: null, target, op, value };
    target.parent = node;
    value.parent = node;
    return node;
  }

  private atStatementEnd(): boolean {
    return this.tok === T.NEWLINE || this.tok === T.SEMI;
  }

  private returnStatement(): Stmt {
    const start = this.start();
    this.advance();
    const value = this.atStatementEnd() ? null : this.starExpressions();
    const node: Stmt = { kind: 'Return', start, end: this.end(), parent: null, value };
    if (value) value.parent = node;
    return node;
  }

  private raiseStatement(): Stmt {
    const start = this.start();
    this.advance();
    const exc = this.atStatementEnd() ? null : this.expression();
    const cause = exc && this.accept(T.FROM) ? this.expression() : null;
    const node: Stmt = { kind: 'Raise', start, end: this.end(), parent: null, exc, cause };
    if (exc) exc.parent = node;
    if (cause) cause.parent = node;
    return node;
  }

  private assertStatement(): Stmt {
    const start = this.start();
    this.advance();
    const test = this.expression();
    const msg = this.accept(T.COMMA) ? this.expression() : null;
    const node: Stmt = { kind: 'Assert', start, end: this.end(), parent: null, test, msg };
    test.parent = node;
    if (msg) msg.parent = node;
    return node;
  }

  private deleteStatement(): Stmt {
    const start = this.start();
    this.advance();
    const targets: Expr[] = [];
    do {
      const target = this.starExpression();
      const problem = toDelete(target);
      if (problem) this.fail(`cannot delete ${expressionName(problem)}`, problem.start);
      targets.push(target);
    } while (this.accept(T.COMMA) && !this.atStatementEnd());
    const node: Stmt = { kind: 'Delete', start, end: this.end(), parent: null, targets };
    adopt(node, targets);
    return node;
  }

  private scopeStatement(): Stmt {
    const start = this.start();
    const kind = this.tok === T.GLOBAL ? 'Global' : 'Nonlocal';
    this.advance();
    const names = [this.name()];
    while (this.accept(T.COMMA)) names.push(this.name());
    return { kind, start, end: this.end(), parent: null, names };
  }

  private dottedName(): string {
    let name = this.name();
    while (this.accept(T.DOT)) name += `.${this.name()}`;
    return name;
  }

  private alias(dotted: boolean): Alias {
    const start = this.start();
    const name = dotted ? this.dottedName() : this.name();
    const asname = this.accept(T.AS) ? this.name() : null;
    return { kind: 'Alias', start, end: this.end(), parent: null, name, asname };
  }

  private importStatement(): Stmt {
    const start = this.start();
    this.advance();
    if (this.atStatementEnd()) this.fail("Expected one or more names after 'import'");
    const names = [this.alias(true)];
    while (this.accept(T.COMMA)) names.push(this.alias(true));
    if (this.tok === T.FROM) this.fail("Did you mean to use 'from ... import ...' instead?", start);
    const node: Stmt = { kind: 'Import', start, end: this.end(), parent: null, names };
    adopt(node, names);
    return node;
  }

  private importFrom(): ImportFrom {
    const start = this.start();
    this.advance();
    let level = 0;
    for (; this.tok === T.DOT || this.tok === T.ELLIPSIS; this.advance()) level += this.tok === T.DOT ? 1 : 3;
    const module = level > 0 && this.tok === T.IMPORT ? null : this.dottedName();
    this.expect(T.IMPORT);
    const names: Alias[] = [];
    const open = this.start();
    const parenthesised = this.accept(T.LPAR);
    if (this.atStatementEnd()) this.fail("Expected one or more names after 'import'");
    if (!parenthesised && this.tok === T.STAR) {
      this.advance();
      names.push({ kind: 'Alias', start: open, end: this.end(), parent: null, name: '*', asname: null });
    } else this.importedNames(names, parenthesised);
    const all = packed(names);
    const node: ImportFrom = { kind: 'ImportFrom', start, end: this.end(), parent: null, module, level, names: all };
    adopt(node, names);
    return node;
  }

  private importedNames(names: Alias[], parenthesised: boolean): void {
    names.push(this.alias(false));
    while (this.accept(T.COMMA)) {
      if (parenthesised && this.tok === T.RPAR) break;
      if (this.atStatementEnd()) this.fail('trailing comma not allowed without surrounding parentheses');
      names.push(this.alias(false));
    }
    if (parenthesised) this.close(T.RPAR);
  }

  private typeAlias(): TypeAlias {
    const start = this.start();
    this.advance();
    const { start: nameStart, end: nameEnd } = this.tokenSpan();
    const id = this.name();
    const name: TypeAlias['name'] = { kind: 'Name', start: nameStart, end: nameEnd, parent: null, id, ctx: 'store' };
    const typeParams = this.typeParams();
    this.expect(T.EQUAL);
    const value = this.expression();
    const node: TypeAlias = { kind: 'TypeAlias', start, end: this.end(), parent: null, name, typeParams, value };
    name.parent = node;
    adopt(node, typeParams);
    value.parent = node;
    return node;
  }

  /** `[T: bound = default, *Ts, **P]`, or nothing. */
  protected typeParams(): TypeParam[] {
    const params: TypeParam[] = [];
    if (!this.accept(T.LSQB)) return params;
    if (this.tok === T.RSQB) this.fail('Type parameter list cannot be empty');
    while (this.tok !== T.RSQB) {
      params.push(this.typeParam());
      if (!this.accept(T.COMMA)) break;
    }
    this.close(T.RSQB);
    return params;
  }

  private typeParam(): TypeParam {
    const start = this.start();
    const variety = this.tok === T.STAR ? 'TypeVarTuple' : this.tok === T.DOUBLESTAR ? 'ParamSpec' : 'TypeVar';
    if (variety !== 'TypeVar') this.advance();
    const name = this.name();
    if (this.tok === T.COLON && variety !== 'TypeVar') this.fail(`cannot use bound with ${variety}`);
    const bound = this.accept(T.COLON) ? this.expression() : null;
    let fallback: Expr | null = null;
    if (this.accept(T.EQUAL)) fallback = variety === 'TypeVarTuple' ? this.starExpression() : this.expression();
    const node: TypeParam = {
      kind: 'TypeParam',
      start,
      end: this.end(),
      parent: null,
      variety,
      name,
      bound,
      default: fallback,
    };
    if (bound) bound.parent = node;
    if (fallback) fallback.parent = node;
    return node;
  }
}
