/** Which expression does a call give to a parameter, when stars are taken apart? */
import type { Arg } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { additions } from './filled.ts';
import type { Frame } from './frames.ts';
import { argumentFor } from './given.ts';
import { type FramedPlace, mappingOf } from './mapping.ts';
import { type FunctionInfo, positionalArgs } from './scopes.ts';
import type { CallPlace, Place } from './values.ts';

/** The argument given for a parameter, with `*args` and `**kwargs` of known content taken apart. */
export function argumentThrough(
  ev: Evaluator,
  fn: FunctionInfo,
  arg: Arg,
  call: { place: CallPlace; skip: number; frame: Frame | null },
): FramedPlace | null | 'unknown' {
  const { place, skip, frame } = call;
  const given = argumentFor(fn, arg, place.node, skip);
  if (given === null) return null;
  if (given !== 'unknown') return { place: { ...place, node: given }, frame };
  const positional = positionalArgs(fn.node.args);
  const index = positional.indexOf(arg) - skip;
  if (positional.includes(arg) && index >= 0) {
    const all = positionals(ev, place, frame);
    if (!all) return 'unknown';
    if (all[index]) return all[index];
  }
  for (const k of place.node.keywords) {
    if (k.arg !== null) continue;
    const spread = mappingOf(ev, { ...place, node: k.value }, frame);
    if (!spread) return 'unknown';
    const found = spread.get(arg.arg);
    if (found) return found;
  }
  return null;
}

/** The positional arguments, literal stars spread; null when one is not known. */
function positionals(ev: Evaluator, call: CallPlace, frame: Frame | null): FramedPlace[] | null {
  const out: FramedPlace[] = [];
  for (const a of call.node.args) {
    if (a.kind !== 'Starred') {
      out.push({ place: { ...call, node: a }, frame });
      continue;
    }
    const spread = sequenceOf(ev, { ...call, node: a.value }, frame);
    if (!spread) return null;
    out.push(...spread);
  }
  return out;
}

/** The elements of a tuple or list of known content. */
export function sequenceOf(ev: Evaluator, place: Place, frame: Frame | null): FramedPlace[] | null {
  const { node } = place;
  if (node.kind === 'Tuple' || node.kind === 'List') {
    if (node.elts.some((e) => e.kind === 'Starred')) return null;
    return node.elts.map((e) => ({ place: { ...place, node: e }, frame }));
  }
  const values = [...ev.valueAt(place).values()].map((v) => v.value);
  const [only] = values;
  if (values.length === 1 && only?.k === 'param' && only.role === 'vararg' && frame?.fn === only.owner)
    return restOf(ev, only.owner as FunctionInfo, frame);
  if (values.length !== 1 || only?.k !== 'display' || only.named || only.place.node === node) return null;
  // a list may have grown since
  if (only.place.node.kind !== 'Tuple' && (node.kind !== 'Name' || additions(ev, place).length)) return null;
  return sequenceOf(ev, only.place, frame);
}

/** What a `*args` parameter holds in the known call. */
function restOf(ev: Evaluator, fn: FunctionInfo, frame: Frame): FramedPlace[] | null {
  const [call, ...more] = frame.calls;
  if (!call || more.length) return null;
  return positionals(ev, call.place, call.frame)?.slice(positionalArgs(fn.node.args).length - call.skip) ?? null;
}
