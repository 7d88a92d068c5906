import { childrenOf, type FunctionDef, type Lambda, type Node } from '../syntax/index.ts';

/** The nodes of a function's own body: nested functions, classes and lambdas are not entered. */
export function* ownNodes(fn: FunctionDef | Lambda): Generator<Node> {
  const body: Node[] = fn.kind === 'Lambda' ? [fn.body] : fn.body;
  yield* nodesBelow(body);
}

/** Pre-order walk below some nodes, these included; nested scopes are yielded but not entered. */
export function* nodesBelow(roots: readonly Node[]): Generator<Node> {
  const stack: Node[] = [...roots].reverse();
  while (stack.length) {
    const n = stack.pop()!;
    yield n;
    if (n.kind === 'FunctionDef' || n.kind === 'ClassDef' || n.kind === 'Lambda') continue;
    const children = childrenOf(n);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
}
