import { nodesBelow as allBelow, type FunctionDef, type Lambda, type Node } from '../syntax/index.ts';

/** The nodes of a function's own body: nested functions, classes and lambdas are not entered. */
export function ownNodes(fn: FunctionDef | Lambda): Node[] {
  return nodesBelow(fn.kind === 'Lambda' ? [fn.body] : fn.body);
}

/** Some nodes and what lies below them, in source order; nested scopes are in it but not entered. */
export function nodesBelow(roots: readonly Node[]): Node[] {
  return allBelow(roots, (n) => n.kind !== 'FunctionDef' && n.kind !== 'ClassDef' && n.kind !== 'Lambda');
}
