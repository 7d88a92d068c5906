/** One site whose rewrite cannot be proven is left alone; the rest is planned and proven again, until all of it is proven. */
import type { LeftAlone, MigrateInput, MigrationPlan } from './types.ts';
import type { VerificationProblem } from './verify.ts';

export interface Proven {
  plan: MigrationPlan;
  /** Empty: every part of the plan is proven. */
  problems: VerificationProblem[];
}

/**
 * @param attempt Plan and verify; sites in `leave` are left alone.
 * @returns The first plan that is proven whole; the last one with its problems when no site can be blamed for them, or
 *   when a fault in the files' texts leaves nothing to do: then the fault is not one of a site.
 */
export function prove(input: MigrateInput, attempt: (input: MigrateInput) => Proven): Proven {
  const leave = new Map(input.leave);
  const faults: VerificationProblem[] = [];
  for (;;) {
    const got = attempt({ ...input, leave });
    if (got.problems.length === 0) return got.plan.sites.length === 0 ? { ...got, problems: faults } : got;
    const known = leave.size;
    for (const problem of got.problems) {
      for (const at of problem.sites ?? []) leave.set(at, unproven(problem));
      if (!problem.ofAnalysis) faults.push(problem);
    }
    if (leave.size === known) return got;
  }
}

function unproven({ message, ofAnalysis }: VerificationProblem): LeftAlone {
  const remedy = ofAnalysis ? 'tag it by hand, or where the coroutine is made' : 'please report it with the file';
  return { code: 'unproven', reason: `its rewrite could not be proven (${message}): ${remedy}` };
}
