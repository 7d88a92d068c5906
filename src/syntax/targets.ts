import type { Context, Expr } from './ast.ts';

/**
 * Turns an expression into an assignment target.
 *
 * @returns the part that cannot be assigned to, or null when the whole is a target.
 */
export function toStore(node: Expr): Expr | null {
  return retarget(node, 'store');
}

/**
 * Turns an expression into the target of a `del`.
 *
 * @returns the part that cannot be deleted, or null when the whole is a target.
 */
export function toDelete(node: Expr): Expr | null {
  return retarget(node, 'del');
}

function retarget(node: Expr, ctx: Context): Expr | null {
  switch (node.kind) {
    case 'Name':
    case 'Attribute':
    case 'Subscript':
      node.ctx = ctx;
      return null;
    case 'Starred':
      if (ctx === 'del' || node.value.kind === 'Starred') return node;
      node.ctx = ctx;
      return retarget(node.value, ctx);
    case 'Tuple':
    case 'List':
      node.ctx = ctx;
      for (const element of node.elts) {
        const problem = retarget(element, ctx);
        if (problem) return problem;
      }
      return null;
    default:
      return node;
  }
}
