/** Catalogue and policy: text in, data out. Nothing exported here loads a parser or a table of character widths. */
export { readCatalogue, type Vocabulary } from './catalogue/read.ts';
export { type FrequencyStyle, formatFrequency, isPlaceholder, learnStyle, parseFrequency } from './frequency.ts';
export { PolicyError, policyFromJson } from './policy/validate.ts';
export { type Hint, type Hints, isBackground } from './reconcile/candidates.ts';
export { inBatch } from './reconcile/classify.ts';
export { parseHint, reconcile } from './reconcile/reconcile.ts';
