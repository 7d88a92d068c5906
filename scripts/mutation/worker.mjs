/**
 * Runs tests with one mutant awake. Each run takes the bundle anew, so that nothing that a mutant left in a module's memory is
 * there for the next.
 */
import { pathToFileURL } from 'node:url';

const href = pathToFileURL(process.argv[2]).href;
let awake = -1;
let hits = new Set();
globalThis.__mutant = (id) => {
  hits.add(id);
  return id === awake;
};
process.on('disconnect', () => process.exit());
// what a test under a mutant does may fail at any later time
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});

/** Every test once, with the mutants that it comes by and how long it takes. */
async function survey() {
  const { runFile, files } = await import(href);
  const tests = [];
  // what the modules of a file do when they are loaded belongs to all its tests
  const atStart = {};
  for (const [file, load] of files) {
    const started = performance.now();
    hits = new Set();
    const loading = async () => {
      await load();
      atStart[file] = [...hits];
    };
    await runFile(file, loading, () => true, {
      before: () => {
        hits = new Set();
      },
      after: ({ name, error, milliseconds }) => {
        tests.push({ file, name, error, milliseconds, hits: [...hits] });
        return false;
      },
    });
    if (process.env.LOOPTAG_MUTATION_VERBOSE)
      console.error(file, Math.round(performance.now() - started), 'ms', process.cpuUsage().user / 1e6);
  }
  return { tests, atStart };
}

/** The first of the tests that fails; null when none does. */
async function judge({ id, tests }) {
  awake = id;
  const { runFile, files } = await import(`${href}?${id}`);
  const loaders = new Map(files);
  let killer = null;
  for (const { file, names } of tests) {
    const wanted = new Set(names);
    try {
      await runFile(file, loaders.get(file), (name) => wanted.has(name), {
        before: () => {},
        after: ({ name, error }) => {
          if (error !== null) killer = `${name}: ${error}`.slice(0, 300);
          return killer !== null;
        },
      });
    } catch (e) {
      killer = `${file}: ${e}`.slice(0, 300);
    }
    if (killer !== null) break;
  }
  return { killer };
}

process.on('message', async (work) => {
  try {
    process.send(work.survey ? await survey() : await judge(work));
  } catch (e) {
    process.send({ trouble: String(e?.stack ?? e) });
  }
});
