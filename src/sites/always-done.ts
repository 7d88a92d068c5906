/** Is one of some statements done whichever way control takes? */
import { encloses, type Node } from '../syntax/index.ts';
import { constantTest } from './loop-exits.ts';

type Choice = Extract<Node, { kind: 'If' | 'Match' }>;

/** `nodes` stand below `within`; what stands in a loop or a `try` counts as done. */
export function isAlwaysDone(nodes: readonly Node[], within: Node): boolean {
  const choices = nodes.map((n) => outermostChoice(n, within));
  if (choices.includes(null)) return true;
  return [...new Set(choices)].some((choice) => arms(choice!).every((arm) => isDoneIn(nodes, arm)));
}

function isDoneIn(nodes: readonly Node[], arm: readonly Node[]): boolean {
  return arm.some((s) => {
    const inside = nodes.filter((n) => encloses(s, n));
    return (
      inside.length > 0 && (s.kind === 'If' || s.kind === 'Match' ? isAlwaysIn(s, inside) : isAlwaysDone(inside, s))
    );
  });
}

function isAlwaysIn(choice: Choice, nodes: readonly Node[]): boolean {
  if (nodes.some((n) => !armWith(choice, n))) return true;
  return arms(choice).every((arm) => isDoneIn(nodes, arm));
}

function arms(choice: Choice): readonly (readonly Node[])[] {
  return choice.kind === 'If' ? [choice.body, choice.orelse] : choice.cases.map((c) => c.body);
}

function armWith(choice: Choice, n: Node): readonly Node[] | undefined {
  return arms(choice).find((arm) => arm.some((s) => encloses(s, n)));
}

/** The outermost statement that decides whether the node is come to; its own condition always is. */
function outermostChoice(node: Node, within: Node): Choice | null {
  let found: Choice | null = null;
  for (let n = node.parent; n && n !== within; n = n.parent) {
    if (n.kind === 'If' ? constantTest(n.test) !== null : n.kind !== 'Match') continue;
    if (armWith(n as Choice, node)) found = n as Choice;
  }
  return found;
}
