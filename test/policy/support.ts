import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Analysis, Policy, SpawnSite } from '../../src/model/index.ts';
import { readCatalogue } from '../../src/policy/index.ts';
import { parsePolicy } from '../../src/policy/policy/parse.ts';
import { analysis, facts, site, target } from '../support/builders.ts';

const root = new URL('../../', import.meta.url);

export function file(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, root)), 'utf8');
}

export const awoooi: Policy = parsePolicy(file('rules/policies/awoooi.yaml'), 'rules/policies/awoooi.yaml');
export const tenantBasic: Policy = parsePolicy(
  file('rules/policies/tenant-basic.yaml'),
  'rules/policies/tenant-basic.yaml',
);

/** The bundled service's catalogue and policy document. */
export const INV8 = file('fixtures/services/awoooi/docs/INV-8.md');
export const ADR123 = file('fixtures/services/awoooi/docs/ADR-123.md');
export const MAIN = 'apps/api/src/main.py';

/** A spawn of a loop (or one-shot with `period: 'once'`) at start-up. */
export function loop(
  name: string,
  line: number,
  period: number | 'once' | null = 300,
  over: Partial<SpawnSite> = {},
): SpawnSite {
  const own = facts({
    lifecycle: period === 'once' ? 'one-shot' : 'loop',
    periodSeconds: period === 'once' ? null : period,
  });
  return site(name, line, { targets: [target(name, { facts: own })], ...over });
}

/** A spawn that a request handler makes. */
export function request(name: string, line: number): SpawnSite {
  const spawn = loop(name, line, 'once');
  return { ...spawn, enclosing: 'send', shape: { ...spawn.shape, path: 'request' } };
}

/** The spawns that INV-8's thirty named rows speak of, at their lines, with their periods. */
export function thirty(): SpawnSite[] {
  return readCatalogue(INV8, 'INV-8.md')
    .entries.filter((e) => e.name !== null)
    .map((e) => loop(e.name ?? '', e.line ?? 0, e.frequency.kind === 'once' ? 'once' : e.frequency.seconds));
}

export const CHANNEL_POLLER = 'run_channel_event_poller_loop';

/** The whole service: thirty spawns and the channel poller that no row names. */
export function service(extra: SpawnSite[] = [loop(CHANNEL_POLLER, 712, 10)], over: Partial<Analysis> = {}): Analysis {
  return analysis([...thirty(), ...extra], over);
}
