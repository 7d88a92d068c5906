/** What a condition around a use, or one that left before it, says of an object: `isinstance`, `match`, `iscoroutine`. */
import type { Call, Expr, Node, Stmt } from '../syntax/index.ts';
import { annotationValue } from './annotations.ts';
import type { Evaluator } from './evaluate.ts';
import { indexIn } from './lookups.ts';
import { findScope } from './reaching.ts';
import type { ModuleScopes } from './scopes.ts';
import { merge, type Place, type Values } from './values.ts';

/** null when nothing around the use tests the class of the object. */
export function narrowed(ev: Evaluator, place: Place): Values | null {
  const text = dotted(place.node);
  if (!text || !testedIn(place.scope.module).has(text)) return null;
  for (const [n, child] of around(place.node))
    for (const types of guardsAt(n, child, text)) {
      if (isRebound(place, types.start)) return null;
      const got = instancesOf(ev, types, place);
      if (got) return got;
    }
  return null;
}

/** What a node stands in, up to the function that it is run by, each with its part that holds the node. */
function* around(node: Node): Generator<[n: Node, child: Node]> {
  let child = node;
  for (let n = child.parent; n; child = n, n = n.parent) {
    yield [n, child];
    if (n.kind === 'FunctionDef' || n.kind === 'ClassDef' || n.kind === 'Lambda') return;
  }
}

/** Expressions of types that hold in `child`, the nearest first. */
function* guardsAt(n: Node, child: Node, text: string): Generator<Expr> {
  if (n.kind === 'MatchCase') {
    const match = n.parent;
    if (match?.kind === 'Match' && dotted(match.subject) === text && n.pattern.kind === 'MatchClass')
      yield n.pattern.cls;
  }
  for (const { test, holds } of conditionsAt(n, child))
    if (test.kind === 'Call' && holds && isTest(test) && dotted(test.args[0]!) === text) yield test.args[1]!;
}

interface Condition {
  test: Expr;
  holds: boolean;
}

/** Is a call with the expression as its first argument among the conditions that hold where it is used? */
export function isTestedBy(place: Place, is: (test: Call) => boolean): boolean {
  const text = dotted(place.node);
  if (!text) return false;
  for (const [n, child] of around(place.node))
    for (const { test, holds } of conditionsAt(n, child))
      if (holds && test.kind === 'Call' && test.args[0] && dotted(test.args[0]) === text && is(test))
        return !isRebound(place, test.start);
  return false;
}

/** What is known to come out in one way, since `child` is run. */
function* conditionsAt(n: Node, child: Node): Generator<Condition> {
  switch (n.kind) {
    case 'If':
    case 'While':
      if (includes(n.body, child)) yield* partsOf(n.test, true);
      else if (n.kind === 'If' && includes(n.orelse, child)) yield* partsOf(n.test, false);
      break;
    case 'IfExp':
      if (child !== n.test) yield* partsOf(n.test, child === n.body);
      break;
    case 'BoolOp':
      for (const v of n.values.slice(0, n.values.indexOf(child as Expr))) yield* partsOf(v, n.op === 'and');
      break;
    case 'ListComp':
    case 'SetComp':
    case 'DictComp':
    case 'GeneratorExp':
      for (const g of n.generators) if (child !== g) for (const test of g.ifs) yield* partsOf(test, true);
  }
  for (const list of bodiesOf(n)) if (includes(list, child)) yield* before(list, child);
}

/** `assert isinstance(x, T)`; `if not isinstance(x, T): return`. */
function* before(list: readonly Stmt[], child: Node): Generator<Condition> {
  for (let i = indexIn(list, child) - 1; i >= 0; i--) {
    const s = list[i]!;
    if (s.kind === 'Assert') yield* partsOf(s.test, true);
    else if (s.kind === 'If' && !s.orelse.length && LEAVES.has(s.body.at(-1)?.kind ?? ''))
      yield* partsOf(s.test, false);
  }
}

const LEAVES = new Set(['Return', 'Raise', 'Continue', 'Break']);

function bodiesOf(n: Node): (readonly Stmt[])[] {
  const of = n as { body?: unknown; orelse?: unknown; finalbody?: unknown };
  return [of.body, of.orelse, of.finalbody].filter((x): x is Stmt[] => Array.isArray(x));
}

function includes(list: readonly Node[], child: Node): boolean {
  return indexIn(list, child) >= 0;
}

/** What a condition is made of, as far as its outcome tells of each part. */
function* partsOf(test: Expr, holds: boolean): Generator<Condition> {
  if (test.kind === 'UnaryOp' && test.op === 'not') yield* partsOf(test.operand, !holds);
  else if (test.kind === 'BoolOp' && (test.op === 'and') === holds)
    for (const v of test.values) yield* partsOf(v, holds);
  else yield { test, holds };
}

function isTest(n: Call): boolean {
  return n.func.kind === 'Name' && n.func.id === 'isinstance' && n.args.length === 2;
}

function instancesOf(ev: Evaluator, types: Expr, { scope, block }: Place): Values | null {
  const out: Values = new Map();
  for (const type of types.kind === 'Tuple' ? types.elts : [types]) {
    const got = annotationValue(ev, type, scope, block);
    if (!got) return null;
    merge(out, got);
  }
  return out.size ? out : null;
}

/** Is the name given something else between the test and the use? */
function isRebound({ node, scope }: Place, from: number): boolean {
  let base = node;
  while (base.kind === 'Attribute') base = base.value;
  if (base.kind !== 'Name') return true;
  const bindings = findScope(base.id, scope)?.bindings.get(base.id) ?? [];
  return bindings.some((b) => b.pos > from && b.pos < node.start);
}

const tests = new WeakMap<ModuleScopes, ReadonlySet<string>>();

/** The names whose class a module looks at. */
function testedIn(module: ModuleScopes): ReadonlySet<string> {
  let known = tests.get(module);
  if (!known) {
    const out = new Set<string>();
    for (const { node } of module.calls) if (isTest(node)) out.add(dotted(node.args[0]!) ?? '');
    if (/\bmatch\b/.test(module.text))
      for (const n of module.scopeOf.keys()) if (n.kind === 'Match') out.add(dotted(n.subject) ?? '');
    known = out;
    tests.set(module, known);
  }
  return known;
}

function dotted(n: Expr): string | null {
  if (n.kind === 'Name') return n.id;
  if (n.kind !== 'Attribute') return null;
  const base = dotted(n.value);
  return base && `${base}.${n.attr}`;
}
