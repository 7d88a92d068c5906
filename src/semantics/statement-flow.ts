/** What the compound statements do to a name: branches, loops, handlers, cases. */
import type { Expr, Stmt } from '../syntax/index.ts';
import {
  after,
  anyOf,
  CLEAR,
  chain,
  type Effect,
  type Exits,
  either,
  exits,
  KEEP,
  type Reached,
  whichever,
} from './effects.ts';
import type { NameFlow } from './name-flow.ts';

type Of<K extends Stmt['kind']> = Extract<Stmt, { kind: K }>;

/** The ways out of a statement, and what holds where its bodies and the parts of its head begin. */
export interface Effects {
  exits: Exits;
  bodies: { body: readonly Stmt[]; from: Reached }[];
  parts: { start: number; end: number; from: Reached }[];
}

export function compound(flow: NameFlow, s: Stmt): Effects {
  switch (s.kind) {
    case 'If':
      return ifEffects(flow, s);
    case 'While':
      return whileEffects(flow, s);
    case 'For':
      return forEffects(flow, s);
    case 'With':
      return withEffects(flow, s);
    case 'Try':
      return tryEffects(flow, s);
    case 'Match':
      return matchEffects(flow, s);
    default:
      throw new Error(`no compound statement: ${s.kind}`);
  }
}

function expr(flow: NameFlow, e: Expr, outcome: boolean | null): Effect {
  return flow.effectOf(e, e.start, e.end, outcome);
}

function ifEffects(flow: NameFlow, s: Of<'If'>): Effects {
  const yes = expr(flow, s.test, true);
  const no = expr(flow, s.test, false);
  const raise = either(KEEP, expr(flow, s.test, null));
  return {
    exits: anyOf(after(yes, flow.list(s.body)), after(no, flow.list(s.orelse)), exits({ raise })),
    bodies: [
      { body: s.body, from: yes },
      { body: s.orelse, from: no },
    ],
    parts: [],
  };
}

/** What holds where a round begins, and what one round and more make of it. */
function rounds(first: Reached, body: Exits): { head: Effect; back: Reached } {
  const back = either(chain(first, body.next), chain(first, body.continue));
  return { head: back?.bindings ? { bindings: back.bindings, through: true } : KEEP, back };
}

function whileEffects(flow: NameFlow, s: Of<'While'>): Effects {
  const yes = expr(flow, s.test, true);
  const body = flow.list(s.body);
  const { head } = rounds(yes, body);
  const left = isAlwaysTrue(s.test) ? null : chain(head, expr(flow, s.test, false));
  return {
    exits: loopExits(after(chain(head, yes), body), after(left, flow.list(s.orelse)), head),
    bodies: [
      { body: s.body, from: chain(head, yes) },
      { body: s.orelse, from: left },
    ],
    parts: [{ start: s.start, end: s.test.end, from: head }],
  };
}

function forEffects(flow: NameFlow, s: Of<'For'>): Effects {
  const iter = flow.effectOf(s.iter, s.iter.start, s.iter.end - 1, null);
  const target = flow.targetsAt(s.iter.end);
  const body = flow.list(s.body);
  const { head, back } = rounds(target, body);
  const each = chain(chain(iter, head), target);
  // a literal list with something in it: at least one round
  const left = chain(iter, isNeverEmpty(s.iter) ? back : head);
  return {
    exits: loopExits(after(each, body), after(left, flow.list(s.orelse)), chain(iter, head)),
    bodies: [
      { body: s.body, from: each },
      { body: s.orelse, from: left },
    ],
    parts: [
      { start: s.iter.start, end: s.iter.end, from: KEEP },
      { start: s.start, end: s.iter.start, from: chain(iter, head) },
    ],
  };
}

/** `break` ends the loop; its own `else` belongs to what is around it. */
function loopExits(body: Exits, orelse: Exits, head: Reached): Exits {
  const inside = { ...body, next: body.break, break: null, continue: null };
  return anyOf(inside, orelse, exits({ raise: either(KEEP, head) }));
}

function isAlwaysTrue(test: Expr): boolean {
  return test.kind === 'Constant' && (test.value === true || (test.type === 'int' && test.value !== 0));
}

function isNeverEmpty(iter: Expr): boolean {
  return (iter.kind === 'List' || iter.kind === 'Tuple') && iter.elts.some((e) => e.kind !== 'Starred');
}

function withEffects(flow: NameFlow, s: Of<'With'>): Effects {
  const end = s.body[0]!.start - 1;
  const head = flow.effectOf(s, s.start, end, null);
  const out = anyOf(after(head, flow.list(s.body)), exits({ raise: either(KEEP, head) }));
  if (s.items.some((i) => swallows(i.contextExpr))) out.next = either(out.next, out.raise);
  return { exits: out, bodies: [{ body: s.body, from: head }], parts: [] };
}

/** `contextlib.suppress(...)` goes on after the block. */
function swallows(e: Expr): boolean {
  if (e.kind !== 'Call') return false;
  return (e.func.kind === 'Attribute' ? e.func.attr : e.func.kind === 'Name' ? e.func.id : '') === 'suppress';
}

function tryEffects(flow: NameFlow, s: Of<'Try'>): Effects {
  const body = flow.list(s.body);
  // the types of the handlers are asked one after the other
  let raised = either(KEEP, body.raise);
  const bodies: Effects['bodies'] = [{ body: s.body, from: KEEP }];
  const parts: Effects['parts'] = [];
  const caught = s.handlers.some((h) => !h.type || (h.type.kind === 'Name' && h.type.id === 'BaseException'));
  let out: Exits = { ...body, next: null, raise: null };
  for (const h of s.handlers) {
    const end = h.body[0]!.start - 1;
    const named = h.nameSpan && flow.touches(h.nameSpan.start, h.nameSpan.start);
    const from = chain(raised, flow.effectOf(h, h.start, end, null));
    const own = after(from, flow.list(h.body));
    // the name of the exception is deleted at the end
    out = anyOf(out, named ? { ...own, next: chain(own.next, CLEAR) } : own);
    bodies.push({ body: h.body, from });
    parts.push({ start: h.start, end, from: raised });
    if (h.type) raised = chain(raised, expr(flow, h.type, null));
  }
  if (!caught) out.raise = either(out.raise, body.raise && raised);
  bodies.push({ body: s.orelse, from: body.next });
  out = anyOf(out, after(body.next, flow.list(s.orelse)));
  const last = flow.list(s.finalbody);
  const any = whichever(out);
  bodies.push({ body: s.finalbody, from: any });
  const done = exits({});
  for (const way of Object.keys(done) as (keyof Exits)[]) done[way] = chain(out[way], last.next);
  return { exits: anyOf(done, after(any, { ...last, next: null })), bodies, parts };
}

function matchEffects(flow: NameFlow, s: Of<'Match'>): Effects {
  const subject = expr(flow, s.subject, null);
  const bodies: Effects['bodies'] = [];
  const parts: Effects['parts'] = [];
  let out = exits({ raise: either(KEEP, subject) });
  let fail: Reached = subject;
  for (const c of s.cases) {
    const { pattern, guard } = c;
    const matched = chain(fail, flow.effectOf(pattern, pattern.start, pattern.end, null));
    const from = guard ? chain(matched, expr(flow, guard, true)) : matched;
    out = anyOf(out, after(from, flow.list(c.body)));
    bodies.push({ body: c.body, from });
    parts.push({ start: c.start, end: c.body[0]!.start - 1, from: fail });
    // names are bound before the guard is asked
    if (guard) fail = either(fail, chain(matched, expr(flow, guard, false)));
    else if (pattern.kind === 'MatchAs' && !pattern.pattern) fail = null;
  }
  return { exits: anyOf(out, exits({ next: fail })), bodies, parts };
}
