import { defineCheck } from '../../../src/engine/contracts.ts';
import type { Policy } from '../../../src/model/index.ts';
import { tagInForce } from '../../../src/model/tag-in-force.ts';
import { aboutSpawn, mendsAt, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  before: (name: string, label: string, until: string) =>
    `${name} still carries the transitional label ${label}${until}`,
  after: (name: string, label: string, due: string) =>
    `${name} still carries the transitional label ${label}, which was to be gone by ${due}`,
  marker: (name: string, marker: string, due: string) =>
    `${name} still has the transitional marker ${marker}, which was to be gone by ${due}`,
};

export default defineCheck({
  id: 'legacy-label',
  code: 'LT010',
  severity: 'note',
  summary: 'A loop runs under the transitional label; an error once the milestone that ends it has passed.',
  fixable: true,
  remedy: 'give the loop its real project id with `looptag migrate`',
  *run(input) {
    const { policy, reconciliation, today } = input;
    const due = dueDate(policy);
    const late = due !== null && today > due;
    const label = policy.legacyLabel.value;
    for (const decision of reconciliation.decisions) {
      const { marker } = decision;
      const name = quoted(nameOf(decision));
      if (label !== '' && tagInForce(decision)?.projectId === label) {
        const message = late
          ? MESSAGES.after(name, quoted(label), due)
          : MESSAGES.before(name, quoted(label), due === null ? '' : `, allowed until ${due}`);
        const fixable = mendsAt(input, decision).projectId === true;
        yield aboutSpawn(decision, message, { severity: late ? 'error' : 'note', fixable });
      } else if (late && marker !== null && policy.markers[marker]?.legacy) {
        // Until then the marker is how the catalogue says "on the way"; `looptag status` counts those.
        yield aboutSpawn(decision, MESSAGES.marker(name, quoted(marker), due), { severity: 'error', fixable: false });
      }
    }
  },
});

/** The first day that ends the label, of the milestones that have a date. */
function dueDate({ milestones }: Policy): string | null {
  const dates = milestones
    .filter(({ test }) => test.kind === 'legacy-zero' || test.kind === 'label-removed')
    .flatMap(({ due }) => due ?? []);
  return dates.sort()[0] ?? null;
}
