import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutLine, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  swallowed: (name: string) =>
    `this handler also catches the cancellation of ${name} and goes on: the service can't stop it`,
};

export default defineCheck({
  id: 'cancel-swallowed',
  code: 'LT018',
  severity: 'warning',
  summary: 'A handler inside a loop catches its cancellation.',
  fixable: false,
  remedy: 'catch `Exception`, or raise `CancelledError` again',
  *run(input) {
    const told = new Set<string>();
    for (const decision of input.reconciliation.decisions) {
      const handler = decision.target?.facts.swallowsCancellation;
      if (!handler || told.has(`${handler.file}:${handler.line}`)) continue;
      told.add(`${handler.file}:${handler.line}`);
      yield aboutLine(input, decision, handler, MESSAGES.swallowed(quoted(nameOf(decision))));
    }
  },
});
