/** Name look-up and reaching definitions, by Python's scope rules. */
import { type Binding, type Block, codeScope, isWithin, type Scope } from './scopes.ts';

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

const sorted = new WeakSet<Binding[]>();

function inOrder(list: Binding[]): Binding[] {
  if (!sorted.has(list)) {
    list.sort((a, b) => a.pos - b.pos);
    sorted.add(list);
  }
  return list;
}

/** The bindings of `name` in `where` that can be in force at `pos`. */
export function reaching(where: Scope, name: string, scope: Scope, pos: number, block: Block): Binding[] {
  const all = inOrder(where.bindings.get(name) ?? []);
  if (all.length <= 1) return all;
  const remote = all.filter((b) => b.remote);
  const own = all.filter((b) => !b.remote);
  if (codeScope(scope) !== where) return [...fromLastInRoot(own, where), ...remote];
  const prior = own.filter((b) => b.pos < pos || b.kind === 'param');
  if (!prior.length) return [...own, ...remote];
  let first = 0;
  prior.forEach((b, i) => {
    if (isWithin(block, b.block)) first = i;
  });
  return [...prior.slice(first), ...remote];
}

/** What a closure or an importer sees: the last unconditional binding and all after it. */
export function visibleFromOutside(bindings: Binding[], where: Scope): Binding[] {
  const all = inOrder(bindings);
  const own = all.filter((b) => !b.remote);
  return [...fromLastInRoot(own, where), ...all.filter((b) => b.remote)];
}

function fromLastInRoot(own: Binding[], where: Scope): Binding[] {
  let first = 0;
  own.forEach((b, i) => {
    if (b.block === where.root) first = i;
  });
  return own.slice(first);
}
