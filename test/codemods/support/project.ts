/** Whole small projects in memory, analysed as the product does, and fed to the planner. */
import { spawnApis } from '../../../rules/spawn-apis/index.ts';
import { mayDefineVariables } from '../../../src/cli/defining.ts';
import { forwarderDecisions, inputOf } from '../../../src/cli/migration.ts';
import type { Workspace } from '../../../src/cli/workspace.ts';
import type { CodemodDefinition } from '../../../src/engine/contracts.ts';
import type { MigrateInput, MigrateOptions } from '../../../src/engine/migrate/types.ts';
import { MemoryFileSystem } from '../../../src/io/memory.ts';
import type { Decision, Policy, SpawnSite, Target } from '../../../src/model/index.ts';
import { analyse } from '../../../src/sites/index.ts';
import { temporary } from '../../support/temporary.ts';

export const policy = {
  name: 'test',
  priorities: [
    { id: 'P0', title: '', phase: '', traceId: true },
    { id: 'P1', title: '', phase: '', traceId: false },
  ],
  contextVariable: 'project_id_ctx_var',
  traceVariable: 'trace_id_ctx_var',
  traceGenerator: 'generate_trace_id',
  helper: '_run_with_context',
  platformSession: { tenant: ['get_db_session'], platform: 'get_platform_db_session', module: null },
  legacyLabel: { variable: 'LOOP_PROJECT_ID', env: 'LOOP_PROJECT_ID', value: 'legacy_awoooi_default' },
  heartbeat: {
    metric: 'awooop_background_loop_last_run_timestamp',
    variable: 'LOOP_LAST_RUN',
    labels: ['loop_name', 'project_id'],
    documentation: 'Unix timestamp of last successful loop execution',
  },
} as unknown as Policy;

export const CONTEXT = `from contextvars import ContextVar

project_id_ctx_var = ContextVar("project_id", default="")
trace_id_ctx_var = ContextVar("trace_id", default="")


def generate_trace_id():
    return "0" * 32
`;

export type Files = Record<string, string | Uint8Array>;

export interface ProjectOptions extends Partial<MigrateOptions> {
  /** Files whose sites are to be migrated; all by default. */
  paths?: string[];
  projectId?: string | ((site: SpawnSite) => string | null);
  priority?: (site: SpawnSite) => string | null;
  decisionOf?: (site: SpawnSite) => Partial<Decision>;
  codemods: Record<string, CodemodDefinition>;
  change?: (site: SpawnSite) => SpawnSite;
}

/** Nothing of it is on disk, and no git keeps anything of it. */
const workspace = { policy, root: temporary() } as Workspace;

export function project(files: Files, options: ProjectOptions): MigrateInput {
  const { paths = Object.keys(files), change = (site) => site } = options;
  const fs = new MemoryFileSystem(Object.entries(files));
  const { contextVariable, traceVariable, helper } = policy;
  const modules = [options.contextVariable?.module, typeof options.helper === 'object' ? options.helper?.module : null];
  const analysed = analyse(fs, paths, {
    contextVariable,
    traceVariable,
    helper,
    importRoots: [],
    spawnApis,
    alsoRead: modules.filter((module) => typeof module === 'string'),
    mayDefineVariables: options.contextVariable ? undefined : () => mayDefineVariables(fs, Object.keys(files)),
  });
  analysed.analysis.sites = analysed.analysis.sites.map(change);
  const decisions = analysed.analysis.sites.flatMap((site) =>
    (site.targets.length ? site.targets : [null]).map((target) => decide(site, target, options)),
  );
  const all = [...decisions, ...forwarderDecisions(analysed, decisions)];
  const input = inputOf(workspace, analysed, { decisions: all }, { method: 'wrapper', ...options });
  return { ...input, codemods: options.codemods };
}

function decide(site: SpawnSite, target: Target | null, options: ProjectOptions): Decision {
  const { projectId = 'awoooi', priority, decisionOf } = options;
  const id = typeof projectId === 'string' ? projectId : projectId(site);
  return {
    site,
    target,
    entry: null,
    matchedBy: null,
    marker: null,
    class: null,
    priority: priority?.(site) ?? null,
    projectId: id,
    required: id !== null,
    batch: null,
    reasons: [],
    ...decisionOf?.(site),
  };
}

/** The project after a plan, with its new files. */
export function applied(
  files: Files,
  plan: { files: { file: string; newBytes: Uint8Array }[]; newFiles: { file: string; text: string }[] },
): Files {
  const out: Files = { ...files };
  for (const { file, newBytes } of plan.files) out[file] = newBytes;
  for (const { file, text } of plan.newFiles) out[file] = text;
  return out;
}

export const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
