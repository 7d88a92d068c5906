/** Has a test seen the stale alert fire? */
import { ALERT_NAMES } from '../health/model.ts';
import { findInConfiguration } from '../io/labels.ts';
import type { Workspace } from './workspace.ts';

/** True when the project holds a promtool test in which the alert rings; null otherwise: the test may be kept elsewhere. */
export async function alertTested(w: Workspace): Promise<boolean | null> {
  const files = new Set(findInConfiguration(w.fs, ALERT_NAMES.stale).map((hit) => hit.file));
  for (const file of files) if (await rings(w, file)) return true;
  return null;
}

async function rings(w: Workspace, file: string): Promise<boolean> {
  const bytes = w.fs.read(file);
  const text = bytes ? new TextDecoder().decode(bytes) : '';
  if (!text.includes('alert_rule_test')) return false;
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  if (document.errors.length) return false;
  const { tests } = (document.toJS({ maxAliasCount: 100 }) ?? {}) as { tests?: unknown };
  return list(tests)
    .flatMap((test) => list(test.alert_rule_test))
    .some((t) => t.alertname === ALERT_NAMES.stale && list(t.exp_alerts).length > 0);
}

/** The tables of a list; nothing of anything else. */
function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((v) => typeof v === 'object' && v !== null) : [];
}
