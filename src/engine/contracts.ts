/** What a rule author writes against. Nothing here has behaviour beyond handing its argument back, typed. */
import type {
  Analysis,
  Catalogue,
  Decision,
  DirectiveProblem,
  Edit,
  Finding,
  Fix,
  NewFile,
  Policy,
  Range,
  Reconciliation,
  Refusal,
  SeveritySetting,
} from '../model/index.ts';

/** Everything a check may look at. Pure data: no tree, no disk. */
export interface CheckInput {
  analysis: Analysis;
  /** null without a catalogue. */
  catalogue: Catalogue | null;
  reconciliation: Reconciliation;
  policy: Policy;
  /** ISO date of the run, so that a check stays a pure function. */
  today: string;
  /** Does the project's logging read the context variable? Evidence, or null when nothing does. */
  logging: { file: string; line: number } | null;
  /** Text of an analysed file, for messages and suppression comments. */
  sourceOf(file: string): string | null;
  /** Troubles of `# looptag:` comments; only checks of the phase `directives` see them. */
  directiveProblems?: DirectiveProblem[];
}

export type RawFinding = Omit<Finding, 'rule' | 'code' | 'severity' | 'related' | 'fix'> &
  Partial<Pick<Finding, 'related' | 'fix' | 'severity'>>;

export interface CheckDefinition {
  id: string;
  /** `LT001`; never used again for another rule. */
  code: string;
  severity: SeveritySetting;
  /** One line for tables. */
  summary: string;
  /** Whether `migrate` or `catalog sync` mends it. */
  fixable: boolean;
  /** `directives`: runs after all others, when it is known what each suppression did. Absent: `code`. */
  phase?: 'code' | 'directives';
  /** Yields findings; must not throw on any analysis. */
  run(input: CheckInput): Iterable<RawFinding>;
}

export function defineCheck(check: CheckDefinition): CheckDefinition {
  return check;
}

/** One row of a spawn-API table. */
export interface SpawnApiRow {
  /** Qualified callee: `asyncio.create_task`, or an object kind and method: `LOOP.create_task`. */
  callee: string;
  /** Canonical name shown to users. */
  api: string;
  takes: 'coroutine' | 'callable';
  /** Index and keyword name of the argument that is spawned. */
  argument: { position: number; keyword: string };
  /** A task group or nursery that awaits what it starts. */
  structured?: boolean;
  /** Accepts `context=` (Python ≥ 3.11). */
  acceptsContext?: boolean;
  /** The callee starts nothing by itself: `scheduled` work. */
  scheduled?: boolean;
}

export interface SpawnApiDefinition {
  /** Library name, `asyncio`. */
  library: string;
  rows: SpawnApiRow[];
  /** Calls that yield an object kind: `asyncio.get_running_loop` → `LOOP`. */
  makers?: Record<string, string>;
  /** Types whose instances are an object kind: `asyncio.AbstractEventLoop` → `LOOP`. */
  types?: Record<string, string>;
}

export function defineSpawnApi(table: SpawnApiDefinition): SpawnApiDefinition {
  return table;
}

export interface CodemodInput<Layout> {
  decision: Decision;
  /** The id to carry. */
  projectId: string;
  trace: boolean;
  layout: Layout;
}

export type CodemodResult = { edits: Edit[]; fixes?: Fix[]; newFiles?: NewFile[] } | { refusal: Refusal };

export interface CodemodDefinition<Layout> {
  id: string;
  summary: string;
  safe: boolean;
  run(input: CodemodInput<Layout>): CodemodResult;
}

export function defineCodemod<Layout>(codemod: CodemodDefinition<Layout>): CodemodDefinition<Layout> {
  return codemod;
}

export type { Range };
