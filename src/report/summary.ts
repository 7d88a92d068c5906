/** The one-sentence summary of a check run, for formats without colours. */
import type { CheckResult, Severity } from '../model/index.ts';
import { plural } from '../model/plural.ts';

export const WORST_FIRST: readonly Severity[] = ['error', 'warning', 'note'];

/** `29 errors, 2 notes`; `no findings`. */
export function countsText({ summary }: CheckResult): string {
  const counts = [
    summary.errors > 0 ? plural(summary.errors, 'error') : '',
    summary.warnings > 0 ? plural(summary.warnings, 'warning') : '',
    summary.notes > 0 ? plural(summary.notes, 'note') : '',
  ].filter(Boolean);
  return counts.length > 0 ? counts.join(', ') : 'no findings';
}

/** `31 spawn sites in 45 files (2 suppressed, 5 in the baseline)`. */
export function scopeText({ summary, staleBaseline }: CheckResult): string {
  const hidden = [
    summary.suppressed > 0 ? `${summary.suppressed} suppressed` : '',
    summary.baselined > 0 ? `${summary.baselined} in the baseline` : '',
    staleBaseline.length > 0 ? plural(staleBaseline.length, 'stale baseline entry', 'stale baseline entries') : '',
  ].filter(Boolean);
  const rest = hidden.length > 0 ? ` (${hidden.join(', ')})` : '';
  return `${plural(summary.sites, 'spawn site')} in ${plural(summary.files, 'file')}${rest}`;
}

/** Files that no finding speaks of, because `syntax-error` did not run. */
export function unreported({ errors, findings }: CheckResult): CheckResult['errors'] {
  const told = new Set(findings.filter(({ rule }) => rule === 'syntax-error').map(({ range }) => range.file));
  return errors.filter(({ file }) => !told.has(file));
}
