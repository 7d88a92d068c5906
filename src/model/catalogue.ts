import type { Extent } from './location.ts';
import type { SpawnSite, Target } from './site.ts';

export interface Frequency {
  /** The cell's text without mark-up. */
  text: string;
  /** null for once, unknown and unreadable. */
  seconds: number | null;
  kind: 'periodic' | 'once' | 'unknown';
}

/** One cell of a table row. */
export interface Cell {
  /** Between the pipes, padding included, as offsets into the document. */
  extent: Extent;
  /** Raw source without padding. */
  raw: string;
  /** Without back-ticks, emphasis delimiters and escapes. */
  text: string;
}

export type Column =
  | 'number'
  | 'function'
  /** The file that the line is of, where it has a column of its own. */
  | 'file'
  | 'line'
  | 'frequency'
  | 'marker'
  | 'priority'
  | 'remark'
  | 'projectId'
  | 'class';

/** One row of the catalogue. */
export interface Entry {
  number: number | null;
  /** Function name without parentheses and mark-up; null when undecided (「需確認」, TBD, ?). */
  name: string | null;
  line: number | null;
  /** The cell as written (`701+`). */
  lineText: string;
  frequency: Frequency;
  /** `platform_internal`, `legacy_awoooi_default`, `requires_project_id`, …; null when undecided. */
  marker: string | null;
  /** `P0` … `P3`, null when none (N/A) or undecided. */
  priority: string | null;
  priorityText: string;
  remark: string;
  /** Struck out (`~~name~~`): the loop is gone. */
  struck: boolean;
  /** 1-based line of the row in the document. */
  row: number;
  cells: Partial<Record<Column, Cell>>;
}

export interface CatalogueProblem {
  line: number;
  column: number;
  message: string;
  /** What to do. */
  remedy: string;
}

/** A Markdown catalogue, read. */
export interface Catalogue {
  file: string;
  text: string;
  entries: Entry[];
  /** Unreadable rows: short rows, duplicates, unknown markers. Each stops a run with exit 2. */
  problems: CatalogueProblem[];
  /** The file that the line numbers speak of, when the document names it (`apps/api/src/main.py`). */
  sourceFile: string | null;
  language: 'zh-TW' | 'en';
  /** Statements of the document that contradict each other, the policy or the code; they do not stop a run. */
  contradictions?: LintProblem[];
}

export type LoopClass = 'A' | 'B' | 'C';

/** One spawn site (and target), matched with its row and judged by the policy. */
export interface Decision {
  site: SpawnSite;
  target: Target | null;
  entry: Entry | null;
  matchedBy: 'name' | 'enclosing' | 'line' | 'hint' | 'rename' | null;
  marker: string | null;
  class: LoopClass | null;
  priority: string | null;
  /** What it should carry; null when it needs none (no background loop) or is undecided. */
  projectId: string | null;
  /** Whether the policy wants a tag on it at all. */
  required: boolean;
  batch: string | null;
  /** Why class, marker and priority are what they are. */
  reasons: string[];
}

export interface Reconciliation {
  decisions: Decision[];
  /** Rows whose loop is not found in the code. */
  stale: Entry[];
  /** Rows whose loop is not among the spawns, and may be in the code: in a file that was not read, in a call that is not proven. */
  unseen: Entry[];
  /** Of these, the ones that a spawn may start which does not say what it starts. */
  dynamic: { entry: Entry; site: SpawnSite }[];
  /** Sites that no row names. */
  unlisted: Decision[];
  /** Rows without a name, and the site that fills each. */
  undecided: { entry: Entry; decision: Decision | null }[];
  /** One sentence on the count: which loop the undecided row is, or why the count was what it was. */
  verdict: string;
}

/** One thing that `catalog sync` changes. */
export interface Change {
  kind:
    | 'fill' // a cell that waited for its content
    | 'add' // a row
    | 'line'
    | 'frequency'
    | 'rename'
    | 'strike'
    | 'revive'
    | 'prune'
    | 'count'
    | 'list'
    | 'tick';
  /** 1-based line in the document before the change. */
  line: number;
  /** Number of the catalogue's row, null elsewhere. */
  row: number | null;
  column: Column | null;
  before: string;
  after: string;
  reason: string;
}

/** A place in one of the documents that a contradiction speaks of. */
export interface LintPlace {
  file: string;
  line: number;
  message: string;
}

/** Two statements that cannot both hold. */
export interface LintProblem {
  code:
    | 'range-overlap'
    | 'priority-list'
    | 'count'
    | 'dangling-reference'
    | 'policy-loop-missing'
    | 'policy-class'
    | 'policy-priority'
    | 'policy-count'
    | 'deadline'
    | 'undecided'
    | 'unlisted'
    | 'vanished'
    | 'line-drift'
    | 'frequency-drift'
    | 'unreadable';
  message: string;
  file: string;
  line: number;
  column: number;
  /** The other side: always at least one place. */
  related: LintPlace[];
  remedy: string;
  /** `catalog sync` mends it. */
  fixable: boolean;
}
