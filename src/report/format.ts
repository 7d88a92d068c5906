/** What a format is. Formats are pure: the same result and options yield the same text. */
import type { ChalkInstance } from 'chalk';
import type { Analysis, CheckResult, Reconciliation, SeveritySetting } from '../model/index.ts';

export interface ReportOptions {
  /** Its level decides whether there are colours; `new Chalk({ level: 0 })` for none. */
  chalk: ChalkInstance;
  /** Columns of the terminal. */
  width: number;
  /** Text of a file of the project, for code frames and fingerprints; null when it can't be read. */
  sourceOf(file: string): string | null;
  tool: { name: string; version: string; url?: string };
  /** Findings at or above it make the run fail. */
  failOn: SeveritySetting;
  verbose: boolean;
}

/** What `inventory` reports. */
export interface InventoryReport {
  analysis: Analysis;
  /** null without a catalogue. */
  reconciliation: Reconciliation | null;
  /** As shown to the user; `.` when it is the current folder. */
  root: string;
  /** `2/5` when it speaks of a part of the files. */
  shard?: string;
}

/** One output format; what it does not know how to show, it leaves out. */
export interface Format {
  name: string;
  summary: string;
  check?(result: CheckResult, options: ReportOptions): string;
  inventory?(report: InventoryReport, options: ReportOptions): string;
}

export function defineFormat<F extends Format>(format: F): F {
  return format;
}
