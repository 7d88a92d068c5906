/** Small whole values of the data model for tests that need no Python source. */
import type { CheckInput } from '../../src/engine/contracts.ts';
import type {
  Analysis,
  Catalogue,
  Decision,
  Entry,
  LoopFacts,
  Policy,
  Reconciliation,
  SpawnSite,
  Tag,
  Target,
} from '../../src/model/index.ts';
import { emptyFacts } from '../../src/sites/facts-shape.ts';

export function facts(over: Partial<LoopFacts> = {}): LoopFacts {
  return emptyFacts({ lifecycle: 'loop', periodSeconds: 300, diesOnException: false, ...over });
}

export function target(name: string, over: Partial<Target> = {}): Target {
  return {
    name,
    qualifiedName: `src.jobs.${name}`,
    file: `apps/api/src/jobs/${name}.py`,
    line: 10,
    facts: facts(),
    tag: null,
    traceId: false,
    ...over,
  };
}

export function site(name: string, line: number, over: Partial<SpawnSite> = {}): SpawnSite {
  const file = over.range?.file ?? 'apps/api/src/main.py';
  const text = `asyncio.create_task(${name}())`;
  return {
    id: `src.main:lifespan:${name}`,
    module: 'src.main',
    range: {
      file,
      line,
      column: 9,
      endLine: line,
      endColumn: 9 + text.length,
      start: line * 100,
      end: line * 100 + text.length,
    },
    api: 'asyncio.create_task',
    takes: 'coroutine',
    enclosing: 'lifespan',
    argument: `${name}()`,
    argumentExtent: { start: line * 100 + 20, end: line * 100 + text.length - 1 },
    targets: [target(name)],
    unresolved: null,
    certainty: 'proven',
    shape: {
      use: 'dropped',
      statement: { start: line * 100, end: line * 100 + text.length },
      fstringQuotes: [],
      lastArgumentEnd: line * 100 + text.length - 1,
      contextArgument: null,
      nameArgument: null,
      path: 'startup',
      refusal: null,
      wrapExtents: [],
      starred: false,
      ineffective: null,
    },
    evidence: [],
    ...over,
  };
}

export function analysis(sites: SpawnSite[], over: Partial<Analysis> = {}): Analysis {
  const files = [...new Set(sites.map((s) => s.range.file))].sort();
  const grepHits = sites
    .filter((s) => s.api === 'asyncio.create_task')
    .map((s) => ({ file: s.range.file, line: s.range.line }));
  return {
    files,
    parsed: files.length,
    sites,
    mentions: [],
    scheduled: [],
    entries: [],
    errors: [],
    contextVariables: [],
    helpers: [],
    grepLines: grepHits.length,
    grepHits,
    ...over,
  };
}

/** A row of a catalogue. Cells are absent: their findings point at the row. */
export function entry(number: number | null, name: string | null, over: Partial<Entry> = {}): Entry {
  return {
    number,
    name,
    line: null,
    lineText: '',
    frequency: { text: '每 5min', seconds: 300, kind: 'periodic' },
    marker: 'legacy_awoooi_default',
    priority: 'P2',
    priorityText: 'P2',
    remark: '',
    struck: false,
    row: number ?? 1,
    cells: {},
    ...over,
  };
}

/** A catalogue around rows; its text is one line a row. */
export function catalogue(entries: Entry[], over: Partial<Catalogue> = {}): Catalogue {
  const rows = Math.max(0, ...entries.map(({ row }) => row));
  const byRow = new Map(entries.map((e) => [e.row, e]));
  const lines = Array.from({ length: rows }, (_, i) => {
    const found = byRow.get(i + 1);
    return found ? `| ${found.number ?? ''} | ${found.name ?? '（需確認）'} | ${found.lineText} |` : '';
  });
  return {
    file: 'docs/INV-8.md',
    text: `${lines.join('\n')}\n`,
    entries,
    problems: [],
    sourceFile: 'apps/api/src/main.py',
    language: 'zh-TW',
    ...over,
  };
}

/** A loop of class B that must carry `awoooi`, for the site's first coroutine unless another is given. */
export function decision(site: SpawnSite, over: Partial<Decision> = {}): Decision {
  return {
    site,
    target: site.targets[0] ?? null,
    entry: null,
    matchedBy: null,
    marker: null,
    class: 'B',
    priority: null,
    projectId: 'awoooi',
    required: true,
    batch: null,
    reasons: [],
    ...over,
  };
}

export function reconciliation(decisions: Decision[], over: Partial<Reconciliation> = {}): Reconciliation {
  return { decisions, stale: [], unseen: [], dynamic: [], unlisted: [], undecided: [], verdict: '', ...over };
}

export function tag(projectId: string | null, over: Partial<Tag> = {}): Tag {
  return { projectId, via: 'wrapper', file: 'apps/api/src/main.py', line: 1, ...over };
}

/** A policy in the shape of ADR-123. */
export function policy(over: Partial<Policy> = {}): Policy {
  return {
    name: 'test',
    title: 'ADR-123',
    source: 'test',
    markers: {
      platform_internal: { projectId: '__platform__', class: 'A', legacy: false, aliases: [], description: '' },
      legacy_awoooi_default: { projectId: 'awoooi', class: 'B', legacy: true, aliases: [], description: '' },
      requires_project_id: { projectId: null, class: null, legacy: false, aliases: [], description: '' },
    },
    classes: {
      A: { title: 'platform', projectId: '__platform__', marker: 'platform_internal' },
      B: { title: 'tenant', projectId: 'awoooi', marker: 'legacy_awoooi_default' },
      C: { title: 'per tenant', projectId: null, marker: 'requires_project_id' },
    },
    suggestions: [],
    priorities: [
      { id: 'P0', title: 'at once', phase: '', traceId: true },
      { id: 'P2', title: 'phase 2', phase: '', traceId: false },
    ],
    batches: {},
    milestones: [
      { id: 'zero', title: 'no legacy loop', target: '', due: null, expected: null, test: { kind: 'legacy-zero' } },
    ],
    acceptance: [],
    contextVariable: 'project_id_ctx_var',
    traceVariable: 'trace_id_ctx_var',
    traceGenerator: 'generate_trace_id',
    helper: '_run_with_context',
    platformSession: { tenant: ['get_db_session'], platform: 'get_platform_db_session', module: null },
    legacyLabel: { variable: 'LOOP_PROJECT_ID', env: 'LOOP_PROJECT_ID', value: 'legacy_awoooi_default' },
    heartbeat: {
      metric: 'awooop_background_loop_last_run_timestamp',
      variable: 'LOOP_LAST_RUN',
      labels: [],
      documentation: '',
    },
    alerts: { factor: 2, floorSeconds: 60, documentedThresholdSeconds: 300, severityByPriority: {}, runbook: null },
    named: [],
    ...over,
  };
}

/** What a check looks at. Text of files by path; the catalogue's own text is found under its name. */
export function checkInput(over: Partial<CheckInput> & { files?: Record<string, string> } = {}): CheckInput {
  const { files = {}, ...rest } = over;
  const decisions = rest.reconciliation?.decisions ?? [];
  return {
    analysis: analysis([...new Set(decisions.map((d) => d.site))]),
    catalogue: null,
    reconciliation: reconciliation([]),
    policy: policy(),
    today: '2026-05-03',
    logging: { file: 'apps/api/src/core/log_setup.py', line: 1 },
    sourceOf: (file) => files[file] ?? (file === rest.catalogue?.file ? rest.catalogue.text : null),
    ...rest,
  };
}
