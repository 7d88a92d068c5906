/** Loads character widths: import lazily where nothing is written. */
import type { Analysis, Catalogue, Change, Column, Entry, Policy, Reconciliation } from '../../model/index.ts';
import { samePath } from '../../model/listed-line.ts';
import { plural } from '../../model/plural.ts';
import { isComplete } from '../reconcile/unseen.ts';
import { type Addition, additions, fillRow, newRow } from './additions.ts';
import { type Claim, numbersWhere, type RowState, readClaims } from './claims.ts';
import { Draft } from './draft.ts';
import { layoutOf } from './layout.ts';
import { primary } from './primary.ts';
import { learnReferences, numbersOf, type ReferenceStyle, sameNumbers, writeReferences } from './references.ts';
import { type RowWork, syncRow } from './rows.ts';
import { learnCells } from './style.ts';

export interface SyncOptions {
  /** Remove vanished loops (and rows already struck out) instead of striking them out. */
  prune?: boolean;
  /** Tick the acceptance boxes whose check holds. */
  tick?: boolean;
  /** Results of the acceptance items, by id. */
  acceptance?: readonly { id: string; met: boolean | null }[];
  /** Leave `added by looptag` out of the remarks of new rows. */
  bareRemarks?: boolean;
}

export interface SyncResult {
  text: string;
  changes: Change[];
}

/** Brings a catalogue up to date with the code, cell by cell. Running it on its own result changes nothing. */
export function syncCatalogue(
  catalogue: Catalogue,
  reconciliation: Reconciliation,
  analysis: Analysis,
  policy: Policy,
  options: SyncOptions = {},
): SyncResult {
  if (catalogue.entries.length === 0 && catalogue.problems.length > 0) return { text: catalogue.text, changes: [] };
  const sync = new Sync(catalogue, reconciliation, analysis, policy, options);
  sync.rows();
  sync.undecided();
  sync.add();
  sync.vanished();
  sync.claims();
  sync.ticks();
  const { draft } = sync.work;
  draft.changes.sort((a, b) => a.line - b.line);
  return { text: draft.result(), changes: draft.changes };
}

class Sync {
  readonly work: RowWork;
  private readonly analysis: Analysis;
  private readonly options: SyncOptions;
  private readonly states = new Map<Entry, RowState>();
  private readonly added: RowState[] = [];
  private readonly gone = new Set<Entry>();
  private readonly manyFiles: boolean;
  private readonly additions: Addition[];
  private nextNumber: number;

  constructor(
    catalogue: Catalogue,
    reconciliation: Reconciliation,
    analysis: Analysis,
    policy: Policy,
    options: SyncOptions,
  ) {
    const draft = new Draft(layoutOf(catalogue.text));
    this.work = {
      draft,
      catalogue,
      reconciliation,
      policy,
      style: learnCells(catalogue),
      bareRemarks: options.bareRemarks === true,
    };
    this.analysis = analysis;
    this.options = options;
    this.manyFiles = new Set(reconciliation.decisions.map((d) => d.site.range.file)).size > 1;
    const missing = reconciliation.unlisted.filter((d) => d.required && d.entry === null);
    this.additions = additions(this.work, missing);
    this.nextNumber = 1 + Math.max(0, ...catalogue.entries.map((e) => e.number ?? 0));
    for (const entry of catalogue.entries) {
      if (!entry.struck)
        this.states.set(entry, { number: entry.number, marker: entry.marker, priority: entry.priority });
    }
  }

  /** Rows that have their loop. */
  rows(): void {
    const { catalogue, reconciliation } = this.work;
    const undecided = new Set(reconciliation.undecided.map((u) => u.entry));
    for (const entry of catalogue.entries) {
      if (undecided.has(entry)) continue;
      const decisions = reconciliation.decisions.filter((d) => d.entry === entry);
      const decision = primary(decisions, entry, catalogue);
      if (!decision) continue;
      syncRow(this.work, entry, decision, this.manyFiles);
      this.states.set(entry, {
        number: entry.number,
        marker: entry.marker ?? this.filledWith(entry, 'marker', decision.marker),
        priority: entry.priority ?? this.filledWith(entry, 'priority', decision.priority),
      });
    }
  }

  private filledWith(entry: Entry, column: Column, value: string | null): string | null {
    return this.work.draft.changes.some((c) => c.line === entry.row && c.column === column) ? value : null;
  }

  /** Rows that wait for a loop: filled, or, when the code proves that there is none, struck out. */
  undecided(): void {
    const { reconciliation, catalogue, draft } = this.work;
    for (const { entry, decision } of reconciliation.undecided) {
      const addition = this.additions.find((a) => a.decision === decision);
      if (addition) {
        const number = entry.number ?? this.nextNumber++;
        fillRow(this.work, entry, addition, number, this.manyFiles);
        const { marker, priority } = addition.decision;
        this.states.set(entry, { number, marker, priority });
      } else if (!decision && isComplete(this.analysis, catalogue) && this.analysis.sites.length > 0) {
        this.strike(entry, reconciliation.verdict);
        const zh = catalogue.language === 'zh-TW';
        const remark = zh ? '程式碼中沒有這個 loop' : 'no such loop in the code';
        if (!this.options.prune && entry.cells.remark?.text === '') {
          draft.set(entry, 'remark', remark, 'fill', reconciliation.verdict);
        }
      }
    }
  }

  /** Rows for loops that no row names, at the end of the last table. */
  add(): void {
    const { reconciliation, draft } = this.work;
    const filling = new Set(reconciliation.undecided.map((u) => u.decision));
    const last = draft.layout.catalogue.at(-1);
    if (!last) return;
    const missing = this.additions.filter((a) => !filling.has(a.decision));
    const lines = missing.map((addition) => this.addRow(addition, last.table, last.columns));
    const row = last.table.rows.at(-1) ?? { line: last.table.delimiter };
    draft.insertAfter(row, lines);
  }

  private addRow(addition: Addition, table: Parameters<Draft['rowText']>[0], columns: (Column | null)[]): string {
    const { draft } = this.work;
    const number = this.nextNumber++;
    const cells = newRow(this.work, addition, number, this.manyFiles);
    const text = draft.rowText(
      table,
      columns.map((column) => (column ? (cells[column] ?? '') : '')),
    );
    const { marker, priority } = addition.decision;
    this.added.push({ number, marker, priority });
    const line = (table.rows.at(-1)?.line ?? table.delimiter).number;
    const { file, line: at } = addition.decision.site.range;
    draft.note({
      kind: 'add',
      line,
      row: number,
      column: null,
      before: '',
      after: text,
      reason: `no row names the loop at ${file}:${at}`,
    });
    return text;
  }

  /** Rows whose loop is gone; with `prune` the ones struck out before, too. */
  vanished(): void {
    const { reconciliation, catalogue } = this.work;
    for (const entry of reconciliation.stale) this.strike(entry, 'not found in the code');
    if (!this.options.prune || !isComplete(this.analysis, catalogue)) return;
    for (const entry of catalogue.entries) {
      const back = reconciliation.decisions.some((d) => d.entry === entry);
      if (entry.struck && !back && !this.gone.has(entry) && !reconciliation.unseen.includes(entry))
        this.strike(entry, 'struck out, and still not in the code');
    }
  }

  private strike(entry: Entry, reason: string): void {
    const { draft, catalogue } = this.work;
    this.states.delete(entry);
    this.gone.add(entry);
    const cell = entry.cells.function;
    if (!this.options.prune) {
      if (cell) draft.set(entry, 'function', `~~${cell.raw}~~`, 'strike', reason);
      return;
    }
    const line = draft.layout.blocks.lines[entry.row - 1];
    if (!line) return;
    draft.remove(line);
    const before = catalogue.text.slice(line.start, line.end);
    draft.note({ kind: 'prune', line: entry.row, row: entry.number, column: null, before, after: '', reason });
  }

  /** Counts and lists that the rows, as they are now, refute. */
  claims(): void {
    const { draft, catalogue, policy } = this.work;
    const rows = [...this.states.values(), ...this.added];
    const claims = readClaims(draft.layout, policy);
    const lists = claims.flatMap((c) => ('references' in c ? [catalogue.text.slice(c.start, c.end)] : []));
    const style = learnReferences(lists, catalogue.language);
    for (const claim of claims) {
      if (claim.kind === 'priority-list' || claim.kind === 'marker-list') this.list(claim, rows, style);
      else this.count(claim, rows);
    }
  }

  private count(claim: Extract<Claim, { value: number }>, rows: RowState[]): void {
    const { draft, catalogue } = this.work;
    const truth =
      claim.kind === 'total'
        ? rows.length
        : claim.kind === 'measured'
          ? this.measured(claim.value)
          : rows.filter((r) => r.marker === claim.marker).length;
    if (truth === claim.value) return;
    draft.splice(claim.start, claim.end, String(truth));
    const why =
      claim.kind === 'marker-count'
        ? `${plural(truth, 'row')} marked ${claim.marker}`
        : claim.kind === 'total'
          ? plural(truth, 'row')
          : `${plural(truth, 'line')} that grep hits`;
    this.noteClaim(claim, 'count', catalogue.text.slice(claim.start, claim.end), String(truth), why);
  }

  /** Lines that grep hits in the catalogue's file; what was written when they were not counted. */
  private measured(written: number): number {
    const { catalogue } = this.work;
    const { sourceFile } = catalogue;
    if (!isComplete(this.analysis, catalogue)) return written;
    const hits = this.analysis.grepHits.filter((h) => sourceFile === null || samePath(h.file, sourceFile));
    return hits.length > 0 ? hits.length : written;
  }

  private list(claim: Extract<Claim, { references: unknown }>, rows: RowState[], style: ReferenceStyle): void {
    const { draft, catalogue } = this.work;
    const truth = numbersWhere(rows, (r) =>
      claim.kind === 'priority-list' ? r.priority === claim.priority : r.marker === claim.marker,
    );
    if (sameNumbers(truth, numbersOf(claim.references))) return;
    const notes = new Map(
      claim.references.flatMap((r) => (r.note && r.from === r.to ? [[r.from, r.note] as const] : [])),
    );
    const text = truth.size === 0 ? '—' : writeReferences(truth, style, notes);
    const before = catalogue.text.slice(claim.start, claim.end).trim();
    if (claim.kind === 'priority-list') draft.cell(claim.line.number, claim.start, claim.end, text);
    else draft.splice(claim.start, claim.end, text);
    const what = claim.kind === 'priority-list' ? `with priority ${claim.priority}` : `marked ${claim.marker}`;
    this.noteClaim(claim, 'list', before, text, `the rows ${what}`);
  }

  private noteClaim(claim: Claim, kind: 'count' | 'list', before: string, after: string, reason: string): void {
    this.work.draft.note({ kind, line: claim.line.number, row: null, column: null, before, after, reason });
  }

  /** Acceptance boxes whose check holds; a box is never unticked. */
  ticks(): void {
    if (!this.options.tick) return;
    const { draft, policy } = this.work;
    for (const task of draft.layout.blocks.tasks) {
      if (task.done) continue;
      const item = policy.acceptance.find((a) => a.match !== undefined && new RegExp(a.match, 'iu').test(task.text));
      if (!item || this.options.acceptance?.find((a) => a.id === item.id)?.met !== true) continue;
      draft.splice(task.mark, task.mark + 1, 'x');
      const reason = `holds: ${item.title}`;
      draft.note({
        kind: 'tick',
        line: task.line.number,
        row: null,
        column: null,
        before: '[ ]',
        after: '[x]',
        reason,
      });
    }
  }
}
