/** The bundled service, migrated by the built command, and its analysis. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnApis } from '../../rules/spawn-apis/index.ts';
import { DiskFileSystem } from '../../src/io/disk.ts';
import type { Analysis, Policy, Reconciliation } from '../../src/model/index.ts';
import { loadPolicyParser, readCatalogue, reconcile } from '../../src/policy/index.ts';
import { analyse } from '../../src/sites/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const SERVICE = join(ROOT, 'fixtures/services/awoooi');
const CATALOGUE = 'docs/INV-8.md';

/** null when the command has not been built. */
export const command = existsSync(join(ROOT, 'dist/start.js')) ? join(ROOT, 'bin/looptag.js') : null;

export interface Migrated {
  /** The service's own folder, to be put on Python's path. */
  service: string;
  policy: Policy;
  analysis: Analysis;
  reconciliation: Reconciliation;
  remove(): void;
}

/** A copy of the service with project ids and heartbeats put in. */
export async function migratedService(): Promise<Migrated> {
  const root = mkdtempSync(join(tmpdir(), 'looptag-migrated-'));
  cpSync(SERVICE, root, { recursive: true });
  const args = ['migrate', '--root', root, '--catalog', join(root, CATALOGUE), '--heartbeat', '--write'];
  execFileSync(process.execPath, [command!, ...args], { stdio: 'pipe' });
  const { parsePolicy } = await loadPolicyParser();
  const policy = parsePolicy(
    readFileSync(join(ROOT, 'rules/policies/awoooi.yaml'), 'utf8'),
    'rules/policies/awoooi.yaml',
  );
  const fs = new DiskFileSystem(root);
  const { analysis } = analyse(fs, fs.listPython(['.']), {
    spawnApis,
    contextVariable: policy.contextVariable,
    traceVariable: policy.traceVariable,
    helper: policy.helper,
    importRoots: [],
  });
  const catalogue = readCatalogue(readFileSync(join(root, CATALOGUE), 'utf8'), CATALOGUE);
  return {
    service: join(root, 'apps/api'),
    policy,
    analysis,
    reconciliation: reconcile(analysis, catalogue, policy, new Map()),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
