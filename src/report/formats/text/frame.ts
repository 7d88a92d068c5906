/** The guilty lines with carets below, aligned however wide the characters are. */
import type { Range } from '../../../model/index.ts';
import { printable } from '../../escape.ts';
import { sourceLines } from '../../source.ts';
import { type Cell, cells } from '../../width.ts';

const TAB = 4;
/** Lines of a long call that are shown. */
const MOST_LINES = 3;

interface FrameLine {
  /** Line number, or '' for the carets. */
  gutter: string;
  text: string;
  carets: boolean;
}

/** Rows of the frame; empty when the file can't be shown. */
export function codeFrame(source: string | null, range: Range, width: number): FrameLine[] {
  const lines = source === null ? [] : sourceLines(source);
  if (range.line > lines.length) return [];
  const last = Math.min(range.endLine, lines.length, range.line + MOST_LINES - 1);
  const frame: FrameLine[] = [];
  for (let number = range.line; number <= last; number++) {
    const points = [...lines[number - 1]!];
    const from = number === range.line ? range.column - 1 : points.findIndex((c) => !/\s/.test(c));
    const to = number === range.endLine ? range.endColumn - 1 : points.length;
    const { text, start, length } = renderLine(points, Math.max(0, from), to, width);
    frame.push({ gutter: String(number), text, carets: false });
    frame.push({ gutter: '', text: ' '.repeat(start) + '^'.repeat(Math.max(1, length)), carets: true });
  }
  if (last < range.endLine) frame.push({ gutter: '', text: '…', carets: false });
  return frame;
}

/** One line, cut to the width around the stretch, and where the stretch is in columns. */
function renderLine(points: string[], from: number, to: number, width: number) {
  // A line of a generated file may have a million characters: only what can be in sight is measured.
  const skipped = Math.max(0, from - width);
  const end = Math.min(to, from + width);
  const before = expand(points.slice(skipped, from), 0);
  const marked = expand(points.slice(from, end), sum(before));
  const after = expand(points.slice(end, end + width), sum(before) + sum(marked));
  const start = sum(before);
  const total = start + sum(marked) + sum(after);
  if (skipped === 0 && total <= width) {
    return { text: join([...before, ...marked, ...after]).trimEnd(), start, length: sum(marked) };
  }
  return cut([...before, ...marked, ...after], start, sum(marked), width, skipped > 0);
}

function cut(line: Cell[], start: number, length: number, width: number, more: boolean) {
  const wanted = Math.min(length, Math.floor(width / 2));
  const offset = start + wanted < width && !more ? 0 : Math.max(0, start - Math.floor(width / 4));
  const shown: Cell[] = offset > 0 || more ? [{ text: '…', width: 1 }] : [];
  const lead = sum(shown);
  let at = 0;
  let used = lead;
  let first: number | null = null;
  for (const cell of line) {
    if (at >= offset) {
      first ??= at;
      if (used + cell.width > width - 1) {
        shown.push({ text: '…', width: 1 });
        break;
      }
      shown.push(cell);
      used += cell.width;
    }
    at += cell.width;
  }
  const caret = lead + start - (first ?? 0);
  return { text: join(shown), start: caret, length: Math.min(length, width - caret) };
}

/** Tabs become spaces up to the next stop; what a terminal would act upon becomes readable. */
function expand(points: string[], column: number): Cell[] {
  let at = column;
  return cells(points.join('')).flatMap((cell) => {
    const shown =
      cell.text === '\t'
        ? { text: ' '.repeat(TAB - (at % TAB)), width: TAB - (at % TAB) }
        : cell.text === printable(cell.text)
          ? cell
          : { text: printable(cell.text), width: printable(cell.text).length };
    at += shown.width;
    return [shown];
  });
}

function sum(line: readonly Cell[]): number {
  return line.reduce((total, { width }) => total + width, 0);
}

function join(line: readonly Cell[]): string {
  return line.map(({ text }) => text).join('');
}
