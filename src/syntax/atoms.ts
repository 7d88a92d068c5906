import type { Comprehension, Constant, Dict, Expr, GeneratorExp, List, Name, Node, Starred, Tuple } from './ast.ts';
import { adopt, expressionName, packed } from './cursor.ts';
import { StringParser } from './strings.ts';
import { toStore } from './targets.ts';
import * as T from './tokens.ts';

/** Atoms: names, literals, displays, comprehensions and parenthesised expressions. */
export abstract class AtomParser extends StringParser {
  protected abstract expression(): Expr;
  /** Operators that bind at least as tightly as `level`. */
  protected abstract operators(level: number): Expr;
  protected abstract yieldExpression(): Expr;
  /** `name := value` or an expression. */
  protected abstract namedExpression(): Expr;
  /** A named expression where a single `=` can only be a slip. */
  protected abstract condition(): Expr;

  protected atom(): Expr {
    switch (this.tok) {
      case T.NAME: {
        const { start, end } = this.tokenSpan();
        const id = this.name();
        return { kind: 'Name', start, end, parent: null, id, ctx: 'load' } satisfies Name;
      }
      case T.NUMBER:
        return this.number();
      case T.STRING:
      case T.FSTRING_START:
        return this.strings();
      case T.LPAR:
        return this.parenthesised();
      case T.LSQB:
        return this.listDisplay();
      case T.LBRACE:
        return this.braceDisplay();
      case T.NONE:
        return this.constant('none', null);
      case T.TRUE:
        return this.constant('bool', true);
      case T.FALSE:
        return this.constant('bool', false);
      case T.ELLIPSIS:
        return this.constant('ellipsis', null);
      default:
        return this.fail();
    }
  }

  private constant(type: Constant['type'], value: boolean | null): Constant {
    const { start, end } = this.tokenSpan();
    this.advance();
    return { kind: 'Constant', start, end, parent: null, type, value };
  }

  protected starred(readOperand: () => Expr): Starred {
    const start = this.start();
    this.advance();
    const value = readOperand.call(this);
    const node: Starred = { kind: 'Starred', start, end: this.end(), parent: null, value, ctx: 'load' };
    value.parent = node;
    return node;
  }

  /** An operand of `*` in a display: `bitwise_or`. */
  protected starOperand(): Expr {
    return this.operators(5);
  }

  /** An element of a display: an expression, a walrus, or `*` and an operand. */
  protected element(): Expr {
    return this.tok === T.STAR ? this.starred(this.starOperand) : this.condition();
  }

  protected atComprehension(): boolean {
    return this.tok === T.FOR || (this.tok === T.ASYNC && this.peek() === T.FOR);
  }

  private elementsUntil(close: number, elts: Expr[]): void {
    while (this.accept(T.COMMA)) {
      if (this.tok === close) return;
      elts.push(this.element());
    }
    if (this.atComprehension()) {
      this.fail('did you forget parentheses around the comprehension target?', elts[0]!.start);
    }
  }

  private parenthesised(): Expr {
    const start = this.start();
    this.advance();
    if (this.tok === T.RPAR) return this.tuple(start, []);
    if (this.tok === T.YIELD) return this.group(start, this.yieldExpression());
    const first = this.element();
    if (this.tok === T.COMMA) {
      const elts = [first];
      this.elementsUntil(T.RPAR, elts);
      return this.tuple(start, elts);
    }
    if (this.atComprehension()) {
      const node = this.generator(start, first, false);
      this.close(T.RPAR);
      node.end = this.end();
      return node;
    }
    if (first.kind === 'Starred' && this.tok === T.RPAR) {
      this.fail('cannot use starred expression here', first.start);
    }
    return this.group(start, first);
  }

  private group(start: number, inner: Expr): Expr {
    this.close(T.RPAR);
    inner.outer = { start, end: this.end() };
    return inner;
  }

  private tuple(start: number, elts: Expr[]): Tuple {
    this.close(T.RPAR);
    const node: Tuple = { kind: 'Tuple', start, end: this.end(), parent: null, elts: packed(elts), ctx: 'load' };
    adopt(node, elts);
    return node;
  }

  /** A generator expression from its first `for`; the caller sets the end past the closing bracket. */
  protected generator(start: number, elt: Expr, bare: boolean): GeneratorExp {
    const generators = this.comprehensions(elt);
    const node: GeneratorExp = { kind: 'GeneratorExp', start, end: this.end(), parent: null, elt, generators, bare };
    elt.parent = node;
    adopt(node, generators);
    return node;
  }

  private listDisplay(): Expr {
    const start = this.start();
    this.advance();
    const elts: Expr[] = [];
    if (this.tok !== T.RSQB) {
      const elt = this.element();
      if (this.atComprehension()) {
        const generators = this.comprehensions(elt);
        this.close(T.RSQB);
        return this.own({ kind: 'ListComp', start, end: this.end(), parent: null, elt, generators }, elt, generators);
      }
      elts.push(elt);
      this.elementsUntil(T.RSQB, elts);
    }
    this.close(T.RSQB);
    const node: List = { kind: 'List', start, end: this.end(), parent: null, elts: packed(elts), ctx: 'load' };
    adopt(node, elts);
    return node;
  }

  private own<N extends Node>(node: N, child: Node, children: readonly Node[]): N {
    child.parent = node;
    adopt(node, children);
    return node;
  }

  private braceDisplay(): Expr {
    const start = this.start();
    this.advance();
    if (this.tok === T.RBRACE || this.tok === T.DOUBLESTAR) return this.dictDisplay(start, null);
    const first = this.element();
    if (this.tok === T.COLON && first.kind !== 'Starred' && (first.kind !== 'NamedExpr' || first.outer)) {
      return this.dictDisplay(start, first);
    }
    if (this.atComprehension()) {
      const generators = this.comprehensions(first);
      this.close(T.RBRACE);
      const end = this.end();
      return this.own({ kind: 'SetComp', start, end, parent: null, elt: first, generators }, first, generators);
    }
    const elts = [first];
    this.elementsUntil(T.RBRACE, elts);
    this.close(T.RBRACE);
    const node: Expr = { kind: 'Set', start, end: this.end(), parent: null, elts: packed(elts) };
    adopt(node, elts);
    return node;
  }

  /** A dict from its first item, whose key may have been read already. */
  private dictDisplay(start: number, firstKey: Expr | null): Expr {
    const keys: (Expr | null)[] = [];
    const values: Expr[] = [];
    let key = firstKey;
    while (this.tok !== T.RBRACE) {
      if (key === null && this.accept(T.DOUBLESTAR)) {
        keys.push(null);
        values.push(this.operators(5));
        if (this.atComprehension()) this.fail('dict unpacking cannot be used in dict comprehension');
      } else {
        key ??= this.expression();
        const value = this.dictValue();
        if (keys.length === 0 && this.atComprehension()) return this.dictComp(start, key, value);
        keys.push(key);
        values.push(value);
        key = null;
      }
      if (!this.accept(T.COMMA)) break;
    }
    this.close(T.RBRACE);
    const node: Dict = {
      kind: 'Dict',
      start,
      end: this.end(),
      parent: null,
      keys: packed(keys),
      values: packed(values),
    };
    for (const each of keys) if (each) each.parent = node;
    adopt(node, values);
    return node;
  }

  private dictValue(): Expr {
    this.expect(
      T.COLON,
      this.tok === T.COMMA || this.tok === T.RBRACE ? "':' expected after dictionary key" : undefined,
    );
    if (this.tok === T.RBRACE || this.tok === T.COMMA) this.fail("expression expected after dictionary key and ':'");
    if (this.tok === T.STAR) this.fail('cannot use a starred expression in a dictionary value');
    return this.expression();
  }

  private dictComp(start: number, key: Expr, value: Expr): Expr {
    const generators = this.comprehensions(value);
    this.close(T.RBRACE);
    const end = this.end();
    const node: Expr = { kind: 'DictComp', start, end, parent: null, key, value, generators };
    key.parent = node;
    return this.own(node, value, generators);
  }

  /** The `for … in … if …` clauses after the element `elt`. */
  private comprehensions(elt: Expr): Comprehension[] {
    if (elt.kind === 'Starred') this.fail('iterable unpacking cannot be used in comprehension', elt.start);
    const clauses: Comprehension[] = [];
    while (this.atComprehension()) {
      const start = this.start();
      const isAsync = this.accept(T.ASYNC);
      this.advance();
      const target = this.starTargets();
      this.expect(T.IN, "'in' expected after for-loop variables");
      const iter = this.operators(1);
      const ifs: Expr[] = [];
      while (this.accept(T.IF)) ifs.push(this.operators(1));
      const end = this.end();
      const node: Comprehension = { kind: 'Comprehension', start, end, parent: null, isAsync, target, iter, ifs };
      target.parent = node;
      iter.parent = node;
      adopt(node, ifs);
      clauses.push(node);
    }
    return clauses;
  }

  /** The targets of a `for`, up to its `in`. */
  protected starTargets(): Expr {
    const start = this.start();
    const first = this.starTarget();
    if (this.tok !== T.COMMA) return first;
    const elts = [first];
    while (this.accept(T.COMMA) && this.tok !== T.IN) elts.push(this.starTarget());
    const node: Tuple = { kind: 'Tuple', start, end: this.end(), parent: null, elts: packed(elts), ctx: 'store' };
    adopt(node, elts);
    return node;
  }

  /** One target that no `=` follows: of a `for` or a `with`. */
  protected starTarget(): Expr {
    const target = this.tok === T.STAR ? this.starred(this.starOperand) : this.operators(5);
    const problem = toStore(target);
    if (problem) this.fail(`cannot assign to ${expressionName(problem)}`, problem.start);
    return target;
  }
}
