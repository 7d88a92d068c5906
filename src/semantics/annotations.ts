/** What a type annotation says of a value: an event loop, an instance of a project class, a container of those. */
import { descendants, type Expr, lastNameOf, PythonSyntaxError, parseModule } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { findScope } from './reaching.ts';
import type { Block, Scope } from './scopes.ts';
import { add, merge, type Place, type Value, type Values } from './values.ts';

/** Aliases of aliases, types of types: no further. */
const MAX_DEPTH = 8;

const TRANSPARENT = words('Optional Annotated Final ClassVar Required NotRequired ReadOnly InitVar Mapped');
const SEQUENCES = words(
  `list List set Set frozenset FrozenSet deque Deque Sequence MutableSequence Iterable Iterator Collection Reversible
  AbstractSet MutableSet Container KeysView ValuesView WeakSet Generator AsyncIterable AsyncIterator AsyncGenerator`,
);
const MAPPINGS = words(
  'dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict ChainMap WeakValueDictionary ItemsView',
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** null when the annotation says nothing that matters here. */
export function annotationValue(ev: Evaluator, annotation: Expr, scope: Scope, block: Block): Values | null {
  return typed(ev, { node: annotation, scope, block }, 0);
}

function typed(ev: Evaluator, place: Place, depth: number): Values | null {
  if (depth > MAX_DEPTH) return null;
  const out: Values = new Map();
  const also = (node: Expr | undefined): void => {
    const got = node && typed(ev, { ...place, node }, depth + 1);
    if (got) merge(out, got);
  };
  const { node } = place;
  switch (node.kind) {
    case 'Constant':
      if (node.type === 'str') also(quoted(node) ?? undefined);
      break;
    case 'BinOp':
      if (node.op === '|') {
        also(node.left);
        also(node.right);
      }
      break;
    case 'Subscript':
      return subscripted(ev, place, node, depth);
    case 'Name':
    case 'Attribute':
      return named(ev, place, depth);
  }
  return out.size ? out : null;
}

function subscripted(
  ev: Evaluator,
  place: Place,
  n: Extract<Expr, { kind: 'Subscript' }>,
  depth: number,
): Values | null {
  const head = n.value;
  const args = (n.slice.kind === 'Tuple' ? n.slice.elts : [n.slice]).map((node): Place => ({ ...place, node }));
  const [first, second] = args;
  const of = (p: Place | undefined): Values | null => (p ? typed(ev, p, depth + 1) : null);
  const holding = (shape: 'sequence' | 'mapping' | 'tuple', items: readonly Place[]): Values | null =>
    items.some(of) ? one({ k: 'declared', shape, items }) : null;
  const name = lastNameOf(head);
  const generic = classNamed(ev, { ...place, node: head });
  if (generic) return one(generic);
  if (TRANSPARENT.has(name)) return of(first);
  if (name === 'Union') {
    const out: Values = new Map();
    for (const a of args) merge(out, of(a) ?? new Map());
    return out.size ? out : null;
  }
  if (name === 'type' || name === 'Type') return classesOf(of(first));
  if (SEQUENCES.has(name) && first) return holding('sequence', [first]);
  if (MAPPINGS.has(name) && first && second) return holding('mapping', [first, second]);
  if (name !== 'tuple' && name !== 'Tuple') return null;
  const open = args.length === 2 && second?.node.kind === 'Constant' && second.node.type === 'ellipsis';
  return open ? holding('sequence', [first!]) : holding('tuple', args);
}

function one(value: Value): Values {
  const out: Values = new Map();
  add(out, value, 'annotation');
  return out;
}

/** `type[Engine]`: the class itself, or a subclass. */
function classesOf(instances: Values | null): Values | null {
  const out: Values = new Map();
  for (const { value } of instances?.values() ?? [])
    if (value.k === 'instance') add(out, { k: 'class', cls: value.cls, viaSelf: true }, 'annotation');
  return out.size ? out : null;
}

/** `Box[int]`, `asyncio.Queue[int]`: an instance of a generic class. */
function classNamed(ev: Evaluator, place: Place): Value | null {
  for (const { value } of ev.valueAt(place).values()) {
    if (value.k === 'class') return { k: 'instance', cls: value.cls, call: null, viaSelf: false };
    const kind = value.k === 'name' ? ev.table.types.get(value.q) : undefined;
    if (kind) return { k: 'name', q: kind };
  }
  return null;
}

function named(ev: Evaluator, place: Place, depth: number): Values | null {
  const out: Values = new Map();
  const also = (at: Place | null): void => {
    const got = at && typed(ev, at, depth + 1);
    if (got) merge(out, got);
  };
  if (place.node.kind === 'Name') also(boundOfParameter(place.node.id, place));
  for (const { value } of ev.valueAt(place).values()) {
    if (value.k === 'class') add(out, { k: 'instance', cls: value.cls, call: null, viaSelf: false }, 'annotation');
    else if (value.k === 'type') also(value.place);
    else if (value.k === 'display' && value.place.node.kind === 'BinOp') also(value.place);
    else if (value.k === 'external') for (const at of bounds(value)) also(at);
    else if (value.k === 'name') {
      const kind = ev.table.types.get(value.q);
      if (kind) add(out, { k: 'name', q: kind }, 'annotation');
      else if (/^typing(_extensions)?\.Self$/.test(value.q)) selfType(place.scope, out);
    }
  }
  return out.size ? out : null;
}

function selfType(scope: Scope, out: Values): void {
  for (let s: Scope | null = scope; s; s = s.parent)
    if (s.cls) {
      add(out, { k: 'instance', cls: s.cls, call: null, viaSelf: true }, 'annotation');
      return;
    }
}

/** What `TypeVar("T", bound=Engine)` and `NewType("Main", Engine)` stand for. */
function bounds({ q, call }: Extract<Value, { k: 'external' }>): Place[] {
  const { args, keywords } = call.node;
  const at = (node: Expr): Place => ({ ...call, node });
  if (/^typing(_extensions)?\.TypeVar$/.test(q)) {
    const bound = keywords.find((k) => k.arg === 'bound');
    return bound ? [at(bound.value)] : args.slice(1).map(at);
  }
  return /^typing(_extensions)?\.NewType$/.test(q) && args[1] ? [at(args[1])] : [];
}

/** `def start[T: Engine](engine: T)`. */
function boundOfParameter(id: string, place: Place): Place | null {
  const where = findScope(id, place.scope);
  if (where?.kind !== 'typeparams') return null;
  const { node } = where;
  const params = 'typeParams' in node ? node.typeParams : [];
  const bound = params.find((p) => p.name === id)?.bound;
  return bound ? { ...place, node: bound } : null;
}

const parsed = new WeakMap<Expr, Expr | null>();

/** Past every offset. V8 keeps each node's place in a box of its own once one is no small integer. */
const AT_THE_END = 2 ** 30 - 1;

/** A quoted annotation is read when the whole module is there: every name counts as used at its end. */
function quoted(text: Extract<Expr, { kind: 'Constant' }>): Expr | null {
  let got = parsed.get(text);
  if (got === undefined) {
    got = parseExpressionText(String(text.value).trim());
    if (got) for (const n of descendants(got)) n.start = AT_THE_END;
    parsed.set(text, got);
  }
  return got;
}

function parseExpressionText(text: string): Expr | null {
  try {
    const [first] = parseModule(`(${text}\n)`).body;
    return first?.kind === 'ExprStmt' ? first.value : null;
  } catch (e) {
    if (e instanceof PythonSyntaxError) return null;
    throw e;
  }
}
