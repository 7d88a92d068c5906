import type { Catalogue, Column } from '../../model/index.ts';
import { type Blocks, readBlocks, type Table } from '../markdown/blocks.ts';
import { readCell } from '../markdown/cells.ts';
import { columnsOf, isReferenceHeading } from './columns.ts';

/** A table that lists loops. */
interface CatalogueTable {
  table: Table;
  columns: (Column | null)[];
}

/** The parts of a catalogue document. */
export interface Layout {
  blocks: Blocks;
  /** The tables of loops; all have the same columns. Empty when there is none. */
  catalogue: CatalogueTable[];
  /** `P0 … | … | #17`: which rows have which priority. */
  priorities: { table: Table; priority: number; references: number } | null;
  /** Every other table: overview counts are looked for in these. */
  others: Table[];
  language: Catalogue['language'];
}

const CJK = /[\u3400-\u9fff\uf900-\ufaff]/u;

export function cellTexts(text: string, row: Table['header']): string[] {
  return row.cells.map((cell) => readCell(text.slice(cell.start, cell.end).trim()).text);
}

function priorityTable(text: string, table: Table): Layout['priorities'] {
  const headings = cellTexts(text, table.header);
  const columns = columnsOf(headings);
  const priority = columns.indexOf('priority');
  const references = headings.findIndex(isReferenceHeading);
  // `編號` beside a column of names counts the rows
  if (columns[references] === 'number' && columns.includes('function')) return null;
  if (priority < 0 || references < 0 || priority === references || table.rows.length === 0) return null;
  // The same two headings stand over a catalogue too; there the cells are names, here `#5~16`.
  const listed = table.rows.every((row) => {
    const value = cellTexts(text, row)[references] ?? '';
    return (
      value === '' || /#\s*\d|^\d+(?:\s*[~,、\-–]\s*\d+)*$|^[-—–]$|^(?:none|無|N\/A)$/i.test(value.normalize('NFKC'))
    );
  });
  return listed ? { table, priority, references } : null;
}

function score(columns: (Column | null)[]): number {
  if (!columns.includes('function')) return 0;
  const known = columns.filter((c) => c !== null);
  const telling = known.filter((c) => c === 'line' || c === 'frequency' || c === 'marker' || c === 'priority');
  return telling.length === 0 ? 0 : known.length + telling.length;
}

/** Finds the tables of a document and tells them apart by their headings. */
export function layoutOf(text: string): Layout {
  const blocks = readBlocks(text);
  let priorities: Layout['priorities'] = null;
  const candidates: (CatalogueTable & { score: number })[] = [];
  const others: Table[] = [];
  for (const table of blocks.tables) {
    const asPriorities = priorityTable(text, table);
    if (asPriorities) {
      priorities ??= asPriorities;
      continue;
    }
    const columns = columnsOf(cellTexts(text, table.header));
    const value = score(columns);
    if (value > 0) candidates.push({ table, columns, score: value });
    else others.push(table);
  }
  const best = candidates.reduce<(typeof candidates)[number] | null>((a, b) => (a && a.score >= b.score ? a : b), null);
  const catalogue = best ? candidates.filter((c) => String(c.columns) === String(best.columns)) : [];
  others.push(...candidates.filter((c) => !catalogue.includes(c)).map((c) => c.table));
  const sample = best ? cellTexts(text, best.table.header).join('') : text;
  return { blocks, catalogue, priorities, others, language: CJK.test(sample) ? 'zh-TW' : 'en' };
}
