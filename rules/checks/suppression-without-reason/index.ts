import { defineCheck } from '../../../src/engine/contracts.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  missing: (rules: string) => `the suppression of ${rules} gives no reason, and takes nothing away until it does`,
};

export default defineCheck({
  id: 'suppression-without-reason',
  code: 'LT026',
  severity: 'warning',
  summary: 'A suppression does not say why.',
  fixable: false,
  remedy: 'add the reason after two dashes: `# looptag: ignore[rule] -- reason`',
  phase: 'directives',
  *run({ directiveProblems = [] }) {
    for (const problem of directiveProblems) {
      if (problem.kind !== 'no-reason') continue;
      const { range, rules } = problem;
      const message = MESSAGES.missing(rules.map(quoted).join(', '));
      yield { message, range, site: null, identity: `${range.file}:${rules.join(',')}` };
    }
  },
});
