import type { BinOp, BoolOp, Compare, Expr, IfExp, Lambda, NamedExpr, Tuple, UnaryOp } from './ast.ts';
import { adopt, expressionName, packed } from './cursor.ts';
import { PrimaryParser } from './primaries.ts';
import * as T from './tokens.ts';

const OR_LEVEL = 1;
const AND_LEVEL = 2;
const NOT_LEVEL = 3;
const COMPARE_LEVEL = 4;

const LEVELS = new Uint8Array(256);
const BY_LEVEL: [number, number[]][] = [
  [OR_LEVEL, [T.OR]],
  [AND_LEVEL, [T.AND]],
  [COMPARE_LEVEL, [T.LESS, T.GREATER, T.EQEQUAL, T.NOTEQUAL, T.LESSEQUAL, T.GREATEREQUAL, T.IN, T.IS, T.NOT]],
  [5, [T.VBAR]],
  [6, [T.CIRCUMFLEX]],
  [7, [T.AMPER]],
  [8, [T.LEFTSHIFT, T.RIGHTSHIFT]],
  [9, [T.PLUS, T.MINUS]],
  [10, [T.STAR, T.SLASH, T.DOUBLESLASH, T.PERCENT, T.AT]],
];
for (const [level, kinds] of BY_LEVEL) for (const kind of kinds) LEVELS[kind] = level;

/** Expressions with operators, by precedence climbing: chains to the left are loops. */
export class ExpressionParser extends PrimaryParser {
  protected override expression(): Expr {
    this.enter();
    const start = this.start();
    const body = this.tok === T.LAMBDA ? this.lambda() : this.operators(OR_LEVEL);
    const node = this.tok === T.IF ? this.conditional(start, body) : body;
    this.leave();
    return node;
  }

  private conditional(start: number, body: Expr): IfExp {
    this.advance();
    const test = this.operators(OR_LEVEL);
    this.expect(T.ELSE, this.tok === T.COLON ? undefined : "expected 'else' after 'if' expression");
    const orelse = this.expression();
    const node: IfExp = { kind: 'IfExp', start, end: this.end(), parent: null, test, body, orelse };
    test.parent = node;
    body.parent = node;
    orelse.parent = node;
    return node;
  }

  private lambda(): Lambda {
    const start = this.start();
    this.advance();
    const args = this.parameters(T.COLON, false);
    this.advance();
    if (this.tok === T.FSTRING_MIDDLE || this.tok === T.FSTRING_END) {
      this.fail('f-string: lambda expressions are not allowed without parentheses', start);
    }
    const body = this.expression();
    const node: Lambda = { kind: 'Lambda', start, end: this.end(), parent: null, args, body };
    args.parent = node;
    body.parent = node;
    return node;
  }

  protected override namedExpression(): Expr {
    if (this.tok === T.NAME && this.peek() === T.COLONEQUAL) return this.walrus();
    const node = this.expression();
    if (this.tok === T.COLONEQUAL) {
      this.fail(`cannot use assignment expressions with ${expressionName(node)}`, node.start);
    }
    return node;
  }

  protected override condition(): Expr {
    const node = this.namedExpression();
    if (this.tok === T.EQUAL && node.kind !== 'NamedExpr') {
      if (node.kind === 'Name') this.fail("invalid syntax. Maybe you meant '==' or ':=' instead of '='?", node.start);
      this.fail(`cannot assign to ${expressionName(node)} here. Maybe you meant '==' instead of '='?`, node.start);
    }
    return node;
  }

  private walrus(): NamedExpr {
    const { start, end } = this.tokenSpan();
    const target: NamedExpr['target'] = { kind: 'Name', start, end, parent: null, id: this.name(), ctx: 'store' };
    this.advance();
    const value = this.expression();
    const node: NamedExpr = { kind: 'NamedExpr', start, end: this.end(), parent: null, target, value };
    target.parent = node;
    value.parent = node;
    return node;
  }

  protected override starExpression(): Expr {
    return this.tok === T.STAR ? this.starred(this.starOperand) : this.expression();
  }

  /** Comma-separated, possibly starred expressions: a lone one, or a tuple. */
  protected starExpressions(): Expr {
    const start = this.start();
    const first = this.starExpression();
    if (this.tok !== T.COMMA) return first;
    const elts = [first];
    while (this.accept(T.COMMA) && !this.atTupleEnd()) elts.push(this.starExpression());
    const node: Tuple = { kind: 'Tuple', start, end: this.end(), parent: null, elts: packed(elts), ctx: 'load' };
    adopt(node, elts);
    return node;
  }

  /** True where a tuple without parentheses may end after a comma. */
  private atTupleEnd(): boolean {
    const k = this.tok;
    return !this.atExpression() && k !== T.STAR && k !== T.MINUS && k !== T.PLUS;
  }

  protected override annotatedRhs(): Expr {
    return this.tok === T.YIELD ? this.yieldExpression() : this.starExpressions();
  }

  protected override yieldExpression(): Expr {
    const start = this.start();
    this.advance();
    if (this.accept(T.FROM)) {
      const value = this.expression();
      const node: Expr = { kind: 'YieldFrom', start, end: this.end(), parent: null, value };
      value.parent = node;
      return node;
    }
    const value = this.atTupleEnd() ? null : this.starExpressions();
    const node: Expr = { kind: 'Yield', start, end: this.end(), parent: null, value };
    if (value) value.parent = node;
    return node;
  }

  protected override operators(level: number): Expr {
    const start = this.start();
    if (this.tok === T.NOT && level > NOT_LEVEL) this.fail("'not' after an operator must be parenthesized");
    let left = this.tok === T.NOT ? this.negation() : this.factor();
    for (;;) {
      const found = LEVELS[this.tok]!;
      if (found < level || found === 0) return left;
      if (found > COMPARE_LEVEL) left = this.binary(start, left, found);
      else if (found === COMPARE_LEVEL) left = this.comparison(start, left);
      else left = this.boolean(start, left, found);
    }
  }

  private binary(start: number, left: Expr, level: number): BinOp {
    const op = T.TOKEN_TEXT[this.tok]!;
    this.advance();
    const right = this.operators(level + 1);
    const node: BinOp = { kind: 'BinOp', start, end: this.end(), parent: null, left, op, right };
    left.parent = node;
    right.parent = node;
    return node;
  }

  private boolean(start: number, first: Expr, level: number): BoolOp {
    const kind = this.tok;
    const values = [first];
    while (this.accept(kind)) values.push(this.operators(level + 1));
    const op = kind === T.AND ? 'and' : 'or';
    const node: BoolOp = { kind: 'BoolOp', start, end: this.end(), parent: null, op, values: packed(values) };
    adopt(node, values);
    return node;
  }

  private comparison(start: number, left: Expr): Compare {
    const ops = [this.comparisonOperator()];
    const comparators = [this.operators(COMPARE_LEVEL + 1)];
    while (LEVELS[this.tok] === COMPARE_LEVEL) {
      ops.push(this.comparisonOperator());
      comparators.push(this.operators(COMPARE_LEVEL + 1));
    }
    const node: Compare = { kind: 'Compare', start, end: this.end(), parent: null, left, ops, comparators };
    left.parent = node;
    adopt(node, comparators);
    return node;
  }

  private comparisonOperator(): string {
    const kind = this.tok;
    if (kind === T.NOT && this.peek() !== T.IN) this.fail();
    this.advance();
    if (kind === T.NOT) {
      this.advance();
      return 'not in';
    }
    if (kind === T.IS && this.accept(T.NOT)) return 'is not';
    return T.TOKEN_TEXT[kind]!;
  }

  private negation(): UnaryOp {
    const start = this.start();
    this.enter();
    this.advance();
    const operand = this.operators(NOT_LEVEL);
    this.leave();
    return this.unary(start, 'not', operand);
  }

  private unary(start: number, op: UnaryOp['op'], operand: Expr): UnaryOp {
    const node: UnaryOp = { kind: 'UnaryOp', start, end: this.end(), parent: null, op, operand };
    operand.parent = node;
    return node;
  }

  private factor(): Expr {
    const kind = this.tok;
    if (kind === T.MINUS || kind === T.PLUS || kind === T.TILDE) {
      const start = this.start();
      this.enter();
      this.advance();
      const operand = this.factor();
      this.leave();
      return this.unary(start, kind === T.MINUS ? '-' : kind === T.PLUS ? '+' : '~', operand);
    }
    const start = this.start();
    const base = kind === T.AWAIT ? this.awaited() : this.primary();
    return this.tok === T.DOUBLESTAR ? this.power(start, base) : base;
  }

  private awaited(): Expr {
    const start = this.start();
    this.advance();
    const value = this.primary();
    const node: Expr = { kind: 'Await', start, end: this.end(), parent: null, value };
    value.parent = node;
    return node;
  }

  private power(start: number, left: Expr): BinOp {
    this.enter();
    this.advance();
    const right = this.factor();
    this.leave();
    const node: BinOp = { kind: 'BinOp', start, end: this.end(), parent: null, left, op: '**', right };
    left.parent = node;
    right.parent = node;
    return node;
  }
}
