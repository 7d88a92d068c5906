import type { Expr, Matcher } from './parser.ts';

/** How an expression reads the watched gauge. */
interface SeriesUse {
  matchers: Matcher[];
  /** The worker that decides: the newest, the oldest, each by itself, or something else. */
  workers: 'newest' | 'oldest' | 'each' | 'other';
  /** Zero ("never ran") is filtered out. */
  guarded: boolean;
}

export type Condition =
  | { kind: 'stale'; use: SeriesUse; thresholdSeconds: number }
  | { kind: 'zero'; use: SeriesUse }
  | { kind: 'absent'; matchers: Matcher[] };

/** `time × seconds + metric × gauge + constant`, over one gauge. */
interface Form {
  time: number;
  metric: number;
  constant: number;
  use: SeriesUse | null;
}

interface Reading {
  conditions: Condition[];
  /** The expression mentions the gauge, at all. */
  mentions: boolean;
}

/** What a rule's expression says of the gauge. Recorded series are followed to what they record. */
export function readConditions(expr: Expr, metric: string, records: ReadonlyMap<string, Expr> = new Map()): Reading {
  const reader = new Reader(metric, records);
  return { conditions: reader.conditions(expr), mentions: reader.mentions(expr) };
}

const COMPARISONS = ['>', '>=', '<', '<=', '==', '!='];
/** Functions of one argument that leave a gauge's newest value as it is. */
const TRANSPARENT = new Set([
  'vector',
  'scalar',
  'max_over_time',
  'last_over_time',
  'sort',
  'sort_desc',
  'label_replace',
]);

class Reader {
  /** Recorded series that are being followed, against cycles. */
  private readonly open = new Set<string>();

  constructor(
    private readonly metric: string,
    private readonly records: ReadonlyMap<string, Expr>,
  ) {}

  mentions(expr: Expr): boolean {
    switch (expr.kind) {
      case 'selector':
        return expr.metric === this.metric || this.recorded(expr.metric, (inner) => this.mentions(inner), false);
      case 'call':
      case 'aggregate':
        return expr.args.some((arg) => this.mentions(arg));
      case 'negate':
        return this.mentions(expr.of);
      case 'binary':
        return this.mentions(expr.left) || this.mentions(expr.right);
      default:
        return false;
    }
  }

  conditions(expr: Expr): Condition[] {
    if (expr.kind === 'call' && /^absent(_over_time)?$/.test(expr.name)) return this.absent(expr.args[0]);
    if (expr.kind === 'aggregate') return expr.args.flatMap((arg) => this.conditions(arg));
    if (expr.kind !== 'binary') return [];
    if (expr.op === 'or') return [...this.conditions(expr.left), ...this.conditions(expr.right)];
    if (expr.op === 'and' || expr.op === 'unless') return this.filtered(expr);
    return COMPARISONS.includes(expr.op) ? this.compared(expr) : [];
  }

  private absent(arg: Expr | undefined): Condition[] {
    const form = arg ? this.form(arg) : null;
    return form?.use ? [{ kind: 'absent', matchers: form.use.matchers }] : [];
  }

  /** `… and gauge > 0` and `… unless gauge == 0` guard what stands before them. */
  private filtered(expr: Extract<Expr, { kind: 'binary' }>): Condition[] {
    const right = this.conditions(expr.right);
    const guard =
      expr.op === 'and' ? this.form(expr.right)?.use?.guarded === true : right.some((c) => c.kind === 'zero');
    const left = this.conditions(expr.left).map((c) =>
      c.kind === 'absent' || !guard ? c : { ...c, use: { ...c.use, guarded: true } },
    );
    return expr.op === 'and' ? [...left, ...right.filter((c) => c.kind !== 'zero')] : left;
  }

  private compared(expr: Extract<Expr, { kind: 'binary' }>): Condition[] {
    const left = this.form(expr.left);
    const right = this.form(expr.right);
    if (!left || !right) return [...this.conditions(expr.left), ...this.conditions(expr.right)];
    const all = combine(left, right, -1);
    if (!all?.use) return [];
    if (Math.abs(all.time) < 1e-12) {
      const zero = all.constant === 0 && ['==', '<='].includes(expr.op);
      return zero ? [{ kind: 'zero', use: all.use }] : [];
    }
    if (Math.abs(all.time + all.metric) > 1e-9) return [];
    const upward = (expr.op.startsWith('>') && all.time > 0) || (expr.op.startsWith('<') && all.time < 0);
    return upward ? [{ kind: 'stale', use: all.use, thresholdSeconds: -all.constant / all.time }] : [];
  }

  /** The linear form of an expression over the gauge, null when it is none. */
  private form(expr: Expr): Form | null {
    switch (expr.kind) {
      case 'number':
        return { time: 0, metric: 0, constant: expr.value, use: null };
      case 'selector':
        if (expr.metric === this.metric) {
          const use: SeriesUse = { matchers: expr.matchers, workers: 'each', guarded: false };
          return { time: 0, metric: 1, constant: 0, use };
        }
        return this.recorded(expr.metric, (inner) => narrowed(this.form(inner), expr.matchers), null);
      case 'negate':
        return scaled(this.form(expr.of), -1);
      case 'call':
        if (expr.name === 'time' && expr.args.length === 0) return { time: 1, metric: 0, constant: 0, use: null };
        return TRANSPARENT.has(expr.name) && expr.args[0] ? this.form(expr.args[0]) : null;
      case 'aggregate':
        return this.aggregated(expr);
      case 'binary':
        return this.arithmetic(expr);
      default:
        return null;
    }
  }

  private aggregated(expr: Extract<Expr, { kind: 'aggregate' }>): Form | null {
    const inner = expr.args.length === 1 ? this.form(expr.args[0]!) : null;
    if (!inner?.use) return inner;
    // The oldest age is the age of the newest beat, turned round.
    const newest = (expr.op === 'max') === inner.metric > 0;
    const known = expr.op === 'max' || expr.op === 'min';
    return { ...inner, use: { ...inner.use, workers: known ? (newest ? 'newest' : 'oldest') : 'other' } };
  }

  private arithmetic(expr: Extract<Expr, { kind: 'binary' }>): Form | null {
    const left = this.form(expr.left);
    if (expr.op === 'and' || expr.op === 'unless') {
      const guarded = this.filtered({ ...expr, left: PLACEHOLDER(this.metric) }).some(
        (c) => c.kind !== 'absent' && c.use.guarded,
      );
      return left?.use && guarded ? { ...left, use: { ...left.use, guarded: true } } : left;
    }
    const right = this.form(expr.right);
    if (!left || !right) return null;
    if (COMPARISONS.includes(expr.op)) return guardedBy(left, expr.op, right);
    if (expr.op === '+') return combine(left, right, 1);
    if (expr.op === '-') return combine(left, right, -1);
    if (expr.op === '*') return constantOf(right) !== null ? scaled(left, right.constant) : scaledBy(right, left);
    if (expr.op === '/' && constantOf(right)) return scaled(left, 1 / right.constant);
    return null;
  }

  private recorded<T>(name: string | null, follow: (expr: Expr) => T, otherwise: T): T {
    const expr = name === null ? undefined : this.records.get(name);
    if (name === null || expr === undefined || this.open.has(name)) return otherwise;
    this.open.add(name);
    try {
      return follow(expr);
    } finally {
      this.open.delete(name);
    }
  }
}

/** `time() - gauge > 1`: something that a filter can be tried on. */
const PLACEHOLDER = (metric: string): Expr => ({
  kind: 'binary',
  op: '>',
  left: {
    kind: 'binary',
    op: '-',
    left: { kind: 'call', name: 'time', args: [] },
    right: { kind: 'selector', metric, matchers: [] },
  },
  right: { kind: 'number', value: 1 },
});

function constantOf(form: Form): number | null {
  return form.time === 0 && form.metric === 0 ? form.constant : null;
}

function scaled(form: Form | null, by: number): Form | null {
  return form && { ...form, time: form.time * by, metric: form.metric * by, constant: form.constant * by };
}

function scaledBy(form: Form, constant: Form): Form | null {
  const by = constantOf(constant);
  return by === null ? null : scaled(form, by);
}

function combine(left: Form, right: Form, sign: number): Form | null {
  if (left.use && right.use) return null;
  return {
    time: left.time + sign * right.time,
    metric: left.metric + sign * right.metric,
    constant: left.constant + sign * right.constant,
    use: left.use ?? right.use,
  };
}

/** A comparison inside an expression filters: `gauge > 0` leaves out what never ran. */
function guardedBy(left: Form, op: string, right: Form): Form | null {
  const limit = constantOf(right);
  if (!left.use || limit === null || left.time !== 0) return left.use ? left : null;
  const leavesOutZero = (op === '>' && limit >= 0) || (op === '>=' && limit > 0) || (op === '!=' && limit === 0);
  return { ...left, use: { ...left.use, guarded: left.use.guarded || leavesOutZero } };
}

function narrowed(form: Form | null, matchers: Matcher[]): Form | null {
  return form?.use ? { ...form, use: { ...form.use, matchers: [...form.use.matchers, ...matchers] } } : form;
}
