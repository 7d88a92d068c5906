/** Bounds of a delay expression: constants, jitter, back-off, fixed-rate corrections. */
import {
  type Binding,
  type Frame,
  findScope,
  isTimedelta,
  type Place,
  reaching,
  returnsOf,
  roundPython,
} from '../semantics/index.ts';
import { descendants, type Expr, type Node } from '../syntax/index.ts';
import { stepUntil } from './fixed-rate.ts';
import type { Project } from './project.ts';

export interface Bounds {
  min: number;
  max: number;
}

interface KnownDelay {
  bounds: Bounds;
  via: string[];
  /** A timedelta: no number, which `int` and the like refuse. */
  span?: true;
}

/** Made of some others: a timedelta when one of them is. */
function made(got: KnownDelay | null, from: readonly (KnownDelay | null)[]): KnownDelay | null {
  return got && from.some((k) => k?.span) ? { ...got, span: true } : got;
}

/** null when nothing useful is known. min = max for an exact delay. */
export function boundsOf(project: Project, place: Place, frame: Frame, depth = 0): KnownDelay | null {
  if (depth > 8) return null;
  const exact = project.folder.fold(place, frame);
  if (exact) {
    const v = isTimedelta(exact.value) ? exact.value.seconds : exact.value;
    if (typeof v !== 'number') return null;
    const known: KnownDelay = { bounds: { min: v, max: v }, via: exact.via };
    return isTimedelta(exact.value) ? { ...known, span: true } : known;
  }
  const at = (node: Expr): KnownDelay | null => boundsOf(project, { ...place, node }, frame, depth + 1);
  const n = place.node;
  switch (n.kind) {
    case 'IfExp':
      return union([at(n.body), at(n.orelse)]);
    case 'BinOp':
      return fixedRate(project, place, n, frame) ?? arithmetic(n.op, at(n.left), at(n.right));
    case 'Call':
      return callBounds(project, { ...place, node: n }, frame, at);
    case 'Name':
      return nameBounds(project, place, n.id, frame, depth);
    case 'NamedExpr':
      return at(n.value);
    default:
      return null;
  }
}

/** `next_run - time.monotonic()` */
function fixedRate(
  project: Project,
  place: Place,
  n: Extract<Expr, { kind: 'BinOp' }>,
  frame: Frame,
): KnownDelay | null {
  if (n.op !== '-') return null;
  const got = stepUntil(project, { ...place, node: n.left }, { ...place, node: n.right }, frame);
  return got && { bounds: { min: got.seconds, max: got.seconds }, via: got.via };
}

function union(all: (KnownDelay | null)[]): KnownDelay | null {
  if (!all.length || all.some((x) => !x)) return null;
  const known = all as KnownDelay[];
  const bounds = {
    min: Math.min(...known.map((k) => k.bounds.min)),
    max: Math.max(...known.map((k) => k.bounds.max)),
  };
  return made({ bounds, via: known.flatMap((k) => k.via) }, all);
}

function arithmetic(op: string, a: KnownDelay | null, b: KnownDelay | null): KnownDelay | null {
  const got = computed(op, a, b);
  return got && Number.isFinite(got.bounds.min) && Number.isFinite(got.bounds.max) ? made(got, [a, b]) : null;
}

function computed(op: string, a: KnownDelay | null, b: KnownDelay | null): KnownDelay | null {
  // `PERIOD - elapsed`: a fixed rate
  if (op === '-' && a && !b && a.bounds.min === a.bounds.max && a.bounds.min > 0)
    return { bounds: a.bounds, via: [...a.via, 'fixed rate'] };
  if (!a || !b) return null;
  const via = [...a.via, ...b.via];
  const [x, y] = [a.bounds, b.bounds];
  switch (op) {
    case '+':
      return { bounds: { min: x.min + y.min, max: x.max + y.max }, via };
    case '-':
      return { bounds: { min: x.min - y.max, max: x.max - y.min }, via };
    case '*': {
      const all = [x.min * y.min, x.min * y.max, x.max * y.min, x.max * y.max];
      return { bounds: { min: Math.min(...all), max: Math.max(...all) }, via };
    }
    default:
      return null;
  }
}

function callBounds(
  project: Project,
  place: Place & { node: Extract<Expr, { kind: 'Call' }> },
  frame: Frame,
  at: (n: Expr) => KnownDelay | null,
): KnownDelay | null {
  const { args, func } = place.node;
  const constant = (i: number): number | null => {
    const v = args[i] ? project.folder.fold({ ...place, node: args[i] }, frame)?.value : null;
    return typeof v === 'number' ? v : null;
  };
  // `(next_run - datetime.now()).total_seconds()`
  if (func.kind === 'Attribute' && func.attr === 'total_seconds' && func.value.kind === 'BinOp') {
    const of = at(func.value);
    return of && { bounds: of.bounds, via: of.via };
  }
  for (const { value } of project.ev.value(func, place.scope, place.block).values()) {
    if (value.k !== 'name') continue;
    if (value.q === 'builtins.max' || value.q === 'builtins.min') {
      const all = args.map(at);
      // a timedelta is compared with nothing but its like
      return all.some((k) => k && !k.span) && all.some((k) => k?.span) ? null : made(extreme(value.q, all), all);
    }
    const rounded = ROUNDED[value.q];
    if (rounded) {
      const of = args.length === 1 ? at(args[0]!) : null;
      if (!of || of.span) return null;
      return { ...of, bounds: { min: rounded(of.bounds.min), max: rounded(of.bounds.max) } };
    }
    const bounds = RANDOM[value.q]?.(constant(0), constant(1));
    if (bounds) return { bounds, via: [value.q === 'random.random' ? 'random.random()' : value.q] };
  }
  return null;
}

const ROUNDED: Readonly<Record<string, (n: number) => number>> = {
  'builtins.float': (n) => n,
  'builtins.int': Math.trunc,
  'builtins.round': (n) => roundPython(n),
};

/** What a random number is between, by its first two arguments. */
const RANDOM: Readonly<Record<string, (a: number | null, b: number | null) => Bounds | null>> = {
  'random.random': () => ({ min: 0, max: 1 }),
  // the limits may stand in any order
  'random.uniform': (a, b) => (a === null || b === null ? null : { min: Math.min(a, b), max: Math.max(a, b) }),
  'random.randint': (a, b) => (a === null || b === null ? null : { min: a, max: b }),
  // never the last
  'random.randrange': (a, b) => (a === null || b === null ? null : { min: a, max: b - 1 }),
};

function extreme(q: 'builtins.max' | 'builtins.min', known: readonly (KnownDelay | null)[]): KnownDelay | null {
  const some = known.filter((k): k is KnownDelay => k !== null);
  if (!some.length) return null;
  const via = some.flatMap((k) => k.via);
  const [least, most] = [some.map((k) => k.bounds.min), some.map((k) => k.bounds.max)];
  // a sleep is as long as its shortest part at most, whatever the others are
  if (q === 'builtins.min')
    return { bounds: { min: some.length === known.length ? Math.min(...least) : 0, max: Math.min(...most) }, via };
  if (some.length < known.length) return null;
  // max(0, PERIOD - elapsed): a fixed rate
  return (
    some.find((k) => k.via.includes('fixed rate')) ?? {
      bounds: { min: Math.max(...least), max: Math.max(...most) },
      via,
    }
  );
}

/** A local that is changed as the loop goes on: from the smallest to the largest it can be. */
function nameBounds(project: Project, place: Place, id: string, frame: Frame, depth: number): KnownDelay | null {
  const where = findScope(id, place.scope);
  if (!where || where.kind === 'module') return null;
  const all = where.bindings.get(id) ?? [];
  const used = new Set<Binding>([
    ...reaching(where, id, place.scope, place.node.start),
    ...all.filter((b) => b.pos >= place.node.start),
  ]);
  const parts: (KnownDelay | null)[] = [];
  for (const b of used) {
    if (b.kind === 'assign' && !b.path.length)
      parts.push(boundsOf(project, { node: b.value, scope: b.scope, block: b.block }, frame, depth + 2));
    else parts.push(null);
  }
  return union(parts);
}

/** Does a delay run until the next midnight (or another hour of the day)? In the expression itself, or in a function that computes it. */
export function isUntilMidnight(project: Project, place: Place, depth = 0): 'here' | 'elsewhere' | null {
  if (depth > 4) return null;
  if (looksDaily(project, place, 0)) return 'here';
  for (const n of descendants(place.node)) {
    if (n.kind !== 'Call') continue;
    for (const { value } of project.ev.value(n.func, place.scope, place.block).values()) {
      if (value.k !== 'function') continue;
      const found = returnsOf(value.fn).some((p) => isUntilMidnight(project, p, depth + 1) !== null);
      if (found) return 'elsewhere';
    }
  }
  return null;
}

/** The signs: a day is added, and the hour of a datetime is set. */
function looksDaily(project: Project, place: Place, depth: number): boolean {
  const signs = { day: false, hour: false };
  collectSigns(project, place, signs, depth, new Set());
  return signs.day && signs.hour;
}

function collectSigns(
  project: Project,
  place: Place,
  signs: { day: boolean; hour: boolean },
  depth: number,
  seen: Set<Node>,
): void {
  if (depth > 5 || seen.has(place.node)) return;
  seen.add(place.node);
  for (const n of descendants(place.node)) {
    if (n.kind === 'Call') {
      const v = project.folder.fold({ ...place, node: n })?.value;
      if (v !== undefined && isTimedelta(v) && v.seconds === 86400) signs.day = true;
      if (n.func.kind === 'Attribute' && n.func.attr === 'replace' && n.keywords.some((k) => k.arg === 'hour'))
        signs.hour = true;
      if (n.func.kind === 'Attribute' && n.func.attr === 'combine') signs.hour = true;
    }
    if (n.kind !== 'Name' || n.ctx !== 'load') continue;
    const where = findScope(n.id, place.scope);
    if (!where) continue;
    for (const b of where.bindings.get(n.id) ?? []) {
      if (b.kind === 'assign' || (b.kind === 'augmented' && b.op === '+'))
        collectSigns(project, { node: b.value, scope: b.scope, block: b.block }, signs, depth + 1, seen);
    }
  }
}
