import type { Analysis } from '../model/index.ts';
import { printable } from '../report/escape.ts';
import type { Run } from './define.ts';

/** Says which files could not be analysed; the exit code that follows from it. */
export function reportErrors(analysis: Analysis, run: Run): number {
  for (const e of analysis.errors)
    run.streams.trouble(`${printable(e.file)}:${e.line}:${e.column}: ${printable(e.message)}\n`);
  return analysis.errors.length ? 2 : 0;
}
