import type { Edit } from './edit.ts';
import type { Range } from './location.ts';

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
}
