/** Imports and definitions that a file needs, as insertions at module level. */
import type { Edit, ModuleLayout } from '../model/index.ts';
import { insert } from './build.ts';
import { type ImportRequest, importAnchor, isOfOther, planImports } from './imports.ts';

/** A function or a statement to be put at module level, as text with LF and four blanks a level. */
export interface DefinitionRequest {
  name: string;
  text: string;
  /** Two for a function, one for a statement. */
  blankLines: 1 | 2;
  /** Names that must be defined above it, when this file defines them. */
  after: readonly string[];
}

export interface ModuleRequest {
  imports: readonly ImportRequest[];
  definitions: readonly DefinitionRequest[];
  /** Offset of the first place that needs them when the module is imported; the text's length when only functions do. */
  limit: number;
}

/** No line between the definitions that are needed and the first use at import time. */
export class NoPlaceError extends Error {}

/** Python text with the line ends and the indentation of a file. */
export function inStyleOf(layout: Pick<ModuleLayout, 'eol' | 'indent'>, text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^( {4})+/, (blanks) => layout.indent.repeat(blanks.length / 4)))
    .join(layout.eol);
}

/**
 * The insertions that bring imports and definitions to a file, each once.
 * @throws NoPlaceError when a definition cannot stand before its first use.
 */
export function moduleEdits(layout: ModuleLayout, request: ModuleRequest): Edit[] {
  const limit = topLimit(layout, request.limit);
  const anchor = importAnchor(layout, limit);
  const { edits, lines } = planImports(layout, request.imports, limit);
  const groups = new Map<number, DefinitionRequest[]>();
  for (const definition of request.definitions) {
    const at = definitionAnchor(layout, definition, anchor, limit);
    groups.set(at, [...(groups.get(at) ?? []), definition]);
  }
  const anchors = new Set([...(lines.length > 0 ? [anchor] : []), ...groups.keys()]);
  // behind every import that is put at the same place
  const order = edits.length;
  for (const at of anchors)
    edits.push({ ...blockEdit(layout, at, at === anchor ? lines : [], groups.get(at) ?? []), order });
  return edits;
}

/** The start of the top line that holds the first use: what is needed must end before it. */
function topLimit(layout: ModuleLayout, limit: number): number {
  const line = layout.lines.findLast(({ start, end }) => start <= limit && limit < end);
  return line ? line.start : limit;
}

/**
 * A function goes into the first gap of two blank lines (so that none need be added, and the way back is exact), at the
 * latest above the first function; a constant directly after the imports. Both after what they use.
 */
function definitionAnchor(layout: ModuleLayout, definition: DefinitionRequest, anchor: number, limit: number): number {
  const used = layout.bound.filter(({ name, from }) => definition.after.includes(name) && from === null);
  const lowest = Math.max(anchor, ...used.map(({ line }) => line));
  if (lowest >= 0 && layout.lines[lowest]!.end > limit)
    throw new NoPlaceError(`${definition.name} is needed before what it uses is defined`);
  if (definition.blankLines === 1) return lowest;
  const first = layout.lines.findIndex(
    ({ kind, start }, index) => index > lowest && kind === 'definition' && start <= limit,
  );
  const isGap = (index: number) => index >= 0 && layout.lines[index]!.blankAfter >= 2;
  for (let index = lowest; index < first; index++) if (isGap(index)) return index;
  return first < 0 ? lowest : first - 1;
}

/** One insertion: import lines, then definitions, with the blank lines that belong between and after them. */
function blockEdit(layout: ModuleLayout, at: number, imports: string[], definitions: DefinitionRequest[]): Edit {
  const { eol } = layout;
  const line = at >= 0 ? layout.lines[at]! : null;
  const offset = line?.end ?? layout.headerEnd;
  const next = layout.lines[at + 1];
  const follows = line ? { blank: line.blankAfter, nothing: line.last } : headerFollows(layout);
  const out: string[] = [];
  if (line && !endsLine(layout, line.end)) out.push(eol);
  if (imports.length > 0) {
    if (separated(layout, at, imports[0]!)) out.push(eol);
    out.push(...imports.map((text) => text + eol));
  }
  for (const [index, definition] of definitions.entries()) {
    if (offset > 0 || index > 0 || imports.length > 0) out.push(eol.repeat(definition.blankLines));
    out.push(inStyleOf(layout, definition.text) + eol);
  }
  if (!follows.nothing) {
    const wanted = blankLinesBefore(
      next?.kind === 'definition',
      definitions.at(-1)?.blankLines ?? 0,
      line === null || line.kind !== 'import',
    );
    out.push(eol.repeat(Math.max(0, wanted - follows.blank)));
  }
  return insert(layout.file, offset, out.join(''));
}

function blankLinesBefore(definition: boolean, last: number, freshImports: boolean): number {
  // A constant stands as close to what follows as the imports did, so that taking it out again is exact.
  if (last > 0) return definition || last === 2 ? 2 : 0;
  return freshImports ? (definition ? 2 : 1) : 0;
}

function headerFollows(layout: ModuleLayout): { blank: number; nothing: boolean } {
  return { blank: layout.headerBlank, nothing: layout.lines.length === 0 };
}

function endsLine(layout: ModuleLayout, end: number): boolean {
  return end < layout.length || layout.finalNewline;
}

/** A blank line parts imports of another package from those above, and the first import from what stands before. */
function separated(layout: ModuleLayout, at: number, text: string): boolean {
  if (at < 0) return layout.headerEnd > 0;
  const line = layout.lines[at]!;
  if (line.kind !== 'import') return true;
  const above = layout.imports.findLast((candidate) => candidate.line === at);
  return above !== undefined && !above.written.startsWith('.') && isOfOther(above, text);
}
