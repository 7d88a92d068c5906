import type {
  Analysis,
  Catalogue,
  LoopStatus,
  Policy,
  Reconciliation,
  Status,
  StatusGroup,
} from '../../model/index.ts';
import { byKey } from '../../model/order.ts';
import { inBatch, lookup } from '../reconcile/classify.ts';
import { loopsOf } from './loops.ts';
import { acceptanceStatus, milestoneStatus, type StatusContext, titles } from './measure.ts';

const isTagged = (loop: LoopStatus) => loop.tag === 'tagged' || loop.tag === 'dynamic';

function group(id: string, rule: { title: string; 'zh-TW'?: { title?: string } }, loops: LoopStatus[]): StatusGroup {
  return {
    id,
    titles: titles(rule),
    total: loops.length,
    tagged: loops.filter(isTagged).length,
    untagged: loops.filter((l) => !isTagged(l)).map((l) => l.name),
  };
}

/** Groups by a key, in the policy's order; loops without a known one come last under `-`. */
function groups(
  loops: LoopStatus[],
  rules: [string, { title: string; 'zh-TW'?: { title?: string } }][],
  key: (loop: LoopStatus) => string | null,
): StatusGroup[] {
  const known = new Set(rules.map(([id]) => id));
  const rest = loops.filter((l) => !known.has(key(l) ?? ''));
  return [
    ...rules.map(([id, rule]) =>
      group(
        id,
        rule,
        loops.filter((l) => key(l) === id),
      ),
    ),
    ...(rest.length > 0 ? [group('-', { title: 'none', 'zh-TW': { title: '無' } }, rest)] : []),
  ];
}

function matrix(loops: LoopStatus[]): Status['matrix'] {
  const cells = new Map<string, Status['matrix'][number]>();
  for (const loop of loops) {
    const key = `${loop.class ?? '~'} ${loop.priority ?? '~'}`;
    const cell = cells.get(key) ?? { class: loop.class, priority: loop.priority, total: 0, tagged: 0 };
    cells.set(key, { ...cell, total: cell.total + 1, tagged: cell.tagged + Number(isTagged(loop)) });
  }
  return [...cells].sort(byKey).map(([, cell]) => cell);
}

/** Measures milestones and acceptance items, and says what each still lacks. */
export function statusReport(
  analysis: Analysis,
  reconciliation: Reconciliation,
  catalogue: Catalogue | null,
  policy: Policy,
  context: StatusContext,
): Status {
  const loops = loopsOf(reconciliation, catalogue, policy);
  const work = { ...context, loops, policy, catalogue, reconciliation };
  const count = (holds: (loop: LoopStatus) => boolean) => loops.filter(holds).length;
  return {
    policy: { name: policy.name, title: policy.title },
    catalogue: catalogue?.file ?? null,
    complete: analysis.errors.length === 0,
    totals: {
      loops: loops.length,
      tagged: count((l) => l.tag === 'tagged'),
      untagged: count((l) => l.tag === 'untagged'),
      wrong: count((l) => l.tag === 'wrong'),
      dynamic: count((l) => l.tag === 'dynamic'),
      legacy: count((l) => l.legacy),
      undecided: reconciliation.undecided.length,
      unlisted: catalogue === null ? 0 : reconciliation.unlisted.filter((d) => d.required).length,
      vanished: reconciliation.stale.length,
      traceId: count((l) => l.traceId),
      heartbeat: count((l) => l.heartbeat),
    },
    loops,
    classes: groups(loops, Object.entries(policy.classes), (l) => l.class),
    priorities: groups(
      loops,
      policy.priorities.map((p) => [p.id, p]),
      (l) => l.priority,
    ),
    markers: groups(
      loops,
      Object.keys(policy.markers).map((m) => [m, { title: lookup(policy.markers, m)?.description || m }]),
      (l) => l.marker,
    ),
    batches: Object.entries(policy.batches).map(([id, rule]) =>
      group(
        id,
        rule,
        loops.filter((l) => inBatch(rule, { ...l, required: true })),
      ),
    ),
    matrix: matrix(loops),
    milestones: policy.milestones.map((m) => milestoneStatus(work, m)),
    acceptance: policy.acceptance.map((a) => acceptanceStatus(work, a)),
  };
}
