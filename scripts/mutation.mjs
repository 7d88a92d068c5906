/**
 * Mutation testing: small faults are put into the code, one at a time, and the tests have to notice. `npm run mutation` takes a
 * sample of each folder; `-- --sample N`, `--seed N`, `--all`, `--folder NAME` choose another. Prints each mutant that no test
 * noticed, and the share that was noticed; `--json FILE` keeps all of it, and `--again FILE` takes those that survived then.
 *
 * Tests run within one process (see `mutation/`), only those that come by the changed place, the fastest first.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './mutation/bundle.mjs';
import { refused } from './mutation/compiler.mjs';
import { mutantsOf } from './mutation/mutants.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const FOLDERS = ['src/semantics', 'src/sites', 'src/edit', 'src/policy'];
/** Tests that need nothing but memory and files. */
const TESTS = ['policy', 'edit', 'sites', 'codemods', 'checks', 'e2e'];
/** They start programs, are drawn by chance, or take long. */
const LEFT_OUT = /atomic-write|codemods\/(helper|run)|e2e\/(bad-input|stdlib|service|variants)|propert/;
/** Each of their tests starts git many times: they are about patches alone. */
const SLOW = /edit\/unified|codemods\/split/;
/** A mutant whose tests take that much longer has been noticed: it does not end. */
const limit = (tests) => 20_000 + 5 * tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
/** Loaded bundles stay in memory. */
const PER_WORKER = 25;

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string', multiple: true },
    json: { type: 'string' },
    again: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
});

const below = (folder, end) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`)
    .sort();

/** Numbers between 0 and 1 that follow from the seed. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const keyOf = ({ file, operator, before, other }) => JSON.stringify([file, operator, before, other]);
const survivors = values.again
  ? new Set(
      JSON.parse(readFileSync(values.again, 'utf8'))
        .filter(({ killer }) => killer === null)
        .map(keyOf),
    )
  : null;

function sampled(list) {
  if (survivors) return list.filter((mutant) => survivors.has(keyOf(mutant)));
  if (values.all) return list;
  const next = random(Number(values.seed));
  const drawn = list.map((each) => [next(), each]).sort(([a], [b]) => a - b);
  return drawn.slice(0, Number(values.sample)).map(([, each]) => each);
}

class Worker {
  constructor(file) {
    this.file = file;
    this.done = 0;
  }

  ask(message, limit) {
    this.child ??= fork(fileURLToPath(new URL('./mutation/worker.mjs', import.meta.url)), [this.file], {
      cwd: root,
      env: { ...process.env, LOOPTAG_MUTATION_ROOT: root },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: ['--max-old-space-size=4096'],
    });
    const { child } = this;
    return new Promise((resolve) => {
      const finish = (answer) => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (answer.killer === 'time' || answer.killer === 'crash' || ++this.done % PER_WORKER === 0) this.end();
        resolve(answer);
      };
      const timer = setTimeout(() => finish({ killer: 'time' }), limit);
      child.once('message', finish);
      child.once('exit', () => finish({ killer: 'crash' }));
      child.send(message);
    });
  }

  end() {
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }
}

/** The tests that come by a mutant, by file, the fastest file first. */
function testsFor({ id, file: changed }, { tests, atStart }) {
  const files = new Map();
  // what a module does when it is loaded is seen once, and belongs to every test whose file loads it
  const early = Object.values(atStart).some((hits) => hits.includes(id));
  for (const test of tests) {
    if (SLOW.test(test.file) && !changed.startsWith('src/edit/')) continue;
    if (test.error !== null || !(test.hits.includes(id) || (early && loads.get(test.file).has(changed)))) continue;
    const file = files.get(test.file) ?? { file: test.file, names: [], milliseconds: 0 };
    file.names.push(test.name);
    file.milliseconds += test.milliseconds;
    files.set(test.file, file);
  }
  return [...files.values()].sort((a, b) => a.milliseconds - b.milliseconds);
}

const folders = FOLDERS.filter((folder) => !values.folder || values.folder.some((name) => folder === `src/${name}`));
const all = new Map(
  folders.map((folder) => [
    folder,
    below(folder, '.ts').flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8'))),
  ]),
);
const mutants = [...all.values()].flatMap(sampled).map((mutant, id) => ({ id, ...mutant }));
const files = TESTS.flatMap((area) => below(`test/${area}`, '.test.ts')).filter((file) => !LEFT_OUT.test(file));
const uncompiled = refused(root, mutants, (file) => readFileSync(join(root, file), 'utf8'));
console.error(`${uncompiled.size} of ${mutants.length} mutants do not compile`);
const temporary = mkdtempSync(join(tmpdir(), 'looptag-mutation-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
const outfile = join(temporary, 'bundle.mjs');
const loads = await bundle(root, files, mutants, outfile);

const worker = new Worker(outfile);
const survey = await worker.ask({ survey: true }, 1_200_000);
worker.end();
if (!survey.tests) throw new Error(`the tests do not run: ${JSON.stringify(survey)}`);
const broken = survey.tests.filter(({ error }) => error !== null);
console.error(`${survey.tests.length} tests, ${broken.length} left out because they fail within one process`);
for (const { name, error } of broken) console.error(`  ${name.replace(`${root}/`, '')}: ${error.slice(0, 150)}`);

const show = ({ file, line, column, operator, before, other }) =>
  `${file}:${line}:${column} ${operator}: ${before.replace(/\s+/g, ' ').slice(0, 90)} → ${other === null ? 'nothing' : other.replace(/\s+/g, ' ').slice(0, 90)}`;
// folder by folder in turn, so that a run that is stopped has seen something of each
const rank = new Map(
  folders.flatMap((folder) => mutants.filter((m) => m.file.startsWith(`${folder}/`)).map((m, i) => [m, i])),
);
for (const mutant of mutants.toSorted((a, b) => rank.get(a) - rank.get(b))) {
  const tests = testsFor(mutant, survey);
  mutant.tests = tests.reduce((sum, { names }) => sum + names.length, 0);
  if (uncompiled.has(mutant.id)) mutant.killer = 'compiler';
  else mutant.killer = tests.length ? (await worker.ask({ id: mutant.id, tests }, limit(tests))).killer : null;
  if (mutant.killer === null) console.log(`survived: ${show(mutant)} (${mutant.tests} tests come by)`);
  if (values.json)
    writeFileSync(
      values.json,
      JSON.stringify(
        mutants.filter((m) => 'killer' in m),
        null,
        1,
      ),
    );
}
worker.end();
const total = { compiler: 0, tests: 0, survived: 0 };
for (const folder of [...folders, 'all']) {
  const mine = mutants.filter(({ file }) => file.startsWith(`${folder}/`));
  const count = folder === 'all' ? total : { compiler: 0, tests: 0, survived: 0 };
  for (const { killer } of mine) {
    const by = killer === null ? 'survived' : killer === 'compiler' ? 'compiler' : 'tests';
    count[by]++;
    total[by]++;
  }
  const share = ((100 * count.tests) / (count.tests + count.survived)).toFixed(0);
  console.log(
    `${folder}: ${count.tests} of ${count.tests + count.survived} that compile noticed by tests, ${share} %; ${count.compiler} refused by the compiler`,
  );
}
