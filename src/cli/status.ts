/** Measures where a migration stands: analysis, catalogue and policy, and what the disk says of the transitional label. */
import { findInConfiguration } from '../io/labels.ts';
import type { Catalogue, Reconciliation, Status } from '../model/index.ts';
import { statusReport } from '../policy/index.ts';
import { type Analysed, findLoggingUse } from '../sites/index.ts';
import { reconcileWith, type Workspace } from './workspace.ts';

export function measureStatus(
  w: Workspace,
  analysed: Analysed,
  reconciliation: Reconciliation,
  catalogue: Catalogue | null,
  alertTested: boolean | null = null,
): Status {
  return statusReport(analysed.analysis, reconciliation, catalogue, w.policy, {
    labelHits: findInConfiguration(w.fs, w.policy.legacyLabel.env),
    logging: loggingUse(w, analysed),
    alertTested,
  });
}

/** Where the project's logging reads the context variable. */
export function loggingUse(w: Workspace, analysed: Analysed): { file: string; line: number } | null {
  return findLoggingUse(analysed.project, w.fs.listPython(['.']), analysed.analysis.contextVariables);
}

/** The totals alone: of an earlier version only these count. */
export function measureTotals(w: Workspace, analysed: Analysed, catalogue: Catalogue | null): Status['totals'] {
  const context = { labelHits: [], logging: null, alertTested: null };
  return statusReport(analysed.analysis, reconcileWith(w, analysed, catalogue), catalogue, w.policy, context).totals;
}
