/** `looptag check` */
import { readFileSync } from 'node:fs';
import { checks } from '../../../rules/checks/index.ts';
import { pruneBaseline, speaksOf, writeBaseline } from '../../engine/baseline.ts';
import { failing, runChecks, selectChecks } from '../../engine/check.ts';
import type { CheckInput } from '../../engine/contracts.ts';
import { MemoryFileSystem } from '../../io/memory.ts';
import type { BaselineEntry, Catalogue, CheckResult, SeveritySetting } from '../../model/index.ts';
import { lintCatalogue } from '../../policy/index.ts';
import { baselineOf, saveBaseline } from '../baseline-file.ts';
import { documents } from '../catalogue.ts';
import { checkFormats, emit, outputOf } from '../check-output.ts';
import type { Run } from '../define.ts';
import { mendsIn } from '../mends.ts';
import type { Reconciled } from '../project.ts';
import { remembered } from '../result-cache.ts';
import { changedLines, touches } from '../since.ts';
import { loggingUse } from '../status.ts';
import { today } from '../today.ts';
import { stopOn, Trouble } from '../trouble.ts';
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
} from '../workspace.ts';

export interface CheckOptions extends CommonOptions {
  format: string;
  output?: string[];
  select?: string[];
  ignore?: string[];
  failOn?: string;
  baseline?: string;
  writeBaseline?: boolean;
  pruneBaseline?: boolean;
  since?: string;
  stdinFilename?: string;
  watch?: boolean;
}

export async function check(paths: string[], options: CheckOptions, run: Run): Promise<number> {
  const open = (): Promise<Workspace> => openWorkspace(options, run.dist);
  const again = (w: Workspace): Promise<number> => checkWorkspace(w, paths, options, run);
  if (!options.watch) {
    const w = await open();
    if (!pure(options)) return again(w);
    const more = [today(), Boolean(process.env.CI)];
    return remembered(w, 'check', { paths, options, more }, run, (w, run) => checkWorkspace(w, paths, options, run));
  }
  const { watch } = await import('./watch.ts');
  return watch({ open, again, written: (options.output ?? []).map((o) => o.slice(o.indexOf('=') + 1)) }, run);
}

/** Prints a result and does nothing else, and asks nothing but the files of the project. */
function pure(o: CheckOptions): boolean {
  const writes = o.output?.length || o.writeBaseline || o.pruneBaseline;
  return !writes && o.since === undefined && o.stdinFilename === undefined;
}

async function checkWorkspace(w: Workspace, paths: string[], options: CheckOptions, run: Run): Promise<number> {
  const failOn = severity(options.failOn ?? w.config.failOn ?? 'error');
  const outputs = (options.output ?? []).map((o) => outputOf(o, checkFormats));
  const analysed = await analyseInput(w, paths, options);
  const narrowed = paths.length > 0 || Boolean(options.select?.length || options.ignore?.length);
  const baseline = baselineOf(w, options, narrowed);
  const leftOut = baseline && paths.length > 0 ? without(pythonFiles(w, []), pythonFiles(w, paths)) : [];
  const accepted = options.writeBaseline ? [] : (baseline?.entries ?? null);
  const result = await resultOf(w, reconciled(w, analysed, options), options, accepted, leftOut);
  if (options.writeBaseline) {
    const ran = new Set(result.rules.map(({ id }) => id));
    const others = baseline!.entries.filter((e) => !ran.has(e.rule) || speaksOf(e, leftOut));
    return saveBaseline(w, baseline!, writeBaseline(result.findings, analysed.analysis.sites, others), run);
  }
  if (options.pruneBaseline)
    return saveBaseline(w, baseline!, pruneBaseline(baseline!.entries, result.staleBaseline), run);
  const format = await emit(w, analysed, result, { format: options.format, outputs, failOn }, run);
  // the text on standard output says so itself
  for (const s of format === 'text' ? [] : result.staleBaseline)
    run.streams.err(
      `${baseline!.file}:${s.line}: this entry matches nothing any more: ${s.rule} ${s.identity}\n  take it out with --prune-baseline\n`,
    );
  if (analysed.analysis.errors.length) return 2;
  if (failing(result.findings, failOn).length) return 1;
  // in CI a baseline may only shrink on purpose
  return result.staleBaseline.length && process.env.CI ? 1 : 0;
}

function without(all: readonly string[], some: readonly string[]): string[] {
  const gone = new Set(some);
  return all.filter((file) => !gone.has(file));
}

function severity(name: string): SeveritySetting {
  if (name === 'never' || name === 'off') return 'off';
  if (name === 'error' || name === 'warning' || name === 'note') return name;
  throw new Trouble(`fail-on: ${JSON.stringify(name)} is no severity`, 'error, warning, note or never');
}

async function analyseInput(w: Workspace, paths: string[], options: CheckOptions): Promise<Analysed> {
  if (options.stdinFilename === undefined) return analyseFiles(w, pythonFiles(w, paths), options.contextVar);
  const file = insideRoot(w, options.stdinFilename);
  const fs = new MemoryFileSystem([[file, readFileSync(0)]], w.fs);
  return analyseFiles(w, [file], options.contextVar, fs);
}

/** @throws Trouble when rows of the catalogue cannot be read. */
export function reconciled(w: Workspace, analysed: Analysed, options: CommonOptions): Reconciled {
  const catalogue = readableCatalogue(w, options.catalog);
  return { analysed, catalogue, reconciliation: reconcileWith(w, analysed, catalogue) };
}

/** Runs the checks over an analysed project. */
export async function resultOf(
  w: Workspace,
  { analysed, catalogue, reconciliation }: Reconciled,
  options: CheckOptions,
  baseline: readonly BaselineEntry[] | null,
  leftOut: readonly string[] = [],
): Promise<CheckResult> {
  if (catalogue) catalogue.contradictions = contradictions(w, catalogue, reconciliation);
  const { active, problems } = selectChecks(checks, {
    select: options.select?.length ? options.select : w.config.select,
    ignore: [...w.config.ignore, ...(options.ignore ?? [])],
    severities: { ...w.config.severity },
  });
  stopOn(problems);
  const input: CheckInput = {
    analysis: analysed.analysis,
    catalogue,
    reconciliation,
    policy: w.policy,
    today: today(),
    logging: loggingUse(w, analysed),
    // what it reads an analysis that stays should not see
    mends: w.memory ? undefined : mendsIn(w, { analysed, catalogue, reconciliation }, options),
    sourceOf: (file) => analysed.sourceOf(file)?.text ?? null,
  };
  const changed = options.since === undefined ? null : changedLines(w, options.since, { analysed, catalogue });
  return runChecks(active, input, {
    known: checks,
    baseline,
    keep: changed ? (finding) => touches(changed, finding.range) : undefined,
    partial: options.since !== undefined || options.stdinFilename !== undefined,
    leftOut,
  });
}

function contradictions(
  w: Workspace,
  catalogue: Catalogue,
  reconciliation: CheckInput['reconciliation'],
): NonNullable<typeof catalogue.contradictions> {
  const own = new Set(['line-drift', 'frequency-drift', 'undecided', 'unlisted', 'vanished']);
  return lintCatalogue(catalogue, w.policy, reconciliation, documents(w, undefined)).filter(
    (p) => !own.has(p.code) && p.file === catalogue.file,
  );
}
