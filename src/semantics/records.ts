/** Records without a class of the project: `Spec = namedtuple("Spec", "name fn")`, `SimpleNamespace(fn=run)`. */
import type { Call, Dict, Expr, Tuple } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { seenBy } from './handed.ts';
import { dictCalled } from './keyword-dicts.ts';
import { attributeLoadsOf } from './lookups.ts';
import { type CallPlace, merge, only, unknown, type Value, type Values } from './values.ts';

type Of<K extends Value['k']> = Extract<Value, { k: K }>;

/** What an attribute of a record stands for: a key of a dict, or an index of a tuple. */
const keysOf = new WeakMap<Expr, (attr: string) => string | number | null>();

/** `SimpleNamespace(fn=run)`; null for a call of anything else. */
export function namespaceMade(q: string, call: CallPlace): Values | null {
  if (q !== 'types.SimpleNamespace' || call.node.args.length) return null;
  const node: Dict = dictCalled(call.node);
  keysOf.set(node, (attr) => attr);
  return only({ k: 'display', place: { ...call, node } }, 'display');
}

const tuples = new WeakMap<Call, Tuple>();

/** `Spec("poll", run)`; null where `made` is no named tuple, or some argument is not written down. */
export function recordMade({ q, call: made }: Of<'external'>, call: CallPlace): Values | null {
  const names = NAMED_TUPLES.has(q) ? fieldsOf(made.node) : null;
  const { args, keywords } = call.node;
  if (!names || args.some((a) => a.kind === 'Starred') || keywords.some((k) => k.arg === null)) return null;
  const node = tuples.get(call.node) ?? tupleOf(call.node, names);
  tuples.set(call.node, node);
  keysOf.set(node, (attr) => (names.includes(attr) ? names.indexOf(attr) : null));
  return only({ k: 'display', place: { ...call, node } }, 'display');
}

const NAMED_TUPLES: ReadonlySet<string> = new Set(['collections.namedtuple', 'typing.NamedTuple']);

function tupleOf({ args, keywords, start, end }: Call, names: readonly string[]): Tuple {
  const given = names.map((name, i) => args[i] ?? keywords.find((k) => k.arg === name)?.value);
  // a default
  const elts = given.map((e): Expr => e ?? { kind: 'Name', id: '', ctx: 'load', start, end, parent: null });
  return { kind: 'Tuple', elts, ctx: 'load', start, end, parent: null };
}

/** `"name fn"`, `["name", "fn"]`, `[("name", str), ("fn", Callable)]` */
function fieldsOf({ args: [, fields] }: Call): string[] | null {
  if (fields?.kind === 'Constant' && fields.type === 'str')
    return String(fields.value)
      .split(/[\s,]+/)
      .filter(Boolean);
  if (fields?.kind !== 'List' && fields?.kind !== 'Tuple') return null;
  const names = fields.elts.map((e) => (e.kind === 'Tuple' ? e.elts[0] : e));
  return names.every((n) => n?.kind === 'Constant' && n.type === 'str')
    ? names.map((n) => String(n?.kind === 'Constant' && n.value))
    : null;
}

export function isRecord(node: Expr): boolean {
  return keysOf.has(node);
}

/** A field of a record; null where there is none of that name. */
export function recordField(ev: Evaluator, { place, frame }: Of<'display'>, attr: string): Values | null {
  const key = keysOf.get(place.node)?.(attr) ?? null;
  if (key === null) return null;
  const found = seenBy(ev, ev.elementsOf(place, [key], true), frame);
  return typeof key === 'string' && isSet(place, attr) ? merge(new Map(found), unknown('field')) : found;
}

/** May a field of a namespace be set under some other name? */
function isSet({ scope: { module } }: Of<'display'>['place'], attr: string): boolean {
  return module.attributeStores.has(attr) || attributeLoadsOf(module, '__dict__').length > 0;
}
