import { defineCheck } from '../../../src/engine/contracts.ts';
import { calleeOf } from '../../../src/model/identifier.ts';
import type { Decision, Entry } from '../../../src/model/index.ts';
import { aboutSpawn, nameOf, rowRange } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  unlisted: (name: string, file: string) => `${name} is in no row of ${file}`,
  nameless: (name: string, file: string) =>
    `${name} is in no row of ${file}, and what it starts has no name that a row could give`,
  undecided: (name: string, row: string, file: string) =>
    `${name} is in no row of ${file} by name; the undecided row ${row} waits for it`,
  struck: (name: string, row: string, file: string) =>
    `${name} is struck out in row ${row} of ${file}, but it is spawned`,
  row: 'the undecided row',
};

export default defineCheck({
  id: 'uncatalogued-loop',
  code: 'LT003',
  severity: 'error',
  summary: 'A background loop is missing from the catalogue.',
  fixable: true,
  remedy:
    'run `looptag catalog sync`, then decide its marker and priority; where the code gives no name, write the row and say at the spawn which it is: `# looptag: id=…`',
  *run({ catalogue, reconciliation }) {
    if (!catalogue) return;
    const file = quoted(catalogue.file);
    const waiting = new Map(reconciliation.undecided.map(({ entry, decision }) => [decision, entry]));
    const missing = new Set([...waiting.keys(), ...reconciliation.unlisted.filter(belongs)]);
    for (const decision of missing) {
      if (!decision) continue;
      const name = quoted(nameOf(decision));
      const row = waiting.get(decision);
      if (row) {
        const related = [{ message: MESSAGES.row, range: rowRange(catalogue, row, 'function') }];
        yield aboutSpawn(decision, MESSAGES.undecided(name, label(row), file), { related });
      } else if (decision.entry) {
        yield aboutSpawn(decision, MESSAGES.struck(name, label(decision.entry), file));
      } else if (!decision.target && calleeOf(decision.site) === null) {
        yield aboutSpawn(decision, MESSAGES.nameless(name, file), { fixable: false });
      } else yield aboutSpawn(decision, MESSAGES.unlisted(name, file));
    }
  },
});

function label({ number, row }: Entry): string {
  return number === null ? `in line ${row}` : `#${number}`;
}

/** A one-shot that the policy asks nothing of (work of one request) is no background loop. */
function belongs({ required, target }: Decision): boolean {
  return required || target?.facts.lifecycle === 'loop';
}
