import type { Edit } from './edit.ts';
import type { Range } from './location.ts';
import type { FileError } from './site.ts';

export type Severity = 'error' | 'warning' | 'note';
export type SeveritySetting = Severity | 'off';

/** Something about the user's code. */
export interface Finding {
  /** Rule id, `untagged-loop`. */
  rule: string;
  /** Stable code, `LT001`. */
  code: string;
  severity: Severity;
  message: string;
  range: Range;
  /** Id of the spawn site it speaks of; null for others. */
  site: string | null;
  /** More places that explain it. */
  related: { message: string; range: Range }[];
  fix: Fix | null;
  /**
   * What it speaks of, without line numbers: key of the baseline and of fingerprints together with the rule.
   * Absent: the site's id, else the file.
   */
  identity?: string;
  /** Whether `migrate` or `catalog sync` mends this one. Absent: as the rule says. */
  fixable?: boolean;
}

/** Edits that go together. */
export interface Fix {
  title: string;
  safe: boolean;
  edits: Edit[];
}

/** Trouble of the run itself. */
export interface Diagnostic {
  level: 'error' | 'warning' | 'info';
  message: string;
  file?: string;
  line?: number;
  column?: number;
  remedy?: string;
}

export interface Rule {
  id: string;
  code: string;
  severity: SeveritySetting;
  summary: string;
  fixable: boolean;
  docUrl: string;
  /** One line: how to mend what it reports. */
  remedy?: string;
}

export interface CheckSummary {
  files: number;
  sites: number;
  errors: number;
  warnings: number;
  notes: number;
  suppressed: number;
  baselined: number;
  fixable: number;
  /** Baseline entries that match nothing any more. */
  staleBaseline?: number;
}

/** One accepted finding of a baseline file. */
export interface BaselineEntry {
  rule: string;
  identity: string;
  /** 1-based line in the baseline file. */
  line: number;
}

/** A loop that the checks looked at, for reports that list what passed too. */
export interface CheckedLoop {
  site: string;
  name: string;
  module: string;
  range: Range;
}

/** What one run of the checks yields; formats turn it into text. */
export interface CheckResult {
  /** Sorted by file and position. */
  findings: Finding[];
  summary: CheckSummary;
  errors: FileError[];
  /** Every rule that ran, sorted by code, with the severity in force. */
  rules: Rule[];
  loops: CheckedLoop[];
  staleBaseline: BaselineEntry[];
}

/** What is wrong with a `# looptag:` comment; the wording is the rule's. */
export type DirectiveProblem = { range: Range } & (
  | { kind: 'unused'; rule: string }
  | { kind: 'unknown-rule'; rule: string; nearest: string | null }
  | { kind: 'unknown-key'; key: string; nearest: string | null }
  | { kind: 'bad-value'; key: string; value: string; expected: string }
  | { kind: 'malformed'; text: string }
  | { kind: 'expired'; rules: string[]; until: string }
  | { kind: 'bad-date'; value: string }
  | { kind: 'no-reason'; rules: string[] }
  | { kind: 'no-rules' }
);
