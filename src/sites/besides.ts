/** What a wrapper starts beside its argument: where that is left out, or under a condition of its own. */
import type { FunctionInfo, LambdaInfo } from '../semantics/index.ts';
import type { Arg, Expr, Node } from '../syntax/index.ts';
import type { SpawnArgument } from './detect.ts';
import { nodesBelow } from './own-nodes.ts';
import type { Flow, SpawnEvent } from './spawn-events.ts';
import type { Alternative } from './targets.ts';

/**
 * Of a call of the wrapper: `c = c or poll()` starts poll where nothing is given, `if late: c = poll()` whatever is given.
 */
export function besides({ fn, arg, event }: Flow, { kind }: SpawnArgument): Alternative[] {
  const others = event.alternatives.filter((a) => a.kind === 'coroutine');
  return kind === 'missing' || !others.length || isReplaced(fn, arg) || isChosen(event, arg.arg) ? others : [];
}

/** Is the parameter bound to something else, although it was given? */
function isReplaced({ scope }: FunctionInfo | LambdaInfo, { arg: name }: Arg): boolean {
  return (scope.bindings.get(name) ?? []).some((b) => {
    if (b.kind !== 'assign' && b.kind !== 'annotated') return false;
    return b.value !== null && !mentions(b.value, name) && !isWithout(b.value, name);
  });
}

/** `create_task(poll() if late else c)` */
function isChosen({ argument: a }: SpawnEvent, name: string): boolean {
  if (a.kind !== 'given' || !mentions(a.place.node, name)) return false;
  const { node } = a.place;
  return node.kind === 'IfExp' && !mentions(node.test, name);
}

/** Does it stand where the name is known to be None or false? */
function isWithout(at: Node, name: string): boolean {
  for (let n = at; n.parent && n.parent.kind !== 'FunctionDef'; n = n.parent) {
    const { parent } = n;
    if (parent.kind !== 'If' && parent.kind !== 'IfExp') continue;
    const body: readonly Node[] = Array.isArray(parent.body) ? parent.body : [parent.body];
    if (n !== parent.test && saysMissing(parent.test, name, body.includes(n))) return true;
  }
  return false;
}

/** Is the name None or false when the test comes out as `holds`? */
function saysMissing(test: Expr, name: string, holds: boolean): boolean {
  switch (test.kind) {
    case 'Name':
      return test.id === name && !holds;
    case 'UnaryOp':
      return test.op === 'not' && saysMissing(test.operand, name, !holds);
    case 'BoolOp':
      return (test.op === 'and') === holds && test.values.some((v) => saysMissing(v, name, holds));
    case 'Compare': {
      const [op] = test.ops;
      // None, or a mark that is the default
      return isName(test.left, name) && (holds ? op === 'is' || op === '==' : op === 'is not' || op === '!=');
    }
    default:
      return false;
  }
}

function mentions(node: Node, name: string): boolean {
  return nodesBelow([node]).some((n) => isName(n, name));
}

function isName(node: Node, name: string): boolean {
  return node.kind === 'Name' && node.id === name;
}
