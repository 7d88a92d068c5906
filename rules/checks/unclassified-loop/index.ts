import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutSpawn, nameOf, rowRange } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  unmarked: (name: string, row: string, suggested: string) => `${name} has no marker in row ${row}${suggested}`,
  suggested: (marker: string) => `; the policy suggests ${marker}`,
  unclassed: (name: string, row: string, marker: string) =>
    `${name} has the marker ${marker} in row ${row}, to which the policy gives no class`,
  row: 'the row without a class',
};

export default defineCheck({
  id: 'unclassified-loop',
  code: 'LT005',
  severity: 'warning',
  summary: 'The catalogue does not say which class a loop belongs to.',
  fixable: true,
  remedy:
    'fill the marker cell (`looptag catalog sync` takes what the policy suggests), or say it in the code: `# looptag: class=B project=awoooi`',
  *run({ catalogue, reconciliation }) {
    if (!catalogue) return;
    for (const decision of reconciliation.decisions) {
      const { entry, marker } = decision;
      if (!entry || entry.name === null || entry.struck || !decision.required) continue;
      if (entry.marker !== null && decision.class !== null) continue;
      const name = quoted(nameOf(decision));
      const row = `#${entry.number ?? '?'}`;
      const suggested = marker === null ? '' : MESSAGES.suggested(quoted(marker));
      const message =
        entry.marker === null
          ? MESSAGES.unmarked(name, row, suggested)
          : MESSAGES.unclassed(name, row, quoted(entry.marker));
      yield aboutSpawn(decision, message, {
        related: [{ message: MESSAGES.row, range: rowRange(catalogue, entry, 'marker') }],
        fixable: entry.marker === null && marker !== null,
      });
    }
  },
});
