/** What one binding gives its name: an import, a definition, an assigned value, an element, a parameter. */
import { annotationValue } from './annotations.ts';
import { elementsOf } from './elements.ts';
import type { Evaluator } from './evaluate.ts';
import { yieldedBy } from './held.ts';
import { orSetByOthers } from './module-variables.ts';
import type { Binding } from './scopes.ts';
import { add, type Instance, isKnown, merge, NAMES, only, unknown, type Value, type Values } from './values.ts';

export function bindingValue(ev: Evaluator, b: Binding): Values {
  switch (b.kind) {
    case 'import':
      return ev.imports.module(b.scope.module, 0, b.module, b.typingOnly);
    case 'from':
      return ev.imports.member(b);
    case 'def':
      return only({ k: 'function', fn: b.fn, self: null }, 'definition');
    case 'class':
      return only({ k: 'class', cls: b.cls }, 'definition');
    case 'assign':
      if (b.path.length) return elementsOf(ev, { node: b.value, scope: b.scope, block: b.block }, b.path, true);
      return orSetByOthers(ev, b, weaken(ev.value(b.value, b.scope, b.block)));
    case 'for':
      return elementsOf(ev, { node: b.iter, scope: b.iterScope, block: b.block }, b.path, false);
    case 'async for': {
      const iter = { node: b.iter, scope: b.iterScope, block: b.block };
      return isYielding(ev.valueAt(iter)) ? elementsOf(ev, iter, b.path, false) : unknown();
    }
    case 'with':
      return entered(ev, b);
    case 'annotated':
      return orSetByOthers(ev, b, annotated(ev, b));
    case 'param':
      return parameter(ev, b);
    case 'augmented':
      return grown(ev, b);
    default:
      return unknown();
  }
}

function annotated(ev: Evaluator, b: Extract<Binding, { kind: 'annotated' }>): Values {
  const got = b.value ? weaken(ev.value(b.value, b.scope, b.block)) : null;
  const note = (): Values | null => annotationValue(ev, b.annotation, b.scope, b.block);
  const known = [...(got?.values() ?? [])].map((v) => v.value.k);
  // what is put into `engines: list[Engine] = []` later is of that type
  if (got && known.includes('display')) return merge(new Map(got), declaredOf(note()));
  if (got && isKnown(got)) return got;
  return note() ?? got ?? only({ k: 'none' }, 'declared only');
}

/** Asynchronous generators of the project. */
function isYielding(values: Values): boolean {
  return [...values.values()].every(
    ({ value: v }) => v.k === 'result' && v.fn.type === 'function' && v.fn.isGenerator && v.fn.node.isAsync,
  );
}

function declaredOf(note: Values | null): Values {
  return new Map([...(note ?? [])].filter(([, v]) => v.value.k === 'declared'));
}

/** `rows += […]`: the same list, with more in it. */
function grown(ev: Evaluator, b: Extract<Binding, { kind: 'augmented' }>): Values {
  const statement = b.value.parent;
  if (statement?.kind !== 'AugAssign' || (b.op !== '+' && b.op !== '|')) return unknown();
  // what an attribute is beside that, other statements say
  if (statement.target.kind === 'Attribute') return new Map();
  const out: Values = new Map();
  for (const { value, proof } of ev.value(statement.target, b.scope, b.block).values())
    if (HOLDING.has(value.k)) add(out, value, proof);
    else merge(out, unknown());
  return out.size ? out : unknown();
}

/** What may be a list. */
const HOLDING: ReadonlySet<Value['k']> = new Set(['display', 'declared', 'param', 'element', 'result']);

function entered(ev: Evaluator, b: Extract<Binding, { kind: 'with' }>): Values {
  if (b.path.length) return unknown();
  const got = ev.value(b.value, b.scope, b.block);
  const out: Values = new Map();
  for (const { value, proof } of got.values()) {
    if (value.k === 'name' && ev.table.groupKinds.has(value.q)) add(out, value, b.isAsync ? 'async-with' : proof);
    else if (value.k === 'name' && ev.table.kinds.has(value.q)) add(out, value, b.isAsync ? 'async-with' : 'with');
    else if (value.k === 'result' && value.fn.type === 'function' && value.fn.isGenerator)
      merge(out, yielded(ev, value));
    else if (value.k === 'instance') add(out, value, 'with');
    else add(out, { k: 'unknown', why: 'unknown' }, 'unknown');
  }
  return out;
}

/** What a context manager made by `@asynccontextmanager` hands on. */
function yielded(ev: Evaluator, v: Extract<Value, { k: 'result' }>): Values {
  const out: Values = new Map();
  for (const { value, proof } of yieldedBy(ev, v).values())
    if (value.k === 'name' || value.k === 'instance') add(out, value, proof);
  return out.size ? out : unknown();
}

function parameter(ev: Evaluator, b: Extract<Binding, { kind: 'param' }>): Values {
  const scope = b.scope;
  if (scope.self && scope.self.name === b.name && b.role === 'normal') {
    const self: Instance = { k: 'instance', cls: scope.self.cls, call: null, viaSelf: true };
    return scope.self.classMethod
      ? only({ k: 'class', cls: scope.self.cls, viaSelf: true }, 'self')
      : only(self, 'self');
  }
  const out: Values = new Map();
  const outer = scope.parent ?? scope;
  const { annotation } = b.arg;
  const note = annotation ? annotationValue(ev, annotation, outer, b.block) : null;
  if (note && b.role === 'normal') return note;
  if (note && annotation) {
    const each = { node: annotation, scope: outer, block: b.block };
    const declared: Value =
      b.role === 'vararg'
        ? { k: 'declared', shape: 'sequence', items: [each] }
        : { k: 'declared', shape: 'mapping', items: [{ ...each, node: NAMES }, each] };
    return only(declared, 'annotation');
  }
  if (b.role === 'normal') {
    if (b.arg.default) {
      for (const { value } of ev.value(b.arg.default, outer, outer.root).values())
        if (value.k !== 'none') add(out, value, 'param-default');
    }
  }
  add(out, { k: 'param', owner: b.owner, arg: b.arg, role: b.role }, 'parameter');
  out.delete('?');
  return out;
}

/** Through an assignment, a plain import becomes an alias and a chained call an assignment. */
function weaken(values: Values): Values {
  const out: Values = new Map();
  for (const [key, { value, proof }] of values) {
    out.set(key, { value, proof: proof === 'import' ? 'alias' : proof === 'chain' ? 'assign' : proof });
  }
  return out;
}
