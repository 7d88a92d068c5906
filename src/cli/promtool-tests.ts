/** Reads promtool's unit tests. Loads the YAML parser. */
import { parseDocument } from 'yaml';

/** Does a test of the file expect the alert to ring? */
export function expectsAlert(text: string, alert: string): boolean {
  const document = parseDocument(text);
  if (document.errors.length) return false;
  const { tests } = (document.toJS({ maxAliasCount: 100 }) ?? {}) as { tests?: unknown };
  return list(tests)
    .flatMap((test) => list(test.alert_rule_test))
    .some((t) => t.alertname === alert && list(t.exp_alerts).length > 0);
}

/** The tables of a list; nothing of anything else. */
function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((v) => typeof v === 'object' && v !== null) : [];
}
