import { tail } from '../../model/identifier.ts';
import type { Catalogue, Decision, Entry, Policy, Reconciliation } from '../../model/index.ts';
import { fileOfRow, listsFile, samePath } from '../../model/listed-line.ts';
import { formatFrequency, isOpen } from '../frequency.ts';
import { writeText } from '../markdown/cells.ts';
import { isNotApplicable } from '../reconcile/classify.ts';
import type { Draft } from './draft.ts';
import { frequencyDrift, provenPeriod } from './periods.ts';
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

/** A line cell: the number alone in the catalogue's own file, `file:line` elsewhere. */
export function lineCell(decision: Decision, catalogue: Catalogue, manyFiles: boolean): string {
  const { file, line } = decision.site.range;
  const own = catalogue.sourceFile === null ? !manyFiles : samePath(file, catalogue.sourceFile);
  return own ? String(line) : writeText(`${file}:${line}`);
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

function syncLine({ draft, catalogue }: RowWork, entry: Entry, decision: Decision, manyFiles: boolean): void {
  const { line, file } = decision.site.range;
  const cell = entry.cells.line;
  const path = fileOfRow(entry);
  const keepsPath = path !== null && samePath(file, path);
  const right = entry.line === line && listsFile(entry, file, catalogue.sourceFile);
  if (!cell || (right && !/\d\s*\+/.test(entry.lineText))) return;
  const reason = `spawned at ${file}:${line}`;
  const fresh = lineCell(decision, catalogue, manyFiles);
  const kept = keepsPath || (path === null && fresh === String(line)) ? otherLine(cell.raw, entry.line, line) : null;
  const inPath = () => cell.raw.replace(/([:#]\s*L?)\d+\+?/, (_m, before) => `${before}${line}`);
  const raw = kept ?? (keepsPath ? inPath() : fresh);
  draft.set(entry, 'line', raw, isOpen(cell.text) ? 'fill' : 'line', reason);
}

/** A cell with another line number, wherever it stands (`L84`, in a link); null where it says more than one line. */
function otherLine(raw: string, from: number | null, to: number): string | null {
  if (from === null || /\d\s*(?:\+|[-–—~〜,、]\s*\d)/.test(raw)) return null;
  // files, versions and commits have digits, too
  const number = new RegExp(`(?<=^|[^\\w./-]|(?<!\\w)(?:L|n|lines?-?))${from}(?![\\w/-]|\\.\\w)`, 'gi');
  return number.test(raw) ? raw.replace(number, String(to)) : null;
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
