/** Does a case of a `match` stand for an order to stop? `case None:` after `queue.get()`, `case "stop":`, `case Shutdown():`. */
import type { Expr, MatchCase, Pattern, Stmt } from '../syntax/index.ts';
import { classifyTest } from './stop-tests.ts';

type Compare = Extract<Expr, { kind: 'Compare' }>;

/** Every alternative of the case has to be one. `loop`: the body of the loop that it leaves. */
export function isOrderCase(c: MatchCase, loop: readonly Stmt[]): boolean {
  if (c.guard && classifyTest(c.guard, loop) === 'stop') return true;
  const { parent } = c;
  return parent?.kind === 'Match' && isOrder(c.pattern, parent.subject, loop);
}

function isOrder(p: Pattern, subject: Expr, loop: readonly Stmt[]): boolean {
  const is = (op: '==' | 'is', right: Expr): boolean => classifyTest(compared(subject, op, right), loop) === 'stop';
  switch (p.kind) {
    case 'MatchOr':
      return p.patterns.every((x) => isOrder(x, subject, loop));
    case 'MatchAs':
      return p.pattern !== null && isOrder(p.pattern, subject, loop);
    case 'MatchSingleton':
      return p.value === null && is('is', { ...at(p), kind: 'Constant', type: 'none', value: null } as Expr);
    case 'MatchValue':
      return is('==', p.value);
    case 'MatchClass':
      return is('==', p.cls);
    // `("stop", _)`, `{"op": "stop"}`: the part that says what it is about
    case 'MatchSequence':
    case 'MatchMapping':
      return p.patterns.some((x) => x.kind === 'MatchValue' && isOrder(x, subject, loop));
    default:
      return false;
  }
}

function at({ start, end, parent }: Pattern): Pick<Expr, 'start' | 'end' | 'parent'> {
  return { start, end, parent };
}

function compared(left: Expr, op: '==' | 'is', right: Expr): Compare {
  const { start, end, parent } = left;
  return { kind: 'Compare', left, ops: [op], comparators: [right], start, end, parent };
}
