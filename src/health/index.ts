/** Alerts from the loops of a catalogue, their proof, and the comparison with what really runs. */
export { checkRulesFile } from './agreement/check.ts';
export type { AgreementCode, AgreementProblem } from './agreement/model.ts';
export { type DashboardOptions, renderDashboard } from './dashboard.ts';
export { loopName } from './loop-name.ts';
export * from './model.ts';
export { buildAlerts, type PlanOptions } from './plan.ts';
export { type PromtoolFile, type PromtoolOptions, renderPromtoolTests } from './promtool.ts';
export { type ResourceOptions, renderPrometheusRule, renderRules } from './rules-yaml.ts';
