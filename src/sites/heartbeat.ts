/** The gauge that a loop updates: its definition, its labels, and whether only a good round reaches it. */
import type { Heartbeat } from '../model/index.ts';
import { type CallPlace, type Frame, type FunctionInfo, NO_FRAME } from '../semantics/index.ts';
import { type Call, type Expr, encloses, type For, type Node, type While } from '../syntax/index.ts';
import { isInEveryRound } from './every-round.ts';
import { ownNodes } from './own-nodes.ts';
import { dottedName, type Project } from './project.ts';

const UPDATES = new Set(['set_to_current_time', 'set', 'inc']);
const GAUGE = /^prometheus_client(\.\w+)*\.Gauge$/;

export function findHeartbeat(
  project: Project,
  fn: FunctionInfo,
  loop: { node: While | For; fn: FunctionInfo } | null,
): Heartbeat | null {
  const within = (n: Node): boolean => loop !== null && encloses(loop.node, n);
  // of a coroutine that hands over to another one with the loop in it, whatever comes first is at the start
  const around = loop && loop.fn !== fn ? [...updates(project, fn)] : [];
  const own = [...updates(project, loop?.fn ?? fn)];
  const inside = around.length || own.length || !loop ? own : [...inCalled(project, loop.fn, within)];
  const found = [...around, ...inside];
  if (!found.length) return null;
  const inLoop = inside.filter((u) => within(u.at));
  const onSuccess = inLoop.filter((u) => !u.badly && !isBadPath(u.at, loop!.node));
  const best = onSuccess[0] ?? inLoop[0] ?? found[0]!;
  return {
    ...describe(project, best),
    // updates that a failed round reaches as well prove nothing
    onSuccess: onSuccess.length > 0 && onSuccess.length === inLoop.length,
    inLoop: inLoop.length > 0,
    ...(loop && inLoop.length > 0
      ? {
          everyRound: isInEveryRound(
            loop.node,
            inLoop.map((u) => u.at),
          ),
        }
      : {}),
    atStart:
      loop !== null &&
      (inside.some((u) => u.at.end <= loop.node.start) || around.some((u) => !isBadPath(u.at, fn.node))),
  };
}

interface Update {
  fn: FunctionInfo;
  call: Call;
  /** The update, or the call of the function that makes it, in the coroutine itself. */
  at: Call;
  /** What is known of that call. */
  frame: Frame;
  /** In the called function, a failed round reaches it too. */
  badly: boolean;
  labels: Call | null;
  gauge: CallPlace | null;
  variable: Expr;
}

/** `beat("mail")` in the loop, where `beat` says that a round is done. */
function* inCalled(project: Project, fn: FunctionInfo, within: (n: Node) => boolean): Generator<Update> {
  for (const n of ownNodes(fn.node)) {
    if (n.kind !== 'Call' || !within(n)) continue;
    const place = { ...project.place(fn.module, n), node: n };
    for (const { value } of project.ev.value(n.func, place.scope, place.block).values()) {
      if (value.k !== 'function' || value.fn === fn) continue;
      const frame: Frame = {
        fn: value.fn,
        self: value.self,
        calls: [{ place, skip: value.self ? 1 : 0, frame: null }],
      };
      for (const u of updates(project, value.fn, frame)) {
        // any other value may be a figure of the work itself
        if (!isTime(project, u)) continue;
        const early = value.fn.isGenerator && !followsYield(u.call, value.fn);
        yield { ...u, at: n, badly: early || isBadPath(u.call, value.fn.node) || isGuarded(u.call) };
      }
    }
  }
}

function isTime(project: Project, { fn, call }: Update): boolean {
  const [value] = call.args;
  if (call.func.kind === 'Attribute' && call.func.attr === 'set_to_current_time') return true;
  return value?.kind === 'Call' && project.namesOf(fn.module, value.func).includes('time.time');
}

/** A context manager's body has run without a fault when control comes back behind its `yield`. */
function followsYield(call: Call, fn: FunctionInfo): boolean {
  return ownNodes(fn.node).some((n) => n.kind === 'Yield' && n.end <= call.start);
}

/** Not every call gets to it. */
function isGuarded(call: Node): boolean {
  for (let n: Node | null = call; n && n.kind !== 'FunctionDef'; n = n.parent)
    if (n.kind === 'If' || n.kind === 'IfExp' || n.kind === 'Match' || n.kind === 'For' || n.kind === 'While')
      return true;
  return false;
}

function* updates(project: Project, fn: FunctionInfo, frame: Frame = NO_FRAME): Generator<Update> {
  for (const n of ownNodes(fn.node)) {
    if (n.kind !== 'Call' || n.func.kind !== 'Attribute' || !UPDATES.has(n.func.attr)) continue;
    let object = n.func.value;
    let labels: Call | null = null;
    if (object.kind === 'Call' && object.func.kind === 'Attribute' && object.func.attr === 'labels') {
      labels = object;
      object = object.func.value;
    }
    for (const { value } of project.ev.valueAt(project.place(fn.module, object)).values()) {
      if (value.k === 'external' && GAUGE.test(value.q)) {
        yield { fn, call: n, at: n, frame, badly: false, labels, gauge: value.call, variable: object };
        break;
      }
      // imported from a file out of reach: only an update by time says what it is
      if (value.k === 'name' && n.func.attr === 'set_to_current_time') {
        yield { fn, call: n, at: n, frame, badly: false, labels, gauge: null, variable: object };
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

function literal(node: Expr, project: Project, { fn, frame }: Update): string | null {
  const v = project.folder.fold(project.place(fn.module, node), frame)?.value;
  return typeof v === 'string' ? v : null;
}

function describe(project: Project, u: Update): Omit<Heartbeat, 'onSuccess' | 'inLoop' | 'atStart'> {
  const labelNames = u.gauge ? labelNamesOf(u.gauge) : null;
  let labels: Record<string, string | null> | null = null;
  // what a `*` or `**` holds is not known here
  const isOpen = u.labels?.args.some((a) => a.kind === 'Starred') || u.labels?.keywords.some((k) => k.arg === null);
  if (u.labels) {
    labels = {};
    u.labels.args.forEach((a, i) => {
      labels![labelNames?.[i] ?? `#${i + 1}`] = literal(a, project, u);
    });
    for (const k of u.labels.keywords) if (k.arg) labels[k.arg] = literal(k.value, project, u);
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
    labelNames: isOpen ? null : labelNames,
    labels,
    ...(u.labels?.args.length && u.labels.keywords.length ? { mixedLabels: true } : {}),
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
