import type { CheckDefinition } from '../../src/engine/contracts.ts';
import cancelSwallowed from './cancel-swallowed/index.ts';
import catalogContradiction from './catalog-contradiction/index.ts';
import contextLeak from './context-leak/index.ts';
import diesOnException from './dies-on-exception/index.ts';
import droppedTask from './dropped-task/index.ts';
import duplicateSpawn from './duplicate-spawn/index.ts';
import dynamicSpawn from './dynamic-spawn/index.ts';
import executorDropsContext from './executor-drops-context/index.ts';
import expiredSuppression from './expired-suppression/index.ts';
import ineffectiveTag from './ineffective-tag/index.ts';
import legacyLabel from './legacy-label/index.ts';
import lineDrift from './line-drift/index.ts';
import missingHeartbeat from './missing-heartbeat/index.ts';
import missingTraceId from './missing-trace-id/index.ts';
import noProjectIdInLogs from './no-project-id-in-logs/index.ts';
import periodDrift from './period-drift/index.ts';
import sharedContext from './shared-context/index.ts';
import staleEntry from './stale-entry/index.ts';
import staleThreshold from './stale-threshold/index.ts';
import suppressionWithoutReason from './suppression-without-reason/index.ts';
import syntaxError from './syntax-error/index.ts';
import tenantSessionInPlatformLoop from './tenant-session-in-platform-loop/index.ts';
import uncataloguedLoop from './uncatalogued-loop/index.ts';
import unclassifiedLoop from './unclassified-loop/index.ts';
import untaggedLoop from './untagged-loop/index.ts';
import unusedSuppression from './unused-suppression/index.ts';
import wrongProjectId from './wrong-project-id/index.ts';

export const checks: readonly CheckDefinition[] = [
  cancelSwallowed,
  catalogContradiction,
  contextLeak,
  diesOnException,
  droppedTask,
  duplicateSpawn,
  dynamicSpawn,
  executorDropsContext,
  expiredSuppression,
  ineffectiveTag,
  legacyLabel,
  lineDrift,
  missingHeartbeat,
  missingTraceId,
  noProjectIdInLogs,
  periodDrift,
  sharedContext,
  staleEntry,
  staleThreshold,
  suppressionWithoutReason,
  syntaxError,
  tenantSessionInPlatformLoop,
  uncataloguedLoop,
  unclassifiedLoop,
  untaggedLoop,
  unusedSuppression,
  wrongProjectId,
];
