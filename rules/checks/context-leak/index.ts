import { defineCheck } from '../../../src/engine/contracts.ts';
import type { SpawnSite } from '../../../src/model/index.ts';
import { aboutSpawn, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  untagged: (name: string) =>
    `${name} never ends and is started while a request is served: it keeps the tenant, user and trace of the first caller`,
  tagged: (name: string) =>
    `${name} never ends and is started while a request is served: its tag replaces the project id, but trace and user of the first caller stay`,
};

export default defineCheck({
  id: 'context-leak',
  code: 'LT013',
  severity: 'warning',
  summary: 'A loop that is started in a request inherits the context of its first caller.',
  fixable: false,
  remedy: 'start it at start-up, or with `context=contextvars.Context()` (Python 3.11) beside the tag',
  *run({ reconciliation }) {
    for (const decision of reconciliation.decisions) {
      const { site, target } = decision;
      if (target?.facts.lifecycle !== 'loop' || site.shape.path !== 'request' || !inherits(site)) continue;
      const name = quoted(nameOf(decision));
      yield target.tag
        ? aboutSpawn(decision, MESSAGES.tagged(name), { severity: 'note' })
        : aboutSpawn(decision, MESSAGES.untagged(name));
    }
  },
});

/** Without `context=`, and with a copy of the current one, everything the caller set goes along. */
function inherits({ shape }: SpawnSite): boolean {
  return shape.contextArgument === null || shape.contextArgument.kind === 'copied';
}
