/** What iterating, unpacking or indexing yields: literal lists, tuples, dicts, comprehensions, `zip`, `enumerate`, `.items()`. */
import type { Expr } from '../syntax/index.ts';
import { declaredView } from './declared-views.ts';
import {
  asStored,
  bounded,
  displayed,
  displays,
  type Element,
  entries,
  framed,
  handedBack,
  handedElements,
  inner,
  isDictOf,
  isKnownElement,
  isList,
  isMapping,
  isNamed,
  isOpen,
  mayHoldAny,
  mayHoldMore,
  orAnew,
  orOpaque,
  orUnknown,
  stored,
  storedBy,
  valuesOf,
  withWhose,
} from './element.ts';
import { under } from './entries.ts';
import type { Evaluator } from './evaluate.ts';
import { additions } from './filled.ts';
import { subclasses } from './heirs.ts';
import { held, special } from './held.ts';
import { mappedValues } from './mapped.ts';
import { partsOfMapping, updatesOf } from './mapping-parts.ts';
import { frameOfCall } from './receivers.ts';
import { isPart, mayBeAny, partOfAny } from './reordered.ts';
import { apart, once, takeRound } from './rounds.ts';
import type { Step } from './scopes.ts';
import { PASSES_FIRST, PASSES_SECOND, sliced } from './sequences.ts';
import { add, type Place, unknown, type Value, type Values } from './values.ts';

/** Deeper nesting of sums, displays and calls is not followed. */
const MAX_DEPTH = 24;

/**
 * The values of `of[path…]` when `indexing`, else of the elements of `of` followed by the path.
 */
export function elementsOf(ev: Evaluator, of: Place, path: readonly Step[], indexing: boolean): Values {
  const out = valuesOf(ev, follow(ev, of, path, indexing));
  return out.size ? out : unknown('element');
}

/** The same as elements. */
export function follow(ev: Evaluator, of: Place, path: readonly Step[], indexing: boolean): Element[] {
  return ev.ways.counted(() => followed(ev, of, path, indexing));
}

function followed(ev: Evaluator, of: Place, path: readonly Step[], indexing: boolean): Element[] {
  let current: Element[] = [{ place: of }];
  const steps: (Step | 'iterate')[] = indexing ? [...path] : ['iterate', ...path];
  for (const step of steps) {
    const next: Element[] = [];
    for (const e of current) {
      const got = apart(() => (step === 'iterate' ? iterate(ev, e, 0) : select(ev, e, step)));
      next.push(...withWhose('stored' in e ? got.map((x) => asStored(x, e.stored)) : got, e.whose));
    }
    current = bounded(next);
  }
  return current;
}

function iterate(ev: Evaluator, e: Element, depth: number): Element[] {
  if (depth > MAX_DEPTH || !takeRound()) return [{ values: unknown('too many') }];
  if ('tuple' in e) return e.tuple.flat();
  if ('values' in e) return within(ev, e.values, 'iterate', depth + 1);
  if (e.frame) return handedElements(ev, iterate(ev, { place: e.place }, depth), e.frame);
  const out: Element[] = [];
  const shown = displays(ev, e);
  for (const d of shown) {
    if (!('place' in d)) out.push(...iterate(ev, d, depth + 1));
    else
      out.push(...(isNamed(d.place) ? iterate(ev, d, depth + 1) : framed(ev, d, iterateDisplay(ev, d.place, depth))));
  }
  out.push(...filled(ev, e.place, depth + 1));
  if (shown.some((d) => 'place' in d && isList(d.place.node))) out.push(...stored(ev, e.place, '*'));
  const own = orTyped(ev, bounded(out), e.place, 'iterate', depth);
  return orAnew(ev, own, e.place, (theirs) => within(ev, theirs, 'iterate', depth + 1));
}

/** What is known by type, or handed back by a function of the project, beside the elements that the text shows. */
function orTyped(ev: Evaluator, shown: Element[], place: Place, step: Step | 'iterate', depth: number): Element[] {
  if (depth > MAX_DEPTH) return shown;
  const values = [...ev.valueAt(place).values()].map((v) => v.value);
  const declared = values.some((v) => v.k === 'declared');
  const isTold = shown.length > 0 && (!declared || shown.some((x) => isKnownElement(ev, x)));
  const out: Element[] = [];
  for (const value of values)
    if (isTold ? mayHoldMore(ev, place, value, values) : value.k !== 'display') {
      const got = inside(ev, value, step, depth + 1);
      out.push(...(isTold && !got.length ? [{ values: unknown(value.k === 'instance' ? 'part' : 'element') }] : got));
    }
  return isTold ? [...shown, ...out] : out.length ? out : shown;
}

/** The same of one value that stands nowhere as an expression. */
function inside(ev: Evaluator, value: Value, step: Step | 'iterate', depth: number): Element[] {
  if (value.k === 'display')
    return step === 'iterate' ? iterate(ev, displayed(value), depth) : select(ev, displayed(value), step);
  const got = held(ev, value, step);
  if (got.size) return [{ values: got }];
  if (value.k === 'result') return ofResult(ev, value, step, depth);
  const made = value.k === 'instance' ? special(ev, value, step) : null;
  if (!made) return [];
  return step === 'iterate' ? within(ev, made, step, depth) : [{ values: ev.settled(made) }];
}

/** Elements of the container that a function of the project hands back. */
function ofResult(ev: Evaluator, v: Extract<Value, { k: 'result' }>, step: Step | 'iterate', depth: number): Element[] {
  if (!ev.ways.takeOne()) return [{ values: unknown('too many ways') }];
  const frame = frameOfCall(v);
  const { given, put, rest } = handedBack(ev, v);
  const out = given.flatMap((e) => (step === 'iterate' ? iterate(ev, e, depth + 1) : select(ev, e, step)));
  if (put.size) out.push({ values: put });
  const own = within(ev, rest, step, depth);
  return [...out, ...(frame ? handedElements(ev, own, frame) : own)];
}

/** What statements put into the container after it was made. */
function filled(ev: Evaluator, place: Place, depth: number): Element[] {
  const out: Element[] = [];
  for (const a of additions(ev, place))
    out.push(
      ...(a.spread ? once('spread', a.at.node, () => partOf(ev, a.at, depth)) : [{ place: a.at }]).map((e) =>
        asStored(e, storedBy(a)),
      ),
    );
  return out;
}

/** Elements, or the entry at a step, of values that stand nowhere as an expression. */
function within(ev: Evaluator, values: Values, step: Step | 'iterate', depth: number): Element[] {
  if (depth > MAX_DEPTH) return [{ values: unknown('too many') }];
  const out: Element[] = [];
  const rest: Values = new Map();
  for (const { value, proof } of values.values()) {
    const got = inside(ev, value, step, depth + 1);
    if (got.length || value.k === 'display') out.push(...got);
    else add(rest, { k: 'element', of: value }, proof);
  }
  if (rest.size) out.push({ values: rest });
  return out;
}

function iterateDisplay(ev: Evaluator, place: Place, depth: number): Element[] {
  const n = place.node;
  switch (n.kind) {
    case 'List':
    case 'Tuple':
    case 'Set':
      return n.elts.flatMap((x) =>
        x.kind === 'Starred' ? partOf(ev, { ...place, node: x.value }, depth) : [{ place: { ...place, node: x } }],
      );
    case 'Dict':
      return keysOf(ev, place, n, depth);
    case 'ListComp':
    case 'SetComp':
    case 'GeneratorExp':
      return [{ place: inner(place, n.elt) }];
    case 'DictComp':
      return [{ place: inner(place, n.key) }];
    case 'Call':
      return once('parts', n, () => iterateCall(ev, place, depth));
    case 'Subscript':
      return slicedElements(ev, place, n, depth);
    case 'BinOp':
      if (n.op === '*')
        return [n.left, n.right].flatMap((x) => iterate(ev, { place: { ...place, node: x } }, depth + 1));
      return n.op === '+' || n.op === '|'
        ? once('parts', n, () => [n.left, n.right].flatMap((x) => partOf(ev, { ...place, node: x }, depth)))
        : [];
    default:
      return [];
  }
}

/** The elements of one of the parts that a container is put together of: of one that nobody knows, any. */
function partOf(ev: Evaluator, place: Place, depth: number): Element[] {
  const got = iterate(ev, { place }, depth + 1);
  return got.length || depth > MAX_DEPTH || !isOpen(ev, place) ? got : [{ values: unknown('part') }];
}

/** `jobs[1:]`; of a list that is not written down in full, any element. */
function slicedElements(
  ev: Evaluator,
  place: Place,
  { value, slice }: Extract<Expr, { kind: 'Subscript' }>,
  depth: number,
): Element[] {
  const of = { place: { ...place, node: value } };
  const all = iterate(ev, of, depth + 1);
  const [shown, ...more] = displays(ev, of);
  const list = shown && !more.length && 'place' in shown && !shown.frame ? shown.place.node : null;
  const isWhole = (list?.kind === 'List' || list?.kind === 'Tuple') && list.elts.length === all.length;
  return isWhole && slice.kind === 'Slice' && !list.elts.some((x) => x.kind === 'Starred') ? sliced(all, slice) : all;
}

function iterateCall(ev: Evaluator, place: Place, depth: number): Element[] {
  const n = place.node as Extract<Expr, { kind: 'Call' }>;
  const arg = (i: number): Element[] =>
    n.args[i] ? iterate(ev, { place: { ...place, node: n.args[i] } }, depth + 1) : [];
  if (n.func.kind === 'Attribute' && ['items', 'values', 'keys', 'copy'].includes(n.func.attr))
    return dictView(ev, { ...place, node: n.func.value }, n.func.attr, 0);
  if (n.func.kind === 'Attribute' && n.func.attr === '__subclasses__')
    return [{ values: subclasses(ev, { ...place, node: n.func.value }) }];
  const names = [...ev.value(n.func, place.scope, place.block).values()].map((v) =>
    v.value.k === 'name' ? v.value.q : '',
  );
  const is = (q: string): boolean => names.includes(q);
  if (is('builtins.dict')) return pairs(ev, place, n, depth)?.flatMap(({ key }) => key) ?? arg(0);
  if (names.some((q) => PASSES_FIRST.has(q))) return arg(0);
  if (names.some((q) => PASSES_SECOND.has(q))) return arg(1);
  if (is('builtins.sum')) return [...arg(0).flatMap((e) => iterate(ev, e, depth + 1)), ...arg(1)];
  if (is('builtins.enumerate')) return arg(0).map((e) => ({ tuple: [[], [e]] }));
  if (is('builtins.zip')) return [{ tuple: n.args.map((_, i) => arg(i)) }];
  if (is('itertools.chain')) return n.args.flatMap((_, i) => arg(i));
  if (is('itertools.chain.from_iterable')) return arg(0).flatMap((e) => iterate(ev, e, depth + 1));
  if ((is('builtins.map') || is('itertools.starmap')) && n.args.length === 2) {
    return [{ values: mappedValues(ev, { ...place, node: n }, () => valuesOf(ev, arg(1))) }];
  }
  return [];
}

/** What `dict(zip(names, jobs))` and `dict([("a", run)])` pair; null for a call that copies a mapping. */
function pairs(
  ev: Evaluator,
  place: Place,
  { args: [of, ...more], keywords }: Extract<Expr, { kind: 'Call' }>,
  depth: number,
): { key: Element[]; value: Element[] }[] | null {
  if (!of || more.length || keywords.length || depth > 4) return null;
  const from = { place: { ...place, node: of } };
  if ([...ev.valueAt(from.place).values()].some((v) => v.value.k === 'display' && isMapping(v.value.place.node)))
    return null;
  return iterate(ev, from, depth + 1).map((e) => ({ key: select(ev, e, 0), value: select(ev, e, 1) }));
}

function dictView(ev: Evaluator, of: Place, view: string, depth: number): Element[] {
  const out: Element[] = [];
  if (view === 'values' || view === 'items')
    for (const v of stored(ev, of, '*')) out.push(view === 'values' ? v : { tuple: [[], [v]] });
  // `jobs.update(more)`
  if (depth < 4)
    for (const a of additions(ev, of))
      if (a.spread) out.push(...dictView(ev, a.at, view, depth + 1).map((e) => asStored(e, storedBy(a))));
  for (const d of displays(ev, { place: of })) {
    if ('values' in d) out.push(...within(ev, d.values, 'iterate', 1));
    if ('place' in d && isNamed(d.place))
      out.push(...(depth < 4 ? framed(ev, d, dictView(ev, d.place, view, depth + 1)) : []));
    else if ('place' in d) out.push(...framed(ev, d, viewOfDisplay(ev, d.place, view, depth)));
  }
  out.push(...viewOfOthers(ev, of, view, depth));
  const own = out.some((e) => isKnownElement(ev, e)) ? out : declaredView(ev, of, view, out);
  return orAnew(ev, own, of, (theirs) => [...theirs.values()].flatMap((v) => viewOfValue(ev, v.value, view, depth)));
}

/** The same of what may be there in the place of a mapping that is written down. */
function viewOfOthers(ev: Evaluator, of: Place, view: string, depth: number): Element[] {
  // a call is looked at by its name
  const values = of.node.kind === 'Call' ? [] : [...ev.valueAt(of).values()];
  return values.flatMap(({ value }): Element[] => {
    if (value.k === 'result' && depth < 4) return orUnknown(resultView(ev, value.call, view, depth + 1));
    return mayHoldAny(ev, value) ? [{ values: unknown('part') }] : [];
  });
}

/** The same of a value that stands nowhere as an expression. */
function viewOfValue(ev: Evaluator, v: Value, view: string, depth: number): Element[] {
  if (v.k === 'display' && depth < 4) {
    const shown = displayed(v);
    return framed(ev, shown, dictView(ev, shown.place, view, depth + 1));
  }
  return [{ values: v.k === 'none' ? new Map() : unknown('element') }];
}

function viewOfDisplay(ev: Evaluator, place: Place, view: string, depth: number): Element[] {
  const n = place.node;
  const at = (node: Expr): Element => ({ place: inner(place, node) });
  const isPaired = view === 'items';
  if (n.kind === 'Dict' && view !== 'values' && !isPaired) return keysOf(ev, place, n, depth);
  if (n.kind === 'Dict')
    return entries(ev, place, n).flatMap(({ key, value }): Element[] => {
      if (!key) return depth < 4 ? orUnknown(dictView(ev, value, view, depth + 1)) : [];
      return [isPaired ? { tuple: [[{ place: key }], [{ place: value }]] } : { place: value }];
    });
  if (n.kind === 'DictComp')
    return [isPaired ? { tuple: [[at(n.key)], [at(n.value)]] } : at(view === 'values' ? n.value : n.key)];
  if (n.kind === 'List' && view === 'copy') return [{ place }];
  const made = isDictOf(ev, place) ? pairs(ev, place, place.node, depth) : null;
  if (made)
    return isPaired
      ? made.map((p) => ({ tuple: [p.key, p.value] }))
      : made.flatMap((p) => p[view === 'values' ? 'value' : 'key']);
  const parts = depth < 4 ? partsOfMapping(ev, place) : null;
  if (parts) return parts.flatMap((p) => dictView(ev, p, view, depth + 1));
  return n.kind === 'Call' && depth < 4 ? resultView(ev, place, view, depth + 1) : [];
}

/** `.values()` and the like of the mapping that a function of the project hands back. */
function resultView(ev: Evaluator, call: Place, view: string, depth: number): Element[] {
  const out: Element[] = [];
  for (const { value } of ev.valueAt(call).values()) {
    const frame = value.k === 'result' ? frameOfCall(value) : null;
    if (value.k !== 'result' || !frame) continue;
    const { given, put, rest } = handedBack(ev, value);
    if (put.size && view !== 'keys') out.push(view === 'items' ? { tuple: [[], [{ values: put }]] } : { values: put });
    for (const e of given) if ('place' in e) out.push(...framed(ev, e, dictView(ev, e.place, view, depth)));
    for (const v of rest.values())
      if (v.value.k === 'display')
        out.push(
          ...handedElements(ev, framed(ev, v.value, dictView(ev, displayed(v.value).place, view, depth)), frame),
        );
  }
  return out;
}

function select(ev: Evaluator, e: Element, step: Step): Element[] {
  if ('tuple' in e) return typeof step === 'number' && step >= 0 ? (e.tuple[step] ?? []) : e.tuple.flat();
  if ('values' in e) return within(ev, e.values, step, 1);
  if (e.frame) return handedElements(ev, select(ev, { place: e.place }, step), e.frame);
  if (mayBeAny(ev, e.place, step)) return isPart(step) ? [{ place: partOfAny(e.place) }] : iterate(ev, e, 1);
  const out: Element[] = [];
  for (const d of displays(ev, e))
    if ('place' in d && isNamed(d.place)) out.push(...once('entry', d.place.node, () => select(ev, d, step)));
    else if ('place' in d) out.push(...framed(ev, d, selectIn(ev, d.place, step, e.place.node === d.place.node)));
    else out.push(...select(ev, d, step));
  out.push(...stored(ev, e.place, step));
  for (const { at, by, paired } of updatesOf(ev, e.place))
    out.push(
      ...once('entries', at.node, () => (paired ? follow(ev, at, [1], false) : select(ev, { place: at }, step))).map(
        (x) => asStored(x, by),
      ),
    );
  // a list that was empty once
  if (!out.length) out.push(...filled(ev, e.place, 1));
  const own = orOpaque(ev, orTyped(ev, out, e.place, step, 1), e.place);
  return orAnew(ev, own, e.place, (theirs) => within(ev, theirs, step, 1));
}

function selectIn(ev: Evaluator, place: Place, step: Step, isAsked: boolean): Element[] {
  const n = place.node;
  if (n.kind === 'Dict') return selectKey(ev, place, n, step);
  if (n.kind === 'DictComp') return [{ place: inner(place, n.value) }];
  const made = isDictOf(ev, place) ? pairs(ev, place, place.node, 1) : null;
  if (made) return made.flatMap((p) => p.value);
  const parts = partsOfMapping(ev, place, step);
  if (parts) return parts.flatMap((p) => select(ev, { place: p }, step));
  return n.kind === 'Call' && isAsked ? iterateDisplay(ev, place, 1) : selectIndex(ev, place, step);
}

/** An index, or the part that a starred target takes, of a list or tuple whose length is known. */
function selectIndex(ev: Evaluator, place: Place, step: Step): Element[] {
  const n = place.node;
  const all = iterate(ev, { place }, 1);
  const exact = (n.kind === 'List' || n.kind === 'Tuple') && !n.elts.some((x) => x.kind === 'Starred');
  if (!exact) return all;
  if (typeof step === 'number') {
    const one = all[step < 0 ? all.length + step : step];
    return one ? [one] : [];
  }
  const [from, before] = step.split(':').map(Number);
  if (before === undefined || Number.isNaN(from)) return all;
  const elts = n.elts.slice(from, n.elts.length - before);
  return [{ place: { ...place, node: { ...n, elts } } }];
}

function selectKey(ev: Evaluator, place: Place, n: Extract<Expr, { kind: 'Dict' }>, step: Step): Element[] {
  return under(entries(ev, place, n), step).flatMap(({ key, value }) =>
    key ? [{ place: value }] : orUnknown(select(ev, { place: value }, step)),
  );
}

function keysOf(ev: Evaluator, place: Place, n: Extract<Expr, { kind: 'Dict' }>, depth: number): Element[] {
  return entries(ev, place, n).flatMap(({ key, value }) =>
    key ? [{ place: key }] : orUnknown(iterate(ev, { place: value }, depth + 1)),
  );
}
