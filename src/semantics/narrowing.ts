/** Which of the bindings that reach a use are left when the conditions that they stand under are known? */
import { descendants, type Expr, type Node } from '../syntax/index.ts';
import { findScope, reaching } from './reaching.ts';
import { type Binding, codeScope, isWithin, type Scope, whereIs } from './scopes.ts';
import type { Place } from './values.ts';

/** The bindings of a name that can be in force at a place; `decide` says how a condition comes out, null when unknown. */
export function bindingsAt(where: Scope, id: string, place: Place, decide: (test: Place) => boolean | null): Binding[] {
  const out: Binding[] = [];
  for (const b of reaching(where, id, place.scope, place.node.start, place.block)) {
    const fate = fateOf(b, where, place.node, decide);
    if (fate === 'never') continue;
    if (fate === 'always') out.length = 0;
    out.push(b);
  }
  const [first] = out;
  const again = later(where, id, place).filter((b) => !out.includes(b));
  return [...out, ...again.filter((b) => !first || !renewed(first, b, place))];
}

/** Does the assignment at the top of the round win over one that comes round again? */
function renewed(first: Binding, again: Binding, place: Place): boolean {
  if (first.kind === 'param' || !isWithin(place.block, first.block)) return false;
  for (let n = place.node.parent; n && !isScope(n); n = n.parent)
    if ((n.kind === 'For' || n.kind === 'While') && again.pos <= n.end) return first.pos > n.start;
  return false;
}

/** Assignments further down that come round again, when use and assignment stand in one loop. */
function later(where: Scope, id: string, place: Place): Binding[] {
  if (where.kind === 'module' || where.kind === 'class') return [];
  const after = (where.bindings.get(id) ?? []).filter((b) => b.pos >= place.node.start);
  // a closure may run at any time
  if (!after.length || codeScope(place.scope) !== where) return after;
  const loop = outermostLoop(place.node);
  return loop ? after.filter((b) => b.pos <= loop.end) : [];
}

/** The loop around everything else around a node, in its function. */
export function outermostLoop(node: Node): Node | null {
  let found: Node | null = null;
  for (let n = node.parent; n && !isScope(n); n = n.parent) if (n.kind === 'For' || n.kind === 'While') found = n;
  return found;
}

function isScope(n: Node): boolean {
  return n.kind === 'FunctionDef' || n.kind === 'ClassDef' || n.kind === 'Module';
}

/** Does a binding in an earlier statement always, never or perhaps hold at the use? */
function fateOf(
  b: Binding,
  where: Scope,
  use: Node,
  decide: (test: Place) => boolean | null,
): 'always' | 'never' | 'perhaps' {
  if (where.kind !== 'function' || b.remote || !('value' in b) || !b.value) return 'perhaps';
  let always = true;
  let guarded = false;
  let child: Node = b.value;
  for (let n = child.parent; n && !isScope(n); child = n, n = n.parent) {
    if (n.start <= use.start && n.end >= use.end) {
      if (n.kind === 'If' && armOf(n, child) !== armOf(n, nodeIn(use, n)) && !outermostLoop(n)) return 'never';
      break;
    }
    if (n.kind === 'If') {
      const taken = armOf(n, child);
      const test = taken === null ? null : decideLocally(n.test, b.scope, decide);
      if (test === null) always = false;
      else if (test !== taken) return 'never';
      else guarded = true;
    } else if (n.kind === 'Try' || n.kind === 'For' || n.kind === 'While' || n.kind === 'MatchCase') always = false;
  }
  return always && guarded ? 'always' : 'perhaps';
}

/** true: the body, false: the else, null: the condition. */
function armOf(n: Extract<Node, { kind: 'If' }>, child: Node | null): boolean | null {
  return n.body.some((s) => s === child) ? true : n.orelse.some((s) => s === child) ? false : null;
}

/** The child of an ancestor that holds a node. */
function nodeIn(node: Node, ancestor: Node): Node | null {
  let n: Node | null = node;
  while (n && n.parent !== ancestor) n = n.parent;
  return n;
}

/** Only conditions on locals and literals are looked at: a setting may well come out the other way where the code runs. */
function decideLocally(test: Expr, scope: Scope, decide: (test: Place) => boolean | null): boolean | null {
  for (const n of descendants(test)) {
    if (n.kind === 'Call' && !(n.func.kind === 'Name' && n.func.id === 'isinstance')) return null;
    if (n.kind === 'Attribute' && !isTypeName(n)) return null;
    if (n.kind === 'Subscript' || n.kind === 'Await') return null;
  }
  const local = [...descendants(test)].some((n) => n.kind === 'Name' && findScope(n.id, scope) === codeScope(scope));
  return local ? decide({ node: test, ...whereIs(scope.module, test) }) : null;
}

/** `datetime.timedelta` as the second argument of isinstance. */
function isTypeName(n: Node): boolean {
  const call = n.parent;
  return call?.kind === 'Call' && call.args[1] === n;
}
