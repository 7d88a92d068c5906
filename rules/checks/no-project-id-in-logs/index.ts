import { type CheckInput, defineCheck, type RawFinding } from '../../../src/engine/contracts.ts';
import { plural } from '../../../src/model/plural.ts';
import { tagInForce } from '../../../src/model/tag-in-force.ts';
import { aboutSpawn, lineRange, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  unread: (variable: string, loops: string) =>
    `no log format, filter or processor reads ${variable}: the logs of ${loops} can't be told apart`,
  callback: (callback: string, name: string) =>
    `${callback} runs in the context of this line, not of ${name}: what it logs carries no project id`,
  spawn: 'the task is started here',
};

/** Callbacks that only forget the task. */
const FORGETS = /(?:^|\.)(?:discard|remove|pop|clear)$/;

export default defineCheck({
  id: 'no-project-id-in-logs',
  code: 'LT021',
  severity: 'note',
  summary: 'The logs of a loop do not show its project id.',
  fixable: false,
  remedy: 'add a logging filter that reads the context variable; in a done callback, name the project id yourself',
  *run(input) {
    if (input.logging === null) yield* unread(input);
    else yield* callbacks(input);
  },
});

function* unread(input: CheckInput): Generator<RawFinding> {
  const { analysis, policy, reconciliation } = input;
  const loops = reconciliation.decisions.filter(({ required }) => required).length;
  const wanted = policy.contextVariable.split(/[.:]/).at(-1);
  // A variable that carries something else (decimal's context, a request) says nothing about projects.
  const variable =
    analysis.contextVariables.find(({ name, label }) => name === wanted || label === wanted) ??
    analysis.contextVariables.find(({ label }) => label === 'project_id');
  // Without a variable nothing is tagged, and untagged-loop has said so.
  if (!variable || loops === 0) return;
  yield {
    message: MESSAGES.unread(quoted(variable.name), plural(loops, 'loop')),
    range: lineRange(input, variable.file, variable.line),
    site: null,
    identity: `${variable.module}:${variable.name}`,
  };
}

/** The helper has reset the variable before the callback runs, and the callback has the context of whoever added it. */
function* callbacks(input: CheckInput): Generator<RawFinding> {
  for (const decision of input.reconciliation.decisions) {
    const { required, site } = decision;
    const callback = site.shape.doneCallback;
    if (!required || !tagInForce(decision) || !callback || FORGETS.test(callback.name)) continue;
    yield aboutSpawn(decision, MESSAGES.callback(quoted(callback.name), quoted(nameOf(decision))), {
      range: lineRange(input, site.range.file, callback.line),
      related: [{ message: MESSAGES.spawn, range: site.range }],
    });
  }
}
