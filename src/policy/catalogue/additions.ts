import { calleeOf, isName } from '../../model/identifier.ts';
import type { Column, Decision, Entry } from '../../model/index.ts';
import { samePath } from '../../model/listed-line.ts';
import { byStart } from '../../model/order.ts';
import { formatFrequency, isOpen } from '../frequency.ts';
import { writeCode, writeText } from '../markdown/cells.ts';
import { provenPeriod } from './periods.ts';
import { placeCells } from './places.ts';
import { fillOpen, isJudged, type RowWork, syncFrequency } from './rows.ts';
import { becauseOf } from './style.ts';

/** A loop that gets a row, and the name it gets there. */
export interface Addition {
  decision: Decision;
  name: string;
}

function writtenName(decision: Decision): string | null {
  const written = decision.target?.name ?? calleeOf(decision.site);
  return written !== null && isName(written) ? written : null;
}

/** Whether the part before the dot says something only where it stands: `self.run`, `worker.run` of a variable. */
function isLocal(written: string, qualified: string): boolean {
  return written.includes('.') && !`.${qualified}`.endsWith(`.${written}`);
}

/** The shortest name that tells a loop from others written alike: `run`, else `Worker.run`, … */
function distinctName(decision: Decision, others: Decision[]): string | null {
  const written = writtenName(decision);
  const qualified = decision.target?.qualifiedName;
  if (!written || !qualified) return written;
  const rivals = others.filter(
    (o) => writtenName(o) === written && o.target?.qualifiedName && o.target.qualifiedName !== qualified,
  );
  if (rivals.length === 0 && !isLocal(written, qualified)) return written;
  const parts = qualified.split('.');
  for (let take = 2; take <= parts.length; take++) {
    const name = parts.slice(-take).join('.');
    if (!rivals.some((r) => `.${r.target?.qualifiedName}`.endsWith(`.${name}`))) return name;
  }
  return qualified;
}

/** Loops without a row, one each by name: those that fill an undecided row, then by file, the catalogue's own first. */
export function additions(work: RowWork, candidates: Decision[]): Addition[] {
  const { catalogue } = work;
  const filling = new Set(work.reconciliation.undecided.map((u) => u.decision));
  const taken = new Set(catalogue.entries.flatMap((e) => (e.name === null || e.struck ? [] : [e.name])));
  const own = (d: Decision) => catalogue.sourceFile !== null && samePath(d.site.range.file, catalogue.sourceFile);
  const sorted = [...candidates].sort(
    (a, b) =>
      Number(filling.has(b)) - Number(filling.has(a)) ||
      Number(own(b)) - Number(own(a)) ||
      byStart(a.site.range, b.site.range),
  );
  return sorted.flatMap((decision) => {
    const name = distinctName(decision, work.reconciliation.decisions);
    if (name === null || taken.has(name)) return [];
    taken.add(name);
    return [{ decision, name }];
  });
}

/** Contents of a new row, by column. */
export function newRow(
  work: RowWork,
  addition: Addition,
  number: number,
  manyFiles: boolean,
): Partial<Record<Column, string>> {
  const { catalogue, policy, style } = work;
  const { decision, name } = addition;
  const { language } = catalogue;
  const proven = provenPeriod(decision.target?.facts);
  const because = becauseOf(decision, policy, language);
  return {
    number: String(number),
    function: style.name(name),
    ...placeCells(work, decision, manyFiles),
    frequency: proven === null ? style.unknown : writeText(formatFrequency(proven, language, style.frequency)),
    marker: decision.marker === null ? style.unknown : style.marker(decision.marker),
    priority: isJudged(decision) ? style.priority(decision.priority) : style.unknown,
    remark: writeText(
      work.bareRemarks ? because : language === 'zh-TW' ? `looptag 補列：${because}` : `added by looptag: ${because}`,
    ),
    projectId: decision.projectId === null ? '' : writeCode(decision.projectId),
    class: decision.class ?? '',
  };
}

/** Gives an undecided row its loop. */
export function fillRow(work: RowWork, entry: Entry, addition: Addition, number: number, manyFiles: boolean): void {
  const { draft } = work;
  const { decision } = addition;
  const cells = newRow(work, addition, number, manyFiles);
  const reason = `the loop at ${decision.site.range.file}:${decision.site.range.line}`;
  if (entry.number === null && cells.number) draft.set(entry, 'number', cells.number, 'fill', reason);
  draft.set(entry, 'function', cells.function ?? '', 'fill', reason);
  draft.set(entry, 'line', cells.line ?? '', 'fill', reason);
  draft.set(entry, 'file', cells.file ?? '', 'fill', reason);
  syncFrequency(work, entry, decision);
  fillOpen(work, entry, decision);
  if (isOpen(entry.cells.remark?.text ?? '-')) draft.set(entry, 'remark', cells.remark ?? '', 'fill', reason);
}
