import { defineCheck } from '../../../src/engine/contracts.ts';
import type { Decision } from '../../../src/model/index.ts';
import { aboutSpawn, nameOf, rowRange } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  unlisted: (name: string, file: string) => `${name} is in no row of ${file}`,
  undecided: (name: string, row: string, file: string) =>
    `${name} is in no row of ${file} by name; the undecided row ${row} waits for it`,
  row: 'the undecided row',
};

export default defineCheck({
  id: 'uncatalogued-loop',
  code: 'LT003',
  severity: 'error',
  summary: 'A background loop is missing from the catalogue.',
  fixable: true,
  remedy: 'run `looptag catalog sync`, then decide its marker and priority',
  *run({ catalogue, reconciliation }) {
    if (!catalogue) return;
    const reported = new Set<Decision>();
    for (const { entry, decision } of reconciliation.undecided) {
      if (!decision || reported.has(decision)) continue;
      reported.add(decision);
      const row = entry.number === null ? `in line ${entry.row}` : `#${entry.number}`;
      yield aboutSpawn(decision, MESSAGES.undecided(quoted(nameOf(decision)), row, quoted(catalogue.file)), {
        related: [{ message: MESSAGES.row, range: rowRange(catalogue, entry, 'function') }],
      });
    }
    for (const decision of reconciliation.unlisted) {
      if (reported.has(decision) || !belongs(decision)) continue;
      reported.add(decision);
      yield aboutSpawn(decision, MESSAGES.unlisted(quoted(nameOf(decision)), quoted(catalogue.file)));
    }
  },
});

/** A one-shot that the policy asks nothing of (work of one request) is no background loop. */
function belongs({ required, target }: Decision): boolean {
  return required || target?.facts.lifecycle === 'loop';
}
