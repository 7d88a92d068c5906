import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutLine, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  drops: (name: string) => `the thread that ${name} starts here does not see its project id`,
};

export default defineCheck({
  id: 'executor-drops-context',
  code: 'LT020',
  severity: 'note',
  summary: 'A loop hands work to a thread without its context.',
  fixable: false,
  remedy: 'use `asyncio.to_thread`, or hand over `contextvars.copy_context().run`',
  *run(input) {
    const told = new Set<string>();
    for (const decision of input.reconciliation.decisions) {
      if (!decision.required) continue;
      for (const call of decision.target?.facts.executorCalls ?? []) {
        if (told.has(`${call.file}:${call.line}`)) continue;
        told.add(`${call.file}:${call.line}`);
        yield aboutLine(input, decision, call, MESSAGES.drops(quoted(nameOf(decision))));
      }
    }
  },
});
