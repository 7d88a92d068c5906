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
  /** Where in `text` its comments stand. */
  comments: readonly Span[];
  lines: number;
  kind: 'definition' | 'import' | 'other';
  /** Names that it binds in the module. */
  binds: ReadonlySet<string>;
  /** Every identifier in it. */
  mentions: ReadonlySet<string>;
  /** Names that it calls, hands on or changes; reading an attribute and logging are neither. */
  uses: ReadonlySet<string>;
  /** It may bind or change anything, or brings something in from elsewhere that only the analysis knows. */
  dynamic: boolean;
}

const DYNAMIC = new Set(['globals', 'locals', 'vars', 'exec', 'eval', 'setattr', 'delattr', '__import__', '__dict__']);
/** What may end a line, or may not stand in a file at all. */
const CONTROL = /[\0-\x08\n-\x1f\x7f]/;
/** Characters compared at once. */
const BLOCK = 256;
const LOGGING = new Set(['debug', 'info', 'warning', 'warn', 'error', 'exception', 'critical', 'log']);

export class Slicer {
  private chunks: readonly Chunk[] = [];
  private readonly words = new Set<string>();
  /** Which chunks decide, by their index; null: not known yet. */
  private inside: readonly boolean[] | null = null;
  private key: { lines: boolean; text: string } | null = null;

  /** Names of which a statement must hold one to spawn something, or to call what does. */
  constructor(words: Iterable<string>) {
    this.learn(words);
  }

  learn(words: Iterable<string>): void {
    const before = this.words.size;
    for (const word of words) this.words.add(word);
    if (this.words.size > before) [this.inside, this.key] = [null, null];
  }

  /**
   * The deciding part of the next version of the file; null when it does not parse.
   * @param lines whether it also matters where in the file it stands
   */
  slice(text: string, lines: boolean): string | null {
    if (!this.moveTo(text)) return null;
    if (this.key?.lines === lines) return this.key.text;
    this.inside ??= relevant(this.chunks, this.words);
    const parts = [...this.words];
    let line = 1;
    for (const [i, c] of this.chunks.entries()) {
      // what an import brings is only known to the analysis
      if (c.kind === 'import' || this.inside[i]) parts.push(lines ? `${line}:${c.text}` : c.code);
      line += c.lines;
    }
    this.key = { lines, text: parts.join('\0') };
    return this.key.text;
  }

  /** Only what differs from the version before is parsed. */
  private moveTo(text: string): boolean {
    const old = this.chunks;
    let [head, start] = [0, 0];
    while (head < old.length && standsAt(text, old[head]!.text, start)) start += old[head++]!.text.length;
    // a last line without an end has grown
    while (head > 0 && start < text.length && !endsLine(text, start)) start -= old[--head]!.text.length;
    let [tail, end] = [old.length, text.length];
    for (; tail > head; tail--) {
      const before = end - old[tail - 1]!.text.length;
      if (before < start || !standsAt(text, old[tail - 1]!.text, before)) break;
      end = before;
    }
    // something stands before a statement, on its line
    while (tail < old.length && !endsLine(text, end)) end += old[tail++]!.text.length;
    if (head === tail && start === end) return true;
    const inner = text.slice(start, end);
    const single = head + 1 === tail ? recommented(old[head]!, inner) : null;
    const middle = single ? [single] : chunksOf(inner);
    if (middle) this.replace(head, tail, middle);
    else {
      const all = chunksOf(text);
      if (!all) return false;
      this.replace(0, old.length, all);
    }
    return true;
  }

  private replace(head: number, tail: number, middle: readonly Chunk[]): void {
    const old = this.chunks;
    this.chunks = [...old.slice(0, head), ...middle, ...old.slice(tail)];
    const same =
      middle.length === tail - head &&
      middle.every((c, i) => c.code === old[head + i]!.code && c.kind === old[head + i]!.kind);
    if (!same) [this.inside, this.key] = [null, null];
    else if (this.key?.lines) this.key = null;
  }
}

/** The chunk with another text, where nothing but the inside of one comment differs; else null. */
function recommented(c: Chunk, text: string): Chunk | null {
  const start = commonStart(c.text, text);
  const most = Math.min(c.text.length, text.length) - start;
  // a comment that changed ends where its line does: no need to look further
  const line = c.text.indexOf('\n', start);
  let rest = line < 0 ? 0 : c.text.length - line;
  if (rest > most || !standsAt(text, c.text.slice(c.text.length - rest), text.length - rest)) return null;
  while (rest < most && c.text.charCodeAt(c.text.length - rest - 1) === text.charCodeAt(text.length - rest - 1)) rest++;
  const at = c.comments.findIndex((k) => k.start < start && c.text.length - rest <= k.end);
  const comment = c.comments[at];
  if (!comment || CONTROL.test(text.slice(start, text.length - rest))) return null;
  const by = text.length - c.text.length;
  const now = { start: comment.start, end: comment.end + by };
  if ([c.text.slice(comment.start, comment.end), text.slice(now.start, now.end)].some((t) => t.includes('looptag:')))
    return null;
  const later = c.comments.slice(at + 1).map((k) => ({ start: k.start + by, end: k.end + by }));
  return { ...c, text, comments: [...c.comments.slice(0, at), now, ...later] };
}

/** Equal texts are compared as memory is; `startsWith` goes by characters, and takes ten times as long. */
function standsAt(text: string, part: string, at: number): boolean {
  return text.slice(at, at + part.length) === part;
}

/** How many characters two texts begin with alike. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at + BLOCK <= most && standsAt(b, a.slice(at, at + BLOCK), at)) at += BLOCK;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
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
  const { body, comments } = tree;
  const out: Chunk[] = [];
  let from = 0;
  let k = 0;
  let group: Stmt[] = [];
  const push = (to: number): void => {
    const own: Span[] = [];
    for (; k < comments.length && comments[k]!.start < to; k++)
      own.push({ start: comments[k]!.start - from, end: comments[k]!.end - from });
    out.push(chunk(text.slice(from, to), own, group));
    from = to;
    group = [];
  };
  body.forEach((s, i) => {
    group.push(s);
    const next = body[i + 1];
    const cut = next ? lineEnd(text, s.end) : text.length;
    // `a = 1; b = 2` stand on one line
    if (next && firstOf(next) < cut) return;
    push(cut);
  });
  if (from < text.length) push(text.length);
  return out;
}

/** A text without comments, blank lines and blanks at the end of lines. */
function codeOf(text: string, comments: readonly Span[]): string {
  let [code, at] = ['', 0];
  for (const { start, end } of comments) {
    if (text.slice(start, end).includes('looptag:')) continue;
    code += text.slice(at, start);
    at = end;
  }
  const lines = (code + text.slice(at)).split('\n').map((line) => line.trimEnd());
  return lines.filter(Boolean).join('\n');
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function firstOf(s: Stmt): number {
  return 'decorators' in s && s.decorators[0] ? Math.min(s.start, s.decorators[0].start) : s.start;
}

function chunk(text: string, comments: readonly Span[], statements: readonly Stmt[]): Chunk {
  const [first] = statements;
  const single = statements.length === 1 ? first?.kind : undefined;
  const definition = single === 'FunctionDef' || single === 'ClassDef';
  const reader = new Reader();
  for (const s of statements) reader.read(s, false);
  const { binds, mentions, uses } = reader;
  const kind = definition ? 'definition' : single === 'Import' || single === 'ImportFrom' ? 'import' : 'other';
  const dynamic = reader.dynamic || (reader.imports && kind !== 'import');
  const lines = text.split('\n').length - 1;
  return { text, code: codeOf(text, comments), comments, lines, kind, binds, mentions, uses, dynamic };
}

class Reader {
  readonly binds = new Set<string>();
  readonly mentions = new Set<string>();
  readonly uses = new Set<string>();
  dynamic = false;
  imports = false;

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
        this.imports = true;
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

/** Which chunks decide. */
function relevant(chunks: readonly Chunk[], words: ReadonlySet<string>): boolean[] {
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
  return chunks.map((c) => inside.has(c));
}

function some(names: ReadonlySet<string>, of: ReadonlySet<string>): boolean {
  for (const name of names) if (of.has(name)) return true;
  return false;
}
