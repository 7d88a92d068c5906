/** What values hold that are no literals: declared containers, generators of the project, objects with `__iter__`, named tuples. */
import { type Call, descendants, type Expr } from '../syntax/index.ts';
import { annotationValue } from './annotations.ts';
import { classMember, lineage } from './classes.ts';
import { anyMember } from './enum-values.ts';
import type { Evaluator } from './evaluate.ts';
import { isEnumeration, isNamedTuple, positionalFields } from './fields.ts';
import { seenBy } from './handed.ts';
import { frameOfCall } from './receivers.ts';
import { type ClassInfo, codeScope, type FunctionInfo, type Step, whereIs } from './scopes.ts';
import { type CallPlace, type Instance, isKnown, merge, type Place, type Value, type Values } from './values.ts';

type Of<K extends Value['k']> = Extract<Value, { k: K }>;

/** Elements of a value (`step` 'iterate'), or its entry at an index or key; empty when nothing is known. */
export function held(ev: Evaluator, value: Value, step: Step | 'iterate'): Values {
  switch (value.k) {
    case 'declared':
      return ofItems(ev, itemsAt(value, step));
    case 'result':
      return value.fn.type === 'function' && value.fn.isGenerator && step === 'iterate'
        ? yieldedBy(ev, value)
        : new Map();
    case 'instance':
      return fieldsOf(ev, value, step);
    case 'class':
      // the members of an enumeration
      return step === 'iterate' && isEnumeration(ev, value.cls) ? anyMember(ev, value.cls) : new Map();
    default:
      return new Map();
  }
}

function itemsAt({ shape, items }: Of<'declared'>, step: Step | 'iterate'): readonly Place[] {
  if (shape === 'mapping') return [step === 'iterate' ? items[0]! : items[1]!];
  if (shape === 'sequence' || typeof step !== 'number') return items;
  const one = items[step < 0 ? items.length + step : step];
  return one ? [one] : [];
}

function ofItems(ev: Evaluator, items: readonly Place[]): Values {
  const out: Values = new Map();
  for (const { node, scope, block } of items) merge(out, annotationValue(ev, node, scope, block) ?? new Map());
  return out;
}

/** The pairs of a declared mapping, as a declared sequence or tuple. */
export function viewOf(v: Of<'declared'>, view: string): Value | null {
  if (v.shape !== 'mapping') return view === 'copy' ? v : null;
  const [key, value] = v.items;
  if (view === 'items') return { k: 'declared', shape: 'tuple', items: [key!, value!] };
  return view === 'copy' ? v : null;
}

/** What a generator function yields, its parameters left as they are. */
export function yieldsOf(ev: Evaluator, fn: FunctionInfo): Values {
  const out: Values = new Map();
  for (const n of descendants(fn.node)) {
    if ((n.kind !== 'Yield' && n.kind !== 'YieldFrom') || !n.value) continue;
    const at: Place = { node: n.value, ...whereIs(fn.module, n.value) };
    if (codeScope(at.scope).fn !== fn) continue;
    merge(out, n.kind === 'Yield' ? ev.valueAt(at) : ev.elementsOf(at, [], false));
  }
  return out;
}

/** What a generator function yields, by its `yield`s or by its annotation. */
export function yieldedBy(ev: Evaluator, v: Of<'result'>): Values {
  const { fn } = v;
  const frame = frameOfCall(v);
  if (fn.type !== 'function' || !frame) return new Map();
  const out = seenBy(ev, ev.yielded(fn), frame);
  if (isKnown(ev.settled(out))) return out;
  const note: Values = new Map();
  for (const { value } of ev.declaredReturn(fn)?.values() ?? []) merge(note, held(ev, value, 'iterate'));
  return note.size ? note : out;
}

function fieldsOf(ev: Evaluator, v: Instance, step: Step | 'iterate'): Values {
  const line = lineage(ev, v.cls);
  if (!isNamedTuple(ev, line)) return new Map();
  const fields = positionalFields(line);
  const chosen = typeof step === 'number' ? [fields[step < 0 ? fields.length + step : step]] : fields;
  const out: Values = new Map();
  for (const f of chosen) if (f) merge(out, ev.attribute(v, f, 'element'));
  return out;
}

/** What `__iter__` or `__getitem__` of a class of the project hands back; null when there is none. */
export function special(ev: Evaluator, v: Instance, step: Step | 'iterate'): Values | null {
  const method = classMember(ev, v, step === 'iterate' ? '__iter__' : '__getitem__');
  if (!method) return null;
  const out: Values = new Map();
  for (const { value } of method.values())
    if (value.k === 'function') merge(out, ev.called(value, 'element', standInCall(v.cls), []));
  return out;
}

const calls = new WeakMap<ClassInfo, CallPlace>();

/** A call that is written nowhere. */
function standInCall(cls: ClassInfo): CallPlace {
  let got = calls.get(cls);
  if (!got) {
    const { start, end, name } = cls.node;
    const func: Expr = { kind: 'Name', id: name, ctx: 'load', start, end, parent: null };
    const node: Call = { kind: 'Call', func, args: [], keywords: [], open: end, start, end, parent: null };
    got = { node, scope: cls.outer, block: cls.outer.root };
    calls.set(cls, got);
  }
  return got;
}
