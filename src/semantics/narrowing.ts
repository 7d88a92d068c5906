/** Which of the bindings that reach a use are left when the conditions that they stand under are known? */
import { descendants, type Expr, type Node } from '../syntax/index.ts';
import { findScope, reaching } from './reaching.ts';
import { type Binding, codeScope, type Scope, whereIs } from './scopes.ts';
import type { Place } from './values.ts';

/** The bindings of a name that can be in force at a place; `decide` says how a condition comes out, null when unknown. */
export function bindingsAt(where: Scope, id: string, place: Place, decide: (test: Place) => boolean | null): Binding[] {
  const out: Binding[] = [];
  for (const b of reaching(where, id, place.scope, place.node.start)) {
    const fate = fateOf(b, where, place.node, decide);
    if (fate === 'never') continue;
    if (fate === 'always') out.length = 0;
    out.push(b);
  }
  return out;
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
    if (n.start <= use.start && n.end >= use.end) break;
    if (n.kind === 'If') {
      const taken = armOf(n, child);
      const test = taken === null ? null : decideLocally(n.test, b.scope, decide);
      if (test === null) always = false;
      else if (test !== taken) return 'never';
      else guarded = true;
    } else if (n.kind === 'Try' || n.kind === 'For' || n.kind === 'While' || n.kind === 'MatchCase') always = false;
  }
  // what comes round again does not hold in the first round
  return always && guarded && b.pos <= use.start ? 'always' : 'perhaps';
}

/** true: the body, false: the else, null: the condition. */
function armOf(n: Extract<Node, { kind: 'If' }>, child: Node | null): boolean | null {
  return n.body.some((s) => s === child) ? true : n.orelse.some((s) => s === child) ? false : null;
}

/** Only conditions on locals and literals are looked at: a setting may well come out the other way where the code runs. */
function decideLocally(test: Expr, scope: Scope, decide: (test: Place) => boolean | null): boolean | null {
  for (const n of descendants(test)) {
    if (n.kind === 'Call' && !(n.func.kind === 'Name' && n.func.id === 'isinstance')) return null;
    if (n.kind === 'Attribute' && !isTypeName(n)) return null;
    if (n.kind === 'Subscript' || n.kind === 'Await') return null;
  }
  const local = descendants(test).some((n) => n.kind === 'Name' && findScope(n.id, scope) === codeScope(scope));
  return local ? decide({ node: test, ...whereIs(scope.module, test) }) : null;
}

/** `datetime.timedelta` as the second argument of isinstance. */
function isTypeName(n: Node): boolean {
  const call = n.parent;
  return call?.kind === 'Call' && call.args[1] === n;
}
