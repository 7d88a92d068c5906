/** Other names for one object: `ys = xs`, `self.jobs = jobs or []`, `fill(jobs)`. */
import { type Expr, lastNameOf, type Node } from '../syntax/index.ts';
import { classMember } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { entryOf } from './fills.ts';
import { argumentFor } from './given.ts';
import { perModule, push } from './lookups.ts';
import {
  allArgs,
  type Binding,
  type ClassInfo,
  codeScope,
  type FunctionInfo,
  type LoadRecord,
  type ModuleScopes,
} from './scopes.ts';
import type { CallPlace, Instance, Place } from './values.ts';

/** A name that an object is given; `cls`: as an attribute of its instances. */
type Named = { binding: Binding; cls: ClassInfo | null } | { object: Place; attr: string };

/** How else an object is had; `returnedBy`: by calls of that function. */
export type Alias = Named | { returnedBy: FunctionInfo };

/** The names and attributes whose object an expression hands on as it is. */
export function sourcesOf(e: Expr): Expr[] {
  switch (e.kind) {
    case 'Name':
    case 'Attribute':
      return [e];
    case 'IfExp':
      return [...sourcesOf(e.body), ...sourcesOf(e.orelse)];
    case 'BoolOp':
      return e.values.flatMap(sourcesOf);
    case 'NamedExpr':
      return sourcesOf(e.value);
    default:
      return [];
  }
}

/** What an assignment without a path gives its name. */
export function wholeValue(b: Binding): Expr | null {
  if (b.kind === 'annotated') return b.value;
  return b.kind === 'assign' && !b.path.length ? b.value : null;
}

/** `xs = self.xs = []`: all names of one assignment. */
export function siblingsOf(b: Binding): readonly Alias[] {
  const value = wholeValue(b);
  return (value && boundTo(b.scope.module).get(value)) ?? [];
}

function isShared({ parent }: Expr): boolean {
  return parent?.kind === 'Assign' && parent.targets.length > 1;
}

/** The names that the result of a call is given. */
export function namesOfCall({ node, scope }: CallPlace): readonly Alias[] {
  return boundTo(scope.module).get(node) ?? [];
}

/** The names under which the object that is loaded is known from here on. */
export function aliasesOf(ev: Evaluator, { node, scope, block }: LoadRecord): Alias[] {
  const out: Alias[] = [];
  const bound = boundTo(scope.module);
  for (let at: Node = node; ; ) {
    out.push(...(bound.get(at) ?? []));
    const up: Node | null = at.parent;
    const call = up?.kind === 'Keyword' ? up.parent : up;
    if (call?.kind === 'Call' && at !== call.func) out.push(...given(ev, { node: call, scope, block }, at));
    const { fn } = codeScope(scope);
    if (up?.kind === 'Return' && fn && !fn.node.isAsync) out.push({ returnedBy: fn });
    const same = up?.kind === 'IfExp' ? up.test !== at : up?.kind === 'BoolOp' || up?.kind === 'NamedExpr';
    if (!up || !same) return out;
    at = up;
  }
}

/** Parameters of the project's functions that a call gives the object to. */
function given(ev: Evaluator, call: CallPlace, argument: Node): Alias[] {
  const out: Alias[] = [];
  for (const { fn, skip } of calledBy(ev, call)) {
    for (const { arg } of allArgs(fn.node.args)) {
      const binding = argumentFor(fn, arg, call.node, skip) === argument ? parameter(fn, arg.arg) : undefined;
      if (binding) out.push({ binding, cls: null });
    }
  }
  return out;
}

function parameter(fn: FunctionInfo, name: string): Binding | undefined {
  return fn.scope.bindings.get(name)?.find((b) => b.kind === 'param');
}

function calledBy(ev: Evaluator, call: CallPlace): { fn: FunctionInfo; skip: number }[] {
  const out: { fn: FunctionInfo; skip: number }[] = [];
  for (const { value } of ev.value(call.node.func, call.scope, call.block).values()) {
    if (value.k === 'function') out.push({ fn: value.fn, skip: value.self ? 1 : 0 });
    if (value.k !== 'class') continue;
    const made: Instance = { k: 'instance', cls: value.cls, call, viaSelf: false };
    for (const m of classMember(ev, made, '__init__')?.values() ?? [])
      if (m.value.k === 'function') out.push({ fn: m.value.fn, skip: 1 });
  }
  return out;
}

/** By the expression that is assigned. */
const boundTo = perModule((m: ModuleScopes): Map<Node, Named[]> => {
  const out = new Map<Node, Named[]>();
  const enter = (value: Expr | null, alias: Named): void => {
    if (value && (sourcesOf(value).length || isShared(value) || value.kind === 'Call' || entryOf(value)))
      out.set(value, [...(out.get(value) ?? []), alias]);
  };
  const all = (names: ReadonlyMap<string, Binding[]>, cls: ClassInfo | null): void => {
    for (const binding of [...names.values()].flat()) enter(wholeValue(binding), { binding, cls });
  };
  for (const scope of [m.scope, ...[...m.functions, ...m.lambdas, ...m.classes].map((x) => x.scope)])
    all(scope.bindings, null);
  for (const cls of m.classes) all(cls.scope.attributes, cls);
  for (const [attr, stores] of m.attributeStores)
    for (const { object: node, value, scope, block } of stores) enter(value, { object: { node, scope, block }, attr });
  return out;
});

/** The names that the containers in mappings are given (`api = jobs["api"]`), by the last name of the mapping. */
export const namesOfEntries = perModule((m: ModuleScopes) => {
  const out = new Map<string, { entry: Place; alias: Named }[]>();
  for (const [value, aliases] of boundTo(m)) {
    const inside = entryOf(value as Expr);
    for (const alias of inside ? aliases : []) {
      const { scope, block } = 'object' in alias ? alias.object : alias.binding;
      push(out, lastNameOf(inside!.container), { entry: { node: value as Expr, scope, block }, alias });
    }
  }
  return out;
});
