import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutRow } from '../about.ts';
import { isWhole } from '../rows.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  stale: (name: string, row: string) => `row ${row} lists ${name}, which no code spawns`,
  dynamic: (name: string, row: string, place: string, hint: string) =>
    `row ${row} lists ${name}, which no code spawns by its name, but the spawn at ${place} does not say what it starts; \`# looptag: ${hint}\` there says that it is this one`,
  nameless: (row: string) => `row ${row} is undecided, and no spawn is left for it`,
};

export default defineCheck({
  id: 'stale-entry',
  code: 'LT004',
  severity: 'error',
  summary: 'A row of the catalogue names a loop that the code no longer spawns.',
  fixable: true,
  remedy: 'run `looptag catalog sync`, which strikes the row out, or restore the spawn',
  *run(input) {
    const { catalogue, reconciliation } = input;
    if (!catalogue) return;
    for (const entry of reconciliation.stale) {
      if (entry.struck) continue;
      const row = `#${entry.number ?? '?'}`;
      const message = entry.name === null ? MESSAGES.nameless(row) : MESSAGES.stale(quoted(entry.name), row);
      yield aboutRow(catalogue, entry, 'function', message);
    }
    for (const { entry, site } of reconciliation.dynamic) {
      const row = `#${entry.number ?? '?'}`;
      const place = `${site.range.file}:${site.range.line}`;
      const message = MESSAGES.dynamic(quoted(entry.name!), row, place, `id=${entry.number ?? 'NUMBER'}`);
      const related = [{ message: 'may be started here', range: site.range }];
      yield aboutRow(catalogue, entry, 'function', message, { severity: 'note', fixable: false, related });
    }
    // Where only a part was analysed, the loop of an undecided row may be in the rest.
    if (!isWhole(input, catalogue)) return;
    for (const { entry, decision } of reconciliation.undecided) {
      if (decision || entry.struck || reconciliation.stale.includes(entry)) continue;
      yield aboutRow(catalogue, entry, 'function', MESSAGES.nameless(`#${entry.number ?? '?'}`));
    }
  },
});
