/** How control passes through the statements of one scope, as far as one name is concerned. Each statement is looked at once. */

import { firstWhere } from '../model/order.ts';
import type { Expr, Node, Stmt } from '../syntax/index.ts';
import { isCertain, isCertainBefore } from './certainty.ts';
import { binds, CLEAR, chain, type Effect, type Exits, either, exits, KEEP, type Reached } from './effects.ts';
import type { Binding } from './scopes.ts';
import { compound, type Effects } from './statement-flow.ts';

/** A place where the name is bound (or deleted: null). */
export interface Mark {
  at: number;
  binding: Binding | null;
}

/** Of compound statements that have nothing to do with the name: the same for all names. */
const untouched = new WeakMap<Stmt, Effects>();

const PLAIN: Effects = { exits: exits({ next: KEEP, raise: KEEP }), bodies: [], parts: [] };
const LEAVING: Partial<Record<Stmt['kind'], Effects>> = {
  Return: { ...PLAIN, exits: exits({ return: KEEP, raise: KEEP }) },
  Raise: { ...PLAIN, exits: exits({ raise: KEEP }) },
  Break: { ...PLAIN, exits: exits({ break: KEEP }) },
  Continue: { ...PLAIN, exits: exits({ continue: KEEP }) },
};
const COMPOUND = new Set<Stmt['kind']>(['If', 'While', 'For', 'With', 'Try', 'Match']);

const STEP = 64;

export class NameFlow {
  private readonly own = new Map<Stmt, Effects>();
  private readonly asked = new Map<number, Reached>();
  private readonly prefixes = new Map<readonly Stmt[], Map<number, Reached>>();
  private whole: Reached | undefined;

  /** `marks` in the order of the text. */
  constructor(
    private readonly body: readonly Stmt[],
    private readonly marks: readonly Mark[],
  ) {}

  /** What holds at a place, counted from the start of the scope. */
  before(pos: number): Reached {
    let got = this.asked.get(pos);
    if (got === undefined) {
      got = this.find(pos);
      this.asked.set(pos, got);
    }
    return got;
  }

  /** What holds when the scope's statements are done. */
  atEnd(): Reached {
    if (this.whole === undefined) this.whole = this.prefix(this.body, this.body.length);
    return this.whole;
  }

  private find(pos: number): Reached {
    const steps: (() => Reached)[] = [];
    for (let list: readonly Stmt[] | null = this.body; list; ) {
      const current: readonly Stmt[] = list;
      const index = indexAt(current, pos);
      const s = current[index];
      steps.push(() => this.prefix(current, index));
      // between statements, or in a decorator
      if (!s || pos < s.start) break;
      list = bodyAt(s, pos);
      const inner: readonly Stmt[] | null = list;
      steps.push(() => (inner ? this.entry(s, inner) : this.header(s, pos)));
    }
    let got: Reached = KEEP;
    for (const step of steps.reverse()) {
      got = chain(step(), got);
      if (!got?.through) return got;
    }
    return got;
  }

  /** What the statements before one of a list do, looked at backward: mostly the nearest binding decides. */
  private prefix(list: readonly Stmt[], to: number): Reached {
    const stop = to - (to % STEP);
    const got = this.stretch(list, stop, to);
    return got?.through && stop > 0 ? chain(this.prefixAt(list, stop), got) : got;
  }

  private stretch(list: readonly Stmt[], from: number, to: number): Reached {
    let got: Reached = KEEP;
    for (let i = to - 1; i >= from; i--) {
      got = chain(this.of(list[i]!).exits.next, got);
      if (!got?.through) return got;
    }
    return got;
  }

  /** The same at every so many statements, kept: a list may be as long as the questions about it are many. */
  private prefixAt(list: readonly Stmt[], to: number): Reached {
    const known = this.prefixes.get(list) ?? new Map<number, Reached>([[0, KEEP]]);
    this.prefixes.set(list, known);
    const open: [at: number, effect: Reached][] = [];
    let at = to;
    for (; !known.has(at); at -= STEP) {
      const effect = this.stretch(list, at - STEP, at);
      if (!effect?.through) known.set(at, effect);
      else open.push([at, effect]);
      if (known.has(at)) break;
    }
    let got: Reached = known.get(at) ?? null;
    for (const [end, effect] of open.reverse()) {
      got = chain(got, effect);
      known.set(end, got);
    }
    return got;
  }

  private entry(s: Stmt, body: readonly Stmt[]): Reached {
    return this.of(s).bodies.find((b) => b.body === body)?.from ?? null;
  }

  private header(s: Stmt, pos: number): Reached {
    const part = COMPOUND.has(s.kind) ? this.of(s).parts.find((p) => p.start <= pos && pos <= p.end) : null;
    const from = part ? part.from : KEEP;
    let got: Reached = KEEP;
    for (const { at, binding } of this.within(part?.start ?? s.start, part?.end ?? s.end)) {
      const walrus = walrusOf(binding);
      if (walrus) {
        const fate = isCertainBefore(s, walrus, pos);
        if (fate !== 'never') got = chain(got, fate === 'always' ? binds(binding!) : maybe(binding!));
      } else if (at < pos) got = chain(got, binding ? binds(binding) : CLEAR);
    }
    return chain(from, got);
  }

  /** What a statement does. */
  of(s: Stmt): Effects {
    const touched = this.touches(s.start, s.end);
    if (!COMPOUND.has(s.kind)) return touched ? this.simple(s) : (LEAVING[s.kind] ?? PLAIN);
    const memo = touched ? this.own : untouched;
    let got = memo.get(s);
    if (!got) {
      // an elif chain may be thousands long: from its end upward, so that none has to wait for the next
      const links: Stmt[] = [s];
      for (let n = s; n.kind === 'If' && n.orelse.length === 1 && n.orelse[0]!.kind === 'If'; ) {
        n = n.orelse[0]!;
        links.push(n);
      }
      for (const one of links.reverse()) {
        const of = this.touches(one.start, one.end) ? this.own : untouched;
        if (!of.has(one)) of.set(one, compound(this, one));
      }
      got = memo.get(s)!;
    }
    return got;
  }

  private simple(s: Stmt): Effects {
    const plain = LEAVING[s.kind] ?? PLAIN;
    const done = this.effectOf(s, s.start, s.end, null);
    const walruses = this.within(s.start, s.end).some((m) => walrusOf(m.binding));
    const out = { ...plain.exits };
    if (walruses && out.raise) out.raise = either(KEEP, done);
    if (out.next) out.next = done;
    if (out.return) out.return = done;
    return { exits: out, bodies: [], parts: [] };
  }

  /** The ways out of a run of statements. */
  list(body: readonly Stmt[]): Exits {
    const out = exits({});
    let now: Reached = KEEP;
    for (const s of body) {
      const e = this.of(s).exits;
      out.break = either(out.break, chain(now, e.break));
      out.continue = either(out.continue, chain(now, e.continue));
      out.return = either(out.return, chain(now, e.return));
      out.raise = either(out.raise, chain(now, e.raise));
      now = chain(now, e.next);
      if (!now) return out;
    }
    out.next = now;
    return out;
  }

  /** What an expression, or another part of a statement, does when it comes out as `outcome`. */
  effectOf(root: Node, start: number, end: number, outcome: boolean | null): Effect {
    let got: Effect = KEEP;
    for (const { binding } of this.within(start, end)) {
      const walrus = walrusOf(binding);
      const effect = !binding ? CLEAR : walrus && !isCertain(root, walrus, outcome) ? maybe(binding) : binds(binding);
      got = chain(got, effect)!;
    }
    return got;
  }

  /** The bindings of a target, which stand at the end of what they are bound to. */
  targetsAt(pos: number): Effect {
    let got: Effect = KEEP;
    for (const { binding } of this.within(pos, pos))
      if (binding && !walrusOf(binding)) got = chain(got, binds(binding))!;
    return got;
  }

  touches(start: number, end: number): boolean {
    const mark = this.marks[this.firstFrom(start)];
    return mark !== undefined && mark.at <= end;
  }

  private within(start: number, end: number): Mark[] {
    const out: Mark[] = [];
    for (let i = this.firstFrom(start); i < this.marks.length && this.marks[i]!.at <= end; i++)
      out.push(this.marks[i]!);
    return out;
  }

  private firstFrom(pos: number): number {
    return firstWhere(this.marks, ({ at }) => at >= pos);
  }
}

function maybe(binding: Binding): Effect {
  return { bindings: { one: binding }, through: true };
}

/** The assignment expression that makes a binding. */
function walrusOf(b: Binding | null): Expr | null {
  return b?.kind === 'assign' && b.walrus ? (b.value.parent as Expr) : null;
}

/** The first statement that ends at or after a place. */
function indexAt(list: readonly Stmt[], pos: number): number {
  return firstWhere(list, ({ end }) => end >= pos);
}

/** The list of statements inside a statement that holds a place; null in its head. */
function bodyAt(s: Stmt, pos: number): readonly Stmt[] | null {
  for (const list of bodiesOf(s)) {
    const first = list[0];
    if (first && startOf(first) <= pos && pos <= list.at(-1)!.end) return list;
  }
  return null;
}

function startOf(s: Stmt): number {
  const decorated = s.kind === 'FunctionDef' || s.kind === 'ClassDef' ? s.decorators[0] : undefined;
  return decorated ? Math.min(decorated.start, s.start) : s.start;
}

function bodiesOf(s: Stmt): readonly (readonly Stmt[])[] {
  switch (s.kind) {
    case 'If':
    case 'While':
    case 'For':
      return [s.body, s.orelse];
    case 'With':
      return [s.body];
    case 'Try':
      return [s.body, ...s.handlers.map((h) => h.body), s.orelse, s.finalbody];
    case 'Match':
      return s.cases.map((c) => c.body);
    default:
      return [];
  }
}
