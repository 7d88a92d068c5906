/** A coroutine that awaits or starts itself: for ever, or as a walk that comes to its end? */
import type { Frame, FunctionInfo, Scope } from '../semantics/index.ts';
import type { Expr, Node, Stmt } from '../syntax/index.ts';
import { constantTest, endsBefore, type LoopQuestions, waitsForStop } from './loop-exits.ts';
import { classifyTest } from './stop-tests.ts';

/**
 * Is the coroutine made by one of the functions that run, from `first` on? One that was made elsewhere is the very one
 * that runs, and cannot wait for itself.
 */
export function isMadeAgain(made: Frame, running: readonly FunctionInfo[], first: number): boolean {
  let frame: Frame | null = made;
  for (let i = 0; frame && i < 8; i++) {
    const call: Frame['calls'][number] | undefined = frame.calls[0];
    if (!call) return false;
    const holder = functionAround(call.place.scope);
    if (running.findIndex((f) => f.node === holder) >= first) return true;
    // a helper made it: where was that called?
    if (!call.frame || call.frame.fn?.node !== holder) return false;
    frame = call.frame;
  }
  return false;
}

function functionAround(scope: Scope): Node | null {
  for (let s: Scope | null = scope; s; s = s.parent) if (s.kind === 'function') return s.node;
  return null;
}

/**
 * Does each run come to this place, so that each is followed by another? What is done for each of some things, or in
 * some cases only, ends when there are no more: a walk over a tree, an attempt with fewer tries left.
 */
export function isAlwaysReached(at: Node, fn: FunctionInfo, questions: LoopQuestions): boolean {
  for (let [child, n]: [Node, Node | null] = [at, at.parent]; n && child !== fn.node; child = n, n = n.parent) {
    if (!passesOn(n, child, fn.node.body, questions)) return false;
  }
  return !endsBefore(fn.node, at, questions);
}

function passesOn(n: Node, child: Node, body: readonly Stmt[], { isOrder }: LoopQuestions): boolean {
  const goes = (test: Expr) =>
    constantTest(test) !== null || classifyTest(test, body) === 'stop' || waitsForStop(test) || isOrder(test);
  switch (n.kind) {
    case 'If':
    case 'While':
      return n.test === child || goes(n.test);
    case 'IfExp':
      return n.test === child || goes(n.test);
    case 'For':
      return n.iter === child;
    case 'BoolOp':
      return n.values[0] === child;
    case 'ExceptHandler':
    case 'MatchCase':
    case 'Comprehension':
    case 'ListComp':
    case 'SetComp':
    case 'DictComp':
    case 'GeneratorExp':
      return false;
    default:
      return true;
  }
}
