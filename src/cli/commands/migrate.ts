/** `looptag migrate` */
import { readFileSync, writeFileSync } from 'node:fs';
import { unifiedDiff } from '../../edit/unified.ts';
import { placeKey } from '../../engine/migrate/places.ts';
import type { Proven } from '../../engine/migrate/prove.ts';
import type { MigrationPlan } from '../../engine/migrate/types.ts';
import type { FileWrite } from '../../io/atomic-write.ts';
import { PythonBeside } from '../../io/python.ts';
import { PythonWitness } from '../../io/python-witness.ts';
import { plural } from '../../model/plural.ts';
import { jsonText, printable } from '../../report/escape.ts';
import type { Run } from '../define.ts';
import { dirtyFiles } from '../dirty.ts';
import { choose } from '../interactive.ts';
import {
  changesOf,
  engineOptions,
  headerOf,
  type MigrateCliOptions,
  planned,
  plannedBeside,
  refuseUnproven,
} from '../migrate-plan.ts';
import { type Migration, prepareMigration } from '../migration.ts';
import { reportErrors } from '../report-errors.ts';
import { remembered } from '../result-cache.ts';
import { writeSplit } from '../split.ts';
import { Trouble, unwritable } from '../trouble.ts';
import { insideRoot, openWorkspace, pythonFiles, type Workspace } from '../workspace.ts';
import { finishKilledWrite, writeAll } from '../write.ts';

export async function migrate(paths: string[], options: MigrateCliOptions, run: Run): Promise<number> {
  const w = await openWorkspace(options, run.dist);
  mustFit(options, paths.includes('-'));
  if (paths.includes('-')) return fromStdin(w, paths, options, run);
  if (options.write) finishKilledWrite(w, run);
  const witness = new PythonWitness();
  if (!prints(options)) return migrateFiles(w, paths, options, run, witness);
  return remembered(w, 'migrate', { paths, options, python: witness }, run, (w, run) =>
    migrateFiles(w, paths, options, run, witness),
  );
}

/** What would be left undone without a word. */
function mustFit(o: MigrateCliOptions, fromStdin: boolean): void {
  if (o.split !== undefined && o.patchDir === undefined)
    throw new Trouble('--split needs --patch-dir', 'name the folder for the patches');
  if (o.patchDir !== undefined && o.split === undefined)
    throw new Trouble('--patch-dir goes with --split', 'say class, priority or file; --patch FILE saves one patch');
  const asked = [
    o.write && '--write',
    o.interactive && '--interactive',
    o.patch !== undefined && '--patch',
    o.split && '--split',
    o.format === 'json' && '--format json',
  ].find(Boolean);
  if (fromStdin && asked)
    throw new Trouble(`- prints the new text: ${asked} cannot be used with it`, 'leave one of the two out');
}

/** Each site gets the id of its row or all get one: only one of the two can hold. */
function tellWhichIds({ config }: Workspace, { projectId, catalog, revert }: MigrateCliOptions, run: Run): void {
  // the command that put the tags, with --revert at its end, takes them out
  if (projectId === undefined || revert) return;
  if (catalog !== undefined)
    throw new Trouble(
      '--project-id and --catalog exclude each other',
      'with a catalogue each site gets the id of its row: leave one of the two out',
    );
  if (config.catalog !== null)
    run.streams.err(`--project-id: every site gets this id; ${printable(config.catalog)} is not read\n`);
}

/** Prints the plan and does nothing else, and asks nothing but the files of the project and python3. */
function prints(o: MigrateCliOptions): boolean {
  return !o.write && !o.interactive && o.patch === undefined && o.split === undefined && o.stdinFilename === undefined;
}

async function migrateFiles(
  w: Workspace,
  paths: string[],
  options: MigrateCliOptions,
  run: Run,
  witness: PythonWitness,
): Promise<number> {
  tellWhichIds(w, options, run);
  const files = pythonFiles(w, paths);
  const python = options.python ? new PythonBeside() : null;
  const { migration, proven } = await prepared(w, files, options, run, { python, witness }).finally(() =>
    python?.close(),
  );
  const { plan, problems } = proven;
  refuseUnproven(problems);
  report(plan, migration, options, run);
  const changes = changesOf(plan);
  const saved = options.patch !== undefined || options.split !== undefined;
  if (options.patch !== undefined) save(options.patch, unifiedDiff(changes, headerOf(plan)));
  if (options.split !== undefined) writeSplit(w, plan, migration, options, run);
  if (options.write) {
    if (!options.allowDirty) refuseDirty(w, changes);
    writeAll(w, changes);
    // a diff says them on its top
    if (options.format === 'text') for (const note of plan.notes) run.streams.err(`note: ${printable(note)}\n`);
    if (changes.length)
      run.streams.err(`${plural(sitesOf(plan).size, 'site')} in ${plural(changes.length, 'file')} written\n`);
  } else if (!saved && options.format === 'text') run.streams.outBytes(unifiedDiff(changes, headerOf(plan)));
  const failed = reportErrors(migration.analysed.analysis, run);
  return failed || (options.check && changes.length ? 1 : 0);
}

/** The plan; with --interactive, of what the user says yes to. */
async function prepared(
  w: Workspace,
  files: readonly string[],
  options: MigrateCliOptions,
  run: Run,
  { python, witness }: { python: PythonBeside | null; witness: PythonWitness },
): Promise<{ migration: Migration; proven: Proven }> {
  const migration = prepareMigration(w, files, options, engineOptions(w, files, options));
  const all = await plannedBeside(migration, options, python, witness);
  return { migration, proven: options.interactive ? await choose(all, migration, options, run) : all };
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
    throw unwritable(path, e);
  }
}

function report(plan: MigrationPlan, migration: Migration, options: MigrateCliOptions, run: Run): void {
  if (options.format === 'json') {
    run.streams.out(jsonText(jsonOf(plan, migration)));
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
  const refused = plan.skipped.length - left;
  const beats = beatingOf(plan).size;
  const added = beats > 0 ? `, ${plural(beats, 'heartbeat')} to ${options.revert ? 'take out' : 'add'}` : '';
  run.streams.err(
    `${plural(sitesOf(plan).size, 'site')} to change${added}, ${refused} refused, ${plural(left, 'needs', 'need')} nothing\n`,
  );
  if (changesOf(plan).length === 0) run.streams.err(nothingDone(refused, options));
}

/** Exit code 0 says that nothing would change; it must not be taken for all being well. */
function nothingDone(refused: number, { write, check }: MigrateCliOptions): string {
  if (refused === 0) return write ? 'nothing to write\n' : '';
  const sites = `${plural(refused, 'site is', 'sites are')} refused, for the reasons above`;
  const more = check ? '; `looptag check` tells which of them lack a tag' : '';
  return `nothing ${write ? 'was written' : 'would change'}: ${sites}${more}\n`;
}

/** Coroutine functions whose heartbeat comes or goes. */
function beatingOf({ sites }: MigrationPlan): Set<string> {
  const targets = sites.flatMap(({ method, decisions }) =>
    method === 'heartbeat' ? (decisions[0]?.target ?? []) : [],
  );
  return new Set(targets.map(({ file, line }) => `${file}:${line}`));
}

/** A call is in the plan more than once when its loop gets a heartbeat, or when it starts several that are edited. */
const sitesOf = (plan: MigrationPlan): Set<string> => new Set(plan.sites.map(({ site }) => placeKey(site.range)));

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
  if (paths.length > 1)
    throw new Trouble('- stands for standard input: no other path can be given with it', 'leave - or the paths out');
  tellWhichIds(w, options, run);
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
