import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutSpawn, nameOf, rowRange } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  unmarked: (name: string, row: string) => `${name} has no marker in row ${row}, so that its class is unknown`,
  unclassed: (name: string, row: string, marker: string) =>
    `${name} has the marker ${marker} in row ${row}, to which the policy gives no class`,
  row: 'the row without a class',
};

export default defineCheck({
  id: 'unclassified-loop',
  code: 'LT005',
  severity: 'warning',
  summary: 'A loop is in the catalogue, but neither its marker nor the policy gives it a class.',
  fixable: false,
  remedy: 'fill the marker cell, or say it in the code: `# looptag: class=B project=awoooi`',
  *run({ catalogue, reconciliation }) {
    if (!catalogue) return;
    for (const decision of reconciliation.decisions) {
      const { entry, marker } = decision;
      if (!entry || entry.name === null || decision.class !== null || !decision.required) continue;
      const name = quoted(nameOf(decision));
      const row = `#${entry.number ?? '?'}`;
      const message = marker === null ? MESSAGES.unmarked(name, row) : MESSAGES.unclassed(name, row, quoted(marker));
      yield aboutSpawn(decision, message, {
        related: [{ message: MESSAGES.row, range: rowRange(catalogue, entry, 'marker') }],
      });
    }
  },
});
