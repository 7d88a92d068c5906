/**
 * Indexes over the records of a module, each made when it is first asked for: what asks once a site must not walk the
 * whole module each time. All keep the order of the records.
 */

import { firstWhere } from '../model/order.ts';
import { lastNameOf, type Node } from '../syntax/index.ts';
import {
  type CallRecord,
  type ClassInfo,
  codeScope,
  type FunctionInfo,
  type LoadRecord,
  type ModuleScopes,
  type Scope,
} from './scopes.ts';

/** The loads of a plain name. */
export function loadsOf(module: ModuleScopes, name: string): readonly LoadRecord[] {
  return namedLoads(module).get(name) ?? [];
}

/** The loads of an attribute of whatever object. */
export function attributeLoadsOf(module: ModuleScopes, attr: string): readonly LoadRecord[] {
  return attributeLoads(module).get(attr) ?? [];
}

/** The loads of a plain name that a scope's own code makes, in its comprehensions too. */
export function loadsOfCode(scope: Scope, name: string): readonly LoadRecord[] {
  return loadsByScope(scope.module).get(scope)?.get(name) ?? [];
}

/** The calls that run as a part of a scope's own code: those in its comprehensions too, those in nested functions not. */
export function callsOf(scope: Scope): readonly CallRecord[] {
  return callsByScope(scope.module).get(scope) ?? [];
}

/** The calls within a stretch of the text. */
export function callsWithin(module: ModuleScopes, { start, end }: { start: number; end: number }): CallRecord[] {
  const sorted = callsByStart(module);
  const found: Numbered[] = [];
  const first = firstWhere(sorted, ({ record }) => record.node.start >= start);
  for (let i = first; i < sorted.length && sorted[i]!.record.node.start <= end; i++)
    if (sorted[i]!.record.node.end <= end) found.push(sorted[i]!);
  return found.sort((a, b) => a.index - b.index).map(({ record }) => record);
}

/** The calls of whatever has a name, the last of a dotted one. */
export function callsNamed(module: ModuleScopes, name: string): readonly CallRecord[] {
  return callsByName(module).get(name) ?? [];
}

/** The methods in the body of a class. */
export function methodsOf(cls: ClassInfo): readonly FunctionInfo[] {
  return methodsByClass(cls.module).get(cls) ?? [];
}

/** The innermost function around a stretch of the text. */
export function functionAround(
  module: ModuleScopes,
  { start, end }: { start: number; end: number },
): FunctionInfo | null {
  const sorted = functionsByStart(module);
  let fn = sorted[firstWhere(sorted, ({ node }) => node.start > start) - 1] ?? null;
  while (fn && fn.node.end < end) fn = functionOf(fn.outer);
  return fn;
}

function functionOf(scope: Scope): FunctionInfo | null {
  for (let s: Scope | null = scope; s; s = s.parent) if (s.fn) return s.fn;
  return null;
}

/** Where a node stands in a list that is in the order of the text; -1 when it is not in it. */
export function indexIn(list: readonly Node[], node: Node): number {
  const at = firstWhere(list, ({ start }) => start >= node.start);
  return list[at] === node ? at : -1;
}

interface Numbered {
  record: CallRecord;
  index: number;
}

const namedLoads = perModule((m) => {
  const out = new Map<string, LoadRecord[]>();
  for (const load of m.loads) if (load.node.kind === 'Name') push(out, load.node.id, load);
  return out;
});

const attributeLoads = perModule((m) => {
  const out = new Map<string, LoadRecord[]>();
  for (const load of m.loads) if (load.node.kind === 'Attribute') push(out, load.node.attr, load);
  return out;
});

const loadsByScope = perModule((m) => {
  const out = new Map<Scope, Map<string, LoadRecord[]>>();
  for (const load of m.loads) {
    if (load.node.kind !== 'Name') continue;
    const code = codeScope(load.scope);
    const names = out.get(code) ?? new Map<string, LoadRecord[]>();
    out.set(code, names);
    push(names, load.node.id, load);
  }
  return out;
});

const callsByScope = perModule((m) => {
  const out = new Map<Scope, CallRecord[]>();
  for (const call of m.calls) push(out, codeScope(call.scope), call);
  return out;
});

const callsByStart = perModule((m) =>
  m.calls.map((record, index) => ({ record, index })).sort((a, b) => a.record.node.start - b.record.node.start),
);

const callsByName = perModule((m) => {
  const out = new Map<string, CallRecord[]>();
  for (const call of m.calls) push(out, lastNameOf(call.node.func), call);
  return out;
});

/** The names of what a module calls. */
export function namesCalled(module: ModuleScopes): Iterable<string> {
  return callsByName(module).keys();
}

const functionsByStart = perModule((m) => [...m.functions].sort((a, b) => a.node.start - b.node.start));

const methodsByClass = perModule((m) => {
  const out = new Map<ClassInfo, FunctionInfo[]>();
  for (const fn of m.functions) if (fn.cls) push(out, fn.cls, fn);
  return out;
});

/** One more value under a key of a map of lists. */
export function push<K, V>(to: Map<K, V[]>, key: K, value: V): void {
  const list = to.get(key);
  if (list) list.push(value);
  else to.set(key, [value]);
}

/** Do two lists hold the very same, in the same order? */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((each, i) => each === b[i]));
}

/** What is made of a module once. */
export function perModule<T extends object>(make: (m: ModuleScopes) => T): (m: ModuleScopes) => T {
  const known = new WeakMap<ModuleScopes, T>();
  return (m) => {
    let got = known.get(m);
    if (!got) {
      got = make(m);
      known.set(m, got);
    }
    return got;
  };
}
