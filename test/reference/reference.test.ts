/**
 * Direct spawn sites against a second implementation (`direct_sites.py`, Python's own `ast`): python3's asyncio and its tests;
 * with LOOPTAG_REFERENCE=1 (`npm run reference`) the whole standard library of every CPython that is there.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { spawnApis } from '../../rules/spawn-apis/index.ts';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import { analyse } from '../../src/sites/index.ts';
import type { InventoryJson } from '../e2e/support/json.ts';
import { json, looptag } from '../e2e/support/run.ts';
import { allInterpreters, type Interpreter, pathInterpreter, pythonFiles } from '../syntax/reference.ts';

const SCRIPT = fileURLToPath(new URL('./direct_sites.py', import.meta.url));
const FULL = process.env.LOOPTAG_REFERENCE === '1';

/** `file:line:column` → the APIs that it may be, joined by `|`; and how many files the reference could read. */
async function referenceSites(
  python: Interpreter,
  root: string,
  files: string[],
): Promise<{ sites: Map<string, string>; read: Set<string> }> {
  const child = spawn(python.command, ['-I', SCRIPT], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${files.join('\n')}\n`);
  const sites = new Map<string, string>();
  const read = new Set<string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as { file: string; sites?: [number, number, string][] };
    if (answer.sites) read.add(answer.file);
    for (const [row, column, api] of answer.sites ?? []) sites.set(`${answer.file}:${row}:${column}`, api);
  }
  return { sites, read };
}

const POLICY = {
  contextVariable: 'project_id_ctx_var',
  traceVariable: 'trace_id_ctx_var',
  helper: '_run_with_context',
  importRoots: [],
};

/** Our direct sites of one file that is alone in the world, as it is to the reference. */
function alone(file: string, bytes: Uint8Array): { sites: Map<string, string>; bodies: Set<string> } {
  const { analysis } = analyse(new MemoryFileSystem([[file, bytes]]), [file], { spawnApis, ...POLICY });
  // what the callers of a function hand over to it, the reference does not ask
  const isHanded = ({ evidence }: (typeof analysis.sites)[number]) => evidence[0]!.fact.endsWith('(parameter)');
  const direct = analysis.sites.filter((site) => !site.api.startsWith('wrapper:') && !isHanded(site));
  const at = (line: number, column: number): string => `${file}:${line}:${column}`;
  return {
    sites: new Map(direct.map(({ range, api }) => [at(range.line, range.column), api])),
    bodies: new Set(
      analysis.mentions.filter(({ kind }) => kind === 'wrapper-body').map(({ line, column }) => at(line, column)),
    ),
  };
}

interface Comparison {
  found: string[];
  compared: number;
}

async function differences(python: Interpreter, root: string, paths: string[]): Promise<Comparison> {
  const files = paths
    .flatMap((path) => (path.endsWith('.py') ? [join(root, path)] : pythonFiles(join(root, path))))
    .map((file) => relative(root, file).split(sep).join('/'));
  const { sites: theirs, read } = await referenceSites(python, root, files);
  const found: string[] = [];
  for (const file of files.filter((each) => read.has(each))) {
    const { sites, bodies } = alone(file, readFileSync(join(root, file)));
    for (const [place, api] of sites) {
      if (!theirs.has(place)) found.push(`${place}: ${api} is none`);
      else if (!theirs.get(place)!.split('|').includes(api)) found.push(`${place}: ${api}, not ${theirs.get(place)}`);
    }
    const missed = [...theirs].filter(
      ([place]) => place.startsWith(`${file}:`) && !sites.has(place) && !bodies.has(place),
    );
    found.push(...missed.map(([place, api]) => `${place}: ${api} is missed`));
  }
  // With all files at hand more can be known, and nothing may be lost.
  const inventory = json<InventoryJson>(
    await looptag(['inventory', '--format', 'json', '--root', '.', ...paths], { cwd: root }),
  );
  const known = new Set(
    [...inventory.sites, ...inventory.mentions.filter(({ kind }) => kind === 'wrapper-body')].map(
      (each) => `${each.file}:${each.line}:${each.column}`,
    ),
  );
  found.push(
    ...[...theirs]
      .filter(([place]) => !known.has(place))
      .map(([place, api]) => `${place}: ${api} is missed in the whole project`),
  );
  return { found: found.sort(), compared: theirs.size };
}

const python = pathInterpreter();

describe.skipIf(!python)('the python3 of the path', () => {
  const paths = ['asyncio', 'test/test_asyncio'].filter((path) => python && existsSync(join(python.stdlib, path)));
  it.each(paths)(
    '%s has the same direct spawn sites',
    async (path) => {
      const { found, compared } = await differences(python!, python!.stdlib, [path]);
      expect(found).toEqual([]);
      if (path !== 'asyncio') expect(compared).toBeGreaterThan(200);
    },
    120_000,
  );
});

if (FULL) {
  const all = allInterpreters();
  // Positions inside f-strings are right from Python 3.11 on, and a newer one reads what older ones wrote.
  const newest = all.at(-1)!;
  describe(`by the reference under CPython ${newest.version.join('.')}`, () => {
    it.each(all.map((each) => [each.version.join('.'), each] as const))(
      'the standard library of %s has the same direct spawn sites',
      async (_version, { stdlib }) => {
        const paths = readdirSync(stdlib, { withFileTypes: true })
          .filter((entry) =>
            entry.isDirectory() ? !/-packages$|^__pycache__$/.test(entry.name) : entry.name.endsWith('.py'),
          )
          .map(({ name }) => name)
          .filter((name) => name.endsWith('.py') || pythonFiles(join(stdlib, name)).length > 0);
        const { found, compared } = await differences(newest, stdlib, paths);
        process.stderr.write(`${stdlib}: ${compared} sites, ${found.length} differences\n`);
        expect(found).toEqual([]);
      },
      1_800_000,
    );
  });
}
