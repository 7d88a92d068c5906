/** `looptag inventory` */
import { Chalk } from 'chalk';
import { loadFormat } from '../../report/load.ts';
import type { Run } from '../define.ts';
import { reportErrors } from '../report-errors.ts';
import { remembered } from '../result-cache.ts';
import { part, readShard, within } from '../shard.ts';
import { Trouble } from '../trouble.ts';
import {
  analyseFiles,
  type CommonOptions,
  openWorkspace,
  pythonFiles,
  readableCatalogue,
  reconcileWith,
  type Workspace,
} from '../workspace.ts';

interface Options extends CommonOptions {
  format: string;
  shard?: string;
}

export async function inventory(paths: string[], options: Options, run: Run): Promise<number> {
  const w = await openWorkspace(options, run.dist);
  return remembered(w, 'inventory', { paths, options }, run, (w, run) => inventoryOf(w, paths, options, run));
}

async function inventoryOf(w: Workspace, paths: string[], options: Options, run: Run): Promise<number> {
  const shard = options.shard === undefined ? null : readShard(options.shard);
  if (shard && options.format !== 'json')
    throw new Trouble('--shard: only JSON reports can be merged', 'add --format json');
  const catalogue = readableCatalogue(w, options.catalog);
  const analysed = analyseFiles(w, pythonFiles(w, paths), options.contextVar, w.fs, {
    reported: shard ? within(shard) : undefined,
  });
  const analysis = shard ? part(analysed, shard) : analysed.analysis;
  const reconciliation = catalogue ? reconcileWith(w, analysed, catalogue) : null;
  const format = await loadFormat(options.format);
  const text = format.inventory!(
    { analysis, reconciliation, root: w.shownRoot, shard: shard ? `${shard.index}/${shard.of}` : undefined },
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
  return reportErrors(analysis, run);
}
