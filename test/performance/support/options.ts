/** What the analysis is told where a policy has no say. */
import { spawnApis } from '../../../rules/spawn-apis/index.ts';
import type { AnalyseOptions } from '../../../src/sites/index.ts';

export const OPTIONS: AnalyseOptions = {
  spawnApis: [...spawnApis],
  contextVariable: '_current_project_id',
  traceVariable: '_current_trace_id',
  helper: '_run_with_context',
  importRoots: [],
};
