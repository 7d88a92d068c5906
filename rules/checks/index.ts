import type { CheckDefinition } from '../../src/engine/contracts.ts';
import lineDrift from './line-drift/index.ts';
import staleEntry from './stale-entry/index.ts';
import uncataloguedLoop from './uncatalogued-loop/index.ts';
import unclassifiedLoop from './unclassified-loop/index.ts';
import untaggedLoop from './untagged-loop/index.ts';
import wrongProjectId from './wrong-project-id/index.ts';

export const checks: readonly CheckDefinition[] = [
  lineDrift,
  staleEntry,
  uncataloguedLoop,
  unclassifiedLoop,
  untaggedLoop,
  wrongProjectId,
];
