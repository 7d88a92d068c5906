/** Alerts from the loops of a catalogue, their proof, and the comparison with what really runs. */
export { checkRulesFile } from './agreement/check.ts';
export { renderDashboard } from './dashboard.ts';
export * from './model.ts';
export { buildAlerts } from './plan.ts';
export { emitProbe } from './probe/emit.ts';
export { renderPromtoolTests } from './promtool.ts';
export { renderPrometheusRule, renderRules } from './rules-yaml.ts';
export * from './runtime/model.ts';
export { readDump } from './runtime/read-dump.ts';
export { reconcileRuntime } from './runtime/reconcile.ts';
export { agreementJson, agreementText, runtimeJson, runtimeText } from './text.ts';
