import { tail } from '../../model/identifier.ts';
import type {
  AcceptanceItem,
  AcceptanceStatus,
  Catalogue,
  LoopStatus,
  Milestone,
  MilestoneStatus,
  Missing,
  Policy,
  Reconciliation,
  Titles,
} from '../../model/index.ts';
import { grouped } from './loops.ts';

/** What was found out beside the loops. */
export interface StatusContext {
  /** Where the transitional label still stands: manifests, Helm values, compose and `.env` files. */
  labelHits: readonly { file: string; line: number }[];
  /** Where the project's logging reads the context variable; null when nowhere. */
  logging: { file: string; line: number } | null;
  /** Whether a test has seen the stale alert fire; null when not known. */
  alertTested: boolean | null;
}

interface Measuring extends StatusContext {
  loops: LoopStatus[];
  policy: Policy;
  catalogue: Catalogue | null;
  reconciliation: Reconciliation;
}

export function titles(rule: { title: string; 'zh-TW'?: { title?: string } }): Titles {
  return { en: rule.title, 'zh-TW': rule['zh-TW']?.title ?? rule.title };
}

interface Measured {
  done: number;
  total: number;
  /** False when it asks something of loops, and there is no such loop. */
  applies?: boolean;
  missing: Missing[];
}

function missing(loop: LoopStatus, why: string): Missing {
  const number = loop.number === null ? '' : ` (#${loop.number})`;
  return { what: `${loop.name}${number}`, why, file: loop.file, line: loop.line };
}

/** Those loops for which `lack` gives no reason are done. */
function each(loops: LoopStatus[], lack: (loop: LoopStatus) => string | null): Measured {
  const lacking = loops.flatMap((loop) => {
    const why = lack(loop);
    return why === null ? [] : [missing(loop, why)];
  });
  return {
    done: loops.length - lacking.length,
    total: loops.length,
    applies: loops.length > 0,
    missing: lacking,
  };
}

function carries(projectId: string) {
  return (loop: LoopStatus): string | null => {
    if (loop.actual === projectId) return null;
    if (loop.tag === 'dynamic') return 'its project id is not known statically';
    return loop.actual === null ? 'carries no project id' : `carries ${loop.actual} instead of ${projectId}`;
  };
}

function tagged(loop: LoopStatus): string | null {
  if (loop.tag === 'untagged') return 'carries no project id';
  return loop.tag === 'wrong' ? `carries ${loop.actual} instead of ${loop.expected}` : null;
}

/** Work on none is what it asks for. */
function gone(loops: LoopStatus[], lack: (loop: LoopStatus) => string | null): Measured {
  return { ...each(loops, lack), applies: true };
}

function legacyZero({ loops }: Measuring): Measured {
  return gone(loops, (loop) => (loop.legacy ? `still marked ${loop.marker}` : null));
}

/** Loops of a class that the policy knows by name (planned, or by line) and the code does not start. */
function absent({ policy, loops }: Measuring, loopClass: string): Missing[] {
  const there = new Set(loops.flatMap((l) => [l.name, tail(l.name)]));
  return policy.named.flatMap((named): Missing[] => {
    if (named.class !== loopClass || there.has(named.name) || (named.phase === null && named.line === null)) return [];
    const why = named.phase === null ? 'not found in the code' : `not in the code yet (${named.phase})`;
    return [{ what: named.name, why, file: null, line: null }];
  });
}

function measureMilestone(work: Measuring, { test }: Milestone): Measured {
  const { loops } = work;
  switch (test.kind) {
    case 'class-tagged': {
      const found = each(
        loops.filter((l) => l.class === test.class),
        carries(test.projectId),
      );
      const planned = absent(work, test.class);
      const total = found.total + planned.length;
      return { done: found.done, total, applies: total > 0, missing: [...found.missing, ...planned] };
    }
    case 'legacy-zero':
      return legacyZero(work);
    case 'class-empty':
      return gone(
        loops.filter((l) => l.class === test.class),
        () => `still one for all, class ${test.class}`,
      );
    case 'label-removed': {
      const hits = work.labelHits.map(({ file, line }) => ({
        what: work.policy.legacyLabel.env,
        why: 'still set',
        file,
        line,
      }));
      return { done: 0, total: hits.length, missing: hits };
    }
  }
}

export function milestoneStatus(work: Measuring, milestone: Milestone): MilestoneStatus {
  const measured = measureMilestone(work, milestone);
  const { expected } = milestone;
  const note =
    expected !== null && expected !== measured.total
      ? `${work.policy.name} counts on ${expected} loops, there are ${measured.total}`
      : null;
  const zh = milestone['zh-TW']?.target ?? milestone.target;
  return {
    id: milestone.id,
    titles: titles(milestone),
    targets: { en: milestone.target, 'zh-TW': zh },
    due: milestone.due,
    expected,
    applies: true,
    ...measured,
    met: measured.missing.length === 0,
    note,
  };
}

function listed({ catalogue, reconciliation }: Measuring): Measured {
  const rows = reconciliation.undecided.map(
    ({ entry }): Missing => ({
      what: entry.number === null ? `row on line ${entry.row}` : `row #${entry.number}`,
      why: 'undecided',
      file: catalogue?.file ?? null,
      line: entry.row,
    }),
  );
  const filling = new Set(reconciliation.undecided.map((u) => u.decision));
  // a loop is missing once, however many calls start it
  const unlisted = grouped(reconciliation.unlisted).filter((group) => !group.some((d) => filling.has(d)));
  const loops = unlisted.map(([first]): Missing => {
    const { target, site } = first!;
    const { file, line } = site.range;
    return { what: target?.name ?? site.argument, why: 'no row of the catalogue', file, line };
  });
  const total = grouped(reconciliation.decisions).length;
  const found = [...rows, ...loops];
  return { done: Math.max(0, total - found.length), total, missing: found };
}

function one(work: Measuring, name: string, lack: (loop: LoopStatus) => string | null): Measured {
  const loop = work.loops.find((l) => l.name === name || tail(l.name) === name);
  if (loop) return each([loop], lack);
  return { done: 0, total: 1, missing: [{ what: name, why: 'not found in the code', file: null, line: null }] };
}

const traced = (loop: LoopStatus) => (loop.traceId ? null : 'sets no trace id');

function measureItem(work: Measuring, { test }: AcceptanceItem): Measured {
  const { loops } = work;
  switch (test.kind) {
    case 'undecided-resolved':
      return listed(work);
    case 'all-tagged':
      return each(loops, tagged);
    case 'marker-tagged':
      return each(
        loops.filter((l) => l.marker === test.marker),
        carries(test.projectId),
      );
    case 'trace-id':
      return one(work, test.name, traced);
    case 'project-and-trace':
      return one(work, test.name, (l) => [tagged(l), traced(l)].filter((why) => why !== null).join('; ') || null);
    case 'legacy-zero':
      return legacyZero(work);
    case 'heartbeat-all':
      return each(
        loops.filter((l) => l.lifecycle !== 'one-shot'),
        (l) => (l.heartbeat ? null : 'updates no gauge'),
      );
    case 'logs-show-project': {
      const found = each(loops, tagged);
      const logs = { what: 'logging', why: `nothing reads ${work.policy.contextVariable}`, file: null, line: null };
      return work.logging ? found : { ...found, done: 0, applies: true, missing: [logs, ...found.missing] };
    }
    case 'alert-tested': {
      const untested = { what: 'stale alert', why: 'no test has seen it fire', file: null, line: null };
      return { done: work.alertTested ? 1 : 0, total: 1, missing: work.alertTested === false ? [untested] : [] };
    }
  }
}

export function acceptanceStatus(work: Measuring, item: AcceptanceItem): AcceptanceStatus {
  const measured = measureItem(work, item);
  const unknown =
    (item.test.kind === 'undecided-resolved' && work.catalogue === null) ||
    (item.test.kind === 'alert-tested' && work.alertTested === null);
  const met = unknown ? null : measured.missing.length === 0;
  return { id: item.id, document: item.document, titles: titles(item), applies: true, ...measured, met };
}
