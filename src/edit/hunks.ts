/**
 * Hunks that can be applied in any order with those of other patches: no line of context is one that another patch
 * changes, and the lines that a hunk looks for occur once.
 */
import { structuredPatch } from 'diff';
import type { Hunk } from './unified.ts';

/** A change without context: old lines [start, start + removed) become `added`; 0-based, texts without line ends. */
export interface LineChange {
  start: number;
  removed: number;
  added: string[];
}

/** The lines of a file on a one-byte-a-character view; the last one may lack its line end. */
interface FileLines {
  lines: string[];
  /** The last line has no line end. */
  open: boolean;
}

const CONTEXT = 3;
const NO_EOL = '\\ No newline at end of file';

export function splitLines(text: string): FileLines {
  if (text === '') return { lines: [], open: false };
  const lines = text.split('\n');
  const open = lines.at(-1) !== '';
  if (!open) lines.pop();
  return { lines, open };
}

/** What differs between two texts, line by line. */
export function lineChanges(before: string, after: string): LineChange[] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 0 });
  const newline = splitLines(after);
  return hunks.map(({ oldStart, oldLines, newStart, newLines }) => ({
    // Without context, diff counts the start of an empty side from the line after it.
    start: oldStart - 1,
    removed: oldLines,
    added: newline.lines.slice(newStart - 1, newStart - 1 + newLines),
  }));
}

/** Lines that other patches change, and gaps into which they insert; a gap `n` lies before line `n`. */
interface Barriers {
  lines: Set<number>;
  gaps: Set<number>;
}

export function barriersOf(changes: readonly LineChange[]): Barriers {
  const barriers: Barriers = { lines: new Set(), gaps: new Set() };
  for (const { start, removed } of changes) {
    for (let line = start; line < start + removed; line++) barriers.lines.add(line);
    if (removed === 0) barriers.gaps.add(start);
  }
  return barriers;
}

/** A change that cannot be told from its surroundings without lines that another patch touches. */
export class EntangledError extends Error {
  constructor(
    readonly change: LineChange,
    /** A line that the other patch touches; -1 when the text is merely ambiguous. */
    readonly line: number,
  ) {
    super('the change stands too close to one of another patch');
    this.name = 'EntangledError';
  }
}

/**
 * Hunks for one patch.
 * @param others The file with every other patch applied: what a hunk looks for must occur once in it, too.
 * @throws EntangledError when a change has no room for context.
 */
export function looseHunks(
  before: FileLines,
  after: FileLines,
  changes: readonly LineChange[],
  barriers: Barriers,
  others: FileLines,
): Hunk[] {
  const spans = joinSpans(changes.map((change) => spanOf(before, change, barriers, others)));
  let shift = 0;
  return spans.map((span) => {
    const hunk = render(before, after, span, shift);
    shift += hunk.newLines - hunk.oldLines;
    return hunk;
  });
}

interface Span {
  from: number;
  to: number;
  changes: LineChange[];
}

function spanOf(before: FileLines, change: LineChange, barriers: Barriers, others: FileLines): Span {
  let [from, to] = [change.start, change.start + change.removed];
  const total = before.lines.length;
  const canUp = () => from > 0 && !barriers.lines.has(from - 1) && !barriers.gaps.has(from);
  const canDown = () => to < total && !barriers.lines.has(to) && !barriers.gaps.has(to);
  for (let n = 0; n < CONTEXT && canUp(); n++) from--;
  for (let n = 0; n < CONTEXT && canDown(); n++) to++;
  const isFree = () => isPlaced(before, change, from, to, barriers) && occursOnce(before, others, from, to);
  while (!isFree() && (canUp() || canDown())) {
    if (canUp()) from--;
    if (canDown()) to++;
  }
  // git takes a hunk at line 1 for one that must stand at the very start, where another patch may insert.
  if (from === 0 && barriers.gaps.has(0) && change.start > 0) from = 1;
  if (!isFree()) throw new EntangledError(change, nearestBarrier(change, barriers));
  return { from, to, changes: [change] };
}

/** git needs a line of context after a hunk that does not stand at the end, and something to look for. */
function isPlaced(before: FileLines, change: LineChange, from: number, to: number, barriers: Barriers): boolean {
  const end = change.start + change.removed;
  if (to === end && (end < before.lines.length || barriers.gaps.has(end))) return false;
  return !(from === 0 && change.start === 0 && barriers.gaps.has(0)) && (from < to || before.lines.length === 0);
}

function occursOnce(before: FileLines, others: FileLines, from: number, to: number): boolean {
  const block = before.lines.slice(from, to);
  return occurrences(before.lines, block) === 1 && occurrences(others.lines, block) <= 1;
}

function occurrences(lines: readonly string[], block: readonly string[]): number {
  if (block.length === 0) return 1;
  let count = 0;
  for (let at = lines.indexOf(block[0]!); at >= 0; at = lines.indexOf(block[0]!, at + 1))
    if (block.every((line, index) => lines[at + index] === line)) count++;
  return count;
}

function nearestBarrier(change: LineChange, { lines, gaps }: Barriers): number {
  const all = [...lines, ...gaps];
  const distance = (line: number) =>
    Math.min(Math.abs(line - change.start), Math.abs(line - change.start - change.removed));
  return all.length === 0 ? -1 : all.reduce((best, line) => (distance(line) < distance(best) ? line : best));
}

function joinSpans(spans: Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (last && span.from <= last.to) {
      last.to = Math.max(last.to, span.to);
      last.changes.push(...span.changes);
    } else out.push(span);
  }
  return out;
}

function render(before: FileLines, after: FileLines, span: Span, shift: number): Hunk {
  const out: string[] = [];
  let [at, oldLines, newLines] = [span.from, 0, 0];
  const atEnd = (line: number) => before.open && line === before.lines.length - 1;
  const context = (until: number) => {
    for (; at < until; at++, oldLines++, newLines++) out.push(` ${before.lines[at]}`, ...(atEnd(at) ? [NO_EOL] : []));
  };
  for (const change of span.changes) {
    context(change.start);
    for (; at < change.start + change.removed; at++, oldLines++)
      out.push(`-${before.lines[at]}`, ...(atEnd(at) ? [NO_EOL] : []));
    for (const line of change.added) out.push(`+${line}`);
    newLines += change.added.length;
    if (at === before.lines.length && after.open && change.added.length > 0) out.push(NO_EOL);
  }
  context(span.to);
  return { oldStart: span.from + 1, oldLines, newStart: span.from + 1 + shift, newLines, lines: out };
}
