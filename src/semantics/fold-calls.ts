/** Calls whose result is known: builtins, timedelta, settings with a default, methods of known values. */
import type { Expr } from '../syntax/index.ts';
import type { Folder } from './fold.ts';
import { type Argument, argumentsOf, dividedPair, foldNumbers } from './fold-numbers.ts';
import { type Frame, NO_FRAME } from './frames.ts';
import { type FramedPlace, mappingOf } from './mapping.ts';
import { agree, type Folded, isTimedelta, micro, type Scalar, truthy } from './scalars.ts';
import { whereIs } from './scopes.ts';
import type { CallPlace } from './values.ts';

/** A call of something outside the project. */
export function foldExternal(folder: Folder, q: string, place: CallPlace, frame: Frame): Folded | null {
  const arg = argumentsOf(folder, place, frame);
  const numbers = foldNumbers(folder, q, place, frame, arg);
  if (numbers) return numbers;
  switch (q) {
    case 'builtins.str':
      return arg(0);
    case 'builtins.bool': {
      const v = arg(0);
      return v && { ...v, value: truthy(v.value) };
    }
    case 'builtins.isinstance':
      return isInstance(folder, place, arg(0));
    case 'os.getenv':
    case 'os.environ.get':
    case 'os.environ.setdefault':
      return environment(q, place, arg);
    case 'datetime.timedelta':
      return timedelta(folder, place, frame);
    case 'decouple.config':
      return arg(1, 'default');
    case 'starlette.config.Config':
    case 'decouple.Config':
      // an instance that is called: `config("POLL", cast=int, default=30)`
      return place.node.func.kind === 'Name' && place.node.keywords.some((k) => k.arg === 'default')
        ? arg(99, 'default')
        : null;
    case 'builtins.getattr': {
      const name = arg(1)?.value;
      const object = place.node.args[0];
      if (typeof name !== 'string' || !object) return null;
      return folder.attributeOf(place, object, name, frame) ?? arg(2);
    }
  }
  return /(^|\.)(Field|field|attrib|ib)$/.test(q) ? fieldDefault(folder, q, place, frame, arg) : null;
}

function environment(q: string, place: CallPlace, arg: Argument): Folded | null {
  const n = place.node;
  if (n.args.length < 2 && !n.keywords.some((k) => k.arg === 'default'))
    return { value: null, via: [`${q} without a default`] };
  const v = arg(1, 'default');
  const name = arg(0, 'key')?.value;
  return v && { ...v, via: [`default of ${q}(${JSON.stringify(name ?? '…')})`, ...v.via] };
}

/** `Field(30)`, `field(default=30)`, `field(default_factory=lambda: 30)`. */
function fieldDefault(folder: Folder, q: string, place: CallPlace, frame: Frame, arg: Argument): Folded | null {
  const direct = arg(q.endsWith('Field') ? 0 : 99, 'default');
  if (direct) return direct;
  const factory = place.node.keywords.find((k) => k.arg === 'default_factory' || k.arg === 'factory')?.value;
  if (!factory) return null;
  if (factory.kind === 'Lambda')
    return folder.fold({ node: factory.body, ...whereIs(place.scope.module, factory.body) }, frame);
  return agree(
    [...folder.ev.value(factory, place.scope, place.block).values()].map(({ value }) =>
      value.k === 'function' ? folder.returned(value.fn, { ...NO_FRAME, fn: value.fn }) : null,
    ),
  );
}

const WHOLE = ['builtins.int', ...numbers('Number Complex Real Rational Integral')];
const FLOATING = ['builtins.float', ...numbers('Number Complex Real')];

function numbers(names: string): string[] {
  return names.split(' ').map((name) => `numbers.${name}`);
}

/** The types that a value may be of, each with all that it is an instance of. `5.0` is not told from `5`. */
function typesOf(v: Scalar): string[][] {
  if (v === null) return [[]];
  if (isTimedelta(v)) return [['datetime.timedelta']];
  if (typeof v === 'string') return [['builtins.str']];
  if (typeof v === 'boolean') return [['builtins.bool', ...WHOLE]];
  return Number.isInteger(v) ? [WHOLE, FLOATING] : [FLOATING];
}

/** Types of which it is known whether a constant is of them: another may ask anything of what it is given. */
const PLAIN_TYPES = /^(builtins|datetime|numbers)\.|^decimal\.Decimal$|^fractions\.Fraction$/;

function isInstance(folder: Folder, place: CallPlace, subject: Folded | null): Folded | null {
  const types = place.node.args[1];
  if (!subject || !types) return null;
  const asked: string[] = [];
  for (const type of types.kind === 'Tuple' ? types.elts : [types]) {
    const [only, ...more] = [...folder.ev.value(type, place.scope, place.block).values()];
    if (more.length || only?.value.k !== 'name') return null;
    asked.push(only.value.q);
  }
  const [found, ...other] = typesOf(subject.value).map((own) => own.some((q) => asked.includes(q)));
  if (other.some((one) => one !== found) || (!found && !asked.every((q) => PLAIN_TYPES.test(q)))) return null;
  return { value: found!, via: subject.via };
}

function timedelta(folder: Folder, place: CallPlace, frame: Frame): Folded | null {
  const units = ['days', 'seconds', 'microseconds', 'milliseconds', 'minutes', 'hours', 'weeks'];
  const scale: Record<string, number> = {
    days: 86400,
    seconds: 1,
    microseconds: 1e-6,
    milliseconds: 1e-3,
    minutes: 60,
    hours: 3600,
    weeks: 604800,
  };
  let seconds = 0;
  const via: string[] = [];
  const parts: [string, FramedPlace][] = place.node.args.map((node, i) => [
    units[i] ?? '',
    { place: { ...place, node }, frame },
  ]);
  for (const k of place.node.keywords) {
    const value = { ...place, node: k.value };
    const spread = k.arg === null ? mappingOf(folder.ev, value, frame) : null;
    if (k.arg !== null) parts.push([k.arg, { place: value, frame }]);
    else if (!spread) return null;
    else for (const [unit, at] of spread) parts.push([String(unit), at]);
  }
  for (const [unit, at] of parts) {
    const v = folder.fold(at.place, at.frame ?? NO_FRAME);
    if (typeof v?.value !== 'number' || !(unit in scale)) return null;
    seconds += v.value * scale[unit]!;
    via.push(...v.via);
  }
  return { value: { seconds: micro(seconds) }, via };
}

// ---- methods ----

const LOOKUPS = new Set(['get', 'pop', 'setdefault']);
/** Objects whose methods take the default of a setting as a keyword or second argument. */
const SETTINGS: Record<string, string> = {
  'configparser.ConfigParser': 'fallback',
  'configparser.RawConfigParser': 'fallback',
  'environs.Env': 'default',
  'environ.Env': 'default',
};

/** Methods of values that are known; with `index`, of a pair that is indexed: `divmod(100, 30)[0]`. */
export function foldMethod(
  folder: Folder,
  place: CallPlace,
  frame: Frame,
  index: string | number | null,
): Folded | null {
  const { func, args } = place.node;
  const arg = argumentsOf(folder, place, frame);
  if (index !== null) {
    const pair = func.kind === 'Name' && func.id === 'divmod' && args.length === 2;
    return pair ? dividedPair(arg, index) : null;
  }
  if (func.kind !== 'Attribute') return null;
  if (func.attr === 'total_seconds' && !args.length) {
    const v = folder.fold({ ...place, node: func.value }, frame);
    return v && isTimedelta(v.value) ? { ...v, value: v.value.seconds } : null;
  }
  if (LOOKUPS.has(func.attr)) {
    const found = lookedUp(folder, place, func, frame, arg);
    if (found) return found;
  }
  return settingsMethod(folder, place, func, arg);
}

/** `OPTIONS.get("poll", 30)` of a mapping whose keys are known. */
function lookedUp(
  folder: Folder,
  place: CallPlace,
  func: Extract<Expr, { kind: 'Attribute' }>,
  frame: Frame,
  arg: Argument,
): Folded | null {
  const key = arg(0)?.value;
  if (typeof key !== 'string' && typeof key !== 'number') return null;
  const mapping = mappingOf(folder.ev, { ...place, node: func.value }, frame);
  if (!mapping) return null;
  const found = mapping.get(key);
  const what = `.${func.attr}(${JSON.stringify(key)})`;
  if (found) {
    const v = folder.fold(found.place, found.frame ?? NO_FRAME);
    return v && { ...v, via: [what, ...v.via] };
  }
  if (place.node.args.length < 2) return func.attr === 'pop' ? null : { value: null, via: [what] };
  const v = arg(1);
  return v && { ...v, via: [`default of ${what}`, ...v.via] };
}

function settingsMethod(
  folder: Folder,
  place: CallPlace,
  func: Extract<Expr, { kind: 'Attribute' }>,
  arg: Argument,
): Folded | null {
  for (const { value } of folder.ev.value(func.value, place.scope, place.block).values()) {
    const keyword = value.k === 'external' ? SETTINGS[value.q] : undefined;
    const v = keyword ? arg(keyword === 'default' ? 1 : 99, keyword) : null;
    if (v) return { ...v, via: [`${keyword} of .${func.attr}(${JSON.stringify(arg(0)?.value ?? '…')})`, ...v.via] };
  }
  return null;
}
