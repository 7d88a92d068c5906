/** What a finding is about: its place and its identity, for one spawn, one definition or one row of the catalogue. */
import type { CheckInput, Mends, RawFinding } from '../../src/engine/contracts.ts';
import type { Catalogue, Column, Decision, Entry, Range, Target } from '../../src/model/index.ts';

type Extra = Partial<Pick<RawFinding, 'severity' | 'related' | 'fix' | 'fixable' | 'range' | 'identity'>>;

/** The name a person knows the spawn by: the coroutine, else the source of what is spawned. */
export function nameOf({ site, target }: Decision): string {
  return target?.name ?? (site.argument || site.api);
}

/** One site may start several coroutines: each is accepted or fixed on its own. */
export function identityOf({ site, target }: Decision): string {
  return target && site.targets.length > 1 ? `${site.id}[${target.name}]` : site.id;
}

/** What `looptag migrate` would put at a spawn. */
export function mendsAt({ mends = presumed }: Pick<CheckInput, 'mends'>, decision: Decision): Mends {
  return mends(decision);
}

function presumed(decision: Decision): Mends {
  const { projectId, site } = decision;
  const heartbeat = projectId === null ? { why: 'its project id is not decided' } : true;
  const tag = site.shape.refusal === null ? heartbeat : { why: site.shape.refusal.reason };
  return { projectId: tag, traceId: tag, heartbeat, platformSession: true };
}

/** A finding on the call that spawns. */
export function aboutSpawn(decision: Decision, message: string, extra: Extra = {}): RawFinding {
  return {
    message,
    range: decision.site.range,
    site: decision.site.id,
    identity: identityOf(decision),
    ...extra,
  };
}

/** A finding on a line of the coroutine itself, with the spawn as its related place. */
export function aboutLine(
  input: CheckInput,
  decision: Decision,
  place: { file: string; line: number },
  message: string,
  extra: Extra = {},
): RawFinding {
  return aboutSpawn(decision, message, {
    range: lineRange(input, place.file, place.line),
    related: [{ message: 'spawned here', range: decision.site.range }],
    ...extra,
  });
}

/** A finding on the `def` of what is spawned; on the spawn when the definition is outside the project. */
export function aboutDefinition(
  input: CheckInput,
  decision: Decision,
  target: Target,
  message: string,
  extra: Extra = {},
): RawFinding {
  if (target.file === null || target.line === null) return aboutSpawn(decision, message, extra);
  return aboutLine(input, decision, { file: target.file, line: target.line }, message, extra);
}

/** A finding on a row of the catalogue. */
export function aboutRow(
  catalogue: Catalogue,
  entry: Entry,
  column: Column,
  message: string,
  extra: Extra = {},
): RawFinding {
  return {
    message,
    range: rowRange(catalogue, entry, column),
    site: null,
    identity: `${catalogue.file}:${entry.name ?? `#${entry.number ?? '?'}`}`,
    ...extra,
  };
}

/** One line of an analysed file, without its indentation. */
export function lineRange(input: CheckInput, file: string, line: number): Range {
  return lineOf(input.sourceOf(file) ?? '', file, line);
}

/** From a column to the end of its line; the catalogue's text is at hand too. */
export function placeRange(input: CheckInput, file: string, line: number, column: number): Range {
  const text = file === input.catalogue?.file ? input.catalogue.text : (input.sourceOf(file) ?? '');
  const whole = lineOf(text, file, line);
  if (column <= whole.column || column >= whole.endColumn) return whole;
  const skipped = [...text.slice(whole.start, whole.end)].slice(0, column - whole.column).join('').length;
  return { ...whole, column, start: whole.start + skipped };
}

/** The content of a cell, or the whole row when the table has no such column. */
export function rowRange(catalogue: Catalogue, entry: Entry, column: Column): Range {
  const row = lineOf(catalogue.text, catalogue.file, entry.row);
  const cell = entry.cells[column];
  if (!cell) return row;
  const start =
    cell.extent.start + Math.max(0, catalogue.text.slice(cell.extent.start, cell.extent.end).indexOf(cell.raw));
  const first = row.column + [...catalogue.text.slice(row.start, start)].length;
  return { ...row, column: first, endColumn: first + [...cell.raw].length, start, end: start + cell.raw.length };
}

let last: { text: string; lines: readonly { start: number; end: number }[] } = { text: '', lines: [] };

/** Where the lines of a text are, breaks aside. The text asked for last is not gone through again. */
function linesOf(text: string): (typeof last)['lines'] {
  if (last.text === text && last.lines.length) return last.lines;
  const lines: { start: number; end: number }[] = [];
  let start = 0;
  for (const { index, 0: line } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start, end: index });
    start = index + line.length;
  }
  lines.push({ start, end: text.length });
  last = { text, lines };
  return lines;
}

/** A line that does not exist yields an empty range at its start. */
function lineOf(text: string, file: string, line: number): Range {
  const place = linesOf(text)[line - 1];
  if (!place) return { file, line, column: 1, endLine: line, endColumn: 1, start: 0, end: 0 };
  const source = text.slice(place.start, place.end);
  const start = place.start + source.length - source.trimStart().length;
  const code = source.trim();
  const column = 1 + [...source.slice(0, start - place.start)].length;
  return { file, line, column, endLine: line, endColumn: column + [...code].length, start, end: start + code.length };
}

/** Pairs of a decision and its coroutine that the policy wants tagged and that loop forever. */
export function* requiredLoops(input: CheckInput): Generator<{ decision: Decision; target: Target }> {
  for (const decision of input.reconciliation.decisions) {
    const { target } = decision;
    if (target?.facts.lifecycle === 'loop' && decision.required) yield { decision, target };
  }
}
