import { defineCheck } from '../../../src/engine/contracts.ts';
import type { DirectiveProblem } from '../../../src/model/index.ts';
import { quoted } from '../wording.ts';

type Kind = 'unused' | 'unknown-rule' | 'unknown-key' | 'bad-value' | 'malformed' | 'bad-date' | 'no-rules';

const perhaps = (nearest: string | null) => (nearest === null ? '' : `; did you mean ${quoted(nearest)}?`);

const MESSAGES: { [K in Kind]: (problem: Extract<DirectiveProblem, { kind: K }>) => string } = {
  unused: ({ rule }) => `${quoted(rule)} reports nothing here: the suppression is not needed`,
  'unknown-rule': ({ rule, nearest }) => `there is no rule ${quoted(rule)}${perhaps(nearest)}`,
  'unknown-key': ({ key, nearest }) => `there is no hint ${quoted(key)}${perhaps(nearest)}`,
  'bad-value': ({ key, value, expected }) => `${quoted(key)} must be ${expected}, not ${quoted(value)}`,
  malformed: ({ text }) => `${quoted(text)} means nothing to looptag`,
  'bad-date': ({ value }) => `\`until\` must be a date like \`2027-03-31\`, not ${quoted(value)}`,
  'no-rules': () => 'a suppression must name its rules: `ignore[untagged-loop]`',
};

export default defineCheck({
  id: 'unused-suppression',
  code: 'LT024',
  severity: 'warning',
  summary: 'A `# looptag:` comment has no effect.',
  fixable: false,
  remedy:
    'remove or correct the comment: `# looptag: ignore[rule] until=2027-03-31 -- reason`, or `# looptag: class=B project=x id=17`',
  phase: 'directives',
  *run({ directiveProblems = [] }) {
    for (const problem of directiveProblems) {
      if (problem.kind === 'expired' || problem.kind === 'no-reason') continue;
      const { range } = problem;
      yield { message: wording(problem), range, site: null, identity: `${range.file}:${detail(problem)}` };
    }
  },
});

function wording(problem: Extract<DirectiveProblem, { kind: Kind }>): string {
  return (MESSAGES[problem.kind] as (problem: DirectiveProblem) => string)(problem);
}

function detail(problem: Extract<DirectiveProblem, { kind: Kind }>): string {
  return 'rule' in problem ? problem.rule : 'key' in problem ? problem.key : problem.kind;
}
