/** The few ways in which an insertion at module level may have looked, as stretches to take out. */
import type { ImportRequest } from '../../edit/index.ts';
import type { Extent, ModuleLayout, TopImport } from '../../model/index.ts';

/** One list of alternatives for each thing to remove. */
export type Variants = Extent[][];

/** Blank lines that an insertion may have brought after itself. */
const MOST_BLANK = 2;

/** A definition with the blank lines before it and some of those after it. */
export function definitionVariants(text: string, layout: ModuleLayout, line: number): Extent[] {
  const { end, blankAfter, kind } = layout.lines[line]!;
  const start = line > 0 ? layout.lines[line - 1]!.end : layout.headerEnd;
  return blankCounts(blankAfter, kind === 'definition' ? 2 : blankAfter).map((count) => ({
    start,
    end: skipLines(text, end, count),
  }));
}

/** Whole import lines, or names out of them. */
export function importVariants(text: string, layout: ModuleLayout, unused: readonly ImportRequest[]): Variants {
  const wanted = new Set(unused.map(({ module, name }) => `${module}:${name}`));
  return layout.imports.flatMap((line) => {
    const isUnused = line.names.map(({ name }) =>
      wanted.has(line.module === null ? `${name}:null` : `${line.module}:${name}`),
    );
    if (!isUnused.includes(true)) return [];
    return isUnused.every(Boolean) ? [lineVariants(text, layout, line)] : nameVariants(line, isUnused);
  });
}

function lineVariants(text: string, layout: ModuleLayout, { line, alone }: TopImport): Extent[] {
  if (!alone) return [];
  const { start, end, blankAfter } = layout.lines[line]!;
  const above = line > 0 ? layout.lines[line - 1]!.end : layout.headerEnd;
  const starts = above < start && text.slice(above, start).trim() === '' ? [start, previousLine(text, start)] : [start];
  return starts.flatMap((from) =>
    blankCounts(blankAfter).map((count) => ({ start: from, end: skipLines(text, end, count) })),
  );
}

/** Each run of unused names, with the separator after it or before it. */
function nameVariants({ names }: TopImport, isUnused: readonly boolean[]): Variants {
  const out: Variants = [];
  for (let from = 0; from < names.length; from++) {
    if (!isUnused[from]) continue;
    let to = from;
    while (isUnused[to + 1]) to++;
    const variants: Extent[] = [];
    if (to + 1 < names.length) variants.push({ start: names[from]!.extent.start, end: names[to + 1]!.extent.start });
    if (from > 0) variants.push({ start: names[from - 1]!.extent.end, end: names[to]!.extent.end });
    out.push(variants);
    from = to;
  }
  return out;
}

/** How many blank lines to take; first what leaves the usual number (an insertion fills up to two, and does not say how many were there). */
function blankCounts(present: number, usual = present): number[] {
  const counts = Array.from({ length: Math.min(present, MOST_BLANK) + 1 }, (_, count) => count);
  const distance = (count: number) => Math.abs(present - count - usual);
  return counts.sort((a, b) => distance(a) - distance(b));
}

function skipLines(text: string, offset: number, count: number): number {
  let at = offset;
  for (let n = 0; n < count; n++) {
    const end = /\r\n|\n|\r/.exec(text.slice(at));
    at = end ? at + end.index + end[0].length : text.length;
  }
  return at;
}

function previousLine(text: string, offset: number): number {
  const before = text.slice(0, offset).replace(/(\r\n|\n|\r)$/, '');
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
}

/** Every choice of one alternative each. */
export function* combinations(variants: Variants, from = 0): Generator<Extent[]> {
  if (from === variants.length) {
    yield [];
    return;
  }
  for (const first of variants[from]!) for (const rest of combinations(variants, from + 1)) yield [first, ...rest];
}
