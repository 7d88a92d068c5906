import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutSpawn, mendsAt, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  missing: (name: string, priority: string) => `${name} has priority ${priority} and runs without a trace id`,
};

export default defineCheck({
  id: 'missing-trace-id',
  code: 'LT008',
  severity: 'error',
  summary: 'A loop whose priority demands a trace id sets none.',
  fixable: true,
  remedy: 'run `looptag migrate --trace`, or set the trace variable before the loop',
  *run(input) {
    const { policy, reconciliation } = input;
    const demanding = new Set(policy.priorities.filter(({ traceId }) => traceId).map(({ id }) => id));
    for (const decision of reconciliation.decisions) {
      const { priority, required, target } = decision;
      if (!required || !target || target.traceId || priority === null || !demanding.has(priority)) continue;
      yield aboutSpawn(decision, MESSAGES.missing(quoted(nameOf(decision)), priority), {
        fixable: mendsAt(input, decision).traceId === true,
      });
    }
  },
});
