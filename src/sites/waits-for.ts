/** Where a function lets others go on. */
import type { Node } from '../syntax/index.ts';

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
