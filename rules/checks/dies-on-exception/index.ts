import { defineCheck } from '../../../src/engine/contracts.ts';
import type { SpawnSite } from '../../../src/model/index.ts';
import { aboutDefinition, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  dies: (name: string) => `the first exception in a round ends ${name} for good`,
  silent: (name: string) =>
    `the first exception in a round ends ${name} for good, and silently: its task is kept, but nobody reads its result`,
};

export default defineCheck({
  id: 'dies-on-exception',
  code: 'LT019',
  severity: 'warning',
  summary: 'Nothing inside the loop catches an exception, so that one failed round ends it.',
  fixable: false,
  remedy: 'catch `Exception` inside the loop and log it, or let something restart the loop',
  *run(input) {
    const told = new Set<string>();
    for (const decision of input.reconciliation.decisions) {
      const { site, target } = decision;
      if (target?.facts.lifecycle !== 'loop' || target.facts.diesOnException !== true || watched(site)) continue;
      const key = target.qualifiedName ?? site.id;
      if (told.has(key)) continue;
      told.add(key);
      const silent = /^(kept|held)$/.test(site.shape.use) && site.shape.doneCallback === null;
      const name = quoted(nameOf(decision));
      yield aboutDefinition(input, decision, target, silent ? MESSAGES.silent(name) : MESSAGES.dies(name));
    }
  },
});

/** Whoever awaits the task, or owns it in a group, sees the exception. */
function watched({ shape }: SpawnSite): boolean {
  return shape.use === 'awaited' || shape.use === 'structured';
}
