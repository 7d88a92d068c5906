import { stringify } from 'yaml';
import type { AlertGroup, AlertPlan } from './model.ts';
import { alertGroups } from './rule-parts.ts';

/** Name and labels of the custom resource; Prometheus operators select resources by label. */
interface ResourceOptions {
  name?: string;
  namespace?: string;
  labels?: Record<string, string>;
}

/** Prometheus' own rule file. */
export function renderRules(plan: AlertPlan): string {
  return header(plan) + toYaml({ groups: plainGroups(alertGroups(plan)) });
}

/** The same rules as a PrometheusRule of the Prometheus operator. */
export function renderPrometheusRule(plan: AlertPlan, options: ResourceOptions = {}): string {
  const resource = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: options.name ?? 'background-loops',
      ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
      labels: { 'app.kubernetes.io/managed-by': 'looptag', ...options.labels },
    },
    spec: { groups: plainGroups(alertGroups(plan)) },
  };
  return header(plan) + toYaml(resource);
}

/** Written as YAML 1.1 reads it, so that Go's parsers see `yes`, `017` and `1:30` as the strings that they are. */
export function toYaml(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

function plainGroups(groups: AlertGroup[]) {
  return groups.map(({ name, rules }) => ({
    name,
    rules: rules.map(({ alert, expr, for: hold, labels, annotations }) => ({
      alert,
      expr,
      ...(hold === undefined ? {} : { for: hold }),
      labels,
      annotations,
    })),
  }));
}

function header(plan: AlertPlan): string {
  const lines = [
    'Written by `looptag alerts`; change the policy or the catalogue and write it again.',
    `Policy ${plan.policy}: ${plan.loops.length} loops watched, ${plan.skipped.length} without alerts.`,
    ...plan.skipped.map((s) => `  ${s.number === null ? '–' : `#${s.number}`} ${s.functionName}: ${s.reason}`),
  ];
  return `${lines.map((line) => `# ${oneLine(line)}`).join('\n')}\n`;
}

/** Untrusted text must not end the comment. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
}
