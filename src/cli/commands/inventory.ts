/** `looptag inventory` */
import { Chalk } from 'chalk';
import { loadFormat } from '../../report/load.ts';
import type { Run } from '../define.ts';
import { reportErrors } from '../report-errors.ts';
import { remembered } from '../result-cache.ts';
import {
  analyseFiles,
  type CommonOptions,
  loadCatalogue,
  openWorkspace,
  pythonFiles,
  reconcileWith,
  requireReadable,
  type Workspace,
} from '../workspace.ts';

interface Options extends CommonOptions {
  format: string;
}

export async function inventory(paths: string[], options: Options, run: Run): Promise<number> {
  const w = await openWorkspace(options, run.dist);
  return remembered(w, 'inventory', { paths, options }, run, (w, run) => inventoryOf(w, paths, options, run));
}

async function inventoryOf(w: Workspace, paths: string[], options: Options, run: Run): Promise<number> {
  const catalogue = loadCatalogue(w, options.catalog);
  if (catalogue) requireReadable(catalogue);
  const analysed = analyseFiles(w, pythonFiles(w, paths), options.contextVar);
  const reconciliation = catalogue ? reconcileWith(w, analysed, catalogue) : null;
  const format = await loadFormat(options.format);
  const text = format.inventory!(
    { analysis: analysed.analysis, reconciliation, root: w.shownRoot },
    {
      chalk: options.format === 'text' ? run.streams.chalk : new Chalk({ level: 0 }),
      width: run.streams.width,
      sourceOf: (file) => analysed.sourceOf(file)?.text ?? null,
      tool: { name: 'looptag', version: run.version },
      failOn: 'error',
      verbose: run.verbose,
    },
  );
  run.streams.out(text.endsWith('\n') ? text : `${text}\n`);
  return reportErrors(analysed.analysis, run);
}
