/** Has an assignment expression been evaluated when its expression is done, or when another part of it is reached? */
import { childrenOf, type Expr, type Node } from '../syntax/index.ts';

type Comprehension = Extract<Node, { generators: unknown }>;

function holds(node: Node, pos: number): boolean {
  return node.start <= pos && pos <= node.end;
}

function childAt(node: Node, pos: number): Node | null {
  return childrenOf(node).find((c) => holds(c, pos)) ?? null;
}

/** Is `target` evaluated whenever `root` is, and comes out as `outcome` (null: in any way)? */
export function isCertain(root: Node, target: Expr, outcome: boolean | null): boolean {
  let node: Node = root;
  let known = outcome;
  while (node !== target) {
    const child = childAt(node, target.end);
    if (!child) return false;
    if (node.kind === 'BoolOp') {
      const decided = known === (node.op === 'and');
      if (child !== node.values[0] && !decided) return false;
      if (!decided) known = null;
    } else if (node.kind === 'UnaryOp' && node.op === 'not') known = known === null ? null : !known;
    else if (node.kind === 'IfExp') {
      if (child !== node.test) return false;
      known = null;
    } else if (isComprehension(node)) return false;
    else if (node.kind === 'Compare') {
      if (node.comparators.indexOf(child as Expr) > 0) return false;
      known = null;
    } else if (node.kind !== 'NamedExpr') known = null;
    node = child;
  }
  return true;
}

/** Is `target` evaluated before the place `pos` of the same statement is reached? */
export function isCertainBefore(root: Node, target: Expr, pos: number): 'always' | 'perhaps' | 'never' {
  let node: Node = root;
  for (;;) {
    const child = childAt(node, target.end);
    const other = childAt(node, pos);
    if (!child || !other) return target.end <= pos ? 'perhaps' : 'never';
    if (child === other && child !== target) {
      node = child;
      continue;
    }
    const comprehension = node.kind === 'Comprehension' ? node.parent : node;
    if (comprehension && isComprehension(comprehension)) return inComprehension(child, other, target);
    if (target.end > pos) return 'never';
    if (node.kind === 'BoolOp') return sure(isCertain(child, target, node.op === 'and'));
    if (node.kind !== 'IfExp') return sure(isCertain(child, target, null));
    return child === node.test ? sure(isCertain(child, target, other === node.body)) : 'never';
  }
}

/** The conditions of a comprehension have come out true where its element is made. */
function inComprehension(child: Node, other: Node, target: Expr): 'always' | 'perhaps' {
  if (child.kind !== 'Comprehension' || other.kind === 'Comprehension') return 'perhaps';
  const test = child.ifs.find((e) => holds(e, target.end));
  return sure(test !== undefined && isCertain(test, target, true));
}

function sure(certain: boolean): 'always' | 'perhaps' {
  return certain ? 'always' : 'perhaps';
}

function isComprehension(node: Node): node is Comprehension {
  return 'generators' in node;
}
