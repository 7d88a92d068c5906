/** `looptag check` */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Chalk } from 'chalk';
import { checks } from '../../../rules/checks/index.ts';
import { pruneBaseline, readBaseline, writeBaseline } from '../../engine/baseline.ts';
import { failing, runChecks, selectChecks } from '../../engine/check.ts';
import type { CheckInput } from '../../engine/contracts.ts';
import { MemoryFileSystem } from '../../io/memory.ts';
import type { BaselineEntry, CheckResult, Diagnostic, SeveritySetting } from '../../model/index.ts';
import { lintCatalogue } from '../../policy/index.ts';
import { formats, type ReportOptions, stepSummary } from '../../report/index.ts';
import type { Run } from '../define.ts';
import { changedLines, touches } from '../since.ts';
import { loggingUse } from '../status.ts';
import { today } from '../today.ts';
import { Trouble } from '../trouble.ts';
import {
  type Analysed,
  analyseFiles,
  type CommonOptions,
  insideRoot,
  loadCatalogue,
  openWorkspace,
  pythonFiles,
  reconcileWith,
  requireReadable,
  type Workspace,
} from '../workspace.ts';
import { documents } from './catalog.ts';

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
}

export async function check(paths: string[], options: CheckOptions, run: Run): Promise<number> {
  const w = await openWorkspace(options, run.dist);
  const failOn = severity(options.failOn ?? w.config.failOn ?? 'error');
  const outputs = (options.output ?? []).map((o) => outputOf(w, o));
  const analysed = await analyseInput(w, paths, options);
  const baseline = baselineOf(w, options);
  const result = await resultOf(w, analysed, options, baseline?.entries ?? null);
  if (options.writeBaseline)
    return saveBaseline(
      baseline!,
      writeBaseline(result.findings, analysed.analysis.sites),
      run,
      result.findings.length,
    );
  if (options.pruneBaseline)
    return saveBaseline(
      baseline!,
      pruneBaseline(baseline!.entries, result.staleBaseline),
      run,
      result.staleBaseline.length,
    );
  emit(w, analysed, result, { format: options.format, outputs, failOn }, run);
  for (const s of result.staleBaseline)
    run.streams.err(
      `${baseline!.file}:${s.line}: this entry matches nothing any more: ${s.rule} ${s.identity}\n  take it out with --prune-baseline\n`,
    );
  if (analysed.analysis.errors.length) return 2;
  if (failing(result.findings, failOn).length) return 1;
  // in CI a baseline may only shrink on purpose
  return result.staleBaseline.length && process.env.CI ? 1 : 0;
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

/** Runs the checks over an analysed project. */
export async function resultOf(
  w: Workspace,
  analysed: Analysed,
  options: CheckOptions,
  baseline: readonly BaselineEntry[] | null,
): Promise<CheckResult> {
  const catalogue = loadCatalogue(w, options.catalog);
  if (catalogue) requireReadable(catalogue);
  const reconciliation = reconcileWith(w, analysed, catalogue);
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
    sourceOf: (file) => analysed.sourceOf(file)?.text ?? null,
  };
  const changed = options.since === undefined ? null : changedLines(w, options.since, analysed);
  return runChecks(active, input, {
    known: checks,
    baseline,
    keep: changed ? (finding) => touches(changed, finding.range) : undefined,
    partial: options.since !== undefined || options.stdinFilename !== undefined,
  });
}

function contradictions(
  w: Workspace,
  catalogue: NonNullable<ReturnType<typeof loadCatalogue>>,
  reconciliation: CheckInput['reconciliation'],
): NonNullable<typeof catalogue.contradictions> {
  const own = new Set(['line-drift', 'frequency-drift', 'undecided', 'unlisted', 'vanished']);
  return lintCatalogue(catalogue, w.policy, reconciliation, documents(w, undefined)).filter(
    (p) => !own.has(p.code) && p.file === catalogue.file,
  );
}

function stopOn(problems: readonly Diagnostic[]): void {
  if (!problems.length) return;
  const place = (d: Diagnostic): string => (d.file ? `${d.file}:${d.line ?? 1}:${d.column ?? 1}: ` : '');
  throw new Trouble(problems.map((d) => `${place(d)}${d.message}${d.remedy ? `\n  ${d.remedy}` : ''}`).join('\n'));
}

interface Baseline {
  file: string;
  path: string;
  entries: BaselineEntry[];
}

function baselineOf(w: Workspace, options: CheckOptions): Baseline | null {
  const name = options.baseline ?? w.config.baseline;
  if (!name) {
    if (options.writeBaseline || options.pruneBaseline)
      throw new Trouble('no baseline file is named', 'give it with --baseline');
    return null;
  }
  const file = options.baseline ? insideRoot(w, name) : name;
  const path = resolve(w.root, file);
  if (!existsSync(path)) {
    if (options.writeBaseline) return { file, path, entries: [] };
    throw new Trouble(`${file}: no such baseline`, 'write it with --write-baseline');
  }
  if (options.writeBaseline) return { file, path, entries: [] };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (e) {
    throw new Trouble(`${file}: cannot be read (${(e as NodeJS.ErrnoException).code})`);
  }
  const { entries, problems } = readBaseline(text, file, checks);
  stopOn(problems);
  return { file, path, entries };
}

function saveBaseline(baseline: Baseline, text: string, run: Run, count: number): number {
  try {
    writeFileSync(baseline.path, text);
  } catch (e) {
    throw new Trouble(`${baseline.file}: cannot be written (${(e as NodeJS.ErrnoException).code})`);
  }
  run.streams.err(`${baseline.file}: ${count} entries\n`);
  return 0;
}

interface Output {
  format: string;
  path: string;
  shown: string;
}

function outputOf(w: Workspace, text: string): Output {
  const at = text.indexOf('=');
  const format = text.slice(0, at);
  if (at < 1 || !formats.some((f) => f.name === format && f.check)) {
    throw new Trouble(
      `--output ${JSON.stringify(text)}: FORMAT=FILE is expected`,
      `formats: ${formats
        .filter((f) => f.check)
        .map((f) => f.name)
        .join(', ')}`,
    );
  }
  const shown = text.slice(at + 1);
  void w;
  return { format, path: resolve(shown), shown };
}

function emit(
  w: Workspace,
  analysed: Analysed,
  result: CheckResult,
  to: { format: string; outputs: Output[]; failOn: SeveritySetting },
  run: Run,
): void {
  const main = to.format === 'auto' ? (process.env.GITHUB_ACTIONS === 'true' ? 'github' : 'text') : to.format;
  const options = (colours: boolean): ReportOptions => ({
    chalk: colours ? run.streams.chalk : new Chalk({ level: 0 }),
    width: run.streams.width,
    sourceOf: (file) => analysed.sourceOf(file)?.text ?? readText(w, file),
    tool: { name: 'looptag', version: run.version },
    failOn: to.failOn,
    verbose: run.verbose,
  });
  const render = (format: string, colours: boolean): string => {
    const text = formats.find((f) => f.name === format)!.check!(result, options(colours));
    return text === '' || text.endsWith('\n') ? text : `${text}\n`;
  };
  for (const o of to.outputs) save(o.path, o.shown, render(o.format, false));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (main === 'github' && summary) save(summary, '$GITHUB_STEP_SUMMARY', stepSummary(result), 'a');
  run.streams.out(render(main, main === 'text'));
}

function save(path: string, shown: string, text: string, flag: 'w' | 'a' = 'w'): void {
  try {
    writeFileSync(path, text, { flag });
  } catch (e) {
    throw new Trouble(`${shown}: cannot be written (${(e as NodeJS.ErrnoException).code})`);
  }
}

/** Text of a file of the project that is no Python: the catalogue. */
function readText(w: Workspace, file: string): string | null {
  try {
    const bytes = w.fs.read(file);
    return bytes ? new TextDecoder().decode(bytes) : null;
  } catch {
    return null;
  }
}
