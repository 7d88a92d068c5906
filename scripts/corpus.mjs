/**
 * Runs the built command over code that nobody here wrote: every Python file of the machine's standard libraries and of
 * what is installed beside them. Each tree is copied, looked at, checked, migrated and migrated again; its own Python
 * says whether what was written compiles and differs from the original in nothing but what was asked for; and a second
 * implementation says where tasks are started directly.
 *
 * The numbers are compared with `docs/corpus.md` (`--update` rewrites it). A tree whose files are not those of the table
 * is run all the same, and its numbers are not compared. `--only TEXT` takes the trees whose name holds the text,
 * `--keep` leaves their copies where they are.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, loadAnalysis } from './corpus/reference.mjs';
import { readTable, writeTable } from './corpus/table.mjs';
import { fingerprint, pythons, readTree, trees } from './corpus/trees.mjs';

const LIMIT_MS = 1_800_000;
const CONTEXT = 'looptag_corpus_context';
const CONTEXT_TEXT =
  'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id", default="")\n';
const MIGRATE = `migrate --project-id awoooi --helper inline --context-var ${CONTEXT}:project_id_ctx_var`.split(' ');
const cli = process.env.LOOPTAG_BIN ?? fileURLToPath(new URL('../bin/looptag.js', import.meta.url));
const judge = fileURLToPath(new URL('./corpus/rewritten.py', import.meta.url));
const document = new URL('../docs/corpus.md', import.meta.url);
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : '';
const update = process.argv.includes('--update');

/** A tree in a folder of its own. */
class Copy {
  faults = [];
  seconds = [];

  constructor({ python, name, files }) {
    Object.assign(this, { python, name, files });
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'looptag-corpus-')));
    this.put(`${CONTEXT}.py`, CONTEXT_TEXT);
    for (const [file, bytes] of files) this.put(file, bytes);
  }

  put(file, content) {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), content);
  }

  /** One run of the command under the tree's own Python: its JSON, or null after a fault. */
  run(args, codes, paths = ['.']) {
    const started = Date.now();
    const got = spawnSync(process.execPath, [cli, ...args, '--format', 'json', '--root', '.', ...paths], {
      cwd: this.folder,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      timeout: LIMIT_MS,
      env: { ...process.env, PATH: `${dirname(this.python.exe)}:${process.env.PATH}`, CI: '' },
    });
    this.seconds.push(Math.round((Date.now() - started) / 1000));
    const broken = got.error ?? (/internal error|could not be proven/.test(got.stderr) || !codes.includes(got.status));
    if (broken) {
      this.faults.push(`${args[0]}: ${got.error?.code ?? got.status ?? got.signal}: ${got.stderr.slice(0, 3000)}`);
      return null;
    }
    return JSON.parse(got.stdout);
  }

  /** All of it; the row of the table. */
  measure(analysis, newest) {
    const inventory = this.run(['inventory'], [0, 2]);
    const check = this.run(['check'], [0, 1, 2]);
    const direct = inventory && compare(analysis, newest, this.folder, this.files, inventory);
    this.faults.push(...(direct?.missed ?? []).map((place) => `missed: ${place}`));
    this.faults.push(...(direct?.extra ?? []).map((place) => `extra: ${place}`));
    const migration = this.run([...MIGRATE, '--write', '--allow-dirty'], [0, 2]);
    if (inventory && migration) this.prove(inventory, migration);
    return {
      tree: this.name,
      digest: fingerprint(this.files),
      files: this.files.size,
      errors: inventory?.errors.length,
      sites: inventory?.sites.length,
      direct: direct?.direct,
      missed: direct?.missed.length,
      extra: direct?.extra.length,
      mentions: inventory?.mentions.length,
      migrated: migration?.sites.length,
      rewritten: migration?.files.length,
      refused: tally(migration?.skipped ?? [], (skip) => skip.code),
      findings: tally(check?.findings ?? [], (finding) => finding.rule),
    };
  }

  /** Only the files of the plan changed, in them only what was asked for, and a second pass finds nothing to do. */
  prove(inventory, migration) {
    const after = readTree(this.folder);
    const planned = new Set(migration.files.map(({ file }) => file));
    for (const [file, bytes] of after) {
      const before = this.files.get(file);
      if (!before && file !== `${CONTEXT}.py`) this.faults.push(`${file} is new`);
      else if (before && before.equals(bytes) === planned.has(file))
        this.faults.push(`${file}: ${planned.has(file) ? 'the same as before' : 'changed without a plan'}`);
    }
    for (const file of this.files.keys()) if (!after.has(file)) this.faults.push(`${file} is gone`);
    if (!planned.size) return;
    this.judge(inventory, migration, after, planned);
    const again = this.run(MIGRATE, [0, 2], [...planned]);
    if (again?.sites.length || again?.files.length)
      this.faults.push(`a second pass changes ${again.files.map(({ file }) => file).join(' ')}`);
  }

  judge(inventory, migration, after, planned) {
    const ends = new Map(inventory.sites.map((site) => [`${site.file}:${site.line}:${site.column}`, site.endLine]));
    const base64 = (bytes) => bytes.toString('base64');
    const work = [...planned].map((file) => ({
      file,
      before: base64(this.files.get(file)),
      after: base64(after.get(file)),
      ranges: migration.sites
        .filter((site) => site.file === file)
        // a call inside of a wrapper is no site of the inventory
        .map(({ line, column }) => [line, ends.get(`${file}:${line}:${column}`) ?? line + 30]),
    }));
    const got = spawnSync(this.python.exe, ['-I', judge, CONTEXT], {
      input: JSON.stringify(work),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (got.status !== 0) this.faults.push(`the judge of what was rewritten failed: ${got.stderr.slice(-2000)}`);
    else this.faults.push(...JSON.parse(got.stdout));
  }
}

function tally(items, key) {
  const counts = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Numbers that are not those of the table. */
function* changes(before, row) {
  for (const [key, value] of Object.entries(row)) {
    const [was, is] = [JSON.stringify(before[key]), JSON.stringify(value)];
    if (was !== is) yield `${key}: the table says ${was}, this run ${is}`;
  }
}

const all = pythons();
// a newer Python reads what older ones wrote, and its positions inside of f-strings are right
const newest = all.at(-1)?.exe;
const analysis = await loadAnalysis();
const known = readTable(document);
const rows = [];
let failed = 0;
for (const tree of trees(all, only)) {
  const copy = new Copy(tree);
  let row;
  try {
    row = copy.measure(analysis, newest);
  } finally {
    if (!process.argv.includes('--keep')) rmSync(copy.folder, { recursive: true, force: true });
  }
  const before = known.get(tree.name);
  const comparable = before?.digest === row.digest;
  if (comparable && !update) copy.faults.push(...changes(before, row));
  if (!copy.faults.length) rows.push(row);
  failed += copy.faults.length;
  const note = comparable || update ? '' : ' (other files than in the table: not compared)';
  console.log(
    `${tree.name}: ${row.files} files, ${row.sites} sites, ${row.migrated} migrated, ${copy.seconds.join(' + ')} s${note}`,
  );
  for (const fault of copy.faults) console.log(`  FAULT ${fault}`);
  // after each tree, so that a run that is stopped keeps what it found
  if (update && rows.at(-1) === row) writeTable(document, known, [row]);
}
console.log(`${rows.length} trees passed, ${failed} faults`);
process.exitCode = failed || !rows.length ? 1 : 0;
