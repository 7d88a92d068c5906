/** What most commands start from: workspace, catalogue, analysed files and their reconciliation. */
import type { Catalogue, Reconciliation } from '../model/index.ts';
import { catalogueFiles } from './catalogue.ts';
import type { Run } from './define.ts';
import {
  type Analysed,
  analyseFiles,
  type CommonOptions,
  insideRoot,
  openWorkspace,
  pythonFiles,
  readableCatalogue,
  reconcileWith,
  type Workspace,
} from './workspace.ts';

export interface OpenProject {
  w: Workspace;
  catalogue: Catalogue | null;
  /** Files and folders asked for, relative to the root. */
  scope: string[];
  /** The Python files among them. */
  files: string[];
  analysed: Analysed;
  reconciliation: Reconciliation;
}

/** An analysed project beside its catalogue. */
export type Reconciled = Pick<OpenProject, 'analysed' | 'catalogue' | 'reconciliation'>;

/** Reads and analyses; without paths the file that the catalogue's lines speak of. */
export async function openProject(paths: string[], options: CommonOptions, run: Run): Promise<OpenProject> {
  return analyseWorkspace(await openWorkspace(options, run.dist), paths, options);
}

/** The same for a workspace that is open already, for commands that run more than once. */
export function analyseWorkspace(
  w: Workspace,
  paths: string[],
  options: CommonOptions,
  more?: Parameters<typeof analyseFiles>[4],
): OpenProject {
  const catalogue = readableCatalogue(w, options.catalog);
  const files = catalogue ? catalogueFiles(w, catalogue, paths) : pythonFiles(w, paths);
  const analysed = analyseFiles(w, files, options.contextVar, w.fs, more);
  return {
    w,
    catalogue,
    scope: scopeOf(w, catalogue, paths),
    files,
    analysed,
    reconciliation: reconcileWith(w, analysed, catalogue),
  };
}

function scopeOf(w: Workspace, catalogue: Catalogue | null, paths: string[]): string[] {
  if (paths.length) return paths.map((p) => insideRoot(w, p) || '.');
  if (w.config.paths.length) return w.config.paths;
  return catalogue?.sourceFile && w.fs.exists(catalogue.sourceFile) ? [catalogue.sourceFile] : ['.'];
}
