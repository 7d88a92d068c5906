import type { Change, Column, Entry } from '../../model/index.ts';
import type { Row, Table } from '../markdown/blocks.ts';
import type { Line } from '../markdown/lines.ts';
import { displayWidth } from '../markdown/width.ts';
import type { Layout } from './layout.ts';

interface Splice {
  start: number;
  end: number;
  text: string;
}

/** Collects changes of a document; everything not touched keeps its bytes. */
export class Draft {
  readonly changes: Change[] = [];
  readonly layout: Layout;
  private readonly splices: Splice[] = [];
  private readonly removed = new Set<number>();
  private readonly text: string;
  private readonly tables: Table[];
  private readonly aligned = new Map<Table, Map<number, number | null>>();
  private rows: Map<number, { table: Table; row: Row }> | undefined;

  constructor(layout: Layout) {
    this.layout = layout;
    this.text = layout.blocks.text;
    this.tables = layout.blocks.tables;
  }

  splice(start: number, end: number, text: string): void {
    this.splices.push({ start, end, text });
  }

  note(change: Change): void {
    this.changes.push(change);
  }

  /** Puts new content into a row's cell and notes the change; a row without the cell stays as it is. */
  set(entry: Entry, column: Column, raw: string, kind: Change['kind'], reason: string): boolean {
    const cell = entry.cells[column];
    if (!cell || cell.raw === raw) return false;
    this.cell(entry.row, cell.extent.start, cell.extent.end, raw);
    this.note({ kind, line: entry.row, row: entry.number, column, before: cell.raw, after: raw, reason });
    return true;
  }

  /** Replaces a cell's content. In an aligned column the pipes stay where they are as long as the content fits. */
  cell(line: number, start: number, end: number, raw: string): void {
    const { table, row } = this.rowAt(line) ?? {};
    const index = row?.cells.findIndex((c) => c.end === end) ?? -1;
    const old = this.text.slice(start, end);
    const width = table && index >= 0 ? this.alignedWidth(table, index, displayWidth(old)) : null;
    this.splice(start, end, pad(old, raw, width));
  }

  private rowAt(line: number): { table: Table; row: Row } | undefined {
    this.rows ??= new Map(
      this.tables.flatMap((table) => table.rows.map((row) => [row.line.number, { table, row }] as const)),
    );
    return this.rows.get(line);
  }

  /** Display width of a column whose cells are kept aligned (header and most rows), or null. */
  private alignedWidth(table: Table, index: number, own: number): number | null {
    const widths = this.aligned.get(table) ?? new Map<number, number | null>();
    this.aligned.set(table, widths);
    const known = widths.get(index);
    const width = known === undefined ? this.commonWidth(table, index) : known;
    widths.set(index, width);
    return width === own ? own : null;
  }

  private commonWidth(table: Table, index: number): number | null {
    const width = (row: Row) => {
      const cell = row.cells[index];
      return cell ? displayWidth(this.text.slice(cell.start, cell.end)) : -1;
    };
    const header = width(table.header);
    const same = table.rows.filter((row) => width(row) === header).length;
    return same * 2 > table.rows.length ? header : null;
  }

  /** A new row's source in the manner of the table's rows. */
  rowText(table: Table, contents: string[]): string {
    const model = table.rows.at(-1) ?? table.header;
    const { line, start, cells } = model;
    const prefix = this.text.slice(line.start, start) + (/^[ \t]*/.exec(this.text.slice(start, line.end))?.[0] ?? '');
    const source = this.text.slice(start, line.end).trim();
    const out = contents.map((raw, index) => {
      const cell = table.header.cells[index];
      const old = cell ? this.text.slice(cell.start, cell.end) : '  ';
      const like = cells[index] ? this.text.slice(cells[index].start, cells[index].end) : old;
      const width = this.alignedWidth(table, index, displayWidth(old));
      const lead = /^[ \t]/.test(like) || /^[ \t]/.test(old) ? ' ' : '';
      const trail = /[ \t]$/.test(like) || lead ? ' ' : '';
      return pad(`${lead}x${trail}`, raw, width);
    });
    // Without an outer pipe an empty cell at the edge is lost, and `#` or `-` at the start would begin another block.
    const open = source.startsWith('|') || !/^[\p{L}\p{N}`[]/u.test(contents[0] ?? '') ? '|' : '';
    const close = source.endsWith('|') || contents.at(-1) === '' ? '|' : '';
    const body = out.join('|');
    const row = `${open}${open ? body : body.trimStart()}${close}`;
    return prefix + (close ? row : row.trimEnd());
  }

  /** Adds lines after a row (or the delimiter of an empty table). */
  insertAfter(row: { line: Line }, lines: string[]): void {
    if (lines.length === 0) return;
    const { line } = row;
    const eol = this.layout.blocks.lines[0]?.eol || '\n';
    const at = line.end + line.eol.length;
    if (line.eol) this.splice(at, at, lines.map((l) => `${l}${line.eol}`).join(''));
    else this.splice(at, at, lines.map((l) => `${eol}${l}`).join(''));
  }

  /** Removes a whole line. */
  remove(line: Line): void {
    this.removed.add(line.number);
  }

  /** Removed lines as splices; at the end of a document without a last line ending, the one before goes instead. */
  private removals(): Splice[] {
    const { lines } = this.layout.blocks;
    const last = lines.at(-1);
    let kept = lines.length;
    if (last && !last.eol) while (this.removed.has(kept)) kept--;
    const splices = [...this.removed].flatMap((number): Splice[] => {
      const line = lines[number - 1];
      return line && number <= kept ? [{ start: line.start, end: line.end + line.eol.length, text: '' }] : [];
    });
    if (kept < lines.length && last) splices.push({ start: lines[kept - 1]?.end ?? 0, end: last.end, text: '' });
    return splices;
  }

  /** The document with every change applied. */
  result(): string {
    const sorted = [...this.splices, ...this.removals()]
      .map((splice, order) => ({ ...splice, order }))
      .sort((a, b) => b.start - a.start || b.end - a.end || b.order - a.order);
    // from the end, in pieces: putting the whole text together for each of many changes takes the square of their number
    const pieces: string[] = [];
    let rest = this.text.length;
    for (const { start, end, text } of sorted) {
      pieces.push(this.text.slice(end, rest), text);
      rest = start;
    }
    return this.text.slice(0, rest) + pieces.reverse().join('');
  }
}

function pad(old: string, raw: string, width: number | null): string {
  const blank = old.trim() === '';
  const lead = blank ? (old === '' ? '' : ' ') : (/^[ \t]*/.exec(old)?.[0] ?? '');
  let trail = blank ? lead : (/[ \t]*$/.exec(old)?.[0] ?? '');
  // A full-width bracket brings its own space (`| （需確認）|`); what replaces it may not.
  if (trail === '' && lead !== '' && FULL_WIDTH_END.test(old) && !FULL_WIDTH_END.test(raw)) trail = ' ';
  if (width === null) return `${lead}${raw}${trail}`;
  // Right-aligned content hangs on its right edge.
  if (lead.length > 1 && trail.length <= 1) {
    return `${' '.repeat(Math.max(1, width - displayWidth(raw) - trail.length))}${raw}${trail}`;
  }
  const rest = width - displayWidth(lead) - displayWidth(raw);
  return `${lead}${raw}${' '.repeat(Math.max(rest, Math.min(1, trail.length)))}`;
}

const FULL_WIDTH_END = /[）】」』。，、；：！？]$/;
