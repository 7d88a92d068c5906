/** Methods that never run, since a subclass has others in their place. */
import { descendants, encloses, isSuper, lastNameOf, type Node } from '../syntax/index.ts';
import { ownBindings } from './classes.ts';
import { attributeLoadsOf } from './lookups.ts';
import type { ClassInfo, FunctionInfo } from './scopes.ts';

/** Does a method never run for objects of a class (its `line`): another stands in its place, and none hands on to it? */
export function isReplacedIn(line: readonly ClassInfo[], fn: FunctionInfo): boolean {
  const { name } = fn.node;
  if (!fn.cls || !line.includes(fn.cls)) return false;
  for (const cls of line) {
    const [b] = ownBindings(cls, name);
    if (b?.kind === 'def' && b.fn === fn) return false;
    if (handsOn(cls, fn)) return false;
    if (b?.kind === 'def' && !mentions(b.fn.node, name)) return true;
  }
  return false;
}

/** `super().run()` or `Base.run(self)`, wherever it stands in a class. */
function handsOn({ module, node: cls }: ClassInfo, { node: { name }, cls: base }: FunctionInfo): boolean {
  return attributeLoadsOf(module, name).some(
    ({ node }) =>
      node.kind === 'Attribute' &&
      encloses(cls, node) &&
      (isSuper(node.value) || lastNameOf(node.value) === base?.node.name),
  );
}

/** Does an attribute of this name stand below a node? */
export function mentions(node: Node, attr: string): boolean {
  for (const n of descendants(node)) if (n.kind === 'Attribute' && n.attr === attr) return true;
  return false;
}
