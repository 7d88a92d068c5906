/** Statements that end a loop because its work is done, not because it was told to stop. */
import type { FunctionInfo } from '../semantics/index.ts';
import {
  type Expr,
  type For,
  type FunctionDef,
  lastNameOf,
  type Node,
  type Stmt,
  type While,
} from '../syntax/index.ts';
import type { Exceptions } from './exceptions.ts';
import { isOrderCase } from './match-tests.ts';
import { nodesBelow, ownNodes } from './own-nodes.ts';
import { dottedName } from './project.ts';
import { classifyTest } from './stop-tests.ts';

/** What only the project knows of the parts of a loop. */
export interface LoopQuestions {
  /** Is this one more condition that means to be told to stop? */
  isOrder(test: Expr): boolean;
  exceptions: Exceptions;
}

/** A `break`, `return` or `raise` that ends the loop because its work is done or its time is up. */
export function finishingExit(loop: While | For, questions: LoopQuestions): Node | null {
  for (const exit of exitsOf(loop.body, true)) if (isFinishing(exit, loop, questions)) return exit;
  return onlyRound(loop);
}

/** Does a coroutine end, its work done, before it comes to a place? */
export function endsBefore(fn: FunctionDef, at: Node, questions: LoopQuestions): boolean {
  for (const exit of exitsOf(fn.body, false))
    if (exit.start < at.start && isFinishing(exit, fn, questions)) return true;
  return false;
}

/** The statement with which every way through the first round leaves the loop. */
function onlyRound(loop: While | For): Node | null {
  const last = loop.body.find((s) => leaves(s));
  if (!last) return null;
  for (const n of nodesBelow(loop.body))
    if (n.kind === 'Continue' || (n.kind === 'Try' && n.handlers.length)) return null;
  return last;
}

/** Can a `break` of its own leave the loop? */
export function hasBreak(loop: While | For): boolean {
  for (const exit of exitsOf(loop.body, true)) if (exit.kind === 'Break') return true;
  return false;
}

function* exitsOf(body: readonly Stmt[], own: boolean): Generator<Stmt> {
  for (const s of body) {
    if (s.kind === 'Return' || s.kind === 'Raise' || (s.kind === 'Break' && own)) yield s;
    else if (s.kind === 'If') {
      const fixed = constantTest(s.test);
      if (fixed !== false) yield* exitsOf(s.body, own);
      if (fixed !== true) yield* exitsOf(s.orelse, own);
    } else if (s.kind === 'While' || s.kind === 'For') {
      yield* exitsOf(s.body, false);
      yield* exitsOf(s.orelse, own);
    } else if (s.kind === 'With') yield* exitsOf(s.body, own);
    else if (s.kind === 'Try') {
      yield* exitsOf(s.body, own);
      for (const h of s.handlers) yield* exitsOf(h.body, own);
      yield* exitsOf(s.orelse, own);
      yield* exitsOf(s.finalbody, own);
    } else if (s.kind === 'Match') for (const c of s.cases) yield* exitsOf(c.body, own);
    if (leaves(s)) return;
  }
}

function isFinishing(exit: Stmt, loop: While | For | FunctionDef, { isOrder, exceptions }: LoopQuestions): boolean {
  let guarded = false;
  let deadline = false;
  let child: Node = exit;
  for (let n: Node | null = exit.parent; n && n !== loop; child = n, n = n.parent) {
    // leaving on an exception is failing or being cancelled, not finishing
    if (n.kind === 'ExceptHandler') return false;
    if (exit.kind === 'Raise' && n.kind === 'Try' && isCaught(exit.exc, n, child, exceptions)) return false;
    if (exit.kind === 'Raise' && n.kind === 'With' && exceptions.suppressed(exit.exc, n)) return false;
    if (n.kind === 'If' && constantTest(n.test) === null) {
      guarded = true;
      if (classifyTest(n.test, loop.body) === 'stop' || waitsForStop(n.test) || isOrder(n.test)) return false;
      if (speaksOfTime(n.test)) deadline = true;
    }
    if (n.kind === 'MatchCase' && isOrderCase(n, loop.body)) return false;
    if (n.kind === 'MatchCase' || n.kind === 'For' || n.kind === 'While') guarded = true;
  }
  if (exit.kind === 'Raise') return !guarded || deadline || isTimeoutError(exit.exc);
  // `try: await wait_for(stop.wait(), 30); break / except TimeoutError: pass` leaves when told to stop
  if (!guarded && followsStopWait(exit)) return false;
  return true;
}

/** A handler of the same loop takes what is raised in its `try`. */
function isCaught(
  raised: Expr | null,
  n: Extract<Node, { kind: 'Try' }>,
  child: Node,
  exceptions: Exceptions,
): boolean {
  return n.body.some((s) => s === child) && n.handlers.some((h) => exceptions.takes(h.type, raised) !== false);
}

function isTimeoutError(exc: Expr | null): boolean {
  const e = exc?.kind === 'Call' ? exc.func : exc;
  return /Timeout(Error|Expired)?$/.test(lastNameOf(e));
}

/** `time.time() > deadline` */
function speaksOfTime(test: Expr): boolean {
  for (const n of nodesBelow([test])) {
    if (/(^|_)(deadline|expires?(_at)?|monotonic|perf_counter|utcnow)(_|$)/i.test(lastNameOf(n))) return true;
    if (n.kind === 'Call' && /^(time|now)$/.test(lastNameOf(n.func))) return true;
  }
  return false;
}

export function waitsForStop(test: Expr): boolean {
  for (const n of nodesBelow([test])) if (n.kind === 'Attribute' && n.attr === 'wait') return true;
  return false;
}

function followsStopWait(exit: Stmt): boolean {
  const p = exit.parent;
  if (p?.kind === 'Try') return waitsIn([...p.body, ...p.orelse]);
  // the time that is up goes round again: `except TimeoutError: continue`
  const block: readonly Stmt[] = p?.kind === 'While' ? p.body : [];
  return block
    .slice(0, block.indexOf(exit))
    .some((s) => s.kind === 'Try' && waitsIn(s.body) && s.handlers.every((h) => h.body.at(-1)?.kind === 'Continue'));
}

function waitsIn(body: readonly Stmt[]): boolean {
  for (const n of nodesBelow(body))
    if (n.kind === 'Call' && n.func.kind === 'Attribute' && n.func.attr === 'wait') return true;
  return false;
}

/** A condition that is decided as it is written; null otherwise. */
export function constantTest(test: Expr): boolean | null {
  if (test.kind === 'Name' && test.id === 'TYPE_CHECKING') return false;
  if (test.kind === 'Attribute' && test.attr === 'TYPE_CHECKING') return false;
  if (test.kind === 'UnaryOp' && test.op === 'not') {
    const inner = constantTest(test.operand);
    return inner === null ? null : !inner;
  }
  if (test.kind !== 'Constant') return null;
  return test.type === 'ellipsis' || test.type === 'complex' ? true : Boolean(test.value);
}

/** Does nothing after this statement run in its block? */
export function leaves(s: Stmt): boolean {
  return leavesBlock(s, true);
}

/** A `raise` counts only where nothing can swallow it. */
function leavesBlock(s: Stmt, byRaise: boolean): boolean {
  const some = (body: readonly Stmt[]): boolean => body.some((x) => leavesBlock(x, byRaise));
  switch (s.kind) {
    case 'Return':
    case 'Break':
    case 'Continue':
      return true;
    case 'Raise':
      return byRaise;
    case 'If': {
      const fixed = constantTest(s.test);
      return fixed === null ? some(s.body) && some(s.orelse) : some(fixed ? s.body : s.orelse);
    }
    case 'With':
      // a context manager may swallow what is raised
      return s.body.some((x) => leavesBlock(x, false));
    case 'Try':
      return some(s.finalbody) || (!s.handlers.length && some(s.body));
    default:
      return false;
  }
}

/** `t.cancel(); await t` waits for a task that was told to end. */
export function isCancelled(value: Expr, fn: FunctionInfo): boolean {
  const names = new Set(nodesBelow([value]).flatMap((n) => dottedName(n) ?? []));
  for (const n of ownNodes(fn.node)) {
    if (n.start >= value.start) break;
    if (n.kind !== 'Call' || n.func.kind !== 'Attribute' || n.func.attr !== 'cancel') continue;
    const object = dottedName(n.func.value);
    if (object && (names.has(object) || names.has(iteratedBy(n, object) ?? ''))) return true;
  }
  return false;
}

/** `for t in tasks: t.cancel()` cancels `tasks`. */
function iteratedBy(node: Node, name: string): string | null {
  for (let p = node.parent; p; p = p.parent)
    if (p.kind === 'For' && p.target.kind === 'Name' && p.target.id === name) return dottedName(p.iter);
  return null;
}

/** Does a test of this value hold for ever? */
export function isTruthyConstant(test: Expr, value: unknown): boolean {
  // a flag that happens to start as True is a flag, not a constant
  if (test.kind === 'Constant' || test.kind === 'UnaryOp' || test.kind === 'Compare') return Boolean(value);
  if (test.kind === 'Name') return value === true && test.id === test.id.toUpperCase();
  return false;
}
