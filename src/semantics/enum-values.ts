/** What stands behind the members of an enumeration: `job.value`, `Job.A.value`. */
import { ownBindings } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { isEnumeration } from './fields.ts';
import type { ClassInfo } from './scopes.ts';
import { merge, type Place, type Value, type Values } from './values.ts';

type Attribute = Extract<Place['node'], { kind: 'Attribute' }>;

/** `.value` of any member; null where nothing is known of it. */
export function anyEnumValue(ev: Evaluator, cls: ClassInfo): Values | null {
  if (!hasPlainValues(ev, cls)) return null;
  const out: Values = new Map();
  for (const name of cls.scope.bindings.keys()) merge(out, behind(ev, cls, name));
  return [...out.values()].some((v) => v.value.k !== 'unknown') ? out : null;
}

/** `Job.A.value`; null for anything else. */
export function enumValue(ev: Evaluator, { node, ...at }: Omit<Place, 'node'> & { node: Attribute }): Values | null {
  const member = node.value;
  if (node.attr !== 'value' || member.kind !== 'Attribute') return null;
  const [of, ...more] = [...ev.valueAt({ ...at, node: member.value }).values()];
  if (of?.value.k !== 'class' || more.length || !hasPlainValues(ev, of.value.cls)) return null;
  const out = behind(ev, of.value.cls, member.attr);
  return out.size && [...out.values()].every((v) => v.value.k !== 'unknown') ? out : null;
}

/** No `__new__` gives its members other values. */
function hasPlainValues(ev: Evaluator, cls: ClassInfo): boolean {
  return isEnumeration(ev, cls) && !ownBindings(cls, '__new__').length && !ownBindings(cls, 'value').length;
}

/** A function that is assigned is a method, unless `member(run)` says otherwise. */
function behind(ev: Evaluator, cls: ClassInfo, name: string): Values {
  const out: Values = new Map();
  if (/^_/.test(name)) return out;
  for (const b of ownBindings(cls, name))
    if (b.kind === 'assign')
      for (const [key, x] of ev.binding(b)) {
        const inner = wrapped(x.value);
        if (inner) merge(out, ev.valueAt(inner));
        else if (x.value.k !== 'function' && x.value.k !== 'lambda') out.set(key, x);
      }
  return out;
}

/** What `enum.member(run)` makes a value. */
function wrapped(v: Value): Place | null {
  const [arg] = v.k === 'external' && v.q === 'enum.member' ? v.call.node.args : [];
  return v.k === 'external' && arg ? { ...v.call, node: arg } : null;
}
