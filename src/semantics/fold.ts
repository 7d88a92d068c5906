/** Constant folding across names, modules, defaults and instances: how long is a sleep? */
import type { Arg, Call, Expr } from '../syntax/index.ts';
import { lineage, ownBindings } from './classes.ts';
import { placesOf } from './elements.ts';
import type { Evaluator } from './evaluate.ts';
import { findScope, reaching, visibleFromOutside } from './reaching.ts';
import { returnsOf } from './returns.ts';
import { type Binding, type FunctionInfo, positionalArgs, type Scope } from './scopes.ts';
import type { CallPlace, Instance, Place } from './values.ts';

export type Scalar = number | string | boolean | null | Timedelta;
export interface Timedelta {
  seconds: number;
}

export interface Folded {
  value: Scalar;
  /** Names, defaults and the like that it went through, outermost first. */
  via: string[];
}

/** What is known of the call that runs the code. */
export interface Frame {
  fn: FunctionInfo | null;
  self: Instance | null;
  /** Calls whose arguments bind the parameters, the latest first; then `functools.partial` calls. */
  calls: { place: CallPlace; skip: number; frame: Frame | null }[];
}

export const NO_FRAME: Frame = { fn: null, self: null, calls: [] };

export function isTimedelta(v: Scalar): v is Timedelta {
  return typeof v === 'object' && v !== null;
}

export class Folder {
  private depth = 0;

  constructor(private readonly ev: Evaluator) {}

  /** null when the value is not statically known. */
  fold(place: Place, frame: Frame = NO_FRAME): Folded | null {
    if (this.depth > 40) return null;
    this.depth++;
    try {
      return this.compute(place, frame);
    } finally {
      this.depth--;
    }
  }

  private compute(place: Place, frame: Frame): Folded | null {
    const n = place.node;
    const at = (node: Expr): Folded | null => this.fold({ ...place, node }, frame);
    switch (n.kind) {
      case 'Constant':
        if (n.type === 'none') return { value: null, via: [] };
        return n.value === null || n.type === 'bytes' ? null : { value: n.value, via: [] };
      case 'UnaryOp': {
        const v = at(n.operand);
        if (!v) return null;
        if (n.op === 'not') return { ...v, value: !truthy(v.value) };
        return typeof v.value === 'number'
          ? { ...v, value: n.op === '-' ? -v.value : n.op === '+' ? v.value : ~v.value }
          : null;
      }
      case 'BinOp':
        return binary(n.op, at(n.left), at(n.right));
      case 'BoolOp':
        return this.boolean(n.op, n.values.map(at));
      case 'IfExp': {
        const test = at(n.test);
        if (test) return at(truthy(test.value) ? n.body : n.orelse);
        return agree([at(n.body), at(n.orelse)]);
      }
      case 'NamedExpr':
        return at(n.value);
      case 'Name':
        return this.name(place, n.id, frame);
      case 'Attribute':
        return this.attribute(place, n, frame);
      case 'Subscript': {
        const index = at(n.slice);
        if (!index || (typeof index.value !== 'string' && typeof index.value !== 'number')) return null;
        return agree(
          placesOf(this.ev, { ...place, node: n.value }, [index.value], true).map((p) => this.fold(p, frame)),
        );
      }
      case 'Call':
        return this.call({ ...place, node: n }, frame);
      default:
        return null;
    }
  }

  private boolean(op: 'and' | 'or', values: (Folded | null)[]): Folded | null {
    let last: Folded | null = null;
    for (const v of values) {
      if (!v) return null;
      last = v;
      if (truthy(v.value) === (op === 'or')) return v;
    }
    return last;
  }

  private name(place: Place, id: string, frame: Frame): Folded | null {
    const where = findScope(id, place.scope);
    if (!where) return id === 'True' ? { value: true, via: [] } : null;
    const inForce = reaching(where, id, place.scope, place.node.start, place.block);
    // a later assignment in the same function may come round again in a loop
    const later =
      where.kind === 'module' || where.kind === 'class'
        ? []
        : (where.bindings.get(id) ?? []).filter((b) => b.pos >= place.node.start);
    const got = agree([...inForce, ...later].map((b) => this.binding(b, frame)));
    return got && where.kind === 'module' ? { ...got, via: [id, ...got.via] } : got;
  }

  private binding(b: Binding, frame: Frame): Folded | null {
    switch (b.kind) {
      case 'assign':
        if (b.path.length)
          return agree(
            placesOf(this.ev, { node: b.value, scope: b.scope, block: b.block }, b.path, true).map((p) =>
              this.fold(p, frame),
            ),
          );
        return this.fold({ node: b.value, scope: b.scope, block: b.block }, frame);
      case 'annotated':
        return b.value ? this.fold({ node: b.value, scope: b.scope, block: b.block }, frame) : null;
      case 'from': {
        const from = this.ev.graph.load(b.scope.module, b.level, b.module);
        if (from?.k !== 'module') return null;
        return this.exported(from.module.scope, b.member);
      }
      case 'param':
        return b.role === 'normal' && b.owner.type === 'function' ? this.parameter(b.owner, b.arg, frame) : null;
      case 'for':
        return agree(
          placesOf(this.ev, { node: b.iter, scope: b.iterScope, block: b.block }, b.path, false).map((p) =>
            this.fold(p, frame),
          ),
        );
      default:
        return null;
    }
  }

  private exported(scope: Scope, name: string): Folded | null {
    const bindings = scope.bindings.get(name);
    if (!bindings?.length) return null;
    return agree(visibleFromOutside(bindings, scope).map((b) => this.binding(b, NO_FRAME)));
  }

  /** The argument that the known call gives to a parameter, else its default. */
  private parameter(fn: FunctionInfo, arg: Arg, frame: Frame): Folded | null {
    if (frame.fn === fn) {
      for (const { place, skip, frame: outer } of frame.calls) {
        const given = argumentFor(fn, arg, place.node, skip);
        if (given === 'unknown') return null;
        if (!given) continue;
        const v = this.fold({ node: given, scope: place.scope, block: place.block }, outer ?? NO_FRAME);
        return v ? { ...v, via: [`argument for parameter ${arg.arg}`, ...v.via] } : null;
      }
    }
    if (!arg.default) return null;
    const outer = fn.scope.parent ?? fn.scope;
    const v = this.fold({ node: arg.default, scope: outer, block: outer.root }, NO_FRAME);
    return v ? { ...v, via: [`default of parameter ${arg.arg}`, ...v.via] } : null;
  }

  // ---- attributes ----

  private attribute(place: Place, n: Extract<Expr, { kind: 'Attribute' }>, frame: Frame): Folded | null {
    const object = { ...place, node: n.value };
    const results: (Folded | null)[] = [];
    for (const { value } of this.ev.valueAt(object).values()) {
      if (value.k === 'instance') {
        const real =
          value.viaSelf && frame.self && lineage(this.ev, frame.self.cls).includes(value.cls) ? frame.self : value;
        results.push(this.member(real, n.attr));
      } else if (value.k === 'class')
        results.push(this.classConstant({ k: 'instance', cls: value.cls, call: null, viaSelf: false }, n.attr));
      else if (value.k === 'module') results.push(this.exported(value.module.scope, n.attr));
      else if (value.k === 'result') {
        for (const instance of this.returnedInstances(value.fn.type === 'function' ? value.fn : null))
          results.push(this.member(instance, n.attr));
      }
    }
    const got = results.length ? agree(results) : null;
    return got ? { ...got, via: [dottedText(n), ...got.via] } : null;
  }

  /** Instances that a factory such as `get_settings()` returns. */
  private returnedInstances(fn: FunctionInfo | null): Instance[] {
    if (!fn) return [];
    const out: Instance[] = [];
    for (const place of returnsOf(fn))
      for (const { value } of this.ev.valueAt(place).values()) if (value.k === 'instance') out.push(value);
    return out;
  }

  private member(instance: Instance, attr: string): Folded | null {
    for (const cls of lineage(this.ev, instance.cls)) {
      const set = cls.scope.attributes.get(attr);
      if (set?.length) return agree(set.map((b) => this.attributeBinding(b, instance)));
      const own = ownBindings(cls, attr);
      if (own.length) return agree(own.map((b) => this.classBinding(b, instance)));
    }
    return null;
  }

  private attributeBinding(b: Binding, instance: Instance): Folded | null {
    const fn = b.scope.fn;
    const calls = fn?.node.name === '__init__' && instance.call ? [{ place: instance.call, skip: 1, frame: null }] : [];
    return this.binding(b, { fn, self: instance, calls });
  }

  private classConstant(instance: Instance, attr: string): Folded | null {
    for (const cls of lineage(this.ev, instance.cls)) {
      const own = ownBindings(cls, attr);
      if (own.length) return agree(own.map((b) => this.classBinding(b, instance)));
    }
    return null;
  }

  private classBinding(b: Binding, instance: Instance): Folded | null {
    if (b.kind !== 'def') return this.binding(b, { fn: null, self: instance, calls: [] });
    const property = b.fn.node.decorators.some(
      (d) =>
        (d.kind === 'Name' && d.id === 'property') ||
        (d.kind === 'Attribute' && d.attr === 'cached_property') ||
        (d.kind === 'Name' && d.id === 'cached_property'),
    );
    if (!property) return null;
    return agree(returnsOf(b.fn).map((p) => this.fold(p, { fn: b.fn, self: instance, calls: [] })));
  }

  // ---- calls ----

  private call(place: CallPlace, frame: Frame): Folded | null {
    const n = place.node;
    const results: (Folded | null)[] = [];
    if (n.func.kind === 'Attribute') {
      const method = this.method(place, n.func, frame);
      if (method) return method;
    }
    for (const { value } of this.ev.value(n.func, place.scope, place.block).values()) {
      if (value.k === 'name') results.push(this.external(value.q, place, frame));
      else if (value.k === 'function' && !value.fn.node.isAsync) {
        const skip = value.self ? 1 : 0;
        const inner: Frame = { fn: value.fn, self: value.self ?? null, calls: [{ place, skip, frame }] };
        const returns = returnsOf(value.fn);
        results.push(
          returns.length === 1 ? this.fold(returns[0]!, inner) : agree(returns.map((p) => this.fold(p, inner))),
        );
      } else results.push(null);
    }
    return results.length ? agree(results) : null;
  }

  private method(place: CallPlace, func: Extract<Expr, { kind: 'Attribute' }>, frame: Frame): Folded | null {
    if (func.attr === 'total_seconds' && !place.node.args.length) {
      const v = this.fold({ ...place, node: func.value }, frame);
      return v && isTimedelta(v.value) ? { ...v, value: v.value.seconds } : null;
    }
    return null;
  }

  private external(q: string, place: CallPlace, frame: Frame): Folded | null {
    const n = place.node;
    const arg = (i: number, keyword?: string): Folded | null => {
      const node = n.args[i] ?? (keyword ? n.keywords.find((k) => k.arg === keyword)?.value : undefined);
      return node ? this.fold({ ...place, node }, frame) : null;
    };
    switch (q) {
      case 'builtins.int':
      case 'builtins.float':
      case 'builtins.round':
      case 'builtins.abs':
        return number(arg(0), q);
      case 'builtins.str':
        return arg(0);
      case 'builtins.max':
      case 'builtins.min': {
        const all = n.args.map((_, i) => arg(i));
        if (!all.length || all.some((v) => typeof v?.value !== 'number')) return null;
        const values = all.map((v) => v!.value as number);
        return {
          value: q.endsWith('max') ? Math.max(...values) : Math.min(...values),
          via: all.flatMap((v) => v!.via),
        };
      }
      case 'os.getenv':
      case 'os.environ.get':
      case 'os.environ.setdefault': {
        if (n.args.length < 2 && !n.keywords.some((k) => k.arg === 'default'))
          return { value: null, via: [`${q} without a default`] };
        const v = arg(1, 'default');
        const name = arg(0, 'key')?.value;
        return v ? { ...v, via: [`default of ${q}(${JSON.stringify(name ?? '…')})`, ...v.via] } : null;
      }
      case 'datetime.timedelta':
        return this.timedelta(place, frame);
      case 'decouple.config':
        return arg(1, 'default');
      case 'builtins.getattr': {
        const name = arg(1)?.value;
        const object = n.args[0];
        if (typeof name !== 'string' || !object) return null;
        const attribute = {
          kind: 'Attribute',
          value: object,
          attr: name,
          attrSpan: n,
          ctx: 'load',
          start: n.start,
          end: n.end,
          parent: n,
        } as const;
        return this.attribute({ ...place, node: attribute }, attribute, frame) ?? arg(2);
      }
    }
    if (/(^|\.)(Field|field|attrib|ib)$/.test(q)) return arg(q.endsWith('Field') ? 0 : 99, 'default');
    return null;
  }

  private timedelta(place: CallPlace, frame: Frame): Folded | null {
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
    const parts: [string, Expr][] = place.node.args.map((a, i) => [units[i] ?? '', a]);
    for (const k of place.node.keywords) parts.push([k.arg ?? '', k.value]);
    for (const [unit, node] of parts) {
      const v = this.fold({ ...place, node }, frame);
      if (typeof v?.value !== 'number' || !(unit in scale)) return null;
      seconds += v.value * scale[unit]!;
      via.push(...v.via);
    }
    return { value: { seconds: Math.round(seconds * 1e6) / 1e6 }, via };
  }
}

/** The argument given for a parameter: an expression, null for none (the default holds), or unknown (starred). */
export function argumentFor(fn: FunctionInfo, arg: Arg, call: Call, skip: number): Expr | null | 'unknown' {
  const byKeyword = call.keywords.find((k) => k.arg === arg.arg);
  if (byKeyword) return byKeyword.value;
  const positional = positionalArgs(fn.node.args);
  const index = positional.indexOf(arg) - skip;
  const star = call.args.findIndex((a) => a.kind === 'Starred');
  if (positional.includes(arg) && index >= 0) {
    if (star >= 0 && star <= index) return 'unknown';
    const given = call.args[index];
    if (given) return given;
  }
  return call.keywords.some((k) => k.arg === null) ? 'unknown' : null;
}

function truthy(v: Scalar): boolean {
  return isTimedelta(v) ? v.seconds !== 0 : Boolean(v);
}

function same(a: Scalar, b: Scalar): boolean {
  return isTimedelta(a) && isTimedelta(b) ? a.seconds === b.seconds : a === b;
}

/** All known and equal, else null. */
function agree(all: (Folded | null)[]): Folded | null {
  const first = all[0];
  if (!first) return null;
  return all.every((v) => v && same(v.value, first.value)) ? first : null;
}

function number(v: Folded | null, q: string): Folded | null {
  if (!v) return null;
  const n = typeof v.value === 'string' && v.value.trim() !== '' ? Number(v.value.replaceAll('_', '')) : v.value;
  if (typeof n === 'boolean') return { ...v, value: Number(n) };
  if (typeof n !== 'number' || Number.isNaN(n)) return null;
  const out =
    q === 'builtins.int'
      ? Math.trunc(n)
      : q === 'builtins.round'
        ? Math.round(n)
        : q === 'builtins.abs'
          ? Math.abs(n)
          : n;
  return { ...v, value: out };
}

function binary(op: string, a: Folded | null, b: Folded | null): Folded | null {
  if (!a || !b) return null;
  const via = [...a.via, ...b.via];
  const [x, y] = [a.value, b.value];
  if (typeof x === 'string' && typeof y === 'string') return op === '+' ? { value: x + y, via } : null;
  if (isTimedelta(x) || isTimedelta(y)) return timedeltaOp(op, x, y, via);
  const [m, n] = [Number(x), Number(y)];
  if (x === null || y === null || typeof x === 'string' || typeof y === 'string') return null;
  const value = arithmetic(op, m, n);
  return value === null || !Number.isFinite(value) ? null : { value, via };
}

function arithmetic(op: string, m: number, n: number): number | null {
  switch (op) {
    case '+':
      return m + n;
    case '-':
      return m - n;
    case '*':
      return m * n;
    case '/':
      return m / n;
    case '//':
      return Math.floor(m / n);
    case '%':
      return n === 0 ? null : m - n * Math.floor(m / n);
    case '**':
      return m ** n;
    default:
      return null;
  }
}

function timedeltaOp(op: string, x: Scalar, y: Scalar, via: string[]): Folded | null {
  const sx = isTimedelta(x) ? x.seconds : typeof x === 'number' ? x : null;
  const sy = isTimedelta(y) ? y.seconds : typeof y === 'number' ? y : null;
  if (sx === null || sy === null) return null;
  const both = isTimedelta(x) && isTimedelta(y);
  if ((op === '+' || op === '-') && both) return { value: { seconds: op === '+' ? sx + sy : sx - sy }, via };
  if (op === '*' && !both) return { value: { seconds: sx * sy }, via };
  if (op === '/' && both) return { value: sx / sy, via };
  if (op === '/' && isTimedelta(x)) return { value: { seconds: sx / sy }, via };
  return null;
}

function dottedText(n: Expr): string {
  return n.kind === 'Attribute' ? `${dottedText(n.value)}.${n.attr}` : n.kind === 'Name' ? n.id : '…';
}
