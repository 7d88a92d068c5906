import { defineCheck } from '../../../src/engine/contracts.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  expired: (rules: string, until: string) =>
    `the suppression of ${rules} ended on ${until}, and takes nothing away any more`,
};

export default defineCheck({
  id: 'expired-suppression',
  code: 'LT025',
  severity: 'warning',
  summary: 'A suppression is past its date.',
  fixable: false,
  remedy: 'mend what it suppressed, or decide on a new date',
  phase: 'directives',
  *run({ directiveProblems = [] }) {
    for (const problem of directiveProblems) {
      if (problem.kind !== 'expired') continue;
      const { range, rules, until } = problem;
      const message = MESSAGES.expired(rules.map(quoted).join(', '), until);
      yield { message, range, site: null, identity: `${range.file}:${rules.join(',')}` };
    }
  },
});
