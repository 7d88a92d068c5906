import type { Entry, LintPlace, LintProblem } from '../../model/index.ts';
import { columnAt } from '../markdown/lines.ts';
import type { Claim } from './claims.ts';
import { cellTexts } from './layout.ts';
import type { LintWork } from './lint-work.ts';
import { numbersOf, type Reference } from './references.ts';

type ListClaim = Extract<Claim, { references: unknown }>;
type CountClaim = Extract<Claim, { value: number }>;
type PriorityClaim = Extract<Claim, { kind: 'priority-list' }>;

/** The document against itself: lists, counts, deadlines. */
export function lintClaims(work: LintWork): LintProblem[] {
  const priorities = work.claims.filter((c): c is PriorityClaim => c.kind === 'priority-list');
  const overlapping = overlaps(work, priorities);
  return [
    ...overlapping.problems,
    ...priorities.flatMap((claim) => membership(work, claim, priorities, overlapping.numbers)),
    ...work.claims.flatMap((claim) => ('references' in claim ? dangling(work, claim) : count(work, claim))),
    ...work.claims.flatMap((claim) => (claim.kind === 'marker-list' ? markerList(work, claim) : [])),
    ...deadlines(work),
  ];
}

function named(reference: Reference): string {
  return reference.to > reference.from ? `#${reference.from}~${reference.to}` : `#${reference.from}`;
}

function problem(
  work: LintWork,
  claim: Claim,
  rest: Pick<LintProblem, 'code' | 'message' | 'related' | 'remedy'> & { fixable?: boolean },
): LintProblem {
  const { catalogue } = work;
  let start = claim.start;
  while (/[ \t]/.test(catalogue.text[start] ?? '')) start++;
  const column = columnAt(catalogue.text, claim.line, start);
  return { file: catalogue.file, line: claim.line.number, column, fixable: true, ...rest };
}

function rowPlace(work: LintWork, entry: Entry, message: string): LintPlace {
  return { file: work.catalogue.file, line: entry.row, message };
}

function live(work: LintWork): Entry[] {
  return work.catalogue.entries.filter((e) => !e.struck);
}

/** Groups of two priorities that share numbers. */
function overlaps(work: LintWork, claims: PriorityClaim[]): { problems: LintProblem[]; numbers: Set<number> } {
  const problems: LintProblem[] = [];
  const numbers = new Set<number>();
  for (const [index, claim] of claims.entries()) {
    for (const other of claims.slice(index + 1)) {
      for (const a of claim.references) {
        for (const b of other.references) {
          const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
          if (from > to) continue;
          for (const n of numbersOf([{ from, to }])) numbers.add(n);
          const file = work.catalogue.file;
          problems.push(
            problem(work, claim, {
              code: 'range-overlap',
              message: `${claim.priority}'s ${named(a)} overlaps ${other.priority}'s ${named(b)}`,
              related: [{ file, line: other.line.number, message: `${other.priority} lists ${named(b)}` }],
              remedy: 'list every row under one priority; `catalog sync` rewrites both lists from the rows',
            }),
          );
        }
      }
    }
  }
  return { problems, numbers };
}

/** Rows of a priority that its list lacks, and rows that it lists although they have another. */
function membership(work: LintWork, claim: PriorityClaim, all: PriorityClaim[], reported: Set<number>): LintProblem[] {
  const listed = numbersOf(claim.references);
  const listedElsewhere = new Set(all.flatMap((c) => (c === claim ? [] : [...numbersOf(c.references)])));
  return live(work).flatMap((entry): LintProblem[] => {
    if (entry.number === null) return [];
    const belongs = entry.priority === claim.priority;
    if (belongs === listed.has(entry.number)) return [];
    // Listed under two priorities: said already.
    if (!belongs && (reported.has(entry.number) || entry.priority === null) && listedElsewhere.has(entry.number))
      return [];
    const message = belongs
      ? `row #${entry.number} is ${claim.priority}, but no group of the ${claim.priority} list holds it`
      : `the ${claim.priority} list holds #${entry.number}, whose row says ${entry.priorityText || 'nothing'}`;
    return [
      problem(work, claim, {
        code: 'priority-list',
        message,
        related: [rowPlace(work, entry, `row #${entry.number}: ${entry.priorityText}`)],
        remedy: 'correct the row or let `catalog sync` rewrite the list from the rows',
      }),
    ];
  });
}

function dangling(work: LintWork, claim: ListClaim): LintProblem[] {
  const known = new Set(live(work).map((e) => e.number));
  const missing = [...numbersOf(claim.references)].filter((n) => !known.has(n));
  if (missing.length === 0) return [];
  const last = live(work).at(-1);
  return [
    problem(work, claim, {
      code: 'dangling-reference',
      message: `${missing.map((n) => `#${n}`).join(', ')} ${missing.length === 1 ? 'is' : 'are'} no row of the catalogue`,
      related: last ? [rowPlace(work, last, `the last row is #${last.number ?? last.row}`)] : [],
      remedy: 'correct the list, or let `catalog sync` rewrite it from the rows',
    }),
  ];
}

function markerList(work: LintWork, claim: Extract<Claim, { kind: 'marker-list' }>): LintProblem[] {
  const listed = numbersOf(claim.references);
  return live(work).flatMap((entry): LintProblem[] => {
    if (entry.number === null || (entry.marker === claim.marker) === listed.has(entry.number)) return [];
    const message = listed.has(entry.number)
      ? `${claim.marker} lists #${entry.number}, whose row is marked ${entry.marker ?? 'nothing yet'}`
      : `row #${entry.number} is marked ${claim.marker}, but the list lacks it`;
    return [
      problem(work, claim, {
        code: 'count',
        message,
        related: [rowPlace(work, entry, `row #${entry.number}`)],
        remedy: 'correct the row or let `catalog sync` rewrite the list',
      }),
    ];
  });
}

function label(entry: Entry): string {
  return entry.number === null ? `on line ${entry.row}` : `#${entry.number}`;
}

function count(work: LintWork, claim: CountClaim): LintProblem[] {
  const rows = live(work);
  if (claim.kind === 'measured') return [];
  const counted = claim.kind === 'total' ? rows : rows.filter((e) => e.marker === claim.marker);
  if (counted.length === claim.value) return [];
  const open = rows.filter((e) => e.marker === null && e.cells.marker !== undefined);
  // A count with its list beside it says which rows it means.
  const spelledOut = work.claims.some((c) => c.kind === 'marker-list' && c.line === claim.line);
  const fits = open.length > 0 && counted.length + open.length === claim.value;
  const withOpen = claim.kind === 'marker-count' && fits && !spelledOut;
  const what = claim.kind === 'total' ? 'the catalogue has' : `${claim.marker} marks`;
  const message = withOpen
    ? `${claim.value} counts the undecided row ${open.map(label).join(', ')}: ${counted.length} rows are marked ${claim.marker}`
    : `${claim.value} is written, but ${what} ${counted.length} rows`;
  const proof = withOpen ? open : counted.slice(-1);
  const related = proof.map((e) =>
    rowPlace(
      work,
      e,
      withOpen ? `row ${label(e)} has no marker yet` : `the last of the ${counted.length} is row ${label(e)}`,
    ),
  );
  const fallback = work.layout.catalogue[0]?.table.header.line.number;
  if (related.length === 0 && fallback) {
    related.push({ file: work.catalogue.file, line: fallback, message: 'the table of loops' });
  }
  return [
    problem(work, claim, { code: 'count', message, related, remedy: '`catalog sync` decides the row and recounts' }),
  ];
}

const DEADLINE =
  /Phase\s*(\d+)\s*(?:之)?(?:前|以前)|(?:不得(?:拖過|晚於|超過)|拖過|before|by|until|no later than)\s*Phase\s*(\d+)/giu;

/** The phase before which something is due, as a text says. */
function deadlineIn(text: string): number | null {
  DEADLINE.lastIndex = 0;
  const m = DEADLINE.exec(text.normalize('NFKC'));
  return m ? Number(m[1] ?? m[2]) : null;
}

/** Remarks that give a loop more time than the priority table gives its priority. */
function deadlines(work: LintWork): LintProblem[] {
  const { layout, catalogue } = work;
  const table = layout.priorities;
  if (!table) return [];
  const due = new Map<string, { phase: number; text: string; line: number }>();
  for (const row of table.table.rows) {
    const text = cellTexts(catalogue.text, row)[table.priority] ?? '';
    const id = /^\w+/.exec(text)?.[0] ?? '';
    const at = /立即|immediate|at once|now/i.test(text) ? 0 : deadlineIn(text);
    if (at !== null) due.set(id, { phase: at, text, line: row.line.number });
  }
  return live(work).flatMap((entry): LintProblem[] => {
    const limit = due.get(entry.priority ?? '');
    const written = deadlineIn(entry.remark);
    if (!limit || written === null || written <= limit.phase) return [];
    const line = layout.blocks.lines[entry.row - 1];
    const cell = entry.cells.remark;
    const column = line && cell ? columnAt(catalogue.text, line, cell.extent.start) + 1 : 1;
    return [
      {
        code: 'deadline',
        message: `row ${label(entry)} is ${limit.text}, but its remark allows until before Phase ${written}`,
        file: catalogue.file,
        line: entry.row,
        column,
        related: [{ file: catalogue.file, line: limit.line, message: limit.text }],
        remedy: 'correct the remark or the priority; both are written by people',
        fixable: false,
      },
    ];
  });
}
