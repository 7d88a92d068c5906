/** Status values for the tests of the formats. */
import type { LoopStatus, Status, Titles } from '../../src/model/index.ts';
import type { StatusReport } from '../../src/report/status/index.ts';

export function titles(en: string, zh = `${en}（中）`): Titles {
  return { en, 'zh-TW': zh };
}

export function loop(number: number | null, name: string, over: Partial<LoopStatus> = {}): LoopStatus {
  return {
    number,
    name,
    file: 'apps/api/src/main.py',
    line: 300 + (number ?? 0) * 10,
    sites: [`src.main:lifespan:${name}`],
    class: 'B',
    priority: 'P2',
    marker: 'legacy_awoooi_default',
    batch: 'PR-10',
    expected: 'awoooi',
    actual: null,
    tag: 'untagged',
    legacy: true,
    lifecycle: 'loop',
    periodSeconds: 300,
    traceId: false,
    heartbeat: false,
    missing: ['project-id', 'heartbeat'],
    reasons: [`row ${number} of the catalogue`],
    ...over,
  };
}

const tagged: Partial<LoopStatus> = { tag: 'tagged', actual: 'awoooi', legacy: false, missing: [], heartbeat: true };

export function someLoops(): LoopStatus[] {
  return [
    loop(4, 'resend_stale_ready_tokens', { priority: 'P1', periodSeconds: 30 }),
    loop(16, 'run_daily_report_loop', { priority: 'P3', periodSeconds: 86_400 }),
    loop(17, 'run_approval_timeout_resolver', { priority: 'P0', periodSeconds: 30, traceId: true, ...tagged }),
    loop(1, 'seed_playbooks_from_rules', { priority: 'P3', lifecycle: 'one-shot', periodSeconds: null }),
    loop(27, 'run_ai_slo_watchdog_loop', {
      ...tagged,
      class: 'A',
      priority: null,
      actual: '__platform__',
      batch: null,
    }),
    loop(null, 'run_unlisted', { class: null, priority: null, marker: null, periodSeconds: null, missing: ['row'] }),
  ];
}

const ITEM = { done: 0, total: 0, applies: true, missing: [] };

export function statusOf(loops: LoopStatus[], over: Partial<Status> = {}): Status {
  const done = loops.filter((l) => l.tag === 'tagged').length;
  const cells = new Map<string, Status['matrix'][number]>();
  for (const l of loops) {
    const cell = cells.get(`${l.class} ${l.priority}`) ?? { class: l.class, priority: l.priority, total: 0, tagged: 0 };
    cell.total += 1;
    if (l.tag === 'tagged') cell.tagged += 1;
    cells.set(`${l.class} ${l.priority}`, cell);
  }
  return {
    policy: { name: 'awoooi', title: 'ADR-123' },
    catalogue: 'docs/INV-8.md',
    complete: true,
    totals: {
      loops: loops.length,
      tagged: done,
      untagged: loops.length - done,
      wrong: 0,
      dynamic: 0,
      legacy: loops.filter((l) => l.legacy).length,
      undecided: 0,
      unlisted: loops.filter((l) => l.number === null).length,
      vanished: 0,
      traceId: loops.filter((l) => l.traceId).length,
      heartbeat: loops.filter((l) => l.heartbeat).length,
    },
    loops,
    classes: [],
    priorities: [],
    markers: [],
    batches: [],
    matrix: [...cells.values()],
    milestones: [
      {
        id: 'class-b',
        titles: titles('every class B loop runs as awoooi', '分類 B 全部標記 awoooi'),
        targets: titles('end of Phase 2', 'Phase 2 完成'),
        due: '2026-12-31',
        expected: 27,
        done,
        total: loops.length,
        met: false,
        applies: true,
        missing: loops
          .filter((l) => l.tag !== 'tagged')
          .map((l) => ({ what: `\`${l.name}\``, why: 'runs without a project id', file: l.file, line: l.line })),
        note: 'the policy counts 27',
      },
    ],
    acceptance: [
      { ...ITEM, id: 'a', document: 'INV-8', titles: titles('all listed'), met: true, done: 1, total: 1 },
      { ...ITEM, id: 'b', document: 'ADR-123', titles: titles('the alert was seen'), met: null },
    ],
    ...over,
  };
}

export const HISTORY = [
  { commit: 'a1b2c3d4e5f6', date: '2026-05-03T10:00:00+08:00', untagged: 31, legacy: 29, total: 31 },
  { commit: 'b1b2c3d4e5f6', date: '2026-05-20T10:00:00+08:00', untagged: 20, legacy: 20, total: 31 },
  { commit: 'c1b2c3d4e5f6', date: '2026-06-10T10:00:00+08:00', untagged: 4, legacy: 5, total: 31 },
];

export function report(over: Partial<StatusReport> = {}): StatusReport {
  return {
    status: statusOf(someLoops()),
    history: HISTORY,
    forecast: { date: '2026-07-01', perWeek: 4.25 },
    evidence: {
      'src.main:lifespan:run_approval_timeout_resolver': [
        {
          fact: 'tag',
          file: 'apps/api/src/main.py',
          line: 470,
          text: '_run_with_context(run_approval_timeout_resolver(), "awoooi")',
        },
      ],
    },
    asOf: { date: '2026-06-10', commit: 'c1b2c3d4e5f6' },
    ...over,
  };
}

/** Everything that a repository could put into a name to get out of it. */
export const HOSTILE = `</script><script>window.pwned=1</script><img src=x onerror="window.pwned=1">"'\`\${1}&amp;\u2028\u2029\u202e\u0000]]>-->`;

export function hostileReport(): StatusReport {
  const l = loop(1, HOSTILE, {
    file: HOSTILE,
    sites: [HOSTILE],
    class: HOSTILE as 'A',
    priority: HOSTILE,
    marker: HOSTILE,
    batch: HOSTILE,
    expected: HOSTILE,
    actual: HOSTILE,
    reasons: [HOSTILE],
  });
  const status = statusOf([l], { policy: { name: HOSTILE, title: HOSTILE }, catalogue: HOSTILE });
  status.milestones[0] = {
    ...status.milestones[0]!,
    titles: titles(HOSTILE, HOSTILE),
    targets: titles(HOSTILE, HOSTILE),
    due: HOSTILE,
    note: HOSTILE,
    missing: [{ what: HOSTILE, why: HOSTILE, file: HOSTILE, line: 1 }],
  };
  status.acceptance[0] = { ...status.acceptance[0]!, document: HOSTILE, titles: titles(HOSTILE, HOSTILE) };
  return {
    status,
    history: [{ commit: HOSTILE, date: '2026-05-03', untagged: 1, legacy: 1, total: 1 }],
    forecast: { date: '2026-07-01', perWeek: 1 },
    evidence: { [HOSTILE]: [{ fact: HOSTILE, file: HOSTILE, line: 1, text: HOSTILE }] },
    asOf: { date: HOSTILE, commit: HOSTILE },
  };
}
