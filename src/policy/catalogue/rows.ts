import { tail } from '../../model/identifier.ts';
import type { Catalogue, Decision, Entry, Policy, Reconciliation } from '../../model/index.ts';
import { formatFrequency, isOpen } from '../frequency.ts';
import { writeText } from '../markdown/cells.ts';
import { isNotApplicable } from '../reconcile/classify.ts';
import type { Draft } from './draft.ts';
import { frequencyDrift, provenPeriod } from './periods.ts';
import { syncLine } from './places.ts';
import { becauseOf, type CellStyle } from './style.ts';

/** What the synchronisation of rows works with. */
export interface RowWork {
  draft: Draft;
  catalogue: Catalogue;
  reconciliation: Reconciliation;
  policy: Policy;
  style: CellStyle;
  /** New rows say why without saying who added them: in a new catalogue all rows are new. */
  bareRemarks: boolean;
}

/** Corrects one row by its spawn: name, line, frequency; fills what waits for content. */
export function syncRow(work: RowWork, entry: Entry, decision: Decision, manyFiles: boolean): void {
  if (entry.struck) {
    const raw = entry.cells.function?.raw.replaceAll('~~', '') ?? '';
    work.draft.set(entry, 'function', raw, 'revive', 'the loop is in the code again');
  } else rename(work, entry, decision);
  syncLine(work, entry, decision, manyFiles);
  syncFrequency(work, entry, decision);
  fillOpen(work, entry, decision);
}

/** The name to write when the code's differs by more than an alias or a prefix of modules. */
function rename({ draft }: RowWork, entry: Entry, decision: Decision): void {
  const { name } = entry;
  const written = decision.target?.name;
  const cell = entry.cells.function;
  if (!name || !written || !cell || decision.matchedBy === 'enclosing') return;
  const qualified = decision.target?.qualifiedName ?? '';
  const same = [written, tail(written), qualified, tail(qualified)].includes(name) || qualified.endsWith(`.${name}`);
  if (same) return;
  const how =
    decision.matchedBy === 'rename'
      ? `renamed: \`${name}\` is gone, and \`${written}\` with a similar name stands near its line`
      : `the code calls it \`${written}\``;
  draft.set(
    entry,
    'function',
    cell.raw.replace(name, () => written),
    'rename',
    how,
  );
}

/** Fills an open frequency, and corrects one that the code refutes. A note in brackets stays. */
export function syncFrequency({ draft, catalogue, style }: RowWork, entry: Entry, decision: Decision): void {
  const cell = entry.cells.frequency;
  if (!cell) return;
  const { language } = catalogue;
  const source = decision.target?.facts.periodSource;
  const reason = source ? `read in code: ${source}` : 'read in code';
  if (isOpen(cell.text)) {
    const proven = provenPeriod(decision.target?.facts);
    if (proven === null) return;
    draft.set(entry, 'frequency', writeText(formatFrequency(proven, language, style.frequency)), 'fill', reason);
    return;
  }
  const drift = frequencyDrift(entry, decision);
  if (drift === null) return;
  const note = /\s*[（(][^()（）]*[)）]$/u.exec(cell.raw)?.[0] ?? '';
  const text = writeText(formatFrequency(drift, language, style.frequency));
  draft.set(entry, 'frequency', `${text}${note}`, 'frequency', reason);
}

/** Does the policy say anything of the loop's class or urgency? Else `N/A` would be a decision that nobody took. */
export const isJudged = (decision: Decision): boolean => decision.class !== null || decision.priority !== null;

/** Fills cells of a row that wait for their content; what a person wrote stays. */
export function fillOpen({ draft, policy, style, catalogue }: RowWork, entry: Entry, decision: Decision): void {
  const { marker, priority, projectId, class: loopClass } = entry.cells;
  const because = becauseOf(decision, policy, catalogue.language);
  if (marker && isOpen(marker.text) && decision.marker !== null) {
    draft.set(entry, 'marker', style.marker(decision.marker), 'fill', `suggested: ${because}`);
  }
  if (priority && isOpen(priority.text) && !isNotApplicable(entry) && isJudged(decision)) {
    draft.set(entry, 'priority', style.priority(decision.priority), 'fill', `suggested: ${because}`);
  }
  if (projectId && isOpen(projectId.text) && decision.projectId !== null) {
    draft.set(entry, 'projectId', style.marker(decision.projectId), 'fill', 'by its marker');
  }
  if (loopClass && isOpen(loopClass.text) && decision.class !== null) {
    draft.set(entry, 'class', decision.class, 'fill', because);
  }
}
