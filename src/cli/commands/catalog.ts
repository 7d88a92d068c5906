/** `looptag catalog init|sync|lint` */
import { unifiedDiff } from '../../edit/unified.ts';
import type { Catalogue } from '../../model/index.ts';
import { plural } from '../../model/plural.ts';
import { lintCatalogue, loadCatalogueWriter, readCatalogue } from '../../policy/index.ts';
import { jsonText, printable, printableLines } from '../../report/escape.ts';
import { catalogueFiles, documents, needCatalogue } from '../catalogue.ts';
import { homeOfKeys } from '../config-files.ts';
import type { Run } from '../define.ts';
import { reportErrors } from '../report-errors.ts';
import { measureStatus } from '../status.ts';
import { today } from '../today.ts';
import { Trouble } from '../trouble.ts';
import {
  type Analysed,
  analyseFiles,
  type CommonOptions,
  insideRoot,
  openWorkspace,
  pythonFiles,
  reconcileWith,
  type Workspace,
} from '../workspace.ts';
import { writeAll } from '../write.ts';

interface InitOptions extends CommonOptions {
  lang: 'zh-TW' | 'en';
  write?: boolean;
}

export async function init(paths: string[], options: InitOptions, run: Run): Promise<number> {
  const w = await openWorkspace(options, run.dist);
  const analysed = analyseFiles(w, pythonFiles(w, paths));
  const { initCatalogue } = await loadCatalogueWriter();
  const text = initCatalogue(analysed.analysis, w.policy, { lang: options.lang, today: today() });
  if (!options.write) run.streams.out(printableLines(text));
  else {
    const name = options.catalog ?? w.config.catalog;
    if (!name) throw new Trouble('--write needs --catalog', 'name the Markdown file to write');
    const file = insideRoot(w, name);
    if (w.fs.exists(file))
      throw new Trouble(`${name}: exists already`, 'use `looptag catalog sync` to bring it up to date');
    writeAll(w, [{ file, before: null, after: Buffer.from(printableLines(text)) }]);
    run.streams.err(`wrote ${file}\n`);
    if (w.config.catalog !== file) {
      const home = homeOfKeys(w.config.file, w.root);
      run.streams.err(`put catalog = ${JSON.stringify(file)} into ${home}: the other commands read it from there\n`);
    }
  }
  return reportErrors(analysed.analysis, run);
}

interface SyncOptions extends CommonOptions {
  check?: boolean;
  diff?: boolean;
  prune?: boolean;
  tick?: boolean;
}

export async function sync(paths: string[], options: SyncOptions, run: Run): Promise<number> {
  const w = await openWorkspace(options, run.dist);
  const catalogue = needCatalogue(w, options.catalog);
  const analysed = analyseFiles(w, catalogueFiles(w, catalogue, paths));
  const { analysis } = analysed;
  if (analysis.errors.length) {
    reportErrors(analysis, run);
    throw new Trouble(
      `${catalogue.file} is left as it is: not every file could be analysed`,
      'mend the files above, or leave them out with exclude in the configuration',
    );
  }
  const reconciliation = reconcileWith(w, analysed, catalogue);
  const { syncCatalogue } = await loadCatalogueWriter();
  const plain = syncCatalogue(catalogue, reconciliation, analysis, w.policy, { prune: options.prune });
  const result = options.tick
    ? ticked(w, analysed, catalogue, plain.text, { prune: options.prune, sync: syncCatalogue })
    : plain;
  const changed = result.text !== catalogue.text;
  const change = { file: catalogue.file, before: Buffer.from(catalogue.text), after: Buffer.from(result.text) };
  const dry = options.check || options.diff;
  if (changed && !dry) writeAll(w, [change]);
  for (const c of result.changes)
    run.streams.err(
      `${catalogue.file}:${c.line}: ${printable(c.before)} → ${printable(c.after)} (${printable(c.reason)})\n`,
    );
  if (dry) run.streams.outBytes(unifiedDiff([change]));
  const what = plural(result.changes.length, 'change');
  run.streams.err(
    changed ? `${catalogue.file}: ${what} ${dry ? 'to make' : 'written'}\n` : `${catalogue.file} is up to date\n`,
  );
  return options.check && changed ? 1 : 0;
}

type Sync = Awaited<ReturnType<typeof loadCatalogueWriter>>['syncCatalogue'];

/** Boxes are ticked by what holds once the rows are up to date. */
function ticked(
  w: Workspace,
  analysed: Analysed,
  catalogue: Catalogue,
  text: string,
  how: { prune?: boolean; sync: Sync },
): ReturnType<Sync> {
  const next = readCatalogue(text, catalogue.file, w.policy);
  const { acceptance } = measureStatus(w, analysed, reconcileWith(w, analysed, next), next);
  const reconciliation = reconcileWith(w, analysed, catalogue);
  return how.sync(catalogue, reconciliation, analysed.analysis, w.policy, { prune: how.prune, tick: true, acceptance });
}

/** A document without the project that it speaks of. */
function isAlone(w: Workspace, { sourceFile }: Catalogue, paths: string[]): boolean {
  if (paths.length || w.config.paths.length || sourceFile === null || w.fs.exists(sourceFile)) return false;
  return w.fs.listPython(['.']).length === 0;
}

interface LintOptions extends CommonOptions {
  document?: string[];
  format: 'text' | 'json';
}

export async function lint(paths: string[], options: LintOptions, run: Run): Promise<number> {
  const w = await openWorkspace(options, run.dist);
  const catalogue = needCatalogue(w, options.catalog);
  const files = isAlone(w, catalogue, paths) ? [] : catalogueFiles(w, catalogue, paths);
  if (!files.length)
    run.streams.err(`${catalogue.file}: there is no code beside it, so that it is not compared with any\n`);
  const analysed = files.length ? analyseFiles(w, files) : null;
  const reconciliation = analysed ? reconcileWith(w, analysed, catalogue) : null;
  const problems = lintCatalogue(catalogue, w.policy, reconciliation, documents(w, options.document));
  if (options.format === 'json')
    run.streams.out(jsonText({ schema: 'looptag/catalog-lint@1', file: catalogue.file, problems }));
  else {
    for (const p of problems) {
      run.streams.out(`${p.file}:${p.line}:${p.column}: ${printable(p.message)}\n`);
      for (const r of p.related) run.streams.out(`  ${r.file}:${r.line}: ${printable(r.message)}\n`);
      run.streams.out(`  ${printable(p.remedy)}\n`);
    }
    run.streams.err(
      problems.length ? `${plural(problems.length, 'contradiction')}\n` : `${catalogue.file}: no contradictions\n`,
    );
  }
  if (analysed && reportErrors(analysed.analysis, run)) return 2;
  return problems.length ? 1 : 0;
}
