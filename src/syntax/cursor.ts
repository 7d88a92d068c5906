import type { Expr, Node, Span } from './ast.ts';
import { lineNumberAt, PythonSyntaxError } from './errors.ts';
import type { TokenStream } from './stream.ts';
import * as T from './tokens.ts';

const MAX_DEPTH = 1000;
const NON_ASCII = /[^\x00-\x7f]/;

/** The words of CPython for the kind of an expression. */
export function expressionName(node: Expr): string {
  switch (node.kind) {
    case 'Constant':
      if (node.type === 'none') return 'None';
      if (node.type === 'bool') return node.value ? 'True' : 'False';
      return node.type === 'ellipsis' ? 'ellipsis' : 'literal';
    case 'Call':
      return 'function call';
    case 'BoolOp':
    case 'BinOp':
    case 'UnaryOp':
      return 'expression';
    case 'GeneratorExp':
      return 'generator expression';
    case 'Yield':
    case 'YieldFrom':
      return 'yield expression';
    case 'Await':
      return 'await expression';
    case 'ListComp':
      return 'list comprehension';
    case 'SetComp':
      return 'set comprehension';
    case 'DictComp':
      return 'dict comprehension';
    case 'Dict':
      return 'dict literal';
    case 'Set':
      return 'set display';
    case 'JoinedStr':
      return node.isTemplate ? 't-string expression' : 'f-string expression';
    case 'Compare':
      return 'comparison';
    case 'IfExp':
      return 'conditional expression';
    case 'NamedExpr':
      return 'named expression';
    default:
      return node.kind.toLowerCase();
  }
}

/** Makes `parent` the parent of every node of `children`. */
export function adopt(parent: Node, children: readonly Node[]): void {
  for (let i = 0; i < children.length; i++) children[i]!.parent = parent;
}

/** A list without the room that an array keeps for more when it grows: trees stay in memory. */
export function packed<T>(list: T[]): T[] {
  return list.length > 0 ? list.slice() : list;
}

/** The position in the token stream and everything the grammar's methods share. */
export class Cursor {
  protected readonly text: string;
  protected readonly stream: TokenStream;
  protected readonly kinds: Uint8Array;
  protected readonly starts: Int32Array;
  protected readonly ends: Int32Array;
  protected pos = 0;
  /** Kind of the current token. */
  protected tok: number;
  private depth = 0;

  constructor(text: string, stream: TokenStream) {
    this.text = text;
    this.stream = stream;
    this.kinds = stream.kinds;
    this.starts = stream.starts;
    this.ends = stream.ends;
    this.tok = stream.kinds[0]!;
  }

  protected advance(): void {
    this.tok = this.kinds[++this.pos]!;
  }

  protected accept(kind: number): boolean {
    if (this.tok !== kind) return false;
    this.tok = this.kinds[++this.pos]!;
    return true;
  }

  /** Kind of the next token. */
  protected peek(): number {
    return this.pos + 1 < this.stream.count ? this.kinds[this.pos + 1]! : T.ENDMARKER;
  }

  /** Start of the current token. */
  protected start(): number {
    return this.starts[this.pos]!;
  }

  /** End of the last token consumed, line ends and indentation aside. */
  protected end(): number {
    let i = this.pos - 1;
    while (i >= 0 && this.kinds[i]! <= T.DEDENT) i--;
    return i < 0 ? 0 : this.ends[i]!;
  }

  /** Consumes a token of `kind`, or fails: with `message` when given, else with `invalid syntax`. */
  protected expect(kind: number, message?: string): void {
    if (this.tok !== kind) this.fail(message);
    this.tok = this.kinds[++this.pos]!;
  }

  /** Consumes a closing bracket. */
  protected close(kind: number): void {
    if (this.tok !== kind) this.failInBrackets();
    this.tok = this.kinds[++this.pos]!;
  }

  /** Consumes a name. */
  protected name(): string {
    if (this.tok !== T.NAME) this.fail();
    const name = this.nameAt(this.pos);
    this.tok = this.kinds[++this.pos]!;
    return name;
  }

  protected nameAt(pos: number): string {
    const name = this.text.slice(this.starts[pos], this.ends[pos]);
    return this.stream.hasUnicodeNames && NON_ASCII.test(name) ? name.normalize('NFKC') : name;
  }

  protected tokenSpan(): Span {
    return { start: this.starts[this.pos]!, end: this.ends[this.pos]! };
  }

  /** True when the current token is the soft keyword `word`. */
  protected isWord(word: string): boolean {
    const start = this.starts[this.pos]!;
    return this.tok === T.NAME && this.ends[this.pos]! - start === word.length && this.text.startsWith(word, start);
  }

  protected lineOf(offset: number): number {
    return lineNumberAt(this.text, offset);
  }

  /** Guards the grammar's right recursion against the end of the stack. */
  protected enter(): void {
    if (++this.depth > MAX_DEPTH) this.fail('too many nested expressions');
  }

  protected leave(): void {
    this.depth--;
  }

  /** True when the current token could begin an expression. */
  protected atExpression(): boolean {
    const k = this.tok;
    return (
      (k >= T.NAME && k <= T.FSTRING_START) ||
      (k >= T.FALSE && k <= T.TRUE) ||
      k === T.LPAR ||
      k === T.LSQB ||
      k === T.LBRACE ||
      k === T.TILDE ||
      k === T.ELLIPSIS ||
      k === T.LAMBDA ||
      k === T.NOT ||
      k === T.AWAIT
    );
  }

  /** Fails at the current token: a tokenizer error that stands there wins over `message`. */
  protected fail(message?: string, offset = this.starts[this.pos]!): never {
    const { error } = this.stream;
    if (error && (this.tok === T.ERROR || this.opensBefore(error, offset))) throw error;
    if (message) throw new PythonSyntaxError(message, offset);
    if (this.tok === T.INDENT) throw new PythonSyntaxError('unexpected indent', offset);
    if (this.tok === T.DEDENT) throw new PythonSyntaxError('unexpected unindent', offset);
    throw new PythonSyntaxError('invalid syntax', offset);
  }

  /** Statements swallowed by a bracket of an earlier line fail oddly; the bracket is the real error. */
  private opensBefore(error: PythonSyntaxError, offset: number): boolean {
    return error.message.endsWith('was never closed') && this.lineOf(error.offset) < this.lineOf(offset);
  }

  protected failInBrackets(): never {
    this.fail(this.atExpression() && !this.stream.error ? 'invalid syntax. Perhaps you forgot a comma?' : undefined);
  }
}
