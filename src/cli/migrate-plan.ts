/** Plans a migration as the command line asks for it, and proves it. */
import { planConversion, verifyConversion } from '../engine/migrate/convert.ts';
import { planMigration } from '../engine/migrate/plan.ts';
import { type Proven, prove } from '../engine/migrate/prove.ts';
import { planRevert } from '../engine/migrate/revert.ts';
import type { MigrateOptions, MigrationPlan } from '../engine/migrate/types.ts';
import { type VerificationProblem, type VerificationTools, verifyPlan } from '../engine/migrate/verify.ts';
import type { FileWrite } from '../io/atomic-write.ts';
import { type CompileReport, compileWithPython, type PythonBeside } from '../io/python.ts';
import type { PythonWitness } from '../io/python-witness.ts';
import { byFile } from '../model/order.ts';
import type { Migration } from './migration.ts';
import { requiresPython } from './requires-python.ts';
import type { Selection } from './selection.ts';
import { HELPER_EXPECTED, helperIn, symbolIn } from './symbols.ts';
import { Trouble } from './trouble.ts';
import type { CommonOptions, Workspace } from './workspace.ts';

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
  split?: 'class' | 'priority' | 'file';
  patchDir?: string;
  interactive?: boolean;
  format: 'text' | 'json';
}

export function engineOptions(w: Workspace, files: readonly string[], o: MigrateCliOptions): MigrateOptions {
  return {
    method: o.method ?? 'wrapper',
    trace: o.trace,
    heartbeat: o.heartbeat,
    unsafe: o.unsafe,
    helper: helperOf(o.helper ?? w.config.helper ?? undefined),
    contextVariable: symbolIn(o.contextVar ?? w.config.contextVar ?? ''),
    pythonMinimum: requiresPython(w.fs, files[0] ?? ''),
  };
}

function helperOf(text: string | undefined): MigrateOptions['helper'] {
  if (text === undefined) return null;
  const helper = helperIn(text);
  if (!helper)
    throw new Trouble(
      `--helper ${JSON.stringify(text)}: ${HELPER_EXPECTED} is expected`,
      'for example src.core.context',
    );
  return helper;
}

/** Plans and proves; an explicit method on sites tagged in another way converts them. */
export function planned(migration: Migration, options: MigrateCliOptions): Proven {
  return prove(migration.input, (input) => attempt({ ...migration, input }, options));
}

/**
 * The same, while the machine's Python compiles beside. Where it finds anything, or does not answer, all is done again
 * one after the other.
 */
export async function plannedBeside(
  migration: Migration,
  options: MigrateCliOptions,
  python: PythonBeside | null,
  witness: PythonWitness,
): Promise<Proven> {
  if (!python) return planned(migration, options);
  const answers: (() => Promise<CompileReport>)[] = [];
  const compile: VerificationTools['compile'] = (files) => {
    answers.push(python.compile(files));
    return [];
  };
  const proven = prove(migration.input, (input) => attempt({ ...migration, input }, options, compile));
  const reports = await Promise.all(answers.map((answer) => answer()));
  for (const { madeOf } of reports) witness.hear(madeOf === undefined ? 'unknown' : madeOf);
  const fine = reports.every(({ problems, failed }) => problems.length === 0 && failed === undefined);
  if (fine) return proven;
  // what is asked next is not listened to
  witness.hear('unknown');
  return planned(migration, options);
}

function attempt(migration: Migration, options: MigrateCliOptions, compile?: VerificationTools['compile']): Proven {
  const { input, reanalyse } = migration;
  const tools = { ...verificationTools(migration, options), ...(compile && { compile }) };
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

/** What the command line lets a proof ask. */
export function verificationTools(migration: Migration, options: MigrateCliOptions): VerificationTools {
  return { compile: options.python ? compiler(migration) : undefined, reanalyse: migration.reanalyse };
}

/** A proof that was asked for and not given is none. */
function compiled(files: Parameters<typeof compileWithPython>[0]): CompileReport {
  const report = compileWithPython(files);
  if (report.failed === undefined) return report;
  throw new Trouble(
    `python3 did not say whether the result compiles (${report.failed}), so nothing is written`,
    '`--no-python` leaves it unasked',
  );
}

/** A file that the machine's Python could not compile before either proves nothing. */
function compiler(migration: Migration): VerificationTools['compile'] {
  return (files) => {
    const report = compiled(files);
    if (!report.version || !report.problems.length) return [];
    const broken = new Set(report.problems.map((p) => p.file));
    const before = files.flatMap(({ file }) => {
      const bytes = broken.has(file) ? migration.input.sources.get(file)?.bytes : undefined;
      return bytes ? [{ file, bytes }] : [];
    });
    const already = new Set(compiled(before).problems.map((p) => p.file));
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

/** What is to be written: from the bytes that were read to those that are to be there. */
export function changesOf(plan: MigrationPlan): FileWrite[] {
  const changed = plan.files.map((f): FileWrite => ({ file: f.file, before: f.bytes, after: f.newBytes }));
  const created = plan.newFiles.map((f): FileWrite => ({ file: f.file, before: null, after: Buffer.from(f.text) }));
  const deleted = (plan.deleted ?? []).map((d): FileWrite => ({ file: d.file, before: d.bytes, after: null }));
  const gone = new Set(deleted.map((d) => d.file));
  return [...changed.filter((c) => !gone.has(c.file)), ...created, ...deleted].sort(byFile);
}

export function headerOf(plan: MigrationPlan): string[] {
  return [...plan.limits, ...plan.notes];
}
