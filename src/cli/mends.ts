/** What `looptag migrate` would mend, for findings that say so. */
import type { Mends } from '../engine/contracts.ts';
import { mendsOf } from '../engine/migrate/mends.ts';
import type { Decision } from '../model/index.ts';
import { contextVariables } from '../sites/index.ts';
import { mayDefineVariables } from './defining.ts';
import { engineOptions } from './migrate-plan.ts';
import { forwarderDecisions, inputOf, uniform } from './migration.ts';
import type { Reconciled } from './project.ts';
import type { CommonOptions, Workspace } from './workspace.ts';

/** Without a catalogue, with any id for all. */
export function mendsIn(
  w: Workspace,
  { analysed, catalogue, reconciliation }: Reconciled,
  { contextVar }: CommonOptions,
): (decision: Decision) => Mends {
  return mendsOf(() => {
    const { analysis, project } = analysed;
    const options = engineOptions(w, analysis.files, { contextVar, python: false, format: 'json' });
    const elsewhere = options.contextVariable ? undefined : () => mayDefineVariables(w.fs, w.fs.listPython(['.']));
    const known = { ...analysed, analysis: { ...analysis, contextVariables: contextVariables(project, elsewhere) } };
    const decisions = catalogue ? reconciliation.decisions : uniform(reconciliation, 'ID');
    return inputOf(w, known, { decisions: [...decisions, ...forwarderDecisions(known, decisions)] }, options);
  });
}
