import { defineCheck } from '../../../src/engine/contracts.ts';
import type { SiteShape } from '../../../src/model/index.ts';
import { tagInForce } from '../../../src/model/tag-in-force.ts';
import { aboutSpawn, lineRange, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

type How = NonNullable<SiteShape['ineffectiveTag']>['how'];

const MESSAGES = {
  gather: (name: string) =>
    `the tag on ${name} has no effect: \`gather\` starts its tasks before the tag is set; tag each coroutine in it`,
  shield: (name: string) =>
    `the tag on ${name} has no effect: \`shield\` starts its task before the tag is set; tag the coroutine in it`,
  'context-run': (name: string) =>
    `the tag on ${name} has no effect: \`Context.run\` of a coroutine function only makes the coroutine, which runs in the context of its task`,
  'set-after-spawn': (name: string) =>
    `the tag on ${name} has no effect: the variable is set after the spawn, and the task has copied its context by then`,
} satisfies Record<How, (name: string) => string>;

const OTHER = (name: string, why: string) => `the tag on ${name} has no effect: ${why}`;
const ATTEMPT = 'the attempt to tag it';

export default defineCheck({
  id: 'ineffective-tag',
  code: 'LT011',
  severity: 'error',
  summary: 'A spawn looks tagged, but the task does not see the project id.',
  fixable: false,
  remedy: 'wrap the coroutine itself in the context helper, or set the variable in its body',
  *run(input) {
    for (const decision of input.reconciliation.decisions) {
      const { site } = decision;
      const tag = tagInForce(decision);
      const { ineffective, ineffectiveTag } = site.shape;
      const name = quoted(nameOf(decision));
      if (ineffectiveTag) {
        yield aboutSpawn(decision, MESSAGES[ineffectiveTag.how](name), {
          related: [{ message: ATTEMPT, range: lineRange(input, site.range.file, ineffectiveTag.line) }],
        });
      } else if (ineffective !== null && tag && tag.via !== 'loop-body' && tag.via !== 'decorator') {
        yield aboutSpawn(decision, OTHER(name, ineffective));
      }
    }
  },
});
