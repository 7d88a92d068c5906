/** Bad input: one clear message that names the place and the remedy, exit 2, and nothing is changed. */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { looptag, snapshot, temporary, write } from './support/run.ts';
import { CATALOGUE, MAIN, SERVICE, service } from './support/service.ts';

const TABLE = readFileSync(join(SERVICE, CATALOGUE), 'utf8');
const ROW_12 =
  '| 12 | `run_rule_stats_updater_loop()` | 442 | 每 15min | `legacy_awoooi_default` | P3 | 更新規則命中次數 |';

/** Commands that read Python files; the last writes. */
const ON_PATHS = [['inventory'], ['check'], ['migrate', '--project-id', 'awoooi', '--write']];
/** Commands that read the catalogue; two of them write. */
const ON_CATALOGUE = [
  ['inventory', MAIN],
  ['check', MAIN],
  ['migrate', MAIN, '--write'],
  ['catalog', 'sync'],
  ['catalog', 'lint'],
].map((args) => [...args, '--catalog', CATALOGUE]);

interface Bad {
  name: string;
  /** Arguments of each run. */
  runs: string[][];
  files?: Record<string, string | Uint8Array>;
  prepare?(cwd: string): void;
  /** Where the message points. */
  place: RegExp;
  remedy: RegExp;
}

const catalogue = (name: string, text: string, place: RegExp, remedy: RegExp): Bad => {
  expect(text).not.toBe(TABLE);
  return { name, runs: ON_CATALOGUE, files: { [CATALOGUE]: text }, place, remedy };
};

const bad: Bad[] = [
  {
    name: 'a missing path',
    runs: ON_PATHS.map((args) => [...args, 'apps/api/src/mian.py']),
    place: /apps\/api\/src\/mian\.py: no such file/,
    remedy: /^ {2}\S/m,
  },
  {
    name: 'a folder without Python',
    runs: ON_PATHS.map((args) => [...args, 'docs']),
    place: /docs: no Python files/,
    remedy: /^ {2}give a \.py file/m,
  },
  {
    name: 'a broken Python file',
    runs: ON_PATHS.map((args) => [...args, 'broken.py']),
    files: { 'broken.py': 'import asyncio\n\n\nasync def main():\n    asyncio.create_task(work(\n' },
    place: /^ *broken\.py:5:29\b/m,
    remedy: /'\(' was never closed/,
  },
  {
    name: 'a broken Python file that speaks of no tasks',
    runs: ON_PATHS.map((args) => [...args, 'broken.py']),
    files: { 'broken.py': 'def (\n' },
    place: /^ *broken\.py:1:5\b/m,
    remedy: /\w/,
  },
  {
    name: 'a catalogue that is not there',
    runs: ON_CATALOGUE.map((args) => [...args.slice(0, -1), 'docs/INV-9.md']),
    place: /docs\/INV-9\.md: no such catalogue/,
    remedy: /^ {2}give the Markdown file to --catalog/m,
  },
  catalogue(
    'a catalogue without a table',
    TABLE.replaceAll('|', '/'),
    /docs\/INV-8\.md:1:1: no catalogue table/,
    /^ {2}add a Markdown table/m,
  ),
  catalogue(
    'a table with a short row',
    TABLE.replace(ROW_12, '| 12 | `run_rule_stats_updater_loop()` | 442 |'),
    /docs\/INV-8\.md:39:\d+: .*3 cells, header 7/,
    /^ {2}write all 7 cells/m,
  ),
  catalogue(
    'a duplicate row',
    TABLE.replace(ROW_12, `${ROW_12}\n${ROW_12}`),
    /docs\/INV-8\.md:40:\d+: duplicate .*line 39/,
    /^ {2}number every row once/m,
  ),
  catalogue(
    'an unknown marker',
    TABLE.replace(ROW_12, ROW_12.replace('legacy_awoooi_default', 'legacy_awooi_default')),
    /docs\/INV-8\.md:39:58: unknown marker `legacy_awooi_default`/,
    /^ {2}use one of platform_internal, legacy_awoooi_default, requires_project_id/m,
  ),
  {
    name: 'a read-only file',
    runs: [
      ['migrate', MAIN, '--catalog', CATALOGUE, '--write'],
      ['catalog', 'sync', '--catalog', CATALOGUE],
    ],
    prepare: (cwd) => {
      for (const file of [MAIN, CATALOGUE]) chmodSync(join(cwd, file), 0o444);
    },
    place: /(apps\/api\/src\/main\.py|docs\/INV-8\.md): is read-only/,
    remedy: /^ {2}.*writ(e|able)/m,
  },
  {
    name: 'an unknown option',
    runs: [['inventory'], ['check'], ['migrate'], ['catalog', 'sync'], ['catalog', 'lint']].map((args) => [
      ...args,
      '--frobnicate',
    ]),
    place: /unknown option '--frobnicate'/,
    remedy: /--help/,
  },
  {
    name: 'a misspelled option',
    runs: [['check', '--selct', 'LT001']],
    place: /unknown option '--selct'/,
    remedy: /--select\b/,
  },
  {
    name: 'an unknown command',
    runs: [['invetory']],
    place: /unknown command 'invetory'/,
    remedy: /inventory/,
  },
  {
    name: 'an unknown key in the configuration',
    runs: ON_PATHS.map((args) => [...args, MAIN]),
    files: { 'looptag.toml': 'catalogue = "docs/INV-8.md"\n' },
    place: /looptag\.toml(:1(:1)?)?: unknown key "catalogue"/,
    remedy: /^ {2}did you mean "catalog"\?/m,
  },
  {
    name: 'an unknown policy, rule and batch',
    runs: [
      ['check', MAIN, '--policy', 'awooi'],
      ['check', MAIN, '--select', 'untaged-loop'],
      ['migrate', MAIN, '--catalog', CATALOGUE, '--batch', 'PR-11'],
    ],
    place: /"(awooi|untaged-loop|PR-11)"/,
    remedy: /^ {2}(did you mean "(awoooi|untagged-loop)"\?|known: .*PR-10)/m,
  },
];

describe.each(bad.map((each) => [each.name, each] as const))(
  '%s',
  (_name, { runs, files = {}, prepare, place, remedy }) => {
    const cwd = service();
    write(cwd, files);
    prepare?.(cwd);
    const before = snapshot(cwd);

    it.each(runs.map((args) => [args.join(' '), args] as const))('%s', async (_command, args) => {
      const { code, out, err } = await looptag(args, { cwd });
      // A report lists what it could not read; a command that prints a file or a diff says so aside.
      const said = args[0] === 'migrate' ? err : out + err;
      expect(said).toMatch(place);
      expect(said).toMatch(remedy);
      expect(said).not.toMatch(/internal error|^\s+at /m);
      expect(code).toBe(2);
      expect(snapshot(cwd)).toEqual(before);
    });
  },
);

describe('--quiet', () => {
  it.each([
    ['inventory'],
    ['check'],
    ['migrate', '--project-id', 'awoooi'],
    ['status'],
    ['explain', 'a'],
    ['catalog', 'init'],
  ])('still says which file could not be read: %s', async (...args) => {
    const root = temporary();
    write(root, { 'bad.py': 'def f(:\n', 'ok.py': 'import asyncio\nasync def a(): ...\nasyncio.ensure_future(a())\n' });
    // the second run answers from the cache
    for (let i = 0; i < 2; i++) {
      const { code, out, err } = await looptag([...args, '-q', '--root', '.', '--cache-dir', '../cache'], {
        cwd: root,
      });
      expect([code, out + err]).toEqual([2, expect.stringMatching(/^bad\.py:1:\d+: /m)]);
    }
  });
});
