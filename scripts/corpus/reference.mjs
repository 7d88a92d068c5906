/** Direct spawn sites of a tree's files by the reference (`test/reference/direct_sites.py`) and by looptag, one file at a time. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = join(root, 'test/reference/direct_sites.py');
const SETTINGS = {
  contextVariable: 'project_id_ctx_var',
  traceVariable: 'trace_id_ctx_var',
  helper: '_run_with_context',
  importRoots: [],
};

/** The analysis as a module that Node can load. */
export async function loadAnalysis() {
  const folder = mkdtempSync(join(tmpdir(), 'looptag-corpus-'));
  const outfile = join(folder, 'analysis.mjs');
  try {
    await build({
      stdin: {
        contents: `export { analyse } from './src/sites/index.ts';
          export { MemoryFileSystem } from './src/io/memory.ts';
          export { spawnApis } from './rules/spawn-apis/index.ts';`,
        resolveDir: root,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the reference can know of comes from these modules by name; in other letters than ASCII a name may be written in many ways. */
const LIBRARIES = /asyncio|uvloop|trio|anyio|[\x80-\xff]/;

/** The files that hold a direct site to anybody. */
export function worthwhile(files, inventory) {
  const ours = new Set(inventory.sites.map(({ file }) => file));
  return [...files].filter(([file, bytes]) => ours.has(file) || LIBRARIES.test(bytes.toString('latin1')));
}

function theirs(python, folder, names) {
  const out = execFileSync(python, ['-I', script], {
    cwd: folder,
    input: `${names.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  });
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ sites }) => sites);
}

const at = ({ line, column }) => `${line}:${column}`;

function ours({ analyse, MemoryFileSystem, spawnApis }, file, bytes) {
  const { analysis } = analyse(new MemoryFileSystem([[file, bytes]]), [file], { spawnApis, ...SETTINGS });
  // the reference asks no caller what a parameter is
  const direct = analysis.sites.filter(
    ({ api, evidence }) => !api.startsWith('wrapper:') && !evidence[0]?.fact.endsWith('(parameter)'),
  );
  const bodies = analysis.mentions.filter(({ kind }) => kind === 'wrapper-body');
  return { sites: new Map(direct.map(({ range, api }) => [at(range), api])), bodies: new Set(bodies.map(at)) };
}

/**
 * @returns How many direct sites the reference knows, and the places that one of the two misses, with `inventory` as what
 * looptag says of the whole tree: there more can be known, and nothing may be lost.
 */
export function compare(analysis, python, folder, files, inventory) {
  const bytesOf = new Map(worthwhile(files, inventory));
  const whole = [...inventory.sites, ...inventory.mentions.filter(({ kind }) => kind === 'wrapper-body')];
  const known = new Set(whole.map((each) => `${each.file}:${at(each)}`));
  const found = { direct: 0, missed: [], extra: [] };
  for (const { file, sites } of theirs(python, folder, [...bytesOf.keys()])) {
    const mine = ours(analysis, file, bytesOf.get(file));
    const other = new Map(sites.map(([line, column, api]) => [`${line}:${column}`, api.split('|')]));
    found.direct += other.size;
    for (const [place, apis] of other) {
      const api = mine.sites.get(place);
      if ((!api && !mine.bodies.has(place)) || (api && !apis.includes(api)) || !known.has(`${file}:${place}`))
        found.missed.push(`${file}:${place}: ${apis.join('|')}, not ${api ?? 'nothing'}`);
    }
    for (const [place, api] of mine.sites) if (!other.has(place)) found.extra.push(`${file}:${place}: ${api} is none`);
  }
  return found;
}
