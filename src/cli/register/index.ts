/** Every command, in the order of the help. Light: only definitions, the work is loaded by the command that runs. */
import type { Command } from 'commander';
import type { Act } from '../define.ts';
import { registerAlerts } from './alerts.ts';
import { registerCatalog } from './catalog.ts';
import { registerCheck } from './check.ts';
import { registerClean } from './clean.ts';
import { registerCompletion } from './completion.ts';
import { registerEmit } from './emit.ts';
import { registerExplain } from './explain.ts';
import { registerInit } from './init.ts';
import { registerInventory } from './inventory.ts';
import { registerLsp } from './lsp.ts';
import { registerMerge } from './merge.ts';
import { registerMigrate } from './migrate.ts';
import { registerReconcile } from './reconcile.ts';
import { registerRules } from './rules.ts';
import { registerStatus } from './status.ts';

/** By name, in the order of the help. */
export const commands: Readonly<Record<string, (program: Command, act: Act) => void>> = {
  inventory: registerInventory,
  catalog: registerCatalog,
  migrate: registerMigrate,
  check: registerCheck,
  status: registerStatus,
  explain: registerExplain,
  alerts: registerAlerts,
  reconcile: registerReconcile,
  emit: registerEmit,
  init: registerInit,
  rules: registerRules,
  lsp: registerLsp,
  merge: registerMerge,
  clean: registerClean,
  completion: registerCompletion,
};
