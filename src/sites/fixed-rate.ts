/** Loops that sleep until a moment that moves on by the same step each round: `next += 60; sleep(next - now)`. */
import type { Frame, Place } from '../semantics/index.ts';
import type { Expr, Node } from '../syntax/index.ts';
import { nodesBelow } from './own-nodes.ts';
import { dottedName, type Project } from './project.ts';

const CLOCKS = new Set([
  'time.time',
  'time.monotonic',
  'time.perf_counter',
  'LOOP.time',
  'anyio.current_time',
  'trio.current_time',
  'datetime.datetime.now',
  'datetime.datetime.utcnow',
  'datetime.datetime.today',
  'django.utils.timezone.now',
]);

/** How far apart two rounds are, for a delay of the form `moment - now`. */
export function stepUntil(
  project: Project,
  moment: Place,
  now: Place,
  frame: Frame,
): { seconds: number; via: string[] } | null {
  const loop = enclosingLoop(moment.node);
  if (!loop || !isClock(project, now, loop, 0)) return null;
  const { node } = moment;
  if (node.kind === 'BinOp') return afterClock(project, moment, node, loop, frame);
  const name = dottedName(node);
  if (!name) return null;
  const advances = advancesOf(loop, name);
  const [one, ...more] = advances;
  if (!one || more.length) return null;
  if (one.kind === 'AugAssign') return one.op === '+' ? length(project, one.value, moment, frame) : null;
  const value = one.kind === 'Assign' || one.kind === 'AnnAssign' ? one.value : null;
  if (value?.kind !== 'BinOp' || value.op !== '+') return null;
  if (dottedName(value.left) === name) return length(project, value.right, moment, frame);
  if (dottedName(value.right) === name) return length(project, value.left, moment, frame);
  return afterClock(project, { ...moment, node: value }, value, loop, frame);
}

/** `start + 60`, where `start` was read in this round. */
function afterClock(
  project: Project,
  place: Place,
  n: Extract<Expr, { kind: 'BinOp' }>,
  loop: Node,
  frame: Frame,
): { seconds: number; via: string[] } | null {
  if (n.op !== '+') return null;
  for (const [clock, step] of [
    [n.left, n.right],
    [n.right, n.left],
  ] as const)
    if (isClock(project, { ...place, node: clock }, loop, 0)) return length(project, step, place, frame);
  return null;
}

function length(project: Project, node: Expr, at: Place, frame: Frame): { seconds: number; via: string[] } | null {
  const got = project.folder.fold(project.place(at.scope.module, node), frame);
  if (!got) return null;
  const seconds = typeof got.value === 'object' && got.value ? got.value.seconds : got.value;
  return typeof seconds === 'number' && seconds > 0 ? { seconds, via: [...got.via, 'fixed rate'] } : null;
}

/** A call of a clock, or a name that holds its answer of this round. */
function isClock(project: Project, place: Place, loop: Node, depth: number): boolean {
  const { node } = place;
  if (node.kind === 'Call') return project.namesOf(place.scope.module, node.func).some((q) => CLOCKS.has(q));
  const name = dottedName(node);
  if (!name || depth > 2) return false;
  const stores = advancesOf(loop, name);
  return (
    stores.length > 0 &&
    stores.every(
      (s) =>
        s.kind !== 'AugAssign' && s.value !== null && isClock(project, { ...place, node: s.value }, loop, depth + 1),
    )
  );
}

type Store = Extract<Node, { kind: 'Assign' | 'AnnAssign' | 'AugAssign' }>;

/** Assignments to a name or attribute in a loop. */
function advancesOf(loop: Node, name: string): Store[] {
  const out: Store[] = [];
  for (const n of nodesBelow([loop])) {
    if (n.kind === 'Assign') {
      if (n.targets.some((t) => dottedName(t) === name)) out.push(n);
    } else if ((n.kind === 'AugAssign' || n.kind === 'AnnAssign') && dottedName(n.target) === name) out.push(n);
  }
  return out;
}

function enclosingLoop(node: Node): Node | null {
  for (let n = node.parent; n && n.kind !== 'FunctionDef'; n = n.parent)
    if (n.kind === 'While' || n.kind === 'For') return n;
  return null;
}
