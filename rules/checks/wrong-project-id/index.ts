import { defineCheck } from '../../../src/engine/contracts.ts';
import type { Decision, Fix, Tag } from '../../../src/model/index.ts';
import { tagInForce } from '../../../src/model/tag-in-force.ts';
import { aboutSpawn, lineRange, mendsAt, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  wrong: (name: string, has: string, due: string, why: string) =>
    `${name} carries the project id ${has}, but it must carry ${due}${why}`,
  set: (id: string) => `${id} is set here`,
  fix: (due: string) => `Carry ${due}`,
};

export default defineCheck({
  id: 'wrong-project-id',
  code: 'LT002',
  severity: 'error',
  summary: 'A background task carries another project id than its class asks for.',
  fixable: true,
  remedy:
    'change the id at the spawn (`looptag migrate` does where it is a literal), or the marker of its row in the catalogue',
  *run(input) {
    const transitional = input.policy.legacyLabel.value;
    for (const decision of input.reconciliation.decisions) {
      const tag = tagInForce(decision);
      const due = decision.projectId;
      // The transitional label is legacy-label's business: it has a date until which it is allowed.
      if (!tag || due === null || tag.projectId === null || tag.projectId === due || tag.projectId === transitional)
        continue;
      yield aboutSpawn(
        decision,
        MESSAGES.wrong(quoted(nameOf(decision)), quoted(tag.projectId), quoted(due), because(decision)),
        {
          related: [{ message: MESSAGES.set(quoted(tag.projectId)), range: lineRange(input, tag.file, tag.line) }],
          fixable: mendsAt(input, decision).projectId === true,
          fix: replaceId(decision, tag, due, input.sourceOf(decision.site.range.file)),
        },
      );
    }
  },
});

function because({ class: loopClass, marker }: Decision): string {
  if (marker !== null) return ` (marker ${quoted(marker)})`;
  return loopClass === null ? '' : ` (class ${loopClass})`;
}

/** Only a plain literal at the spawn is replaced: a name may be used elsewhere. */
function replaceId({ site }: Decision, tag: Tag, due: string, source: string | null): Fix | null {
  const id = tag.wrapping?.id;
  if (!id || source === null || tag.file !== site.range.file) return null;
  const quote = /^(["'])[^"'\\]*\1$/.exec(source.slice(id.start, id.end))?.[1];
  if (quote === undefined || /["'\\\n]/.test(due)) return null;
  const edit = { file: site.range.file, start: id.start, end: id.end, text: quote + due + quote };
  return { title: MESSAGES.fix(quoted(due)), safe: true, edits: [edit] };
}
