import { defineCheck } from '../../../src/engine/contracts.ts';
import type { Decision } from '../../../src/model/index.ts';
import { tagInForce } from '../../../src/model/tag-in-force.ts';
import { aboutSpawn, mendsAt, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  untagged: (name: string, due: string) => `${name} is spawned without a project id${due}`,
  inherited: (name: string, due: string, line: number) =>
    `${name} is spawned without a project id of its own${due}; it only inherits what line ${line} set, and loses it when the line moves`,
  unnamed: (source: string, why: string) =>
    `${source} is spawned without a project id; what it starts is unknown: ${why}`,
};

export default defineCheck({
  id: 'untagged-loop',
  code: 'LT001',
  severity: 'error',
  summary: 'A background task starts without the project id that the policy asks for.',
  fixable: true,
  remedy: 'run `looptag migrate`, or wrap the coroutine in the context helper by hand',
  *run(input) {
    for (const decision of input.reconciliation.decisions) {
      if (!decision.required || tagInForce(decision)) continue;
      yield aboutSpawn(decision, message(decision), { fixable: mendsAt(input, decision).projectId === true });
    }
  },
});

function message(decision: Decision): string {
  const { site, target, projectId } = decision;
  const name = quoted(nameOf(decision));
  if (!target) return MESSAGES.unnamed(name, site.unresolved ?? 'it has no coroutine that can be named');
  const due = projectId === null ? '' : `; it must carry ${quoted(projectId)}`;
  return target.inherited ? MESSAGES.inherited(name, due, target.inherited.line) : MESSAGES.untagged(name, due);
}
