import { isName, leadingName } from '../../model/identifier.ts';
import type { Catalogue, CatalogueProblem, Cell, Column, Entry, Policy } from '../../model/index.ts';
import { fileOfRow } from '../../model/listed-line.ts';
import { plural } from '../../model/plural.ts';
import { isPlaceholder, normalise, parseFrequency } from '../frequency.ts';
import type { Row } from '../markdown/blocks.ts';
import { readCell, splitRow } from '../markdown/cells.ts';
import { columnAt } from '../markdown/lines.ts';
import { cellTexts, type Layout, layoutOf } from './layout.ts';

/** What reading needs to know of a policy. */
type Vocabulary = Pick<Policy, 'markers' | 'priorities'>;

/**
 * Reads a Markdown catalogue.
 *
 * @param text the whole document, BOM and line endings as they are
 * @param file its path, for messages
 * @param vocabulary the policy; with it unknown markers are problems, and aliases become the marker's own name
 */
export function readCatalogue(text: string, file: string, vocabulary?: Vocabulary): Catalogue {
  const layout = layoutOf(text);
  const reader = new Reader(text, layout, vocabulary ?? null);
  for (const { table, columns } of layout.catalogue) {
    for (const row of table.rows) reader.row(row, columns);
  }
  if (layout.catalogue.length === 0) reader.problems.push(noTable(layout));
  reader.duplicates();
  reader.problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return {
    file,
    text,
    entries: reader.entries,
    problems: reader.problems,
    sourceFile: sourceFileOf(layout),
    language: layout.language,
  };
}

const HEADINGS = '行號/Line, 頻率/Frequency, 標記/Marker or 優先度/Priority';

/** Says where the catalogue may be meant to stand: the largest table has headings that are not known. */
function noTable({ blocks, others }: Layout): CatalogueProblem {
  const [largest] = [...others].sort((a, b) => b.rows.length - a.rows.length);
  const message = 'no catalogue table';
  if (!largest) {
    const remedy = `add a Markdown table (outside of a code fence) with a heading such as 函數名 or Function, and ${HEADINGS}; \`looptag catalog init\` writes one`;
    return { line: 1, column: 1, message, remedy };
  }
  const { number } = largest.header.line;
  const headings = cellTexts(blocks.text, largest.header).join(', ');
  const remedy = `if it is the table on line ${number} (${headings}): call its column of functions 函數名 or Function, and another one ${HEADINGS}`;
  return { line: number, column: 1, message, remedy };
}

/** The Python file whose lines the document numbers: the one named beside 行號 or 來源, else the first one named. */
function sourceFileOf(layout: Layout): string | null {
  const { text } = layout.blocks;
  let first: string | null = null;
  for (const { line } of layout.blocks.prose) {
    const content = text.slice(line.start, line.end);
    const path = /(?:^|[^\w./-])((?:[\w.-]+\/)*[\w.-]+\.py)(?![\w])/.exec(content)?.[1]?.replace(/^\.\//, '');
    if (!path) continue;
    if (/行號|行号|來源|来源|line numbers?|lines? (?:of|in|from|refer)|source/i.test(content)) return path;
    first ??= path;
  }
  return first;
}

class Reader {
  readonly entries: Entry[] = [];
  readonly problems: CatalogueProblem[] = [];
  private readonly text: string;
  private readonly layout: Layout;
  private readonly vocabulary: Vocabulary | null;

  constructor(text: string, layout: Layout, vocabulary: Vocabulary | null) {
    this.text = text;
    this.layout = layout;
    this.vocabulary = vocabulary;
  }

  row(row: Row, columns: (Column | null)[]): void {
    const cells = this.cellsOf(row, columns);
    const fn = cells.function ? readCell(cells.function.raw) : null;
    const name = this.name(row, cells.function, fn?.code ?? []);
    const frequency = parseFrequency(cells.frequency?.text ?? '');
    const lineText = listedLine(cells);
    this.entries.push({
      number: numberIn(cells.number?.text ?? ''),
      name,
      line: lineIn(lineText),
      lineText,
      frequency,
      marker: this.marker(row, cells.marker),
      priority: this.priority(row, cells.priority),
      priorityText: cells.priority?.text ?? '',
      remark: cells.remark?.text ?? '',
      struck: fn?.struck ?? false,
      row: row.line.number,
      cells,
    });
  }

  /** Cells by column. In a row with stray pipes only what surely stands in its column. */
  private cellsOf(row: Row, columns: (Column | null)[]): Entry['cells'] {
    const width = columns.length;
    let { cells } = row;
    let sure = width;
    // Markdown fills a short row with empty cells; only a remark says nothing when it is empty
    const lacksFacts = columns.slice(cells.length).some((column) => column !== null && column !== 'remark');
    if (cells.length > width || lacksFacts) {
      const label = this.label(row, columns);
      const message = `catalogue row ${label}: ${plural(cells.length, 'cell')}, header ${width}`;
      if (cells.length < width) {
        const remedy = cells.length === 1 ? 'put a blank line before text that is no row, or ' : '';
        this.problem(row, row.line.end, message, `${remedy}write all ${width} cells, empty ones too`);
      } else {
        const meant = splitRow(this.text, row.start, row.line.end, true);
        const extra = cells[width]?.start ?? row.line.start;
        this.problem(row, extra, message, 'write `|` inside a cell as `\\|`, even in back-ticks');
        if (meant.length === width) cells = meant;
        else sure = this.undisturbed(row);
      }
    }
    const found: Entry['cells'] = {};
    for (const [index, column] of columns.entries()) {
      const cell = cells[index];
      if (column && cell && index < sure) found[column] = this.cell(cell);
    }
    return found;
  }

  /** How many cells stand before the first code span that a pipe may have cut. */
  private undisturbed(row: Row): number {
    const cut = row.cells.findIndex((c) => ((this.text.slice(c.start, c.end).match(/`/g)?.length ?? 0) & 1) === 1);
    return cut < 0 ? Math.min(2, row.cells.length) : cut;
  }

  private cell(cell: { start: number; end: number }): Cell {
    const raw = this.text.slice(cell.start, cell.end).replace(/^[ \t]+|[ \t]+$/g, '');
    return { extent: { start: cell.start, end: cell.end }, raw, text: readCell(raw).text };
  }

  private label(row: Row, columns: (Column | null)[]): string {
    const cell = row.cells[columns.indexOf('number')];
    const number = cell ? numberIn(readCell(this.text.slice(cell.start, cell.end).trim()).text) : null;
    return String(number ?? this.entries.length + 1);
  }

  private name(row: Row, cell: Cell | undefined, code: string[]): string | null {
    if (!cell) return null;
    for (const candidate of [...code, cell.text]) {
      const whole = candidate.trim();
      const bare = whole.replace(/\s*[(（][^()（）]*[)）]\s*$/u, '');
      // `todo()` is a function, TODO is none yet.
      if (isName(bare) && (!isPlaceholder(bare) || whole === `${bare}()`)) return bare;
    }
    const leading = leadingName(cell.text);
    if (leading !== null && /^\s*[(（]/.test(cell.text.slice(leading.length)) && !isPlaceholder(leading))
      return leading;
    if (!isPlaceholder(cell.text) && !/需確認|待確認|TBD|unconfirmed|to be confirmed/i.test(cell.text)) {
      this.problem(
        row,
        cell.extent.start,
        `unreadable function name \`${cell.text}\``,
        'write the coroutine function as `run_x()`, or TBD while it is not known',
      );
    }
    return null;
  }

  private marker(row: Row, cell: Cell | undefined): string | null {
    if (!cell || isPlaceholder(cell.text)) return null;
    const bare = markerIn(cell.text);
    if (!this.vocabulary) return bare;
    const known = findMarker(bare, this.vocabulary) ?? findMarker(cell.text, this.vocabulary);
    if (known) return known;
    this.problem(
      row,
      cell.extent.start,
      `unknown marker \`${bare}\``,
      `use one of ${Object.keys(this.vocabulary.markers).join(', ')}, or add it to the policy`,
    );
    return bare;
  }

  private priority(row: Row, cell: Cell | undefined): string | null {
    if (!cell) return null;
    const read = priorityIn(cell.text, this.vocabulary?.priorities.map((p) => p.id) ?? []);
    if (read !== undefined) return read;
    this.problem(
      row,
      cell.extent.start,
      `unreadable priority \`${cell.text}\``,
      `write ${(this.vocabulary?.priorities.map((p) => p.id) ?? ['P0', 'P1', 'P2', 'P3']).join(', ')} or N/A`,
    );
    return null;
  }

  /** Notes each row number and function name that stands twice. Struck rows may repeat a name: the loop came back. */
  duplicates(): void {
    const numbers = new Map<number, Entry>();
    const names = new Map<string, Entry>();
    for (const entry of this.entries) {
      const at = (cell: Cell | undefined) => cell?.extent.start ?? null;
      const sameNumber = entry.number === null ? undefined : numbers.get(entry.number);
      if (sameNumber) {
        this.duplicate(
          entry,
          at(entry.cells.number),
          `row number ${entry.number}`,
          sameNumber,
          'number every row once',
        );
      } else if (entry.number !== null) numbers.set(entry.number, entry);
      if (entry.name === null || entry.struck) continue;
      const sameName = names.get(entry.name);
      if (sameName) {
        const remedy = 'keep one row for a function; delete or strike out (`~~`) the other';
        this.duplicate(entry, at(entry.cells.function), `function name \`${entry.name}\``, sameName, remedy);
      } else names.set(entry.name, entry);
    }
  }

  private duplicate(entry: Entry, offset: number | null, what: string, first: Entry, remedy: string): void {
    const line = this.layout.blocks.lines[entry.row - 1];
    if (line) this.problem({ line }, offset ?? line.start, `duplicate ${what}, first on line ${first.row}`, remedy);
  }

  private problem({ line }: Pick<Row, 'line'>, offset: number, message: string, remedy: string): void {
    let at = offset;
    while (at < line.end && /[ \t]/.test(this.text[at] ?? '')) at++;
    this.problems.push({ line: line.number, column: columnAt(this.text, line, at), message, remedy });
  }
}

function numberIn(text: string): number | null {
  const m = /^#?\s*(\d{1,6})\.?$/.exec(text.normalize('NFKC').trim());
  return m ? Number(m[1]) : null;
}

/** What the row says of its place, as `file:line` where a column of its own or a link (of the repository, no URL) names the file. */
function listedLine({ file, line }: Entry['cells']): string {
  const text = line?.text ?? '';
  if (!/\d/.test(text) || fileOfRow({ lineText: text }) !== null) return text;
  const named =
    /^(?:\.\/)*([^\s:#]+\.pyi?)$/.exec(file?.text.trim() ?? '') ??
    /\]\(<?(?:\.{1,2}\/)*([^()\s#:>/][^()\s#:>]*\.pyi?)[#)>\s]/.exec(line?.raw ?? '');
  return named ? `${named[1]}:${text}` : text;
}

/** `331`, `L331`, `701+`, `~331`, `main.py:331`. */
function lineIn(text: string): number | null {
  const m = /^(?:.*[:#])?\s*[~≈]?\s*(?:L|line |第)?\s*(\d{1,7})/i.exec(text.normalize('NFKC'));
  return m ? Number(m[1]) : null;
}

/** The marker without a note in brackets: `legacy_awoooi_default（過渡）`. */
export function markerIn(text: string): string {
  const m = /^([\w.-]+)\s*[(（].*[)）]$/su.exec(text.trim());
  return m?.[1] ?? text.trim();
}

/** The policy's own name of a marker, matched by name or alias. */
export function findMarker(text: string, vocabulary: Pick<Vocabulary, 'markers'>): string | null {
  if (Object.hasOwn(vocabulary.markers, text)) return text;
  const key = normalise(text);
  for (const [name, rule] of Object.entries(vocabulary.markers)) {
    if (normalise(name) === key || rule.aliases.some((alias) => normalise(alias) === key)) return name;
  }
  return null;
}

/** `P3（低）` → P3, `N/A（已完成）` → null, anything unreadable → undefined. */
export function priorityIn(text: string, ids: string[]): string | null | undefined {
  const flat = text.normalize('NFKC').trim();
  const own = ids.find((id) => flat.toLowerCase().startsWith(id.toLowerCase()) && !/^[\w]/.test(flat.slice(id.length)));
  if (own) return own;
  const m = /^(P\d{1,2})(?![\w])/i.exec(flat);
  if (m?.[1]) return m[1].toUpperCase();
  if (isPlaceholder(flat) || /^(?:n\/?a|none|無|done|已完成)(?!\w)/i.test(flat)) return null;
  return undefined;
}
