/** Mappings whose keys are all known: literal dicts, `dict(a=1)`, merged ones, and the `**kwargs` of a known call. */
import type { Call, Expr } from '../syntax/index.ts';
import { constantKey } from './entries.ts';
import type { Evaluator } from './evaluate.ts';
import { additions, storedEntries } from './filled.ts';
import type { Frame } from './frames.ts';
import { findScope, reaching } from './reaching.ts';
import { allArgs, type FunctionInfo } from './scopes.ts';
import type { Place } from './values.ts';

/** An expression with what is known of the call that it is evaluated in. */
export interface FramedPlace {
  place: Place;
  frame: Frame | null;
}

type Mapping = Map<string | number, FramedPlace>;

/** The entries of a mapping; null when a key, or the whole, is not known. */
export function mappingOf(ev: Evaluator, place: Place, frame: Frame | null, depth = 0): Mapping | null {
  if (depth > 8) return null;
  const n = place.node;
  const at = (node: Expr): Mapping | null => mappingOf(ev, { ...place, node }, frame, depth + 1);
  if (n.kind === 'Dict') return literal(n, place, frame, at);
  if (n.kind === 'Call' && n.func.kind === 'Name' && n.func.id === 'dict') return dictCall(n, place, frame, at);
  if (n.kind === 'BinOp' && n.op === '|') return merged([at(n.left), at(n.right)]);
  const key = n.kind === 'Subscript' ? n.slice : null;
  if (n.kind === 'Subscript' && key?.kind === 'Constant') {
    const found = at(n.value)?.get(key.value as string);
    if (found) return mappingOf(ev, found.place, found.frame, depth + 1);
  }
  const own = n.kind === 'Name' ? keywordsOf(ev, place, n.id, frame, depth) : undefined;
  if (own !== undefined) return own;
  const values = [...ev.valueAt(place).values()].map((v) => v.value);
  const [only] = values;
  if (values.length !== 1 || only?.k !== 'display' || only.named || only.place.node === n) return null;
  // filled step by step: the order of the stores is not known
  if (isFilled(ev, place)) return null;
  return mappingOf(ev, only.place, frame, depth + 1);
}

function literal(
  n: Extract<Expr, { kind: 'Dict' }>,
  place: Place,
  frame: Frame | null,
  at: (node: Expr) => Mapping | null,
): Mapping | null {
  const out: Mapping = new Map();
  for (const [i, key] of n.keys.entries()) {
    const value = n.values[i]!;
    if (key === null) {
      const spread = at(value);
      if (!spread) return null;
      for (const [k, v] of spread) out.set(k, v);
    } else {
      const known = constantKey(key);
      if (known === null) return null;
      out.set(known, { place: { ...place, node: value }, frame });
    }
  }
  return out;
}

function dictCall(n: Call, place: Place, frame: Frame | null, at: (node: Expr) => Mapping | null): Mapping | null {
  if (n.args.length > 1) return null;
  const first = n.args[0] ? at(n.args[0]) : new Map();
  return first && merged([first, keywordEntries(n, place, frame, at, () => true)]);
}

function merged(all: (Mapping | null)[]): Mapping | null {
  const out: Mapping = new Map();
  for (const m of all) {
    if (!m) return null;
    for (const [k, v] of m) out.set(k, v);
  }
  return out;
}

/** The keywords of a call that `wanted` lets through, `**mapping` taken apart. */
function keywordEntries(
  call: Call,
  place: Omit<Place, 'node'>,
  frame: Frame | null,
  at: (node: Expr) => Mapping | null,
  wanted: (name: string) => boolean,
): Mapping | null {
  const out: Mapping = new Map();
  for (const k of call.keywords) {
    if (k.arg !== null) {
      if (wanted(k.arg)) out.set(k.arg, { place: { ...place, node: k.value }, frame });
      continue;
    }
    const spread = at(k.value);
    if (!spread) return null;
    for (const [key, v] of spread) if (typeof key === 'string' && wanted(key)) out.set(key, v);
  }
  return out;
}

/** What a `**kwargs` parameter holds in the known call; undefined when the name is no such parameter. */
function keywordsOf(
  ev: Evaluator,
  place: Place,
  id: string,
  frame: Frame | null,
  depth: number,
): Mapping | null | undefined {
  const where = findScope(id, place.scope);
  if (!where) return undefined;
  const bindings = reaching(where, id, place.scope, place.node.start);
  const [b] = bindings;
  if (b?.kind !== 'param' || b.role !== 'kwarg') return undefined;
  if (bindings.length !== 1 || b.owner.type !== 'function' || isFilled(ev, place)) return null;
  return keywordArguments(ev, b.owner, frame, depth);
}

function isFilled(ev: Evaluator, place: Place): boolean {
  return storedEntries(ev, place).length > 0 || additions(ev, place).length > 0;
}

/** The keywords of the known call that no parameter of the function takes. */
function keywordArguments(ev: Evaluator, fn: FunctionInfo, frame: Frame | null, depth: number): Mapping | null {
  const out: Mapping = new Map();
  if (!frame || frame.fn !== fn) return null;
  const taken = new Set(allArgs(fn.node.args).flatMap((a) => (a.role === 'normal' ? [a.arg.arg] : [])));
  // the calls of `functools.partial` come last, the call itself overrides them
  for (const { place, frame: outer } of [...frame.calls].reverse()) {
    const at = (node: Expr): Mapping | null => mappingOf(ev, { ...place, node }, outer, depth + 1);
    const given = keywordEntries(place.node, place, outer, at, (name) => !taken.has(name));
    if (!given) return null;
    for (const [k, v] of given) out.set(k, v);
  }
  return out;
}
