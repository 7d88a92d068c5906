import { type CheckInput, defineCheck, type RawFinding } from '../../../src/engine/contracts.ts';
import type { Catalogue, Entry } from '../../../src/model/index.ts';
import { aboutRow, rowRange } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  said: (message: string, remedy: string) => (remedy === '' ? message : `${message}; ${remedy}`),
  twice: (name: string, row: number) => `${name} is listed again in line ${row}`,
  class: (name: string, marker: string, has: string, policy: string, wants: string) =>
    `${name} has the marker ${marker} (class ${has}), but ${policy} puts it into class ${wants}`,
  first: 'the first row',
};

export default defineCheck({
  id: 'catalog-contradiction',
  code: 'LT022',
  severity: 'warning',
  summary: 'The catalogue contradicts itself or the policy.',
  fixable: false,
  remedy: 'run `looptag catalog lint` for the whole list, and correct the document',
  *run(input) {
    const { catalogue } = input;
    if (!catalogue) return;
    if (catalogue.contradictions) yield* told(catalogue);
    else yield* found(input, catalogue);
  },
});

function* told({ file, contradictions = [] }: Catalogue): Generator<RawFinding> {
  for (const { line, column, message, remedy } of contradictions) {
    yield {
      message: MESSAGES.said(message, remedy),
      range: { file, line, column, endLine: line, endColumn: column, start: 0, end: 0 },
      site: null,
      identity: `${file}:${message.replace(/\d+/g, '#')}`,
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
      });
    }
    first.set(entry.name, earlier ?? entry);
    const named = policy.named.find((loop) => loop.name === entry.name);
    const has = entry.marker === null ? null : (policy.markers[entry.marker]?.class ?? null);
    if (named && has !== null && has !== named.class) {
      const message = MESSAGES.class(name, quoted(entry.marker!), has, policy.title, named.class);
      yield aboutRow(catalogue, entry, 'marker', message);
    }
  }
}
