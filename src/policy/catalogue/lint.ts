import type { Catalogue, LintProblem, Policy, Reconciliation } from '../../model/index.ts';
import { samePath } from '../../model/listed-line.ts';
import { readClaims } from './claims.ts';
import { layoutOf } from './layout.ts';
import { lintClaims } from './lint-claims.ts';
import { lintCode } from './lint-code.ts';
import { lintPolicy } from './lint-policy.ts';
import type { LintWork, OtherDocument } from './lint-work.ts';

/**
 * Checks a catalogue against itself, the policy, other documents and, with a reconciliation, the code.
 * Every problem names both places that cannot both be right.
 */
export function lintCatalogue(
  catalogue: Catalogue,
  policy: Policy,
  reconciliation: Reconciliation | null,
  otherDocuments: readonly OtherDocument[] = [],
): LintProblem[] {
  const layout = layoutOf(catalogue.text);
  const work: LintWork = {
    catalogue,
    policy,
    layout,
    claims: readClaims(layout, policy),
    others: otherDocuments.filter((d) => !samePath(d.file, catalogue.file)),
  };
  const problems = [
    ...catalogue.problems.map(
      (p): LintProblem => ({
        code: 'unreadable',
        message: p.message,
        file: catalogue.file,
        line: p.line,
        column: p.column,
        related: [],
        remedy: p.remedy,
        fixable: false,
      }),
    ),
    ...lintClaims(work),
    ...lintPolicy(work),
    ...(reconciliation ? lintCode(work, reconciliation) : []),
  ];
  return problems.sort(
    (a, b) =>
      Number(a.file !== catalogue.file) - Number(b.file !== catalogue.file) || a.line - b.line || a.column - b.column,
  );
}
