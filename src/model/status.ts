import type { LoopClass } from './catalogue.ts';
import type { Lifecycle } from './site.ts';

/** Words for both languages; the English ones stand in where a policy has no others. */
export interface Titles {
  en: string;
  'zh-TW': string;
}

/** How far one background loop is. */
export interface LoopStatus {
  /** Number of its row, null without one. */
  number: number | null;
  name: string;
  /** Where it is spawned. */
  file: string;
  line: number;
  /** Ids of all its spawn sites. */
  sites: string[];
  class: LoopClass | null;
  priority: string | null;
  marker: string | null;
  batch: string | null;
  /** The project id that it should carry. */
  expected: string | null;
  /** The one it carries; null when none, or when it is not known statically (`tag: 'dynamic'`). */
  actual: string | null;
  tag: 'tagged' | 'wrong' | 'dynamic' | 'untagged';
  /** Still on the road to zero: its marker is transitional, or it runs under the transitional label. */
  legacy: boolean;
  lifecycle: Lifecycle;
  periodSeconds: number | null;
  traceId: boolean;
  heartbeat: boolean;
  missing: ('row' | 'project-id' | 'wrong-project-id' | 'trace-id' | 'heartbeat')[];
  /** Why class, marker and priority are what they are. */
  reasons: string[];
}

/** One thing that keeps a milestone or an acceptance item from being met. */
export interface Missing {
  /** `run_x` (#17), a row, a file. */
  what: string;
  why: string;
  file: string | null;
  line: number | null;
}

export interface StatusGroup {
  /** Class, priority, marker or batch; `-` collects what has none. */
  id: string;
  titles: Titles;
  total: number;
  tagged: number;
  /** Names of the loops that lack the right tag. */
  untagged: string[];
}

export interface MilestoneStatus {
  id: string;
  titles: Titles;
  targets: Titles;
  due: string | null;
  /** Loops that the policy counted on, and what there is. */
  expected: number | null;
  done: number;
  total: number;
  met: boolean;
  /** False when it asks something of loops, and there is no such loop: met, and nobody's work. */
  applies: boolean;
  missing: Missing[];
  /** The code and the policy's count differ. */
  note: string | null;
}

export interface AcceptanceStatus {
  id: string;
  document: string;
  titles: Titles;
  /** null: cannot be measured from what was given. */
  met: boolean | null;
  done: number;
  total: number;
  /** As of a milestone. */
  applies: boolean;
  missing: Missing[];
}

/** Where a migration stands. */
export interface Status {
  policy: { name: string; title: string };
  catalogue: string | null;
  /** False when a file could not be analysed: counts are then lower bounds. */
  complete: boolean;
  totals: {
    loops: number;
    tagged: number;
    untagged: number;
    wrong: number;
    dynamic: number;
    legacy: number;
    undecided: number;
    unlisted: number;
    vanished: number;
    traceId: number;
    heartbeat: number;
  };
  /** By row number, then by place. */
  loops: LoopStatus[];
  classes: StatusGroup[];
  priorities: StatusGroup[];
  markers: StatusGroup[];
  batches: StatusGroup[];
  /** Cells with at least one loop. */
  matrix: { class: LoopClass | null; priority: string | null; total: number; tagged: number }[];
  milestones: MilestoneStatus[];
  acceptance: AcceptanceStatus[];
}
