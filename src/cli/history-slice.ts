/**
 * The part of a file that decides what is spawned and how it is tagged. Most commits change something else (a route, a
 * model, a comment): where this part stays the same, so do the numbers.
 *
 * The part is made of whole top-level statements. In it are those with a word of a spawn, whatever defines a name that one
 * of them mentions, and whatever may call or change what they define; names are compared as words, so that too much gets
 * in rather than too little.
 */
import {
  childrenOf,
  type Expr,
  type Module,
  type Node,
  PythonSyntaxError,
  parseModule,
  type Span,
  type Stmt,
} from '../syntax/index.ts';

/** Some top-level statements on lines of their own, with the comments above them. */
interface Chunk {
  text: string;
  /** What of it decides: without blank lines and comments. */
  code: string;
  lines: number;
  kind: 'definition' | 'import' | 'other';
  /** Names that it binds in the module. */
  binds: ReadonlySet<string>;
  /** Every identifier in it. */
  mentions: ReadonlySet<string>;
  /** Names that it calls, hands on or changes; reading an attribute and logging are neither. */
  uses: ReadonlySet<string>;
  /** It may bind or change anything. */
  dynamic: boolean;
}

const DYNAMIC = new Set(['globals', 'locals', 'vars', 'exec', 'eval', 'setattr', 'delattr', '__import__', '__dict__']);
const LOGGING = new Set(['debug', 'info', 'warning', 'warn', 'error', 'exception', 'critical', 'log']);

export class Slicer {
  private chunks: Chunk[] = [];
  private readonly words = new Set<string>();

  /** Names of which a statement must hold one to spawn something, or to call what does. */
  constructor(words: Iterable<string>) {
    this.learn(words);
  }

  learn(words: Iterable<string>): void {
    for (const word of words) this.words.add(word);
  }

  /**
   * The deciding part of the next version of the file; null when it does not parse.
   * @param lines whether it also matters where in the file it stands
   */
  slice(text: string, lines: boolean): string | null {
    const chunks = this.split(text);
    if (!chunks) return null;
    this.chunks = chunks;
    const inside = relevant(chunks, this.words);
    const parts = [...this.words];
    let line = 1;
    for (const c of chunks) {
      // what an import brings is only known to the analysis
      if (c.kind === 'import' || inside.has(c)) parts.push(lines ? `${line}:${c.text}` : c.code);
      line += c.lines;
    }
    return parts.join('\0');
  }

  /** Only what differs from the version before is parsed. */
  private split(text: string): Chunk[] | null {
    const old = this.chunks;
    let [head, start] = [0, 0];
    while (head < old.length && text.startsWith(old[head]!.text, start)) start += old[head++]!.text.length;
    let [tail, end] = [old.length, text.length];
    while (tail > head && end - old[tail - 1]!.text.length >= start && text.endsWith(old[tail - 1]!.text, end)) {
      end -= old[--tail]!.text.length;
    }
    if (start > 0 && !endsLine(text, start)) return chunksOf(text);
    if (end < text.length && !endsLine(text, end)) return chunksOf(text);
    const middle = chunksOf(text.slice(start, end));
    return middle ? [...old.slice(0, head), ...middle, ...old.slice(tail)] : chunksOf(text);
  }
}

function endsLine(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === '\n';
}

/** null when it does not parse. */
function chunksOf(text: string): Chunk[] | null {
  let tree: Module;
  try {
    tree = parseModule(text);
  } catch (e) {
    if (e instanceof PythonSyntaxError) return null;
    throw e;
  }
  const { body } = tree;
  const comments = tree.comments.filter(({ start, end }) => !text.slice(start, end).includes('looptag:'));
  const out: Chunk[] = [];
  let from = 0;
  let group: Stmt[] = [];
  body.forEach((s, i) => {
    group.push(s);
    const next = body[i + 1];
    const cut = next ? lineEnd(text, s.end) : text.length;
    // `a = 1; b = 2` stand on one line
    if (next && firstOf(next) < cut) return;
    out.push(chunk(text.slice(from, cut), codeOf(text, from, cut, comments), group));
    from = cut;
    group = [];
  });
  if (from < text.length) out.push(chunk(text.slice(from), codeOf(text, from, text.length, comments), []));
  return out;
}

/** A stretch of the text without comments, blank lines and blanks at the end of lines. */
function codeOf(text: string, from: number, to: number, comments: readonly Span[]): string {
  let [code, at] = ['', from];
  for (const { start, end } of comments) {
    if (start < from || end > to) continue;
    code += text.slice(at, start);
    at = end;
  }
  const lines = (code + text.slice(at, to)).split('\n').map((line) => line.trimEnd());
  return lines.filter(Boolean).join('\n');
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function firstOf(s: Stmt): number {
  return 'decorators' in s && s.decorators[0] ? Math.min(s.start, s.decorators[0].start) : s.start;
}

function chunk(text: string, code: string, statements: readonly Stmt[]): Chunk {
  const [first] = statements;
  const single = statements.length === 1 ? first?.kind : undefined;
  const definition = single === 'FunctionDef' || single === 'ClassDef';
  const reader = new Reader();
  for (const s of statements) reader.read(s, false);
  const { binds, mentions, uses, dynamic } = reader;
  const kind = definition ? 'definition' : single === 'Import' || single === 'ImportFrom' ? 'import' : 'other';
  return { text, code, lines: text.split('\n').length - 1, kind, binds, mentions, uses, dynamic };
}

class Reader {
  readonly binds = new Set<string>();
  readonly mentions = new Set<string>();
  readonly uses = new Set<string>();
  dynamic = false;

  /** `inner`: inside of a function or class, where names are bound to something else than the module. */
  read(n: Node, inner: boolean): void {
    switch (n.kind) {
      case 'FunctionDef':
      case 'ClassDef':
        this.bind(n.name, inner);
        for (const d of n.decorators) this.decorator(d);
        for (const c of childrenOf(n)) if (!n.decorators.includes(c as Expr)) this.read(c, true);
        return;
      case 'Import':
      case 'ImportFrom':
        for (const { name, asname } of n.names) {
          if (name === '*') this.dynamic = true;
          this.bind(asname ?? name.split('.', 1)[0]!, inner);
          for (const part of name.split('.')) this.mentions.add(part);
        }
        return;
      case 'Name':
        this.mention(n.id);
        if (n.ctx !== 'load') this.bind(n.id, inner);
        if (!isHarmless(n)) this.uses.add(n.id);
        return;
      case 'Attribute':
        this.mention(n.attr);
        break;
      case 'Constant':
        // `getattr(asyncio, "create_task")`
        if (n.type === 'str' && /^\w+$/.test(String(n.value))) this.mentions.add(String(n.value));
        return;
      case 'Global':
        for (const name of n.names) this.bind(name, false);
        break;
      case 'Keyword':
        if (n.arg) this.mention(n.arg);
        break;
      case 'ExceptHandler':
      case 'MatchAs':
      case 'MatchStar':
        if (n.name) this.bind(n.name, inner);
        break;
      case 'MatchMapping':
        if (n.rest) this.bind(n.rest, inner);
        break;
      default:
    }
    for (const c of childrenOf(n)) this.read(c, inner);
  }

  /** What a decorator does to the function is looked at where the function itself matters. */
  private decorator(d: Expr): void {
    const reader = new Reader();
    reader.read(d, true);
    for (const name of reader.mentions) this.mentions.add(name);
    this.dynamic ||= reader.dynamic;
  }

  private mention(name: string): void {
    this.mentions.add(name);
    if (DYNAMIC.has(name)) this.dynamic = true;
  }

  private bind(name: string, inner: boolean): void {
    this.mentions.add(name);
    if (!inner) this.binds.add(name);
  }
}

/** `x.attr` is read, or `x.info(…)` logs. */
function isHarmless(n: Extract<Node, { kind: 'Name' }>): boolean {
  const { parent } = n;
  if (n.ctx !== 'load' || parent?.kind !== 'Attribute' || parent.ctx !== 'load') return false;
  const outer = parent.parent;
  if (outer?.kind === 'Call' && outer.func === parent) return LOGGING.has(parent.attr);
  return outer?.kind !== 'Subscript' && outer?.kind !== 'Attribute';
}

/** The chunks that decide. */
function relevant(chunks: readonly Chunk[], words: ReadonlySet<string>): ReadonlySet<Chunk> {
  const inside = new Set<Chunk>();
  /** Identifiers of the chunks inside; names that they bind otherwise than by an import. */
  const mentioned = new Set<string>();
  const bound = new Set<string>();
  const add = (c: Chunk): void => {
    inside.add(c);
    for (const name of c.mentions) mentioned.add(name);
    if (c.kind !== 'import') for (const name of c.binds) bound.add(name);
  };
  for (const c of chunks) if (c.dynamic || c.text.includes('looptag:') || some(c.mentions, words)) add(c);
  for (let size = -1; size !== inside.size; ) {
    size = inside.size;
    for (const c of chunks) {
      if (inside.has(c)) continue;
      const defines = some(c.binds, mentioned);
      const touches = c.kind === 'other' ? some(c.mentions, mentioned) : c.kind === 'definition' && some(c.uses, bound);
      if (defines || touches) add(c);
    }
  }
  return inside;
}

function some(names: ReadonlySet<string>, of: ReadonlySet<string>): boolean {
  for (const name of names) if (of.has(name)) return true;
  return false;
}
