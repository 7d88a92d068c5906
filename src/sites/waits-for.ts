/** Where a function lets others go on. */
import type { FunctionDef, Node } from '../syntax/index.ts';
import { ownNodes } from './own-nodes.ts';

export function suspends(n: Node): boolean {
  switch (n.kind) {
    case 'Await':
    case 'Yield':
    case 'YieldFrom':
      return true;
    case 'For':
    case 'With':
    case 'Comprehension':
      return n.isAsync;
    case 'Call':
      // where a plain function hands over to the event loop
      return n.func.kind === 'Attribute' && /^run_(forever|until_complete)$/.test(n.func.attr);
    default:
      return false;
  }
}

const last = new WeakMap<FunctionDef, number>();

/** Offset of the last place in a function's own body where it does; -1 for none. */
export function lastSuspension(fn: FunctionDef): number {
  let at = last.get(fn);
  if (at === undefined) {
    at = -1;
    for (const n of ownNodes(fn)) if (n.start > at && suspends(n)) at = n.start;
    last.set(fn, at);
  }
  return at;
}
