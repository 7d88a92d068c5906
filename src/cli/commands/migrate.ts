/** `looptag migrate` */
import { readFileSync, writeFileSync } from 'node:fs';
import { unifiedDiff } from '../../edit/unified.ts';
import { planConversion, verifyConversion } from '../../engine/migrate/convert.ts';
import { planMigration } from '../../engine/migrate/plan.ts';
import { planRevert } from '../../engine/migrate/revert.ts';
import type { MigrateOptions, MigrationPlan } from '../../engine/migrate/types.ts';
import { type VerificationProblem, type VerificationTools, verifyPlan } from '../../engine/migrate/verify.ts';
import type { FileWrite } from '../../io/atomic-write.ts';
import { compileWithPython } from '../../io/python.ts';
import { printable } from '../../report/escape.ts';
import type { Run } from '../define.ts';
import { dirtyFiles } from '../dirty.ts';
import { type Migration, prepareMigration, type Selection } from '../migration.ts';
import { reportErrors } from '../report-errors.ts';
import { requiresPython } from '../requires-python.ts';
import { Trouble } from '../trouble.ts';
import { type CommonOptions, insideRoot, openWorkspace, pythonFiles, type Workspace } from '../workspace.ts';
import { writeAll } from '../write.ts';

export interface MigrateCliOptions extends CommonOptions, Selection {
  method?: string;
  helper?: string;
  trace?: boolean;
  heartbeat?: boolean;
  revert?: boolean;
  unsafe?: boolean;
  write?: boolean;
  check?: boolean;
  patch?: string;
  allowDirty?: boolean;
  /** false with --no-python */
  python: boolean;
  stdinFilename?: string;
  format: 'text' | 'json';
}

export async function migrate(paths: string[], options: MigrateCliOptions, run: Run): Promise<number> {
  const w = await openWorkspace(options, run.dist);
  if (paths.includes('-')) return fromStdin(w, paths, options, run);
  const files = pythonFiles(w, paths);
  const migration = prepareMigration(w, files, options, engineOptions(w, files, options));
  const { plan, problems } = planned(migration, options);
  refuseUnproven(problems);
  report(plan, migration, options, run);
  const changes = changesOf(plan);
  if (options.patch !== undefined) save(options.patch, unifiedDiff(changes, headerOf(plan)));
  if (options.write) {
    if (!options.allowDirty) refuseDirty(w, changes);
    writeAll(w, changes);
    run.streams.err(`${plan.sites.length} sites in ${changes.length} files written\n`);
  } else if (options.patch === undefined && options.format === 'text')
    run.streams.outBytes(unifiedDiff(changes, headerOf(plan)));
  const failed = reportErrors(migration.analysed.analysis, run);
  return failed || (options.check && changes.length ? 1 : 0);
}

export function engineOptions(w: Workspace, files: readonly string[], o: MigrateCliOptions): MigrateOptions {
  return {
    method: o.method ?? 'wrapper',
    trace: o.trace,
    heartbeat: o.heartbeat,
    unsafe: o.unsafe,
    helper: helperOf(o.helper ?? w.config.helper ?? undefined),
    contextVariable: symbolOf(o.contextVar ?? w.config.contextVar ?? undefined),
    pythonMinimum: requiresPython(w.root, files[0] ?? '.'),
  };
}

function helperOf(text: string | undefined): MigrateOptions['helper'] {
  if (text === undefined) return null;
  if (text === 'inline') return 'inline';
  if (!/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(text))
    throw new Trouble(`--helper ${JSON.stringify(text)}: "inline" or a dotted module name is expected`);
  return { module: text };
}

function symbolOf(text: string | undefined): MigrateOptions['contextVariable'] {
  if (text === undefined) return null;
  const [module, name, more] = text.split(':');
  if (!module || !name || more !== undefined)
    throw new Trouble(
      `--context-var ${JSON.stringify(text)}: MODULE:NAME is expected`,
      'for example src.core.context:project_id_ctx_var',
    );
  return { module, name };
}

export interface Planned {
  plan: MigrationPlan;
  problems: VerificationProblem[];
}

/** Plans and proves; an explicit method on sites tagged in another way converts them. */
export function planned(migration: Migration, options: MigrateCliOptions): Planned {
  const { input, reanalyse } = migration;
  const tools: VerificationTools = { compile: options.python ? compiler(migration) : undefined, reanalyse };
  if (options.revert) {
    const plan = planRevert(input);
    return { plan, problems: verifyPlan(plan, input, { compile: tools.compile }) };
  }
  if (options.method !== undefined) {
    const conversion = planConversion(input, reanalyse);
    const [away] = conversion.steps;
    if (away?.plan.files.length || away?.plan.deletedFiles?.length)
      return { plan: conversion.plan, problems: verifyConversion(conversion, tools) };
  }
  const plan = planMigration(input);
  return { plan, problems: verifyPlan(plan, input, tools) };
}

/** A file that the machine's Python could not compile before either proves nothing. */
function compiler(migration: Migration): VerificationTools['compile'] {
  return (files) => {
    const report = compileWithPython(files);
    if (!report.version || !report.problems.length) return [];
    const broken = new Set(report.problems.map((p) => p.file));
    const before = files.flatMap(({ file }) => {
      const bytes = broken.has(file) ? migration.input.sources.get(file)?.bytes : undefined;
      return bytes ? [{ file, bytes }] : [];
    });
    const already = new Set(compileWithPython(before).problems.map((p) => p.file));
    return report.problems.filter((p) => !already.has(p.file));
  };
}

export function refuseUnproven(problems: readonly VerificationProblem[]): void {
  if (!problems.length) return;
  const lines = problems.map((p) => `${p.file}${p.line ? `:${p.line}` : ''}: ${p.message}`);
  throw new Trouble(
    `the result could not be proven, so nothing is written:\n  ${lines.join('\n  ')}`,
    'this is a fault of looptag: please report it with the file',
  );
}

export function changesOf(plan: MigrationPlan): FileWrite[] {
  const changed = plan.files.map((f): FileWrite => ({ file: f.file, before: f.bytes, after: f.newBytes }));
  const created = plan.newFiles.map((f): FileWrite => ({ file: f.file, before: null, after: Buffer.from(f.text) }));
  const deleted = (plan.deletedFiles ?? [])
    .filter((file) => !changed.some((c) => c.file === file))
    .map((file): FileWrite => ({ file, before: null, after: null }));
  const gone = new Set(plan.deletedFiles ?? []);
  return [...changed.map((c) => (gone.has(c.file) ? { ...c, after: null } : c)), ...created, ...deleted].sort((a, b) =>
    a.file < b.file ? -1 : 1,
  );
}

export function headerOf(plan: MigrationPlan): string[] {
  return [...plan.limits, ...plan.notes];
}

function refuseDirty(w: Workspace, changes: readonly FileWrite[]): void {
  const dirty = dirtyFiles(w, changes);
  if (dirty.length)
    throw new Trouble(
      `git shows changes that are not committed in ${dirty.join(', ')}`,
      'commit them first, or use --allow-dirty; nothing was changed',
    );
}

function save(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes);
  } catch (e) {
    throw new Trouble(`${path}: cannot be written (${(e as NodeJS.ErrnoException).code})`);
  }
}

function report(plan: MigrationPlan, migration: Migration, options: MigrateCliOptions, run: Run): void {
  if (options.format === 'json') {
    run.streams.out(`${JSON.stringify(jsonOf(plan, migration), null, 2)}\n`);
    return;
  }
  const quiet = new Set(['tagged', 'not-required']);
  for (const { site, code, reason } of plan.skipped) {
    if (quiet.has(code) && !run.verbose) continue;
    run.streams.err(
      `${printable(site.range.file)}:${site.range.line}:${site.range.column}: left alone (${code}): ${printable(reason)}\n`,
    );
  }
  const left = plan.skipped.filter((s) => quiet.has(s.code)).length;
  run.streams.err(
    `${plan.sites.length} sites to change, ${plan.skipped.length - left} refused, ${left} need nothing\n`,
  );
}

function jsonOf(plan: MigrationPlan, migration: Migration): unknown {
  const place = (r: { file: string; line: number; column: number }): object => ({
    file: r.file,
    line: r.line,
    column: r.column,
  });
  return {
    schema: 'looptag/migrate@1',
    method: plan.method,
    sites: plan.sites.map((s) => ({
      id: s.site.id,
      ...place(s.site.range),
      projectIds: s.projectIds,
      trace: s.trace,
      unsafe: s.unsafe,
      notes: s.notes,
    })),
    skipped: plan.skipped.map((s) => ({ id: s.site.id, ...place(s.site.range), code: s.code, reason: s.reason })),
    files: changesOf(plan).map((c) => ({ file: c.file, diff: Buffer.from(unifiedDiff([c])).toString('utf8') })),
    notes: headerOf(plan),
    errors: migration.analysed.analysis.errors.map((e) => ({
      file: e.file,
      line: e.line,
      column: e.column,
      message: e.message,
    })),
  };
}

/** One file from standard input, its new text to standard output. */
async function fromStdin(w: Workspace, paths: string[], options: MigrateCliOptions, run: Run): Promise<number> {
  if (paths.length > 1) throw new Trouble('- stands for standard input: no other path can be given with it');
  const file = options.stdinFilename === undefined ? 'stdin.py' : insideRoot(w, options.stdinFilename);
  const bytes = readFileSync(0);
  const overlay = new Map([[file, new Uint8Array(bytes)]]);
  const migration = prepareMigration(w, [file], options, engineOptions(w, [file], options), overlay);
  const { plan, problems } = planned(migration, options);
  refuseUnproven(problems);
  const failed = reportErrors(migration.analysed.analysis, run);
  const other = changesOf(plan).filter((c) => c.file !== file);
  if (other.length)
    throw new Trouble(
      `the change needs other files too: ${other.map((c) => c.file).join(', ')}`,
      'run it on the files instead, or use --helper inline',
    );
  report(plan, migration, { ...options, format: 'text' }, run);
  const own = plan.files.find((f) => f.file === file);
  run.streams.outBytes(own?.newBytes ?? bytes);
  return failed || (options.check && own ? 1 : 0);
}
