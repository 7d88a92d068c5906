import type { Arg, Arguments, Expr } from './ast.ts';
import { AtomParser } from './atoms.ts';
import { adopt } from './cursor.ts';
import * as T from './tokens.ts';

/** Parameter lists of functions and lambdas. */
export abstract class ParameterParser extends AtomParser {
  protected abstract starExpression(): Expr;

  /**
   * Parameters up to (not including) the token `close`.
   *
   * @param annotated - true for a `def`, false for a lambda.
   */
  protected parameters(close: number, annotated: boolean): Arguments {
    const start = this.start();
    const node: Arguments = {
      kind: 'Arguments',
      start,
      end: start,
      parent: null,
      posonly: [],
      args: [],
      vararg: null,
      kwonly: [],
      kwarg: null,
    };
    let sawStar = false;
    let sawDefault = false;
    while (this.tok !== close) {
      if (this.tok === T.SLASH) this.slash(node, sawStar);
      else if (this.tok === T.STAR) {
        if (sawStar) this.fail('* argument may appear only once');
        sawStar = true;
        if (!this.star(node, annotated, close)) continue;
      } else if (this.tok === T.DOUBLESTAR) {
        this.doubleStar(node, annotated, close);
        break;
      } else {
        const arg = this.parameter(annotated, false);
        this.defaultOf(arg);
        if (sawStar) node.kwonly.push(arg);
        else {
          if (sawDefault && !arg.default) {
            this.fail('parameter without a default follows parameter with a default', arg.start);
          }
          sawDefault ||= arg.default !== null;
          node.args.push(arg);
        }
      }
      if (this.tok !== close) this.expect(T.COMMA);
    }
    if (this.start() !== start) node.end = this.end();
    this.adoptParameters(node);
    return node;
  }

  private adoptParameters(node: Arguments): void {
    adopt(node, node.posonly);
    adopt(node, node.args);
    adopt(node, node.kwonly);
    if (node.vararg) node.vararg.parent = node;
    if (node.kwarg) node.kwarg.parent = node;
  }

  private parameter(annotated: boolean, starAnnotation: boolean): Arg {
    const start = this.start();
    if (this.tok === T.LPAR) {
      this.fail(`${annotated ? 'Function' : 'Lambda expression'} parameters cannot be parenthesized`);
    }
    const arg = this.name();
    let annotation: Expr | null = null;
    if (annotated && this.accept(T.COLON)) annotation = starAnnotation ? this.starExpression() : this.expression();
    const node: Arg = { kind: 'Arg', start, end: this.end(), parent: null, arg, annotation, default: null };
    if (annotation) annotation.parent = node;
    return node;
  }

  private defaultOf(arg: Arg): void {
    if (!this.accept(T.EQUAL)) return;
    if (this.tok === T.RPAR || this.tok === T.COMMA) this.fail('expected default value expression');
    arg.default = this.expression();
    arg.default.parent = arg;
  }

  private slash(node: Arguments, sawStar: boolean): void {
    if (sawStar) this.fail('/ must be ahead of *');
    if (node.posonly.length > 0) this.fail('/ may appear only once');
    if (node.args.length === 0) this.fail('at least one argument must precede /');
    this.advance();
    node.posonly = node.args;
    node.args = [];
  }

  /** @returns false after a bare `*`, whose comma is consumed. */
  private star(node: Arguments, annotated: boolean, close: number): boolean {
    const start = this.start();
    this.advance();
    if (this.tok === close || (this.tok === T.COMMA && this.peek() !== T.NAME)) {
      this.fail('named arguments must follow bare *', start);
    }
    if (this.accept(T.COMMA)) return false;
    node.vararg = this.parameter(annotated, true);
    if (this.tok === T.EQUAL) this.fail('var-positional argument cannot have default value');
    return true;
  }

  private doubleStar(node: Arguments, annotated: boolean, close: number): void {
    this.advance();
    node.kwarg = this.parameter(annotated, false);
    if (this.tok === T.EQUAL) this.fail('var-keyword argument cannot have default value');
    if (this.accept(T.COMMA) && this.tok !== close) this.fail('arguments cannot follow var-keyword argument');
    if (this.tok !== close) this.fail();
  }
}
