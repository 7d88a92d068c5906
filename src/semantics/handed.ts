/** What the body of a function speaks of, for a known call of it: its parameters are what that call gives them. */
import type { Call, Dict, Tuple } from '../syntax/index.ts';
import { argumentThrough } from './arguments.ts';
import type { Evaluator } from './evaluate.ts';
import { fillsIn } from './fills.ts';
import { type Frame, frameOf } from './frames.ts';
import { constructing } from './init-frames.ts';
import { dictOf } from './keyword-dicts.ts';
import { isGiven } from './made.ts';
import type { FramedPlace } from './mapping.ts';
import { findScope } from './reaching.ts';
import { withPartial } from './rearranged.ts';
import { allArgs, codeScope, type FunctionInfo, positionalArgs } from './scopes.ts';
import {
  add,
  type CallPlace,
  type Instance,
  keyOf,
  type Made,
  merge,
  only,
  type Place,
  type Proof,
  unknown,
  type Value,
  type Values,
} from './values.ts';

type Param = Extract<Value, { k: 'param' }>;

/**
 * The argument that a call gives to a parameter, or the default that holds where it gives none: for `*args` a tuple,
 * for `**kwargs` a dict of the rest. null where the frame does not speak of the function of the parameter.
 */
export function givenFor(ev: Evaluator, value: Param, frame: Frame): FramedPlace | null | 'unknown' {
  const fn = value.owner as FunctionInfo;
  const known = value.stored ? null : (frameOf(fn, frame) ?? constructing(ev, fn, frame));
  const [first, ...partial] = known?.calls ?? [];
  if (!first) return null;
  const call = {
    ...first,
    place: withPartial(
      first.place,
      partial.map((p) => p.place),
    ),
  };
  if (value.role === 'vararg') return { place: restGiven(fn, call), frame: call.frame };
  if (value.role === 'kwarg') return { place: keywordsGiven(fn, call.place), frame: call.frame };
  const given = argumentThrough(ev, fn, value.arg, call);
  if (given) return given;
  if (!value.arg.default) return 'unknown';
  const outer = fn.scope.parent ?? fn.scope;
  return { place: { node: value.arg.default, scope: outer, block: outer.root }, frame: null };
}

/** A value that the body of a function speaks of, for the call that ran it. */
export function handedValues(ev: Evaluator, value: Value, proof: Proof, frame: Frame): Values {
  if (value.k === 'param') {
    const given = givenFor(ev, value, frame);
    if (given === 'unknown') return unknown('argument');
    return given ? valuesAt(ev, given) : only(value, proof);
  }
  if (value.k === 'unknown' && value.of) return madeOf(ev, value, value.of, frame);
  if (value.k === 'partial' && isGiven(value.base)) return partialOf(ev, value, frame);
  if (value.k !== 'element') return only(ev.seen(value, ranIn(ev, value, frame)), proof);
  if (value.of.k !== 'param') return only(value, proof);
  const given = givenFor(ev, value.of, frame);
  if (given === 'unknown') return unknown('argument');
  if (!given) return only(value, proof);
  const out: Values = new Map();
  merge(out, anyOf(ev, given), 'element');
  merge(out, seenBy(ev, fillsOfParameter(ev, value.of), frame), 'element');
  return out;
}

/** What is made of a parameter, for a known call of its function. */
function madeOf(ev: Evaluator, value: Value, made: Made, frame: Frame): Values {
  const bases = handedValues(ev, made.base, 'parameter', frame);
  if (bases.size === 1 && bases.has(keyOf(made.base))) return only(value, 'parameter');
  const out: Values = new Map();
  for (const { value: v, proof } of bases.values())
    if ('attr' in made) merge(out, ev.attribute(v, made.attr, proof));
    else if (v.k !== 'none')
      for (const x of ev.called(v, 'returned', made.call, made.partial).values())
        add(out, calledIn(x.value, frame), x.proof);
  return out.size ? out : unknown('argument');
}

/** The call stands in the function that the frame speaks of; what it calls comes from elsewhere. */
function calledIn(v: Value, frame: Frame): Value {
  if (v.k !== 'result' && v.k !== 'coroutine' && v.k !== 'instance') return v;
  if (v.frame || !v.call || codeScope(v.call.scope).fn !== frame.fn) return v;
  return { ...v, frame };
}

/** `partial(fn, x)` of a parameter. */
function partialOf(ev: Evaluator, value: Extract<Value, { k: 'partial' }>, frame: Frame): Values {
  const out: Values = new Map();
  for (const { value: base, proof } of handedValues(ev, value.base, 'partial', frame).values())
    if (base.k === 'unknown' && !base.of) merge(out, unknown('argument'));
    else add(out, { ...value, base }, proof);
  return out;
}

/** What the function of a parameter puts into the container that it is given. */
export function fillsOfParameter(ev: Evaluator, { owner, arg }: Param): Values {
  const out: Values = new Map();
  for (const { object, scope, values } of fillsIn(owner.module).get(arg.arg) ?? [])
    if (object.kind === 'Name' && findScope(arg.arg, scope) === owner.scope)
      for (const x of values)
        merge(out, 'spread' in x && x.spread ? ev.elementsOf(x.at, [], false) : ev.valueAt(x.at), 'element');
  return out;
}

/** What an attribute of an instance holds, where its constructor puts there what it is given. */
export function ofInstance(ev: Evaluator, values: Values, self: Instance): Values {
  if (!self.call || ![...values.values()].some(({ value: v }) => OWN.has(v.k) || isGiven(v))) return values;
  return seenBy(ev, values, { fn: null, self, calls: [] });
}

const OWN: ReadonlySet<Value['k']> = new Set(['display', 'result']);

/** The frame of the constructor, for what it has put together. */
function ranIn(ev: Evaluator, value: Value, frame: Frame): Frame {
  const at = value.k === 'display' ? (value.named ?? value.place) : value.k === 'result' ? value.call : null;
  const fn = at && codeScope(at.scope).fn;
  return (fn && fn !== frame.fn && constructing(ev, fn, frame)) || frame;
}

/** All that stands in a container. */
function anyOf(ev: Evaluator, { place, frame }: FramedPlace): Values {
  const isMapping = [...ev.settled(valuesAt(ev, { place, frame })).values()].some(
    ({ value: v }) => v.k === 'display' && /^Dict/.test(v.place.node.kind),
  );
  return seenBy(ev, isMapping ? ev.elementsOf(place, ['*'], true) : ev.elementsOf(place, [], false), frame);
}

function valuesAt(ev: Evaluator, { place, frame }: FramedPlace): Values {
  return seenBy(ev, ev.valueAt(place), frame);
}

/** All of some values; as they are where nothing is known of the call. */
export function seenBy(ev: Evaluator, values: Values, frame: Frame | null | undefined): Values {
  if (!frame) return values;
  const out: Values = new Map();
  for (const { value, proof } of values.values()) merge(out, handedValues(ev, value, proof, frame));
  return out;
}

const rests = new WeakMap<Call, Tuple[]>();

/** What stands from an index on: the same tuple each time. */
function restGiven(fn: FunctionInfo, { place, skip }: Frame['calls'][number]): Place {
  const from = Math.max(positionalArgs(fn.node.args).length - skip, 0);
  const { start, end, args } = place.node;
  const known = rests.get(place.node) ?? [];
  rests.set(place.node, known);
  const rest = known[from] ?? { kind: 'Tuple', elts: args.slice(from), ctx: 'load', start, end, parent: null };
  known[from] = rest;
  return { ...place, node: rest };
}

const keywords = new WeakMap<Call, Map<FunctionInfo, Dict>>();

/** The keywords that no parameter takes: the same dict each time. */
function keywordsGiven(fn: FunctionInfo, place: CallPlace): Place {
  const known = keywords.get(place.node) ?? new Map<FunctionInfo, Dict>();
  keywords.set(place.node, known);
  const own = new Set(allArgs(fn.node.args).map((a) => a.arg.arg));
  const beside = () => place.node.keywords.filter((k) => k.arg === null || !own.has(k.arg));
  const rest = known.get(fn) ?? dictOf(place.node, beside());
  known.set(fn, rest);
  return { ...place, node: rest };
}
