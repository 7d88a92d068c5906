import type { ClassDef, Expr, For, FunctionDef, If, Keyword, Module, Stmt } from './ast.ts';
import { BlockParser } from './blocks.ts';
import { adopt } from './cursor.ts';

import * as T from './tokens.ts';

/** Compound statements and the module. */
export class StatementParser extends BlockParser {
  module(): Module {
    const body: Stmt[] = [];
    while (this.tok !== T.ENDMARKER) this.statement(body);
    const { comments } = this.stream;
    const node: Module = { kind: 'Module', start: 0, end: this.text.length, parent: null, body, comments };
    adopt(node, body);
    return node;
  }

  protected override statement(out: Stmt[]): void {
    switch (this.tok) {
      case T.NAME:
        if (this.isWord('match') && this.lineEndsInColon()) out.push(this.matchStatement());
        else this.simpleStatements(out);
        return;
      case T.IF:
        out.push(this.ifStatement());
        return;
      case T.DEF:
        out.push(this.functionDef([], this.start(), false));
        return;
      case T.CLASS:
        out.push(this.classDef([]));
        return;
      case T.AT:
        out.push(this.decorated());
        return;
      case T.ASYNC:
        out.push(this.asyncStatement());
        return;
      case T.FOR:
        out.push(this.forStatement(this.start(), false));
        return;
      case T.WHILE:
        out.push(this.whileStatement());
        return;
      case T.WITH:
        out.push(this.withStatement(this.start(), false));
        return;
      case T.TRY:
        out.push(this.tryStatement());
        return;
      default:
        this.simpleStatements(out);
    }
  }

  /** A chain of `elif` becomes nested Ifs, built without recursion. */
  private ifStatement(): If {
    const chain: If[] = [];
    do {
      const start = this.start();
      const what = this.tok === T.IF ? "'if' statement" : "'elif' statement";
      this.advance();
      const test = this.condition();
      const body = this.block(what, start);
      const node: If = { kind: 'If', start, end: 0, parent: null, test, body, orelse: [] };
      test.parent = node;
      adopt(node, body);
      chain.push(node);
    } while (this.tok === T.ELIF);
    const last = chain.at(-1)!;
    last.orelse = this.elseBlock();
    adopt(last, last.orelse);
    const end = this.end();
    for (let i = chain.length - 1; i >= 0; i--) {
      const node = chain[i]!;
      node.end = end;
      if (i === 0) break;
      chain[i - 1]!.orelse = [node];
      node.parent = chain[i - 1]!;
    }
    return chain[0]!;
  }

  private whileStatement(): Stmt {
    const start = this.start();
    this.advance();
    const test = this.condition();
    const body = this.block("'while' statement", start);
    const orelse = this.elseBlock();
    const node: Stmt = { kind: 'While', start, end: this.end(), parent: null, test, body, orelse };
    test.parent = node;
    adopt(node, body);
    adopt(node, orelse);
    return node;
  }

  private asyncStatement(): Stmt {
    const start = this.start();
    const next = this.peek();
    this.advance();
    if (next === T.DEF) return this.functionDef([], start, true);
    if (next === T.FOR) return this.forStatement(start, true);
    if (next === T.WITH) return this.withStatement(start, true);
    return this.fail();
  }

  private forStatement(start: number, isAsync: boolean): For {
    this.advance();
    const target = this.starTargets();
    this.expect(T.IN);
    const iter = this.starExpressions();
    const body = this.block("'for' statement", start);
    const orelse = this.elseBlock();
    const node: For = { kind: 'For', start, end: this.end(), parent: null, isAsync, target, iter, body, orelse };
    target.parent = node;
    iter.parent = node;
    adopt(node, body);
    adopt(node, orelse);
    return node;
  }

  private decorated(): Stmt {
    const decorators: Expr[] = [];
    while (this.accept(T.AT)) {
      decorators.push(this.namedExpression());
      this.expect(T.NEWLINE);
    }
    const start = this.start();
    if (this.tok === T.CLASS) return this.classDef(decorators);
    const isAsync = this.accept(T.ASYNC);
    if (this.tok !== T.DEF) this.fail();
    return this.functionDef(decorators, start, isAsync);
  }

  private functionDef(decorators: Expr[], start: number, isAsync: boolean): FunctionDef {
    this.advance();
    const nameSpan = this.tokenSpan();
    const name = this.name();
    const typeParams = this.typeParams();
    this.expect(T.LPAR, "expected '('");
    const args = this.parameters(T.RPAR, true);
    this.advance();
    const returns = this.accept(T.ARROW) ? this.expression() : null;
    if (this.tok !== T.COLON) this.fail("expected ':'");
    const body = this.block('function definition', start);
    const node: FunctionDef = {
      kind: 'FunctionDef',
      start,
      end: this.end(),
      parent: null,
      isAsync,
      name,
      nameSpan,
      typeParams,
      args,
      body,
      decorators,
      returns,
    };
    adopt(node, decorators);
    adopt(node, typeParams);
    args.parent = node;
    if (returns) returns.parent = node;
    adopt(node, body);
    return node;
  }

  private classDef(decorators: Expr[]): ClassDef {
    const start = this.start();
    this.advance();
    const nameSpan = this.tokenSpan();
    const name = this.name();
    const typeParams = this.typeParams();
    const bases: Expr[] = [];
    const keywords: Keyword[] = [];
    if (this.accept(T.LPAR)) this.classArguments(bases, keywords);
    const body = this.block('class definition', start);
    const node: ClassDef = {
      kind: 'ClassDef',
      start,
      end: this.end(),
      parent: null,
      name,
      nameSpan,
      typeParams,
      bases,
      keywords,
      body,
      decorators,
    };
    adopt(node, decorators);
    adopt(node, typeParams);
    adopt(node, bases);
    adopt(node, keywords);
    adopt(node, body);
    return node;
  }
}
