/** `looptag emit` */
import { emitProbe } from '../../health/index.ts';
import type { ContextVariable } from '../../model/index.ts';
import type { Run } from '../define.ts';
import { mayDefineVariables } from '../defining.ts';
import { analyseWorkspace } from '../project.ts';
import { symbolIn } from '../symbols.ts';
import { type CommonOptions, openWorkspace, type Workspace } from '../workspace.ts';

export async function probe(paths: string[], options: CommonOptions, run: Run): Promise<number> {
  const w = await openWorkspace(options, run.dist);
  run.streams.out(emitProbe({ variables: variables(w, paths, options, run) }));
  return 0;
}

/** The project's variables; none where there is no Python yet, so that the probe tries the usual names. */
function variables(w: Workspace, paths: string[], options: CommonOptions, run: Run): ContextVariable[] {
  if (!paths.length && !w.fs.listPython(['.']).length) return [];
  const name = options.contextVar ?? w.config.contextVar ?? w.policy.contextVariable;
  const module = symbolIn(name)?.module;
  const { analysed } = analyseWorkspace(w, paths, options, {
    alsoRead: module === undefined ? [] : [module],
    // before the first migration no file that spawns need import it
    mayDefineVariables: () => mayDefineVariables(w.fs, w.fs.listPython(['.'])),
  });
  const found = analysed.analysis.contextVariables.filter((v) => `${v.module}:${v.name}` === name || v.name === name);
  if (!found.length) run.streams.err(`no context variable ${name} is found: the probe tries the usual names\n`);
  return found;
}
