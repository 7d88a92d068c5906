import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutSpawn, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  shared: (name: string, context: string) =>
    `${name} runs in the context object ${context} that other code uses too: what one of them sets, all of them see`,
};

export default defineCheck({
  id: 'shared-context',
  code: 'LT012',
  severity: 'warning',
  summary: 'Several tasks run in one and the same context object.',
  fixable: false,
  remedy: 'give each task a context of its own: `context=contextvars.copy_context()`, or leave `context=` out',
  *run({ reconciliation }) {
    for (const decision of reconciliation.decisions) {
      const argument = decision.site.shape.contextArgument;
      if (argument?.kind !== 'shared') continue;
      yield aboutSpawn(decision, MESSAGES.shared(quoted(nameOf(decision)), quoted(argument.value)));
    }
  },
});
