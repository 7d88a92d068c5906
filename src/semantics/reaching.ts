/** Name look-up by Python's scope rules, and which of a name's bindings can be in force at a place. */
import type { Expr, Stmt } from '../syntax/index.ts';
import { listed, type Reached } from './effects.ts';
import { loadsOf, push } from './lookups.ts';
import { type Mark, NameFlow } from './name-flow.ts';
import { type Binding, codeScope, type LoadRecord, type ModuleScopes, type Scope } from './scopes.ts';

/** The scope that binds a name seen from `scope`; null when only a star import or the builtins can. */
export function findScope(name: string, scope: Scope): Scope | null {
  const module = scope.module.scope;
  let s: Scope | null = scope;
  while (s) {
    if (s.globals.has(name) && s !== module) return module.bindings.has(name) ? module : null;
    if (s.nonlocals.has(name)) {
      s = s.parent;
      while (s && s.kind === 'class') s = s.parent;
      continue;
    }
    // a class body's names are not visible in the scopes nested in it
    if (s.kind === 'class' && s !== scope) {
      s = s.parent;
      continue;
    }
    if (s.bindings.has(name)) return s;
    s = s.parent;
  }
  return null;
}

const uses = new WeakMap<ModuleScopes, Map<string, Map<Scope | null, LoadRecord[]>>>();

/** Where a name of a scope is loaded, in that scope or another. */
export function usesOf(where: Scope, name: string): readonly LoadRecord[] {
  const names = uses.get(where.module) ?? new Map<string, Map<Scope | null, LoadRecord[]>>();
  uses.set(where.module, names);
  let byScope = names.get(name);
  if (!byScope) {
    byScope = new Map();
    for (const load of loadsOf(where.module, name)) {
      push(byScope, findScope(name, load.scope), load);
    }
    names.set(name, byScope);
  }
  return byScope.get(where) ?? [];
}

/** The bindings of one name in one scope, and how they hold on the way through its statements. */
interface Known {
  /** Parameters first, then in the order of the text. */
  own: Binding[];
  /** Bound from other functions, by `global` and `nonlocal`. */
  remote: Binding[];
  flow: NameFlow | null;
  /** Of `own`. */
  order?: ReadonlyMap<Binding, number>;
}

const known = new WeakMap<Scope, Map<string, Known>>();

function knownOf(where: Scope, name: string): Known {
  let names = known.get(where);
  if (!names) {
    names = new Map();
    known.set(where, names);
  }
  let got = names.get(name);
  if (!got) {
    const all = [...(where.bindings.get(name) ?? [])].sort((a, b) => a.pos - b.pos);
    const own = all.filter((b) => !b.remote);
    const body = bodyOf(where);
    got = { own, remote: all.filter((b) => b.remote), flow: body && new NameFlow(body, marksOf(own, where, name)) };
    names.set(name, got);
  }
  return got;
}

function bodyOf(scope: Scope): readonly Stmt[] | null {
  const { node } = scope;
  if (scope.kind === 'typeparams') return null;
  return node.kind === 'Module' || node.kind === 'FunctionDef' || node.kind === 'ClassDef' ? node.body : null;
}

function marksOf(bindings: readonly Binding[], where: Scope | null, name: string): Mark[] {
  const marks: Mark[] = bindings
    .filter((b) => b.kind !== 'param')
    .map((binding) => ({ at: inForce(binding), binding }));
  for (const at of where?.deleted.get(name) ?? []) marks.push({ at, binding: null });
  return marks.sort((a, b) => a.at - b.at);
}

/** A definition binds its name when its header, and a class's body, are done. */
function inForce(b: Binding): number {
  return b.kind === 'def' ? b.fn.node.end : b.kind === 'class' ? b.cls.node.end : b.pos;
}

/** The bindings that an effect leaves in force; all of them for code that is never reached. */
function leftOf(effect: Reached, k: Known): Binding[] {
  const { own } = k;
  if (!effect) return own;
  const params = effect.through && own[0]?.kind === 'param' ? own.filter((b) => b.kind === 'param') : [];
  // few of many, as a rule: a name may be bound once a line
  k.order ??= new Map(own.map((b, i) => [b, i]));
  const { order } = k;
  const left = listed(effect.bindings).filter((b) => order.has(b));
  return [...params, ...left.sort((a, b) => order.get(a)! - order.get(b)!)];
}

/** The bindings that a name can stand for where it is used; none for any other expression. */
export function boundAt(e: Expr, scope: Scope): readonly Binding[] {
  const where = e.kind === 'Name' ? findScope(e.id, scope) : null;
  return where && e.kind === 'Name' ? reaching(where, e.id, scope, e.start) : [];
}

/** The bindings of `name` in `where` that can be in force at `pos`, in code of `scope`. */
export function reaching(where: Scope, name: string, scope: Scope, pos: number): Binding[] {
  const all = where.bindings.get(name) ?? [];
  if (all.length <= 1 && !where.deleted.has(name)) return all;
  const k = knownOf(where, name);
  const code = codeScope(scope);
  if (code === where) return [...direct(k, pos), ...remoteAt(k, where, pos)];
  const local = k.remote.filter((b) => codeScope(b.scope) === code);
  const others = k.remote.filter((b) => !local.includes(b));
  const here = local.length ? setHere(local, code, name, pos) : null;
  if (here && !here.through) return listed(here.bindings);
  const outer = where.kind === 'function' ? fromClosure(k, where, scope) : endOf(k);
  return [...outer, ...(here ? listed(here.bindings) : local), ...others];
}

/** Of the bindings that a function makes of a name of another scope, those in force at a place of its own code. */
function setHere(local: readonly Binding[], code: Scope, name: string, pos: number): Reached {
  const body = bodyOf(code);
  return body && new NameFlow(body, marksOf(local, null, name)).before(pos);
}

function direct(k: Known, pos: number): Binding[] {
  if (!k.flow) return k.own;
  return leftOrAll(k.flow.before(pos), k);
}

/** What an effect leaves; all where nothing is bound on the way, but nothing where that was deleted. */
function leftOrAll(effect: Reached, k: Known): Binding[] {
  const left = leftOf(effect, k);
  return left.length || (effect && !effect.through) ? left : k.own;
}

/** Can a name of a class body be unset at a place of that body? Then the module's is meant. */
export function mayBeUnset(where: Scope, name: string, scope: Scope, pos: number): boolean {
  if (where.kind !== 'class' || codeScope(scope) !== where) return false;
  return knownOf(where, name).flow?.before(pos)?.through ?? false;
}

/** What holds when the statements of the scope are done: that is what an importer or another function finds. */
function endOf(k: Known): Binding[] {
  return k.flow ? leftOrAll(k.flow.atEnd(), k) : k.own;
}

/** What an importer, or an instance, sees of a scope's name. */
export function visibleFromOutside(where: Scope, name: string): Binding[] {
  const all = where.bindings.get(name) ?? [];
  if (all.length <= 1 && !where.deleted.has(name)) return all;
  const k = knownOf(where, name);
  return [...endOf(k), ...k.remote];
}

// ---- closures ----

/** A closure finds what held where it was made, and what is bound after that. */
function fromClosure(k: Known, where: Scope, scope: Scope): Binding[] {
  if (!k.flow) return k.own;
  let inner = scope;
  while (inner.parent !== where) inner = inner.parent!;
  const { start, end } = inner.node;
  const before = direct(k, start);
  // a class body runs on the spot
  if (codeScope(scope) === inner && inner.kind === 'class') return before;
  const from = passing(where, inner.node.kind === 'FunctionDef' ? end : start);
  const later = k.own.filter((b) => {
    if (b.kind === 'param' || before.includes(b)) return false;
    const reached = from.before(inForce(b));
    return !reached || reached.bindings !== null;
  });
  return k.own.filter((b) => before.includes(b) || later.includes(b));
}

const passages = new WeakMap<Scope, Map<number, NameFlow>>();

/** A flow that tells where control can have passed a place of a scope. */
function passing(where: Scope, at: number): NameFlow {
  let flows = passages.get(where);
  if (!flows) {
    flows = new Map();
    passages.set(where, flows);
  }
  let flow = flows.get(at);
  if (!flow) {
    const binding: Binding = { kind: 'other', name: '', pos: at, block: where.root, scope: where, remote: false };
    flow = new NameFlow(bodyOf(where) ?? [], [{ at, binding }]);
    flows.set(at, flow);
  }
  return flow;
}

// ---- `nonlocal` ----

/** A function that rebinds a name of ours counts where it can have been called: some use of it has been passed. */
function remoteAt(k: Known, where: Scope, pos: number): Binding[] {
  if (where.kind !== 'function') return k.remote;
  return k.remote.filter((b) => {
    const fn = codeScope(b.scope).fn;
    if (!fn || fn.outer !== where || fn.node.decorators.length) return true;
    return usesOf(where, fn.node.name).some(({ node, scope }) => {
      if (codeScope(scope) !== where) return codeScope(scope) !== fn.scope;
      const reached = passing(where, node.start).before(pos);
      return !reached || reached.bindings !== null;
    });
  });
}
