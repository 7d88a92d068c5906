/** Every line that `grep asyncio.create_task` hits and that is no spawn: what it is instead. */
import type { Mention, MentionKind } from '../model/index.ts';
import { byPlace, firstWhere } from '../model/order.ts';
import type { LoadRecord, ModuleScopes } from '../semantics/index.ts';
import { type Call, descendants, type Expr, type Module, type Node, type Span } from '../syntax/index.ts';
import { unwrapPartial } from './detect.ts';
import type { SpawnEvent } from './flow.ts';
import { dottedName, type Project } from './project.ts';
import type { Alternative, Targets } from './targets.ts';

/** As grep reads it: the dot stands for any character. */
const GREP = /asyncio[^\r\n]create_task/g;

/** Offsets of what grep hits. */
export function grepOffsets(text: string): number[] {
  return [...text.matchAll(GREP)].map((m) => m.index);
}

/** Lines that `grep -c` counts: it knows only `\n` as a line end. */
export function grepLineCount(text: string): number {
  const lines = new Set<number>();
  let line = 0;
  let from = 0;
  for (const at of grepOffsets(text)) {
    for (let i = text.indexOf('\n', from); i >= 0 && i < at; i = text.indexOf('\n', from)) {
      line++;
      from = i + 1;
    }
    lines.add(line);
  }
  return lines.size;
}

interface Strings {
  start: number;
  end: number;
  docstring: boolean;
}

export class Mentions {
  constructor(
    private readonly project: Project,
    private readonly targets: Targets,
  ) {}

  of(m: ModuleScopes, sites: ReadonlySet<Node>, forwards: readonly SpawnEvent[]): Mention[] {
    const out: Mention[] = [];
    const done = new Set<number>();
    const push = (start: number, end: number, kind: MentionKind, extra: Partial<Mention> = {}): void => {
      if (done.has(start)) return;
      done.add(start);
      const { line, column } = this.project.source(m).lines.position(start);
      out.push({ file: m.file, line, column, kind, text: onOneLine(m, start, end), ...extra });
    };
    for (const f of forwards) {
      const node = f.call.node;
      push(node.start, node.end, 'wrapper-body', {
        detail: 'the forwarding call of a wrapper: its callers are the sites',
      });
    }
    const calls = new Map<Node, Call>(m.calls.map((c) => [c.node.func, c.node]));
    this.references(m, calls, push);
    this.lookalikes(m, sites, push);
    const hits = grepOffsets(m.text);
    const strings = hits.length ? stringsOf(m.tree).sort((a, b) => a.start - b.start) : [];
    for (const offset of hits) this.grepHit(m, offset, strings, calls, sites, done, push);
    return out.sort(byPlace);
  }

  /** The API used as a value: passed, bound, stored. */
  private references(m: ModuleScopes, calls: Map<Node, Call>, push: Push): void {
    for (const record of m.loads) {
      const { node } = record;
      const name = node.kind === 'Name' ? node.id : node.attr;
      if (calls.has(node) || node.parent?.kind === 'Attribute' || !this.interesting(name, record)) continue;
      if (!this.isApi(node, record)) continue;
      const spawns = this.spawnedBy(m, node);
      push(
        node.start,
        node.end,
        'reference',
        spawns
          ? { spawns, detail: 'passed as a value: the receiver spawns' }
          : { detail: 'used as a value, not called here' },
      );
    }
    for (const s of importsOf(m.tree)) {
      for (const a of s.names)
        if (s.module === 'asyncio' && this.project.table.rows.has(`asyncio.${a.name}`)) push(a.start, a.end, 'import');
    }
  }

  private interesting(name: string, record: LoadRecord): boolean {
    return (
      this.project.table.methods.has(name) ||
      (record.node.kind === 'Name' && this.aliases(record.scope.module).has(name))
    );
  }

  /** Names that may stand for an API: imported under another name, or assigned from one. */
  private aliases(m: ModuleScopes): Set<string> {
    let names = this.aliasNames.get(m);
    if (!names) {
      names = new Set();
      const { methods } = this.project.table;
      const scopes = [
        m.scope,
        ...m.functions.map((f) => f.scope),
        ...m.lambdas.map((l) => l.scope),
        ...m.classes.map((c) => c.scope),
      ];
      for (const list of scopes.flatMap((s) => [...s.bindings.values()])) {
        for (const b of list) {
          if (b.kind === 'from' && methods.has(b.member)) names.add(b.name);
          const value = b.kind === 'assign' || b.kind === 'annotated' ? b.value : null;
          if (value && /create_task|ensure_future|threadsafe|partial/.test(m.text.slice(value.start, value.end)))
            names.add(b.name);
        }
      }
      this.aliasNames.set(m, names);
    }
    return names;
  }
  private readonly aliasNames = new WeakMap<ModuleScopes, Set<string>>();

  private isApi(node: Expr, record: LoadRecord): boolean {
    if (node.kind === 'Name' && node.parent?.kind === 'Call' && node.parent.func === node) return false;
    for (const { value, proof } of this.project.ev.value(node, record.scope, record.block).values()) {
      const { base } = unwrapPartial(value);
      const row = base.k === 'name' ? this.project.table.rows.get(base.q) : undefined;
      if (row && !row.scheduled && row.api !== 'asyncio.Task' && proof !== 'type-checking-only') return true;
    }
    return false;
  }

  /** `call_soon(create_task, c())`, `partial(create_task, c())`, `map(create_task, [c()])`. */
  private spawnedBy(m: ModuleScopes, node: Node): string | null {
    const call = node.parent;
    if (call?.kind !== 'Call') return null;
    const next = call.args[call.args.indexOf(node as Expr) + 1];
    if (!next) return null;
    const place = this.project.place(m, next);
    const mapped = this.project.namesOf(m, call.func).includes('builtins.map');
    const alternatives: Alternative[] = mapped ? this.targets.elements(place) : this.targets.resolve(place, false);
    const names = alternatives.flatMap((a) => (a.kind === 'coroutine' || a.kind === 'external' ? [a.name] : []));
    return names.length ? [...new Set(names)].join(', ') : null;
  }

  /** Calls that are spelled like the API and are something else. */
  private lookalikes(m: ModuleScopes, sites: ReadonlySet<Node>, push: Push): void {
    for (const { node, scope, block } of m.calls) {
      const name = node.func.kind === 'Attribute' ? node.func.attr : node.func.kind === 'Name' ? node.func.id : '';
      if ((name !== 'create_task' && name !== 'ensure_future') || sites.has(node)) continue;
      const shadowed = node.func.kind === 'Name' || dottedName(node.func) === `asyncio.${name}`;
      const receiver = node.func.kind === 'Attribute' ? node.func.value : node.func;
      const why = [...this.project.ev.value(receiver, scope, block).values()].map((v) =>
        v.value.k === 'unknown' ? v.value.why : v.value.k === 'param' ? 'a parameter' : describe(v.value),
      );
      const detail = shadowed
        ? `the name is something else here (${why.join('; ')})`
        : `the receiver is not proven to be an event loop or task group (${why.join('; ')})`;
      push(node.start, node.end, shadowed ? 'shadowed' : 'other-object', { detail });
    }
  }

  private grepHit(
    m: ModuleScopes,
    offset: number,
    strings: Strings[],
    calls: Map<Node, Call>,
    sites: ReadonlySet<Node>,
    done: ReadonlySet<number>,
    push: Push,
  ): void {
    const end = offset + 'asyncio.create_task'.length;
    const comment = holding(m.tree.comments, offset);
    const string = holding(strings, offset);
    const load = this.attributeAt(m, offset, end);
    const call = load && calls.get(load.node);
    // a call that is explained already is not explained twice
    if (call && (sites.has(call) || done.has(call.start))) return;
    if (comment) push(offset, comment.end, 'comment');
    else if (string) push(offset, endOfLine(m.text, offset, string.end), string.docstring ? 'docstring' : 'string');
    else if (importAt(m.tree, offset)) push(offset, end, 'import');
    else if (!load) push(offset, end, 'other-object', { detail: 'part of another name' });
    else this.attributeHit(m, load, offset, end, push);
  }

  /** The attribute whose name a hit ends in. */
  private attributeAt(m: ModuleScopes, offset: number, end: number): LoadRecord | undefined {
    let byName = this.attributes.get(m);
    if (!byName) {
      byName = new Map();
      for (const l of m.loads) if (l.node.kind === 'Attribute') byName.set(l.node.attrStart, l);
      this.attributes.set(m, byName);
    }
    // the name begins behind `asyncio.`; a longer one may begin anywhere in the hit
    for (let at = end - 1; at > offset; at--) {
      const found = byName.get(at);
      if (found && found.node.kind === 'Attribute' && found.node.end >= end && found.node.start <= offset) return found;
    }
    return undefined;
  }
  private readonly attributes = new WeakMap<ModuleScopes, Map<number, LoadRecord>>();

  private attributeHit(_m: ModuleScopes, load: LoadRecord, offset: number, end: number, push: Push): void {
    const { node } = load;
    if (node.kind !== 'Attribute') return;
    if (node.attr !== 'create_task')
      push(offset, node.end, 'other-object', { detail: `another function: ${node.attr}` });
    else if (node.start !== offset) push(offset, end, 'other-object', { detail: 'a member of another object' });
    else if (this.isApi(node, load)) push(offset, end, 'reference', { detail: 'used as a value, not called here' });
    else push(offset, node.end, 'shadowed', { detail: 'the name asyncio is something else here' });
  }
}

/** The one of some ordered stretches that holds an offset. */
function holding<T extends Span>(ordered: readonly T[], offset: number): T | undefined {
  const last = ordered[firstWhere(ordered, ({ start }) => start > offset) - 1];
  return last && offset < last.end ? last : undefined;
}

const importIndex = new WeakMap<Module, Span[]>();

/** Is the offset inside an import statement? */
function importAt(tree: Module, offset: number): boolean {
  let all = importIndex.get(tree);
  if (!all) {
    all = [];
    for (const n of descendants(tree)) if (n.kind === 'Import' || n.kind === 'ImportFrom') all.push(n);
    importIndex.set(tree, all);
  }
  return holding(all, offset) !== undefined;
}

type Push = (start: number, end: number, kind: MentionKind, extra?: Partial<Mention>) => void;

function describe(v: { k: string; q?: string; cls?: { qualname: string }; fn?: { qualname: string } }): string {
  return v.q ?? v.cls?.qualname ?? v.fn?.qualname ?? v.k;
}

function* importsOf(tree: Module): Generator<Extract<Node, { kind: 'ImportFrom' }>> {
  for (const n of descendants(tree)) if (n.kind === 'ImportFrom') yield n;
}

function stringsOf(tree: Module): Strings[] {
  const out: Strings[] = [];
  const docs = new Set<Node>();
  const noteDoc = (body: readonly Node[]): void => {
    const first = body[0];
    if (first?.kind === 'ExprStmt' && first.value.kind === 'Constant' && first.value.type === 'str')
      docs.add(first.value);
  };
  noteDoc(tree.body);
  for (const n of descendants(tree)) {
    if (n.kind === 'FunctionDef' || n.kind === 'ClassDef') noteDoc(n.body);
    if (n.kind === 'Constant' && (n.type === 'str' || n.type === 'bytes'))
      out.push({ start: n.start, end: n.end, docstring: docs.has(n) });
    if (n.kind === 'JoinedStr') out.push(...literalParts(n));
  }
  return out;
}

/** The literal text of an f-string: all of it but its replacement fields. */
function literalParts(n: Extract<Expr, { kind: 'JoinedStr' }>): Strings[] {
  const out: Strings[] = [];
  let at = n.start;
  for (const v of n.values) {
    out.push({ start: at, end: v.start, docstring: false });
    at = v.end;
  }
  out.push({ start: at, end: n.end, docstring: false });
  return out;
}

function endOfLine(text: string, from: number, limit: number): number {
  let i = from;
  while (i < limit && text[i] !== '\n' && text[i] !== '\r') i++;
  return i;
}

/** More of a call is no mention of it any more. */
const LONGEST = 1000;

/** A stretch of the code as it would stand on one line, without what comments say inside of it. */
function onOneLine({ text, tree }: ModuleScopes, start: number, end: number): string {
  let at = start;
  let code = '';
  for (let i = firstWhere(tree.comments, (c) => c.start > start); i < tree.comments.length; i++) {
    const comment = tree.comments[i]!;
    if (comment.end > end) break;
    code += text.slice(at, comment.start);
    at = comment.end;
  }
  const all = (code + text.slice(at, end)).split(/\r\n|\r|\n/).map((line) => line.trim());
  const lines = all.map((line, i) => (i < all.length - 1 && line.endsWith('\\') ? line.slice(0, -1).trim() : line));
  const join = (a: string, b: string) => (/[([{.]$|^$/.test(a) || /^[)\]}.]/.test(b) ? a + b : `${a} ${b}`);
  const line = lines.filter(Boolean).reduce(join, '');
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
