/** A project in memory, analysed by the real analysis and fed to the planner. */

import { spawnApis } from '../../../rules/spawn-apis/index.ts';
import type { CodemodDefinition } from '../../../src/engine/contracts.ts';
import type { MigrateInput, MigrateOptions, MigrateSource } from '../../../src/engine/migrate/types.ts';
import { MemoryFileSystem } from '../../../src/io/memory.ts';
import { analyse } from '../../../src/sites/index.ts';
import { decide } from './find-sites.ts';
import { type Files, policy } from './project.ts';

export interface AnalysedOptions extends Partial<MigrateOptions> {
  codemods: Record<string, CodemodDefinition>;
  paths: string[];
}

export function analysedProject(files: Files, options: AnalysedOptions): MigrateInput {
  const fs = new MemoryFileSystem(Object.entries(files));
  const { contextVariable, traceVariable, helper } = policy;
  const modules = options.contextVariable ? [options.contextVariable.module] : [];
  const analysed = analyse(fs, options.paths, {
    contextVariable,
    traceVariable,
    helper,
    importRoots: [],
    spawnApis,
    alsoRead: modules,
  });
  const sources = new Map<string, MigrateSource>();
  for (const file of Object.keys(files)) {
    const [source, module] = [analysed.sourceOf(file), analysed.moduleOf(file)];
    if (source?.tree && module)
      sources.set(file, { ...source, tree: source.tree, module: module.name, isPackage: file.endsWith('__init__.py') });
  }
  const byModule = new Map([...sources.values()].map((source) => [source.module, source.file]));
  const decisions = analysed.analysis.sites.flatMap((site) =>
    (site.targets.length > 0 ? site.targets : [null]).map((target) => decide(site, 'awoooi', { target })),
  );
  return {
    analysis: analysed.analysis,
    decisions,
    policy,
    options: { method: 'wrapper', ...options },
    codemods: options.codemods,
    sources,
    resolveModule: (module) => byModule.get(module) ?? null,
    newModuleFile: (module) => `${module.replaceAll('.', '/')}.py`,
    importsOf: () => [],
  };
}
