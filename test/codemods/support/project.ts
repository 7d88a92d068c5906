/** Whole small projects in memory, fed to the planner. */
import type { CodemodDefinition } from '../../../src/engine/contracts.ts';
import type { MigrateInput, MigrateOptions, MigrateSource } from '../../../src/engine/migrate/types.ts';
import type { ContextHelper, ContextVariable, Decision, Policy, SpawnSite } from '../../../src/model/index.ts';
import { absoluteModule } from '../../../src/sites/layout-source.ts';
import { descendants, type FunctionDef } from '../../../src/syntax/index.ts';
import { LineIndex } from '../../../src/syntax/text.ts';
import { analysis } from '../../support/builders.ts';
import { decide, definitions, findSites, source } from './find-sites.ts';

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
  extraSpawns?: string[];
  codemods: Record<string, CodemodDefinition>;
  change?: (site: SpawnSite) => SpawnSite;
}

export function project(files: Files, options: ProjectOptions): MigrateInput {
  const sources = new Map<string, MigrateSource>();
  for (const [file, content] of Object.entries(files))
    sources.set(file, source(file, typeof content === 'string' ? Buffer.from(content) : content));
  const defs = definitions(sources.values());
  const paths = options.paths ?? [...sources.keys()];
  const helpers = [...sources.values()].flatMap(helpersOf);
  const inHelper = (site: SpawnSite) => helpers.some((h) => h.file === site.range.file && site.enclosing === h.name);
  const sites = paths
    .flatMap((file) => findSites(sources.get(file)!, defs, options.extraSpawns))
    .filter((s) => !inHelper(s))
    .map(options.change ?? ((s) => s));
  const { projectId = 'awoooi' } = options;
  const decisions = sites.map((site) => {
    const id = typeof projectId === 'string' ? projectId : projectId(site);
    const made = decide(site, id ?? '', { priority: options.priority?.(site) ?? null, ...options.decisionOf?.(site) });
    return id === null ? { ...made, projectId: null, required: false } : made;
  });
  const byModule = new Map([...sources.values()].map((src) => [src.module, src.file]));
  return {
    analysis: analysis(sites, { contextVariables: [...sources.values()].flatMap(contextVariables), helpers }),
    decisions,
    policy,
    options: { method: 'wrapper', ...options },
    codemods: options.codemods,
    sources,
    resolveModule: (module) => byModule.get(module) ?? null,
    newModuleFile: (module) => `${module.replaceAll('.', '/')}.py`,
    importsOf: (file) => importsOf(sources.get(file), byModule),
  };
}

function contextVariables(src: MigrateSource): ContextVariable[] {
  const out: ContextVariable[] = [];
  for (const statement of src.tree.body) {
    const value = statement.kind === 'Assign' || statement.kind === 'AnnAssign' ? statement.value : null;
    const name =
      statement.kind === 'Assign' ? statement.targets[0] : statement.kind === 'AnnAssign' ? statement.target : null;
    if (
      value?.kind !== 'Call' ||
      name?.kind !== 'Name' ||
      !src.text.slice(value.start, value.end).includes('ContextVar(')
    )
      continue;
    out.push({ module: src.module, name: name.id, label: null, file: src.file, line: 1 });
  }
  return out;
}

function helpersOf(src: MigrateSource): ContextHelper[] {
  return src.tree.body
    .filter(
      (s): s is FunctionDef =>
        s.kind === 'FunctionDef' && s.args.args[0]?.arg === 'coro' && s.args.args[1]?.arg === 'project_id',
    )
    .filter((def) => src.text.slice(def.start, def.end).includes('.set(project_id)'))
    .map((def) => ({
      module: src.module,
      name: def.name,
      file: src.file,
      line: new LineIndex(src.text).position(def.start).line,
      coroParam: 0,
      idParam: 1,
      idParamName: 'project_id',
      returnsResult: src.text.slice(def.start, def.end).includes('return await'),
      setsTraceId: src.text.slice(def.start, def.end).includes('trace'),
      ...(def.args.args[2] && { traceParam: def.args.args[2].arg }),
    }));
}

function importsOf(src: MigrateSource | undefined, byModule: ReadonlyMap<string, string>): string[] {
  if (!src) return [];
  const out = new Set<string>();
  const add = (module: string) => {
    const file = byModule.get(module);
    if (file && file !== src.file) out.add(file);
  };
  for (const node of descendants(src.tree)) {
    if (node.kind === 'Import') for (const { name } of node.names) add(name);
    if (node.kind === 'ImportFrom') {
      const module = absoluteModule(src, node.level, node.module);
      add(module);
      for (const { name } of node.names) add(`${module}.${name}`);
    }
  }
  return [...out];
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
