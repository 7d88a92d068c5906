import { defineCheck } from '../../../src/engine/contracts.ts';
import type { Target } from '../../../src/model/index.ts';
import { leavesTask } from '../../../src/model/task-owner.ts';
import { aboutSpawn, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  loop: (name: string) =>
    `nothing keeps the task of ${name}: the event loop holds it only weakly, so that it may be collected in mid-flight`,
  other: (name: string) => `nothing keeps the task of ${name}: it may be collected before it ends`,
};

/** Of a function outside of the project what it is is known only where its life is: that of a queue, for one. */
function isCoroutine(target: Target | null): boolean {
  return target !== null && (target.file !== null || target.facts.lifecycle !== 'unknown');
}

export default defineCheck({
  id: 'dropped-task',
  code: 'LT017',
  severity: 'warning',
  summary: 'No reference to the task is kept.',
  fixable: false,
  remedy:
    'keep the task and read its outcome: a task group, or a set together with a done callback that logs its exception',
  *run({ reconciliation }) {
    for (const decision of reconciliation.decisions) {
      const { site, target } = decision;
      if (site.shape.use !== 'dropped' || !leavesTask(site.api)) continue;
      // `ensure_future` of a task or future hands it back: whoever made it holds it.
      // What is not known to be a coroutine may be one of them.
      if (site.shape.refusal?.code === 'existing-task') continue;
      if (site.api === 'asyncio.ensure_future' && !isCoroutine(target)) continue;
      const name = quoted(nameOf(decision));
      yield target?.facts.lifecycle === 'loop'
        ? aboutSpawn(decision, MESSAGES.loop(name))
        : aboutSpawn(decision, MESSAGES.other(name), { severity: 'note' });
    }
  },
});
