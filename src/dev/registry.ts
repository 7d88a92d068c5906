/** What the generators and scaffolds know: the definitions by the folders they lie in, not by any index. */
import type { Command } from 'commander';
import type { CheckDefinition, CodemodDefinition, SpawnApiDefinition } from '../engine/contracts.ts';
import { byKey } from '../model/order.ts';
import type { Format } from '../report/format.ts';

export interface Registry {
  checks: Record<string, CheckDefinition>;
  codemods: Record<string, CodemodDefinition>;
  spawnApis: Record<string, SpawnApiDefinition>;
  formats: Record<string, Format>;
  /** Names of the bundled policies. */
  policies: string[];
  policySchema: object;
  program: Command;
}

/** Sorted by code units, as every list that is generated. */
export function sorted<T>(record: Record<string, T>): [string, T][] {
  return Object.entries(record).sort(byKey);
}

/** `line-drift` → `lineDrift` */
export function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
