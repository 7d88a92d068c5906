/** Alerts from the loops of a catalogue, their proof, and the comparison with what really runs. */
export { checkRulesFile } from './agreement/check.ts';
export type { AgreementCode, AgreementProblem } from './agreement/model.ts';
export { renderDashboard } from './dashboard.ts';
export * from './model.ts';
export { buildAlerts, type PlanOptions } from './plan.ts';
export { emitProbe, type ProbeOptions } from './probe/emit.ts';
export { type PromtoolFile, type PromtoolOptions, renderPromtoolTests } from './promtool.ts';
export { type ResourceOptions, renderPrometheusRule, renderRules } from './rules-yaml.ts';
export * from './runtime/model.ts';
export { readDump } from './runtime/read-dump.ts';
export { type RuntimeOptions, reconcileRuntime } from './runtime/reconcile.ts';
export { agreementJson, agreementText, runtimeJson, runtimeText } from './text.ts';
