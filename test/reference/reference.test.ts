/**
 * Direct spawn sites against a second implementation (`direct_sites.py`, Python's own `ast`): python3's asyncio and its tests;
 * with LOOPTAG_REFERENCE=1 (`npm run reference`) the whole standard library of every CPython that is there.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
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

async function differences(
  python: Interpreter,
  root: string,
  paths: string[],
): Promise<{ found: string[]; compared: number }> {
  const files = paths
    .flatMap((path) => (path.endsWith('.py') ? [join(root, path)] : pythonFiles(join(root, path))))
    .map((file) => relative(root, file).split(sep).join('/'));
  const inventory = json<InventoryJson>(
    await looptag(['inventory', '--format', 'json', '--root', '.', ...paths], { cwd: root }),
  );
  const { sites: theirs, read } = await referenceSites(python, root, files);
  const at = (each: { file: string; line: number; column: number }): string =>
    `${each.file}:${each.line}:${each.column}`;
  const ours = new Map(
    inventory.sites
      .filter(({ api, file }) => !api.startsWith('wrapper:') && read.has(file))
      .map((site) => [at(site), site.api]),
  );
  // The call inside a wrapper is a spawn to the reference, which knows no wrappers.
  const bodies = new Set(inventory.mentions.filter(({ kind }) => kind === 'wrapper-body').map(at));
  const broken = new Set(inventory.errors.map(({ file }) => file));
  const found = [
    ...[...theirs]
      .filter(([place]) => !ours.has(place) && !bodies.has(place) && !broken.has(place.split(':')[0]!))
      .map(([place, api]) => `${place}: ${api} is missed`),
    ...[...ours].filter(([place]) => !theirs.has(place)).map(([place, api]) => `${place}: ${api} is none`),
    ...[...ours]
      .filter(([place, api]) => theirs.has(place) && !theirs.get(place)!.split('|').includes(api))
      .map(([place, api]) => `${place}: ${api}, not ${theirs.get(place)}`),
  ];
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
