/** The gauge that a loop updates: its definition, its labels, and whether only a good round reaches it. */
import type { Heartbeat } from '../model/index.ts';
import type { CallPlace, FunctionInfo } from '../semantics/index.ts';
import type { Call, Expr, For, Node, While } from '../syntax/index.ts';
import { nodesBelow, ownNodes } from './own-nodes.ts';
import { dottedName, type Project } from './project.ts';

const UPDATES = new Set(['set_to_current_time', 'set', 'inc']);
const GAUGE = /^prometheus_client(\.\w+)*\.Gauge$/;

export function findHeartbeat(
  project: Project,
  fn: FunctionInfo,
  loop: { node: While | For; fn: FunctionInfo } | null,
): Heartbeat | null {
  const found = [...updates(project, fn, fn.node.body)];
  if (loop && loop.fn !== fn) found.push(...updates(project, loop.fn, loop.fn.node.body));
  if (!found.length) return null;
  const inLoop = found.filter((u) => loop && u.call.start >= loop.node.start && u.call.end <= loop.node.end);
  const onSuccess = inLoop.filter((u) => !isBadPath(u.call, loop!.node));
  const best = onSuccess[0] ?? inLoop[0] ?? found[0]!;
  return {
    ...describe(project, best),
    // updates that a failed round reaches as well prove nothing
    onSuccess: onSuccess.length > 0 && onSuccess.length === inLoop.length,
    inLoop: inLoop.length > 0,
    atStart: loop !== null && found.some((u) => u.call.end <= loop.node.start),
  };
}

interface Update {
  fn: FunctionInfo;
  call: Call;
  labels: Call | null;
  gauge: CallPlace | null;
  variable: Expr;
}

function* updates(project: Project, fn: FunctionInfo, body: readonly Node[]): Generator<Update> {
  const nodes = body === fn.node.body ? ownNodes(fn.node) : nodesBelow(body);
  for (const n of nodes) {
    if (n.kind !== 'Call' || n.func.kind !== 'Attribute' || !UPDATES.has(n.func.attr)) continue;
    let object = n.func.value;
    let labels: Call | null = null;
    if (object.kind === 'Call' && object.func.kind === 'Attribute' && object.func.attr === 'labels') {
      labels = object;
      object = object.func.value;
    }
    for (const { value } of project.ev.valueAt(project.place(fn.module, object)).values()) {
      if (value.k === 'external' && GAUGE.test(value.q)) {
        yield { fn, call: n, labels, gauge: value.call, variable: object };
        break;
      }
      // imported from a file out of reach: only an update by time says what it is
      if (value.k === 'name' && n.func.attr === 'set_to_current_time') {
        yield { fn, call: n, labels, gauge: null, variable: object };
        break;
      }
    }
  }
}

/** In an `except` or `finally` of the loop, a failed round reaches it too. */
function isBadPath(call: Node, loop: Node): boolean {
  let child = call;
  for (let p = call.parent; p && p !== loop.parent; p = p.parent) {
    if (p.kind === 'ExceptHandler') return true;
    if (p.kind === 'Try' && p.finalbody.includes(child as never)) return true;
    child = p;
  }
  // after a try whose handlers go on, a failed round comes by as well
  for (let p: Node | null = call; p && p !== loop; p = p.parent) {
    const parent: Node | null = p.parent;
    const body = parent && 'body' in parent && Array.isArray(parent.body) ? (parent.body as Node[]) : [];
    const at = body.indexOf(p);
    if (at > 0 && body.slice(0, at).some((s) => s.kind === 'Try' && s.handlers.some((h) => !endsRound(h.body))))
      return true;
  }
  return false;
}

function endsRound(body: readonly Node[]): boolean {
  const last = body[body.length - 1];
  return last?.kind === 'Raise' || last?.kind === 'Continue' || last?.kind === 'Return' || last?.kind === 'Break';
}

function literal(node: Expr | undefined, project: Project, fn: FunctionInfo): string | null {
  if (!node) return null;
  const v = project.folder.fold(project.place(fn.module, node))?.value;
  return typeof v === 'string' ? v : null;
}

function describe(project: Project, u: Update): Omit<Heartbeat, 'onSuccess' | 'inLoop' | 'atStart'> {
  const labelNames = u.gauge ? labelNamesOf(u.gauge) : null;
  let labels: Record<string, string | null> | null = null;
  if (u.labels) {
    labels = {};
    u.labels.args.forEach((a, i) => {
      labels![labelNames?.[i] ?? `#${i + 1}`] = literal(a, project, u.fn);
    });
    for (const k of u.labels.keywords) if (k.arg) labels[k.arg] = literal(k.value, project, u.fn);
  }
  const gauge = u.gauge;
  const keyword = (name: string): Expr | undefined => gauge?.node.keywords.find((k) => k.arg === name)?.value;
  const metric = gauge ? (gauge.node.args[0] ?? keyword('name')) : undefined;
  const module = gauge?.scope.module;
  const mode = keyword('multiprocess_mode');
  return {
    metric: metric?.kind === 'Constant' && metric.type === 'str' ? String(metric.value) : null,
    variable: dottedName(u.variable) ?? '',
    file: u.fn.module.file,
    line: project.line(u.fn.module, u.call.start),
    labelNames,
    labels,
    definition:
      gauge && module
        ? {
            file: module.file,
            line: project.line(module, gauge.node.start),
            multiprocessMode: mode?.kind === 'Constant' ? String(mode.value) : null,
          }
        : null,
  };
}

function labelNamesOf(gauge: CallPlace): string[] | null {
  const node = gauge.node.args[2] ?? gauge.node.keywords.find((k) => k.arg === 'labelnames')?.value;
  if (!node) return [];
  if (node.kind !== 'List' && node.kind !== 'Tuple') return null;
  return node.elts.every((e) => e.kind === 'Constant' && e.type === 'str')
    ? node.elts.map((e) => String((e as { value: unknown }).value))
    : null;
}
