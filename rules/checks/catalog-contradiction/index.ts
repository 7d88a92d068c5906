import { type CheckInput, defineCheck, type RawFinding } from '../../../src/engine/contracts.ts';
import type { Catalogue, Entry, LintProblem, Policy } from '../../../src/model/index.ts';
import { aboutRow, placeRange, rowRange } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  said: (message: string, remedy: string) => (remedy === '' ? message : `${message}; ${remedy}`),
  twice: (name: string, row: number) => `${name} is listed again in line ${row}`,
  class: (name: string, marker: string, policy: string, wants: string, due: string) =>
    `${name} has the marker ${marker}, but ${policy} puts it into class ${wants} (${due})`,
  first: 'the first row',
};

/** Rules of their own report these. */
const REPORTED_ELSEWHERE = new Set<LintProblem['code']>([
  'undecided',
  'unlisted',
  'vanished',
  'line-drift',
  'frequency-drift',
  'unreadable',
]);

export default defineCheck({
  id: 'catalog-contradiction',
  code: 'LT022',
  severity: 'warning',
  summary: 'The catalogue contradicts itself or the policy.',
  fixable: true,
  remedy: 'correct the document that is wrong; `looptag catalog sync` brings counts and lists in line with the rows',
  *run(input) {
    const { catalogue } = input;
    if (!catalogue) return;
    // What speaks of other documents (loops that the policy plans) is no fault of the catalogue: `catalog lint` lists it.
    if (catalogue.contradictions)
      yield* told(
        input,
        catalogue.contradictions.filter(({ file }) => file === catalogue.file),
      );
    else yield* found(input, catalogue);
  },
});

function* told(input: CheckInput, contradictions: readonly LintProblem[]): Generator<RawFinding> {
  for (const { code, message, remedy, file, line, column, related, fixable } of contradictions) {
    if (REPORTED_ELSEWHERE.has(code)) continue;
    yield {
      message: MESSAGES.said(message, remedy),
      range: placeRange(input, file, line, column),
      site: null,
      identity: `${file}:${code}:${message.replace(/\d+/g, '#')}`,
      related: related.map((place) => ({
        message: place.message,
        range: placeRange(input, place.file, place.line, 1),
      })),
      fixable,
    };
  }
}

/** What the rows themselves show, when nobody has read the rest of the document. */
function* found({ policy }: CheckInput, catalogue: Catalogue): Generator<RawFinding> {
  const first = new Map<string, Entry>();
  for (const entry of catalogue.entries) {
    if (entry.name === null || entry.struck) continue;
    const name = quoted(entry.name);
    const earlier = first.get(entry.name);
    if (earlier) {
      yield aboutRow(catalogue, entry, 'function', MESSAGES.twice(name, entry.row), {
        related: [{ message: MESSAGES.first, range: rowRange(catalogue, earlier, 'function') }],
        fixable: false,
      });
    }
    first.set(entry.name, earlier ?? entry);
    const named = policy.named.find((loop) => loop.name === entry.name);
    if (!named || entry.marker === null || fits(policy, entry.marker, named.class)) continue;
    const due = quoted(policy.classes[named.class].marker);
    const message = MESSAGES.class(name, quoted(entry.marker), policy.title, named.class, due);
    yield aboutRow(catalogue, entry, 'marker', message, { fixable: false });
  }
}

/** A marker without a class of its own (the transitional one) fits all but the platform's loops. */
function fits(policy: Policy, marker: string, wanted: keyof Policy['classes']): boolean {
  const implied = (Object.hasOwn(policy.markers, marker) ? policy.markers[marker]?.class : null) ?? null;
  if (implied !== null) return implied === wanted;
  return wanted !== 'A' || marker === policy.classes.A.marker;
}
