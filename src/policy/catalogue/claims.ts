import type { Column, Policy } from '../../model/index.ts';
import type { Row } from '../markdown/blocks.ts';
import { readCell } from '../markdown/cells.ts';
import type { Line } from '../markdown/lines.ts';
import type { Layout } from './layout.ts';
import { findMarker, markerIn, priorityIn } from './read.ts';
import { type Reference, readReferences } from './references.ts';

interface Place {
  line: Line;
  /** What to replace when it is wrong: the digits, or the list. */
  start: number;
  end: number;
}

/** Something that a document says about the number of loops, and that the rows prove or refute. */
export type Claim = Place &
  (
    | { kind: 'total'; value: number }
    /** Lines that grep was said to hit. */
    | { kind: 'measured'; value: number }
    | { kind: 'marker-count'; marker: string; value: number }
    | { kind: 'marker-list'; marker: string; references: Reference[] }
    /** A cell of the priority table. */
    | { kind: 'priority-list'; priority: string; references: Reference[] }
  );

/** The column whose cells a claim is about. */
const SHOWN_BY: Record<Claim['kind'], Column | null> = {
  total: null,
  measured: null,
  'marker-count': 'marker',
  'marker-list': 'marker',
  'priority-list': 'priority',
};

const TOTAL = /^(?:總|总|全部|合計|合计|共計|total\b|all\b)/i;
const MEASURED = /(?:實測|实测|實際數到|數到|計數為?|measured|counted|counts|finds|hits)\s*[:：=]?\s*(\d+)/i;
const ALL = [
  /全部\s*(\d+)\s*個\s*(?:背景\s*|background\s*)?(?:loop|迴圈)/i,
  /(?<![第\d]\s*)(\d+)\s*個\s*(?:背景\s*)?loop\s*(?:全數|全部|悉數|皆|都)/i,
  /\ball (\d+) (?:background )?(?:loops|tasks)\b/i,
];
const REST =
  /[（(]\s*(?:其餘|其余|其他|剩餘|共|the other|the remaining|remaining|other|all)?\s*(\d+)\s*(?:個|个|loops?|tasks?)?\s*[)）]/i;
const LISTED = /[（(]\s*((?:#\s*\d+[^()（）]*))[)）]/;

/** Finds every claim of a document that its rows can prove or refute: what no column shows, no row says. */
export function readClaims(layout: Layout, policy: Pick<Policy, 'markers' | 'priorities'>): Claim[] {
  const shown = new Set(layout.catalogue.flatMap(({ columns }) => columns));
  return [...overviewClaims(layout, policy), ...proseClaims(layout, policy), ...priorityClaims(layout, policy)]
    .filter(({ kind }) => {
      const column = SHOWN_BY[kind];
      return column === null || shown.has(column);
    })
    .sort((a, b) => a.start - b.start);
}

/** Digits of the first match's group, as a place. */
function digits(
  text: string,
  from: number,
  to: number,
  pattern: RegExp,
  line: Line,
): (Place & { value: number }) | null {
  const m = pattern.exec(text.slice(from, to));
  if (!m?.[1]) return null;
  const start = from + m.index + m[0].lastIndexOf(m[1]);
  return { line, start, end: start + m[1].length, value: Number(m[1]) };
}

/** A list in brackets (`（#27、#30）`) as a place without the brackets. */
function bracketed(text: string, from: number, to: number, line: Line): (Place & { references: Reference[] }) | null {
  const m = LISTED.exec(text.slice(from, to));
  if (!m?.[1]) return null;
  const start = from + m.index + m[0].indexOf(m[1]);
  const end = start + m[1].trimEnd().length;
  return { line, start, end, references: readReferences(text.slice(start, end)) };
}

function overviewClaims(layout: Layout, policy: Pick<Policy, 'markers'>): Claim[] {
  const { text } = layout.blocks;
  const claims: Claim[] = [];
  for (const row of layout.others.flatMap((t) => t.rows)) {
    const [label, ...values] = row.cells;
    if (!label) continue;
    const name = readCell(text.slice(label.start, label.end).trim()).text;
    const marker = findMarker(markerIn(name), policy) ?? findMarker(name, policy);
    if (!marker && !TOTAL.test(name)) continue;
    for (const cell of values) {
      const number = digits(text, cell.start, cell.end, /^[\s*`]*(\d+)(?![\d.%])/, row.line);
      if (number) claims.push(marker ? { kind: 'marker-count', marker, ...number } : { kind: 'total', ...number });
      const list = marker ? bracketed(text, cell.start, cell.end, row.line) : null;
      if (list && marker) claims.push({ kind: 'marker-list', marker, ...list });
      if (number) break;
    }
  }
  return claims;
}

function proseClaims(layout: Layout, policy: Pick<Policy, 'markers'>): Claim[] {
  const { text } = layout.blocks;
  const claims: Claim[] = [];
  for (const { kind, line, start } of layout.blocks.prose) {
    const content = text.slice(start, line.end);
    if (kind !== 'heading') {
      const measured = /grep|create_task/.test(content) ? digits(text, start, line.end, MEASURED, line) : null;
      if (measured) claims.push({ kind: 'measured', ...measured });
      const all = ALL.map((pattern) => digits(text, start, line.end, pattern, line)).find((found) => found);
      if (all) claims.push({ kind: 'total', ...all });
      continue;
    }
    const marker = markerOfHeading(readCell(content).text, policy);
    if (!marker) continue;
    const list = bracketed(text, start, line.end, line);
    if (list) claims.push({ kind: 'marker-list', marker, ...list });
    const rest = list ? null : digits(text, start, line.end, REST, line);
    if (rest) claims.push({ kind: 'marker-count', marker, ...rest });
  }
  return claims;
}

function markerOfHeading(heading: string, policy: Pick<Policy, 'markers'>): string | null {
  const words = heading.match(/[\p{L}\p{N}_.-]+/gu) ?? [];
  for (const word of words) {
    const marker = word.includes('_') || word.includes('-') || words[0] === word ? findMarker(word, policy) : null;
    if (marker) return marker;
  }
  return null;
}

function priorityClaims(layout: Layout, policy: Pick<Policy, 'priorities'>): Claim[] {
  const found = layout.priorities;
  if (!found) return [];
  const { text } = layout.blocks;
  return found.table.rows.flatMap((row: Row): Claim[] => {
    const [priority, cell] = [row.cells[found.priority], row.cells[found.references]];
    if (!priority || !cell) return [];
    const name = readCell(text.slice(priority.start, priority.end).trim()).text;
    const id = priorityIn(
      name,
      policy.priorities.map((p) => p.id),
    );
    if (!id) return [];
    const references = readReferences(text.slice(cell.start, cell.end));
    return [{ kind: 'priority-list', priority: id, references, line: row.line, start: cell.start, end: cell.end }];
  });
}

/** The state of the rows that claims are held against. */
export interface RowState {
  number: number | null;
  marker: string | null;
  priority: string | null;
}

/** Numbers of the rows for which something holds. */
export function numbersWhere(rows: RowState[], holds: (row: RowState) => boolean): Set<number> {
  return new Set(rows.flatMap((row) => (holds(row) && row.number !== null ? [row.number] : [])));
}
