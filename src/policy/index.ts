/**
 * Catalogue and policy: text in, data out.
 *
 * What is exported here loads no parser and no table of character widths. Two modules do, and are imported where they are
 * needed: `policy/parse.ts` (YAML) and `catalogue/write.ts` (sync and init).
 */
export { lintCatalogue } from './catalogue/lint.ts';
export type { OtherDocument } from './catalogue/lint-work.ts';
export { readCatalogue } from './catalogue/read.ts';
export { formatFrequency, isOpen, learnStyle, parseFrequency } from './frequency.ts';
export { PolicyError, policyFromJson } from './policy/validate.ts';
export { type Hint, type Hints, isBackground } from './reconcile/candidates.ts';
export { inBatch } from './reconcile/classify.ts';
export { reconcile } from './reconcile/reconcile.ts';
export type { Outlook } from './reconcile/unseen.ts';
export type { StatusContext } from './status/measure.ts';
export { type Progress, progressOf } from './status/progress.ts';
export { statusReport } from './status/report.ts';

/** The YAML parser, loaded when a policy file is read: `const { parsePolicy } = await loadPolicyParser()`. */
export const loadPolicyParser = () => import('./policy/parse.ts');

/** What writes catalogues: `const { syncCatalogue, initCatalogue } = await loadCatalogueWriter()`. */
export const loadCatalogueWriter = () => import('./catalogue/write.ts');
