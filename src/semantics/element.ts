/** Elements of containers: what one may be, and how it is seen from the call of the function that put them together. */
import type { Expr } from '../syntax/index.ts';
import { isLeftToHeirs, isOther, saidAnewAt, type Whose } from './anew.ts';
import { lineage, ownBindings } from './classes.ts';
import { type Entry, entriesOf } from './entries.ts';
import type { Evaluator } from './evaluate.ts';
import { outerBases } from './fields.ts';
import { additions, storedEntries } from './filled.ts';
import type { Frame } from './frames.ts';
import { fillsOfParameter, givenFor, seenBy } from './handed.ts';
import { frameOfCall, ofAnyObject } from './receivers.ts';
import { isRecord } from './records.ts';
import type { Step } from './scopes.ts';
import { add, type Instance, isKnown, merge, namesIn, type Place, unknown, type Value, type Values } from './values.ts';

/** One element: an expression (in the body of a function, with what is known of its call), a tuple made by `zip` and the like, or something only its origin is known of; `whose`: of these objects alone. */
export type Element = (
  | { place: Place; frame?: Frame; stored?: Stored }
  | { tuple: Element[][] }
  | { values: Values; stored?: Stored }
) & { whose?: Whose };

/** Put into the container by a statement: of the object that the container belongs to (`own`), or of any. */
export type Stored = 'own' | 'any';

/** Of more elements than this, what is left out is not known. */
const MAX_ELEMENTS = 20_000;

export function bounded(all: Element[]): Element[] {
  return all.length > MAX_ELEMENTS ? [...all.slice(0, MAX_ELEMENTS), { values: unknown('too many') }] : all;
}

type Single = Exclude<Element, { tuple: Element[][] }>;

/** What an element may be. */
function valuesIn(ev: Evaluator, e: Single): Values {
  return 'values' in e ? e.values : seenBy(ev, ev.valueAt(e.place), e.frame);
}

export function valuesOf(ev: Evaluator, elements: readonly Element[]): Values {
  const out: Values = new Map();
  for (const e of elements) {
    if ('tuple' in e) continue;
    const values = valuesIn(ev, e);
    merge(out, e.stored ? storedValues(values, e.stored) : values, 'element');
  }
  return out;
}

/**
 * A parameter that was put into the container is not one of the function that takes it out, and `self` not the object
 * of its call.
 */
function storedValues(values: Values, by: Stored): Values {
  const out: Values = new Map();
  for (const { value, proof } of values.values()) {
    if (value.k === 'param') add(out, { ...value, stored: true }, proof);
    else if (value.k === 'element' && value.of.k === 'param')
      add(out, { k: 'element', of: { ...value.of, stored: true } }, proof);
    else add(out, by === 'own' ? value : ofAnyObject(value), proof);
  }
  return out;
}

export function asStored(e: Element, by: Stored = 'any'): Element {
  return 'tuple' in e
    ? { ...e, tuple: e.tuple.map((t) => t.map((x) => asStored(x, by))) }
    : { ...e, stored: e.stored === 'any' ? 'any' : by };
}

/** How what an addition or an entry brings is stored. */
export function storedBy({ own }: { own?: boolean }): Stored {
  return own ? 'own' : 'any';
}

/** The expressions that a name or value stands for, displays resolved. */
export function displays(ev: Evaluator, e: Element): Element[] {
  if (!('place' in e)) return [e];
  // what a call makes is looked at by its name first
  if (e.place.node.kind === 'Call' && !isDictCall(ev, e.place)) return [e];
  const out: Element[] = [];
  const rest: Values = new Map();
  for (const { value, proof } of ev.valueAt(e.place).values()) {
    if (value.k === 'display') out.push(displayed(value));
    else if (value.k === 'param' || value.k === 'element') add(rest, value, proof);
  }
  if (rest.size) out.push({ values: rest });
  return out;
}

/** `dict(a=run)`, `Spec("poll", run)`. */
function isDictCall(ev: Evaluator, place: Place): boolean {
  return [...ev.valueAt(place).values()].some(
    ({ value: v }) => v.k === 'display' && (v.place.node.kind === 'Dict' || isRecord(v.place.node)),
  );
}

export function displayed({ place: made, named, frame }: Extract<Value, { k: 'display' }>): {
  place: Place;
  frame?: Frame;
} {
  const place = named ?? made;
  return frame ? { place, frame } : { place };
}

export function inner(place: Place, node: Expr): Place {
  const own = place.scope.module.scopeOf.get(place.node);
  const comp = place.node.kind.endsWith('Comp') || place.node.kind === 'GeneratorExp';
  return comp && own ? { node, scope: own.scope, block: own.block } : { ...place, node };
}

export function isKnownElement(ev: Evaluator, e: Element): boolean {
  if ('tuple' in e) return e.tuple.flat().some((x) => isKnownElement(ev, x));
  return isKnown(valuesIn(ev, e));
}

/** What stands in a display of the body of a function, for the known call. */
export function framed(ev: Evaluator, { frame }: { frame?: Frame }, elements: Element[]): Element[] {
  return frame ? handedElements(ev, elements, frame) : elements;
}

/** What the body of a function puts together, as it is for one call. */
export function handedElements(ev: Evaluator, elements: readonly Element[], frame: Frame): Element[] {
  return elements.flatMap((e): Element[] => {
    const { whose } = e;
    if (whose && isOther(ev, whose, frame)) return [];
    if ('tuple' in e) return [{ whose, tuple: e.tuple.map((part) => handedElements(ev, part, frame)) }];
    return [{ whose, values: seenBy(ev, valuesIn(ev, e), frame), ...(e.stored && { stored: e.stored }) }];
  });
}

/** What statements stored under a key, or (`*`) under any. */
export function stored(ev: Evaluator, place: Place, key: Step): Element[] {
  return storedEntries(ev, place)
    .filter((s) => key === '*' || s.key === null || s.key === key)
    .map((s) => asStored({ place: s.at }, storedBy(s)));
}

export function entries(ev: Evaluator, place: Place, n: Extract<Expr, { kind: 'Dict' }>): Entry[] {
  return entriesOf(place, n, (spread) => {
    const all = displays(ev, { place: spread }).map((d) =>
      'place' in d && !d.frame && d.place.node.kind === 'Dict' ? d.place : null,
    );
    return all.includes(null) || stored(ev, spread, '*').length || additions(ev, spread).length
      ? null
      : all.filter((d) => d !== null);
  });
}

/** What `**` brings in is there, whether it is known or not. */
export function orUnknown(found: Element[]): Element[] {
  return found.length ? found : [{ values: unknown('element') }];
}

/** A display that is known by the name under which a function handed it back. */
export function isNamed({ node }: Place): boolean {
  return node.kind === 'Name' || node.kind === 'Attribute';
}

/** Those of some objects alone. */
export function withWhose(elements: Element[], whose: Whose | undefined): Element[] {
  return whose ? elements.map((e) => ({ ...e, whose })) : elements;
}

/** With what subclasses have in the place of the container. */
export function orAnew(ev: Evaluator, own: Element[], place: Place, open: (values: Values) => Element[]): Element[] {
  const all = saidAnewAt(ev, place);
  if (!all.length) return own;
  const heirs = all.map(({ heir }) => heir);
  const theirs = all.flatMap(({ heir, values }) => withWhose(open(values), { heir, heirs }));
  return isLeftToHeirs(ev, place) ? theirs : [...withWhose(own, { heir: null, heirs }), ...theirs];
}

/** Did something stand in it before what statements have put in? */
export function mayHoldMore(ev: Evaluator, { node }: Place, v: Value, all: readonly Value[]): boolean {
  // what a call gives is looked at by its name
  if (node.kind === 'Call') return false;
  // a display is more exact than the annotation beside it
  if (v.k === 'declared') return all.every((x) => x.k !== 'display');
  return v.k === 'result' || mayHoldAny(ev, v);
}

/** May it hold what is not written down? */
export function mayHoldAny(ev: Evaluator, v: Value): boolean {
  return v.k === 'instance' ? !isMadeEmpty(ev, v) : isOpenValue(v);
}

/** `Registry()` of a `class Registry(dict)`: an empty container. */
function isMadeEmpty(ev: Evaluator, { call, cls }: Instance): boolean {
  if (!call || call.node.args.length || call.node.keywords.length) return false;
  const line = lineage(ev, cls);
  return line.every(
    (c) => !OWN_ACCESS.some((m) => ownBindings(c, m).length) && outerBases(ev, c).every((q) => EMPTY.test(q)),
  );
}

const OWN_ACCESS = ['__init__', '__new__', '__iter__', '__getitem__', '__missing__', 'get', 'values', 'items'];

/** May it be a container that nothing is known of? */
export function isOpen(ev: Evaluator, place: Place): boolean {
  return [...ev.settled(ev.valueAt(place)).values()].some(({ value }) => isOpenValue(value));
}

function isOpenValue(v: Value): boolean {
  return v.k === 'unknown' || (v.k === 'external' && !EMPTY.test(v.q));
}

/** What is no container that is written down may have any entry. */
export function orOpaque(ev: Evaluator, own: Element[], place: Place): Element[] {
  if (own.length || place.node.kind === 'Constant') return own;
  const values = [...ev.valueAt(place).values()];
  return values.some(({ value }) => mayHoldAny(ev, value)) ? [{ values: unknown('part') }] : [];
}

/** Containers that are made empty. */
const EMPTY = /(^|\.)(deque|defaultdict|field|\w*(list|set|dict|queue|stack|counter|bag))$/i;

/** Does it call `dict` with something to make it of? */
export function isDictOf(ev: Evaluator, place: Place): place is Place & { node: Extract<Expr, { kind: 'Call' }> } {
  const { node } = place;
  return node.kind === 'Call' && namesIn(ev.value(node.func, place.scope, place.block)).includes('builtins.dict');
}

export function isMapping({ kind }: Expr): boolean {
  return kind === 'Dict' || kind === 'DictComp';
}

/** What `jobs[0] = run` puts one into, that iterating gives. */
export function isList({ kind }: Expr): boolean {
  return kind === 'List' || kind === 'ListComp';
}

/** What a function hands back: arguments of its call, what it puts into them, and other values. */
export function handedBack(
  ev: Evaluator,
  v: Extract<Value, { k: 'result' }>,
): { given: Element[]; put: Values; rest: Values } {
  const given: Element[] = [];
  const put: Values = new Map();
  const rest: Values = new Map();
  const frame = frameOfCall(v);
  for (const { value, proof } of ev.bareResult(v).values()) {
    const found = frame && value.k === 'param' ? givenFor(ev, value, frame) : null;
    if (found && value.k === 'param') merge(put, seenBy(ev, fillsOfParameter(ev, value), frame));
    if (found === 'unknown') add(rest, { k: 'unknown', why: 'argument' }, proof);
    else if (found) given.push({ place: found.place, ...(found.frame && { frame: found.frame }) });
    else add(rest, value, proof);
  }
  return { given, put, rest };
}
