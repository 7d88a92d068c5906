import type {
  Constant,
  Expr,
  MatchAs,
  MatchClass,
  MatchMapping,
  MatchSequence,
  MatchSingleton,
  MatchStar,
  MatchValue,
  Name,
  Pattern,
} from './ast.ts';
import { adopt } from './cursor.ts';
import { ExpressionParser } from './expressions.ts';
import * as T from './tokens.ts';

/** The patterns of `case` clauses. */
export class PatternParser extends ExpressionParser {
  /** The pattern of a `case`: open sequences allowed. */
  protected patterns(): Pattern {
    const start = this.start();
    const first = this.maybeStarPattern();
    if (this.tok !== T.COMMA) {
      if (first.kind === 'MatchStar') this.fail();
      return first;
    }
    return this.sequence(start, this.restOfSequence(first, T.COLON));
  }

  private restOfSequence(first: Pattern, close: number): Pattern[] {
    const patterns = [first];
    while (this.accept(T.COMMA) && this.tok !== close && this.tok !== T.IF) patterns.push(this.maybeStarPattern());
    return patterns;
  }

  private sequence(start: number, patterns: Pattern[]): MatchSequence {
    const node: MatchSequence = { kind: 'MatchSequence', start, end: this.end(), parent: null, patterns };
    adopt(node, patterns);
    return node;
  }

  private maybeStarPattern(): Pattern {
    if (this.tok !== T.STAR) return this.pattern();
    const start = this.start();
    this.advance();
    const name = this.isWord('_') ? this.wildcardName() : this.captureName();
    return { kind: 'MatchStar', start, end: this.end(), parent: null, name } satisfies MatchStar;
  }

  private wildcardName(): null {
    this.advance();
    return null;
  }

  /** A name to bind: not `_`, and not the head of a dotted name, a class pattern or a keyword. */
  private captureName(): string {
    if (this.isWord('_')) this.fail("cannot use '_' as a target");
    const name = this.name();
    if (this.tok === T.DOT || this.tok === T.LPAR || this.tok === T.EQUAL) this.fail();
    return name;
  }

  private pattern(): Pattern {
    this.enter();
    const start = this.start();
    const node = this.orPattern(start);
    this.leave();
    if (!this.accept(T.AS)) return node;
    if (this.tok !== T.NAME) this.fail('invalid pattern target');
    const name = this.captureName();
    const as: MatchAs = { kind: 'MatchAs', start, end: this.end(), parent: null, pattern: node, name };
    node.parent = as;
    return as;
  }

  private orPattern(start: number): Pattern {
    const first = this.closedPattern();
    if (this.tok !== T.VBAR) return first;
    const patterns = [first];
    while (this.accept(T.VBAR)) patterns.push(this.closedPattern());
    const node: Pattern = { kind: 'MatchOr', start, end: this.end(), parent: null, patterns };
    adopt(node, patterns);
    return node;
  }

  private closedPattern(): Pattern {
    switch (this.tok) {
      case T.NAME:
        return this.namePattern();
      case T.LPAR:
        return this.parenthesisedPattern();
      case T.LSQB:
        return this.bracketedPattern();
      case T.LBRACE:
        return this.mappingPattern();
      case T.NONE:
      case T.TRUE:
      case T.FALSE: {
        const value = this.tok === T.NONE ? null : this.tok === T.TRUE;
        const { start, end } = this.tokenSpan();
        this.advance();
        return { kind: 'MatchSingleton', start, end, parent: null, value } satisfies MatchSingleton;
      }
      default:
        return this.matchValue(this.literal());
    }
  }

  private matchValue(value: Expr): MatchValue {
    const node: MatchValue = { kind: 'MatchValue', start: value.start, end: value.end, parent: null, value };
    value.parent = node;
    return node;
  }

  /** A number with its sign, a complex number, or strings. */
  private literal(): Expr {
    if (this.tok === T.STRING || this.tok === T.FSTRING_START) return this.strings();
    const start = this.start();
    const left = this.signedNumber();
    if (this.tok !== T.PLUS && this.tok !== T.MINUS) return left;
    if (this.isComplex(left)) this.fail('real number required in complex literal', start);
    const op = this.tok === T.PLUS ? '+' : '-';
    this.advance();
    if (this.tok !== T.NUMBER) this.fail();
    const right = this.number();
    if (right.type !== 'complex') this.fail('imaginary number required in complex literal', right.start);
    const node: Expr = { kind: 'BinOp', start, end: this.end(), parent: null, left, op, right };
    left.parent = node;
    right.parent = node;
    return node;
  }

  private isComplex(node: Expr): boolean {
    const number = node.kind === 'UnaryOp' ? node.operand : node;
    return number.kind === 'Constant' && number.type === 'complex';
  }

  private signedNumber(): Expr {
    const start = this.start();
    const negative = this.accept(T.MINUS);
    if (this.tok !== T.NUMBER) this.fail();
    const operand = this.number();
    if (!negative) return operand;
    const node: Expr = { kind: 'UnaryOp', start, end: this.end(), parent: null, op: '-', operand };
    operand.parent = node;
    return node;
  }

  private namePattern(): Pattern {
    const { start, end } = this.tokenSpan();
    if (this.isWord('_')) {
      this.advance();
      return { kind: 'MatchAs', start, end, parent: null, pattern: null, name: null };
    }
    const next = this.peek();
    if (next === T.DOT || next === T.LPAR) {
      const value = this.nameOrAttribute();
      return this.tok === T.LPAR ? this.classPattern(start, value) : this.valuePattern(value);
    }
    return { kind: 'MatchAs', start, end, parent: null, pattern: null, name: this.captureName() };
  }

  private valuePattern(value: Expr): MatchValue {
    if (this.tok === T.EQUAL) this.fail();
    return this.matchValue(value);
  }

  private nameOrAttribute(): Expr {
    const { start, end } = this.tokenSpan();
    let node: Expr = { kind: 'Name', start, end, parent: null, id: this.name(), ctx: 'load' } satisfies Name;
    while (this.accept(T.DOT)) {
      const attrStart = this.start();
      const end = this.ends[this.pos]!;
      const attr = this.name();
      const value: Expr = node;
      node = { kind: 'Attribute', start, end, parent: null, value, attr, attrStart, ctx: 'load' };
      value.parent = node;
    }
    return node;
  }

  private parenthesisedPattern(): Pattern {
    const start = this.start();
    this.advance();
    if (this.accept(T.RPAR)) return this.sequence(start, []);
    const first = this.maybeStarPattern();
    if (this.tok !== T.COMMA) {
      if (first.kind === 'MatchStar') this.fail();
      this.close(T.RPAR);
      return first;
    }
    const patterns = this.restOfSequence(first, T.RPAR);
    this.close(T.RPAR);
    return this.sequence(start, patterns);
  }

  private bracketedPattern(): Pattern {
    const start = this.start();
    this.advance();
    const patterns = this.tok === T.RSQB ? [] : this.restOfSequence(this.maybeStarPattern(), T.RSQB);
    this.close(T.RSQB);
    return this.sequence(start, patterns);
  }

  private mappingKey(): Expr {
    if (this.tok === T.NAME) {
      const node = this.nameOrAttribute();
      if (node.kind !== 'Attribute') this.fail();
      return node;
    }
    if (this.tok === T.NONE || this.tok === T.TRUE || this.tok === T.FALSE) return this.atom() as Constant;
    return this.literal();
  }

  private mappingPattern(): MatchMapping {
    const start = this.start();
    this.advance();
    const keys: Expr[] = [];
    const patterns: Pattern[] = [];
    let rest: string | null = null;
    while (this.tok !== T.RBRACE && rest === null) {
      if (this.accept(T.DOUBLESTAR)) rest = this.captureName();
      else {
        keys.push(this.mappingKey());
        this.expect(T.COLON);
        patterns.push(this.pattern());
      }
      if (!this.accept(T.COMMA)) break;
    }
    this.close(T.RBRACE);
    const node: MatchMapping = {
      kind: 'MatchMapping',
      start,
      end: this.end(),
      parent: null,
      keys,
      patterns,
      rest,
    };
    adopt(node, keys);
    adopt(node, patterns);
    return node;
  }

  private classPattern(start: number, cls: Expr): MatchClass {
    this.advance();
    const patterns: Pattern[] = [];
    const kwdAttrs: string[] = [];
    const kwdPatterns: Pattern[] = [];
    while (this.tok !== T.RPAR) {
      if (this.tok === T.NAME && this.peek() === T.EQUAL) {
        kwdAttrs.push(this.name());
        this.advance();
        kwdPatterns.push(this.pattern());
      } else {
        const at = this.start();
        patterns.push(this.pattern());
        if (kwdAttrs.length > 0) this.fail('positional patterns follow keyword patterns', at);
      }
      if (!this.accept(T.COMMA)) break;
    }
    this.close(T.RPAR);
    const node: MatchClass = {
      kind: 'MatchClass',
      start,
      end: this.end(),
      parent: null,
      cls,
      patterns,
      kwdAttrs,
      kwdPatterns,
    };
    cls.parent = node;
    adopt(node, patterns);
    adopt(node, kwdPatterns);
    return node;
  }
}
