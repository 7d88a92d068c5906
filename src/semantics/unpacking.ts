/** What assignment targets bind: names, elements of what is unpacked, attributes of `self`, entries of a container. */
import type { Attribute, Call, Expr } from '../syntax/index.ts';
import type { Collector, NewBinding } from './collect.ts';
import { push } from './lookups.ts';
import type { Binding, Scope, Step } from './scopes.ts';

type Make = (name: string, path: Step[]) => NewBinding;

/** Binds an assignment target to the value, or to an element of it named by `path`: then `value` is null. */
export function bindTarget(c: Collector, target: Expr, make: Make, value: Expr | null, path: Step[] = []): void {
  switch (target.kind) {
    case 'Name':
      c.bind(make(target.id, path), target.start);
      return;
    case 'Tuple':
    case 'List':
      unpack(c, target.elts, make, value, path);
      return;
    case 'Starred':
      bindTarget(c, target.value, make, null, path);
      return;
    case 'Subscript':
      if (value)
        c.module.stores.push({ object: target.value, key: target.slice, value, scope: c.scope, block: c.block });
      c.expr(target);
      return;
    case 'Attribute':
      if (!bindAttribute(c, target.value, target.attr, make(target.attr, path), target.start))
        storeAttribute(c, target, value);
      c.expr(target.value);
      return;
    default:
      c.expr(target);
  }
}

function unpack(c: Collector, elts: Expr[], make: Make, value: Expr | null, path: Step[]): void {
  const direct = value && (value.kind === 'Tuple' || value.kind === 'List') ? value : null;
  const star = elts.findIndex((e) => e.kind === 'Starred');
  const same =
    direct && star < 0 && direct.elts.length === elts.length && !direct.elts.some((e) => e.kind === 'Starred');
  elts.forEach((e, i) => {
    const element = same ? direct.elts[i]! : null;
    if (element) {
      bindTarget(c, e, (name, p) => ({ kind: 'assign', name, value: element, path: p }) as NewBinding, element);
      return;
    }
    bindTarget(c, e, make, null, [...path, stepAt(i, star, elts.length)]);
  });
}

/** Where one of some targets stands, a star among them (-1 for none) taking the rest. */
export function stepAt(i: number, star: number, count: number): Step {
  if (i === star) return `${i}:${count - 1 - i}`;
  return star >= 0 && i > star ? i - count : i;
}

/** `self.x = value` inside a method: an attribute of the class. */
export function bindAttribute(c: Collector, object: Expr, attr: string, binding: NewBinding, pos: number): boolean {
  if (object.kind !== 'Name') return false;
  for (let s: Scope | null = c.scope; s; s = s.parent) {
    if (s.self && (s.self.name === object.id || isMade(s, object.id))) {
      const full = { ...binding, name: attr, pos, block: c.block, scope: c.scope, remote: false } as Binding;
      c.addAttribute(s.self.cls.scope, full);
      return true;
    }
    if (s.bindings.has(object.id)) return false;
  }
  return false;
}

/** `self = super().__new__(cls)` in a `__new__`: the object that is made. */
function isMade({ self, fn, bindings }: Scope, name: string): boolean {
  const made = fn?.node.name === '__new__' ? (bindings.get(name) ?? []) : [];
  return made.some((b) => {
    const value = b.kind === 'assign' || b.kind === 'annotated' ? b.value : null;
    if (value?.kind !== 'Call' || value.func.kind !== 'Attribute' || value.func.attr !== '__new__') return false;
    const [of] = value.args;
    return of?.kind === 'Name' && of.id === self?.name;
  });
}

/** `setattr(engine, "every", 5)`. */
export function bindBySetattr(c: Collector, { func, args, keywords, start }: Call): void {
  const [object, name, value] = args;
  if (func.kind !== 'Name' || func.id !== 'setattr' || !object || !value || keywords.length || args.length !== 3)
    return;
  if (name?.kind === 'Constant' && typeof name.value === 'string')
    storeAttribute(c, { value: object, attr: name.value, start }, value);
}

/** `value`: null when it is not an expression of its own. */
function storeAttribute(
  c: Collector,
  { value: object, attr, start: pos }: Pick<Attribute, 'value' | 'attr' | 'start'>,
  value: Expr | null,
): void {
  const store = { object, value, scope: c.scope, block: c.block, pos };
  push(c.module.attributeStores, attr, store);
}
