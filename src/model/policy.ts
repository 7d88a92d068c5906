import type { LoopClass } from './catalogue.ts';

/** A migration policy: what ADR-123 says, as data. */
export interface Policy {
  name: string;
  title: string;
  /** Where it was read, for messages. */
  source: string;
  markers: Record<string, MarkerRule>;
  classes: Record<LoopClass, ClassRule>;
  /** First match wins, for class, marker and priority each by itself. */
  suggestions: SuggestionRule[];
  priorities: PriorityRule[];
  batches: Record<string, BatchRule>;
  milestones: Milestone[];
  acceptance: AcceptanceItem[];
  contextVariable: string;
  traceVariable: string;
  traceGenerator: string;
  helper: string;
  platformSession: { tenant: string[]; platform: string; module: string | null };
  legacyLabel: { variable: string; env: string; value: string };
  heartbeat: { metric: string; variable: string; labels: string[]; documentation: string };
  alerts: {
    factor: number;
    floorSeconds: number;
    /** The single threshold of the original document, to warn about. */
    documentedThresholdSeconds: number | null;
    severityByPriority: Record<string, string>;
    runbook: string | null;
  };
  /** Loops that the policy names itself, with their class. */
  named: {
    name: string;
    class: LoopClass;
    line: number | null;
    documentLine?: number;
    phase: string | null;
    note: string;
    /** The priority that the policy's document gives it. */
    priority?: string;
  }[];
}

/** The same words for a reader of Traditional Chinese. */
interface Translated {
  'zh-TW'?: { title?: string; phase?: string; because?: string; description?: string; target?: string };
}

interface MarkerRule extends Translated {
  projectId: string | null;
  class: LoopClass | null;
  /** A transitional marker: its loops are what the road to zero counts. */
  legacy: boolean;
  aliases: string[];
  description: string;
}

interface ClassRule extends Translated {
  title: string;
  projectId: string | null;
  marker: string;
}

/** All conditions given must hold. */
export interface SuggestionRule extends Translated {
  when: {
    /** Regular expressions on the function's name and the dotted module. */
    name?: string;
    module?: string;
    lifecycle?: 'loop' | 'one-shot';
    minPeriodSeconds?: number;
    maxPeriodSeconds?: number;
    /** A called name contains this text. */
    touches?: string[];
  };
  class?: LoopClass;
  marker?: string;
  priority?: string;
  because: string;
}

interface PriorityRule extends Translated {
  id: string;
  title: string;
  phase: string;
  traceId: boolean;
}

export interface BatchRule extends Translated {
  title: string;
  priorities?: string[];
  classes?: LoopClass[];
}

type MilestoneTest =
  | { kind: 'class-tagged'; class: LoopClass; projectId: string }
  | { kind: 'legacy-zero' }
  | { kind: 'class-empty'; class: LoopClass }
  | { kind: 'label-removed' };

export interface Milestone extends Translated {
  id: string;
  title: string;
  target: string;
  /** ISO date when it is known. */
  due: string | null;
  expected: number | null;
  test: MilestoneTest;
  /** Regular expression that finds its line in the policy's document. */
  match?: string;
}

type AcceptanceTest =
  | { kind: 'undecided-resolved' }
  | { kind: 'all-tagged' }
  | { kind: 'marker-tagged'; marker: string; projectId: string }
  | { kind: 'trace-id'; name: string }
  | { kind: 'project-and-trace'; name: string }
  | { kind: 'legacy-zero' }
  | { kind: 'heartbeat-all' }
  | { kind: 'logs-show-project' }
  | { kind: 'alert-tested' };

export interface AcceptanceItem extends Translated {
  id: string;
  document: string;
  title: string;
  test: AcceptanceTest;
  /** Regular expression that finds its box (`- [ ] …`) in the document. */
  match?: string;
}
