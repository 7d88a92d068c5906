/** A table that fits the terminal, or none. */
import { padEnd, padStart, truncate, widthOf } from '../../width.ts';

export interface Column {
  title: string;
  align: 'left' | 'right';
  /** May be cut down to this many columns; absent: never cut. */
  least?: number;
}

const GAP = 2;

/**
 * Rows of padded text, the header first; null when even the narrowest table is wider than `width`.
 * Cells are printable text without colours; `paint` colours a padded cell, which keeps its width.
 */
export function layOut(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  paint: (cell: string, column: number, row: number) => string,
): string[] | null {
  const widths = columnWidths(columns, rows, width);
  if (!widths) return null;
  const line = (cells: readonly string[], row: number) =>
    columns
      .map(({ align }, i) => {
        const text = truncate(cells[i]!, widths[i]!);
        return paint(align === 'right' ? padStart(text, widths[i]!) : padEnd(text, widths[i]!), i, row);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      -1,
    ),
    ...rows.map(line),
  ];
}

/** Natural widths, the widest column that can be cut shrunk first. */
function columnWidths(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): number[] | null {
  const widths = columns.map(({ title }, i) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[i]!))));
  const total = () => widths.reduce((sum, w) => sum + w, GAP * (columns.length - 1));
  while (total() > width) {
    let widest = -1;
    columns.forEach(({ least }, i) => {
      if (least !== undefined && widths[i]! > least && (widest < 0 || widths[i]! > widths[widest]!)) widest = i;
    });
    if (widest < 0) return null;
    widths[widest]!--;
  }
  return widths;
}
