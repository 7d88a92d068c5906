/** Numbers made of numbers: conversions, `round`, `max`, `sum`, `len` and the like. */
import { sequenceOf } from './arguments.ts';
import type { Folder } from './fold.ts';
import { type Frame, NO_FRAME } from './frames.ts';
import { mappingOf } from './mapping.ts';
import { type Folded, isTimedelta, modulo, numeric, parseNumber, roundPython } from './scalars.ts';
import type { CallPlace } from './values.ts';

/** A positional argument, or the keyword of that name. */
export type Argument = (index: number, keyword?: string) => Folded | null;

export function argumentsOf(folder: Folder, place: CallPlace, frame: Frame): Argument {
  const n = place.node;
  const starred = n.args.findIndex((a) => a.kind === 'Starred');
  return (i, keyword) => {
    const given = starred >= 0 && i >= starred ? undefined : n.args[i];
    const node = given ?? (keyword ? n.keywords.find((k) => k.arg === keyword)?.value : undefined);
    return node ? folder.fold({ ...place, node }, frame) : null;
  };
}

/** Builtins and `math` functions that make a number of numbers. */
export function foldNumbers(folder: Folder, q: string, place: CallPlace, frame: Frame, arg: Argument): Folded | null {
  switch (q) {
    case 'builtins.int':
      return converted(arg(0), (n) => Math.trunc(n), 'int', base(place, arg));
    case 'builtins.float':
      return converted(arg(0), (n) => n, 'float');
    case 'builtins.abs':
    case 'math.fabs':
      return mapped(arg(0), Math.abs);
    case 'math.floor':
      return mapped(arg(0), Math.floor);
    case 'math.ceil':
      return mapped(arg(0), Math.ceil);
    case 'math.trunc':
      return mapped(arg(0), Math.trunc);
    case 'builtins.round': {
      const given = place.node.args.length > 1 || place.node.keywords.some((k) => k.arg !== 'number');
      const digits = given ? arg(1, 'ndigits') : { value: 0, via: [] };
      const count = digits?.value === null ? 0 : numeric(digits?.value);
      if (count === null || !Number.isInteger(count)) return null;
      return mapped(arg(0, 'number'), (n) => roundPython(n, count));
    }
    case 'builtins.pow':
    case 'math.pow': {
      const [a, b] = [arg(0), arg(1)];
      const [m, n] = [numeric(a?.value), numeric(b?.value)];
      if (place.node.args.length !== 2 || m === null || n === null) return null;
      return finite(m ** n, [...a!.via, ...b!.via]);
    }
    case 'builtins.max':
    case 'builtins.min':
    case 'builtins.sum':
      return reduced(folder, q, place, frame);
    case 'builtins.len':
      return length(folder, place, frame, arg);
    default:
      return null;
  }
}

function base(place: CallPlace, arg: Argument): number | null {
  if (place.node.args.length < 2 && !place.node.keywords.length) return 10;
  const v = arg(1, 'base')?.value;
  return typeof v === 'number' ? v : null;
}

function converted(
  v: Folded | null,
  change: (n: number) => number,
  type: 'int' | 'float',
  radix: number | null = 10,
): Folded | null {
  if (!v || radix === null) return null;
  const n = typeof v.value === 'string' ? parseNumber(v.value, type, radix) : numeric(v.value);
  return n === null ? null : finite(change(n), v.via);
}

function mapped(v: Folded | null, change: (n: number) => number): Folded | null {
  if (!v) return null;
  if (isTimedelta(v.value)) return null;
  const n = numeric(v.value);
  return n === null ? null : finite(change(n), v.via);
}

function finite(value: number, via: string[]): Folded | null {
  return Number.isFinite(value) ? { value, via } : null;
}

/** `max(a, b)`, `max([a, b])`, `sum((a, b))`. */
function reduced(folder: Folder, q: string, place: CallPlace, frame: Frame): Folded | null {
  const { args, keywords } = place.node;
  if (keywords.length || !args.length || args.some((a) => a.kind === 'Starred')) return null;
  const sum = q === 'builtins.sum';
  const items =
    args.length === 1 || sum
      ? sequenceOf(folder.ev, { ...place, node: args[0]! }, frame)
      : args.map((node) => ({ place: { ...place, node }, frame }));
  if (!items || (!sum && !items.length)) return null;
  const via: string[] = [];
  const values: number[] = [];
  const start = sum && args[1] ? [{ place: { ...place, node: args[1] }, frame }] : [];
  for (const item of [...items, ...start]) {
    const v = folder.fold(item.place, item.frame ?? NO_FRAME);
    const n = numeric(v?.value);
    if (n === null) return null;
    via.push(...v!.via);
    values.push(n);
  }
  const value = sum ? values.reduce((a, b) => a + b, 0) : q.endsWith('max') ? Math.max(...values) : Math.min(...values);
  return { value, via };
}

function length(folder: Folder, place: CallPlace, frame: Frame, arg: Argument): Folded | null {
  const [node] = place.node.args;
  if (!node || node.kind === 'Starred') return null;
  const text = arg(0);
  if (typeof text?.value === 'string') return { value: [...text.value].length, via: text.via };
  const items = sequenceOf(folder.ev, { ...place, node }, frame) ?? mappingOf(folder.ev, { ...place, node }, frame);
  if (!items) return null;
  return { value: 'size' in items ? items.size : items.length, via: [] };
}

/** `divmod(100, 30)[0]`. */
export function dividedPair(arg: Argument, index: string | number): Folded | null {
  const [a, b] = [arg(0), arg(1)];
  const [m, n] = [numeric(a?.value), numeric(b?.value)];
  if (m === null || !n) return null;
  const value = index === 0 || index === -2 ? Math.floor(m / n) : modulo(m, n);
  return value === null ? null : { value, via: [...a!.via, ...b!.via] };
}
