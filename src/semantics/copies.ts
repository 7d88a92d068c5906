/** Copies of an object, with some fields changed: `replace(config, every=5)`, `pair._replace(…)`, `model.model_copy(…)`. */
import { lastNameOf } from '../syntax/index.ts';
import { classMember } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { type FramedPlace, mappingOf } from './mapping.ts';
import { add, type CallPlace, type Instance, namesIn, type Values } from './values.ts';

const REPLACING: ReadonlySet<string> = new Set(['dataclasses.replace', 'copy.replace', 'attr.evolve', 'attrs.evolve']);
const COPYING: ReadonlySet<string> = new Set(['copy.copy', 'copy.deepcopy']);
const METHODS: ReadonlySet<string> = new Set(['_replace', 'model_copy']);

/** The last names of what changes fields. */
export const CHANGING: readonly string[] = ['replace', 'evolve', ...METHODS];

/** What such a call makes; null when it is none, or nothing is known of the object. */
export function copied(ev: Evaluator, call: CallPlace): Values | null {
  const { func, args } = call.node;
  if (func.kind === 'Attribute' && METHODS.has(func.attr)) {
    const of = ev.valueAt({ ...call, node: func.value });
    return changed(of, call, (i) => classMember(ev, i, func.attr) === null);
  }
  const [first] = args;
  if (!first || first.kind === 'Starred' || !/^(replace|evolve|copy|deepcopy)$/.test(lastNameOf(func))) return null;
  const names = namesIn(ev.valueAt({ ...call, node: func }));
  if (names.some((q) => REPLACING.has(q)))
    return changed(ev.settled(ev.valueAt({ ...call, node: first })), call, () => true);
  if (!names.some((q) => COPYING.has(q))) return null;
  const same = ev.valueAt({ ...call, node: first });
  return [...same.values()].every((v) => v.value.k === 'instance') ? same : null;
}

function changed(of: Values, call: CallPlace, can: (i: Instance) => boolean): Values | null {
  const out: Values = new Map();
  for (const { value, proof } of of.values()) {
    if (value.k !== 'instance' || !can(value)) return null;
    add(out, { k: 'instance', cls: value.cls, call, viaSelf: value.viaSelf, free: value.free, copyOf: value }, proof);
  }
  return out.size ? out : null;
}

/** What the call changes a field to; null when it leaves it as it was. */
export function changedField(ev: Evaluator, copy: Instance, field: string): FramedPlace | null | 'unknown' {
  const { call, frame = null } = copy;
  const { func } = call!.node;
  const inMapping = func.kind === 'Attribute' && func.attr === 'model_copy';
  for (const k of call!.node.keywords) {
    const place = { ...call!, node: k.value };
    if (!inMapping && k.arg === field) return { place, frame };
    if (k.arg !== null && !(inMapping && k.arg === 'update')) continue;
    const changes = mappingOf(ev, place, frame);
    const given = changes?.get(field);
    if (!changes) return 'unknown';
    if (given) return given;
  }
  return null;
}
