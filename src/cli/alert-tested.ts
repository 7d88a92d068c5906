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
  const { expectsAlert } = await import('./promtool-tests.ts');
  return expectsAlert(text, ALERT_NAMES.stale);
}
