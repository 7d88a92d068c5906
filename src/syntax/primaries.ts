import type { Attribute, Call, Expr, Keyword, Slice, Subscript } from './ast.ts';
import { adopt, expressionName, packed } from './cursor.ts';
import { ParameterParser } from './parameters.ts';
import * as T from './tokens.ts';

const NO_BARE_GENERATOR = -1;

/** Atoms with their trailers: attributes, calls and subscripts. */
export abstract class PrimaryParser extends ParameterParser {
  protected primary(): Expr {
    const start = this.start();
    let node = this.atom();
    for (;;) {
      if (this.tok === T.DOT) node = this.attribute(start, node);
      else if (this.tok === T.LPAR) node = this.call(start, node);
      else if (this.tok === T.LSQB) node = this.subscript(start, node);
      else return node;
    }
  }

  private attribute(start: number, value: Expr): Attribute {
    this.advance();
    const attrStart = this.start();
    const end = this.ends[this.pos]!;
    const attr = this.name();
    const node: Attribute = { kind: 'Attribute', start, end, parent: null, value, attr, attrStart, ctx: 'load' };
    value.parent = node;
    return node;
  }

  private call(start: number, func: Expr): Call {
    const open = this.start();
    let args: Expr[] = [];
    let keywords: Keyword[] = [];
    this.advance();
    if (this.tok === T.RPAR) this.advance();
    else {
      this.callArguments(args, keywords, open);
      args = packed(args);
      keywords = packed(keywords);
    }
    const node: Call = { kind: 'Call', start, end: this.end(), parent: null, func, args, keywords, open };
    func.parent = node;
    adopt(node, args);
    adopt(node, keywords);
    return node;
  }

  /** The arguments of a class definition, closing bracket included. */
  protected classArguments(bases: Expr[], keywords: Keyword[]): void {
    this.callArguments(bases, keywords, NO_BARE_GENERATOR);
  }

  private callArguments(args: Expr[], keywords: Keyword[], open: number): void {
    let unpacked = false;
    while (this.tok !== T.RPAR) {
      if (this.tok === T.STAR) {
        if (unpacked) this.fail('iterable argument unpacking follows keyword argument unpacking');
        args.push(this.starred(this.expression));
        if (this.tok === T.EQUAL) this.fail('cannot assign to iterable argument unpacking');
      } else if (this.tok === T.DOUBLESTAR) {
        keywords.push(this.keyword(null));
        unpacked = true;
      } else if (this.tok === T.NAME && this.peek() === T.EQUAL) keywords.push(this.keyword(this.nameAt(this.pos)));
      else {
        args.push(this.positional(args.length + keywords.length === 0 ? open : NO_BARE_GENERATOR));
        if (keywords.length > 0) {
          this.fail(`positional argument follows keyword argument${unpacked ? ' unpacking' : ''}`, args.at(-1)!.start);
        }
      }
      if (!this.accept(T.COMMA)) break;
    }
    this.close(T.RPAR);
    const only = args[0];
    if (only?.kind === 'GeneratorExp' && only.bare) only.end = this.end();
  }

  private positional(open: number): Expr {
    const value = this.namedExpression();
    if (this.tok === T.EQUAL) {
      if (value.kind === 'Constant' && (value.type === 'bool' || value.type === 'none')) {
        this.fail(`cannot assign to ${expressionName(value)}`, value.start);
      }
      this.fail('expression cannot contain assignment, perhaps you meant "=="?', value.start);
    }
    if (!this.atComprehension()) return value;
    const generator = this.generator(open, value, true);
    if (open < 0 || this.tok === T.COMMA) this.fail('Generator expression must be parenthesized', value.start);
    return generator;
  }

  /** `name=value`, or `**value` for a null name. */
  private keyword(arg: string | null): Keyword {
    const start = this.start();
    this.advance();
    if (arg !== null) {
      this.advance();
      if (this.tok === T.RPAR || this.tok === T.COMMA) this.fail('expected argument value expression', start);
    }
    const value = this.expression();
    if (this.tok === T.EQUAL && arg === null) this.fail('cannot assign to keyword argument unpacking', start);
    if (arg !== null && this.atComprehension()) {
      this.fail("invalid syntax. Maybe you meant '==' or ':=' instead of '='?", start);
    }
    const node: Keyword = { kind: 'Keyword', start, end: this.end(), parent: null, arg, value };
    value.parent = node;
    return node;
  }

  private subscript(start: number, value: Expr): Subscript {
    this.advance();
    const slice = this.slices();
    this.close(T.RSQB);
    const node: Subscript = { kind: 'Subscript', start, end: this.end(), parent: null, value, slice, ctx: 'load' };
    value.parent = node;
    slice.parent = node;
    return node;
  }

  private slices(): Expr {
    const start = this.start();
    const first = this.sliceItem();
    if (this.tok !== T.COMMA && first.kind !== 'Starred') return first;
    const elts = [first];
    while (this.accept(T.COMMA) && this.tok !== T.RSQB) elts.push(this.sliceItem());
    const node: Expr = { kind: 'Tuple', start, end: this.end(), parent: null, elts: packed(elts), ctx: 'load' };
    adopt(node, elts);
    return node;
  }

  private sliceItem(): Expr {
    if (this.tok === T.STAR) return this.starred(this.expression);
    const start = this.start();
    const lower = this.tok === T.COLON ? null : this.namedExpression();
    if (this.tok !== T.COLON || (lower?.kind === 'NamedExpr' && !lower.outer)) return lower ?? this.fail();
    this.advance();
    const upper = this.atSliceEnd() ? null : this.expression();
    const step = this.accept(T.COLON) && !this.atSliceEnd() ? this.expression() : null;
    const node: Slice = { kind: 'Slice', start, end: this.end(), parent: null, lower, upper, step };
    if (lower) lower.parent = node;
    if (upper) upper.parent = node;
    if (step) step.parent = node;
    return node;
  }

  private atSliceEnd(): boolean {
    return this.tok === T.COLON || this.tok === T.COMMA || this.tok === T.RSQB;
  }
}
