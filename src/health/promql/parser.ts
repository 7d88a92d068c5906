import { PromqlError, type Token, tokenize } from './lexer.ts';

export interface Matcher {
  label: string;
  op: '=' | '!=' | '=~' | '!~';
  value: string;
}

export type Expr =
  | { kind: 'number'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'selector'; metric: string | null; matchers: Matcher[] }
  | { kind: 'call'; name: string; args: Expr[] }
  | { kind: 'aggregate'; op: string; grouping: { by: boolean; labels: string[] } | null; args: Expr[] }
  | { kind: 'negate'; of: Expr }
  | { kind: 'binary'; op: string; left: Expr; right: Expr };

const AGGREGATES = new Set(
  'sum min max avg group stddev stdvar count count_values bottomk topk quantile limitk limit_ratio'.split(' '),
);

/** Binding strength; `^` alone binds to the right. */
const STRENGTH: Record<string, number> = {
  or: 1,
  and: 2,
  unless: 2,
  '==': 3,
  '!=': 3,
  '<': 3,
  '>': 3,
  '<=': 3,
  '>=': 3,
  '+': 4,
  '-': 4,
  '*': 5,
  '/': 5,
  '%': 5,
  atan2: 5,
  '^': 6,
};

/** Nesting that no rule written by a person reaches. */
const MAX_DEPTH = 200;

/** Parses one PromQL expression. @throws PromqlError */
export function parsePromql(source: string): Expr {
  const parser = new Parser(tokenize(source));
  const expr = parser.expression(0);
  parser.end();
  return expr;
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: Token[]) {}

  end(): void {
    if (this.peek().kind !== 'end') this.fail(`unexpected ${this.peek().text}`);
  }

  expression(strength: number): Expr {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) this.fail('the expression is nested too deeply');
    let left = this.unary();
    for (;;) {
      const op = this.peek();
      const own = op.kind === 'op' || op.kind === 'name' ? STRENGTH[op.text.toLowerCase()] : undefined;
      if (own === undefined || own <= strength) break;
      this.at += 1;
      this.modifiers();
      const right = this.expression(op.text === '^' ? own - 1 : own);
      left = { kind: 'binary', op: op.text.toLowerCase(), left, right };
    }
    this.depth -= 1;
    return left;
  }

  /** `bool`, `on (…)`, `ignoring (…)`, `group_left (…)`: they pick series, not values. */
  private modifiers(): void {
    this.accept('bool');
    if (this.accept('on') || this.accept('ignoring')) this.labelList();
    if (this.accept('group_left') || this.accept('group_right')) if (this.peek().text === '(') this.labelList();
  }

  private unary(): Expr {
    if (this.accept('-')) return { kind: 'negate', of: this.expression(STRENGTH['*']!) };
    if (this.accept('+')) return this.expression(STRENGTH['*']!);
    return this.postfix(this.primary());
  }

  private primary(): Expr {
    const token = this.tokens[this.at++]!;
    if (token.kind === 'number') return { kind: 'number', value: token.value as number };
    if (token.kind === 'string') return { kind: 'string', value: token.value as string };
    if (token.text === '(') {
      const inner = this.expression(0);
      this.expect(')');
      return inner;
    }
    if (token.text === '{') {
      this.at -= 1;
      return this.selector(null);
    }
    if (token.kind !== 'name')
      this.fail(token.kind === 'end' ? 'the expression ends early' : `unexpected ${token.text}`);
    return this.named(token.text);
  }

  private named(name: string): Expr {
    const lower = name.toLowerCase();
    const follows = this.peek().text;
    if (AGGREGATES.has(lower) && (follows === '(' || follows === 'by' || follows === 'without'))
      return this.aggregate(lower);
    if (follows === '(') return { kind: 'call', name, args: this.args() };
    if (lower === 'inf' || lower === 'nan') return { kind: 'number', value: lower === 'inf' ? Infinity : NaN };
    return this.selector(name);
  }

  private aggregate(op: string): Expr {
    let grouping = this.grouping();
    const args = this.args();
    grouping ??= this.grouping();
    return { kind: 'aggregate', op, grouping, args };
  }

  private grouping(): { by: boolean; labels: string[] } | null {
    if (this.accept('by')) return { by: true, labels: this.labelList() };
    if (this.accept('without')) return { by: false, labels: this.labelList() };
    return null;
  }

  private args(): Expr[] {
    const args: Expr[] = [];
    this.expect('(');
    while (this.peek().text !== ')') {
      args.push(this.expression(0));
      if (!this.accept(',')) break;
    }
    this.expect(')');
    return args;
  }

  private labelList(): string[] {
    const labels: string[] = [];
    this.expect('(');
    while (this.peek().text !== ')') {
      labels.push(String(this.tokens[this.at++]!.value));
      if (!this.accept(',')) break;
    }
    this.expect(')');
    return labels;
  }

  private selector(metric: string | null): Expr {
    const matchers: Matcher[] = [];
    let name = metric;
    if (this.accept('{')) {
      while (this.peek().text !== '}') {
        const label = this.tokens[this.at++]!;
        const op = this.peek().text;
        if (label.kind === 'string' && (op === ',' || op === '}')) name = String(label.value);
        else matchers.push(this.matcher(label));
        if (!this.accept(',')) break;
      }
      this.expect('}');
    }
    const own = matchers.findIndex((m) => m.label === '__name__' && m.op === '=');
    if (own >= 0) name = matchers.splice(own, 1)[0]!.value;
    return { kind: 'selector', metric: name, matchers };
  }

  private matcher(label: Token): Matcher {
    const op = this.tokens[this.at++]!;
    const value = this.tokens[this.at++];
    if ((label.kind !== 'name' && label.kind !== 'string') || !['=', '!=', '=~', '!~'].includes(op.text))
      this.fail('a label matcher was expected');
    if (value?.kind !== 'string') this.fail('a string was expected');
    return { label: String(label.value), op: op.text as Matcher['op'], value: String(value!.value) };
  }

  /** Ranges, subqueries, `offset` and `@` shift time; they don't change which series is read. */
  private postfix(expr: Expr): Expr {
    for (;;) {
      if (this.accept('[')) {
        while (this.peek().text !== ']' && this.peek().kind !== 'end') this.at += 1;
        this.expect(']');
      } else if (this.accept('offset')) {
        this.accept('-');
        this.at += 1;
      } else if (this.accept('@')) {
        if (this.tokens[this.at++]?.kind === 'name') this.args();
      } else return expr;
    }
  }

  private peek(): Token {
    return this.tokens[Math.min(this.at, this.tokens.length - 1)]!;
  }

  private accept(text: string): boolean {
    const token = this.peek();
    if (token.kind === 'string' || token.text.toLowerCase() !== text) return false;
    this.at += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.accept(text)) this.fail(`${text} was expected`);
  }

  private fail(message: string): never {
    throw new PromqlError(message, this.peek().offset);
  }
}
