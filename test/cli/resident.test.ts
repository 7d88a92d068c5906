/** What most tests run the command by gives what a process of its own gives, byte for byte, whatever ran before. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { atLength } from '../support/long.ts';
import { type Ran, type RunOptions, ran, spawned } from '../support/looptag.ts';
import { placeOf } from '../support/resident/place.ts';
import { CATALOGUE, ENV, MAIN, Project, until } from './support/project.ts';

const base = mkdtempSync(join(tmpdir(), 'looptag-resident-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A history of two commits, a baseline, a policy of its own, reports of shards, and a file that does not parse. */
const sample = new Project().configured();
sample.git('init', '-q', '-b', 'main');
sample.commit('as it is', '2026-01-01');
sample.edit(MAIN, (text) => `${text}\n\nasync def more():\n    asyncio.create_task(run_evolver_loop())\n`);
sample.commit('one more', '2026-01-08');
sample
  .write('broken.py', 'def f(:\n')
  .write('名前.py', 'import asyncio\n\n\nasync def 名():\n    asyncio.create_task(名())\n')
  .write('mine.yaml', 'name: mine\nextends: awoooi\n')
  .write('bad.yaml', 'name: [\n')
  .write('1.json', sample.run('inventory', '--format', 'json', '--shard', '1/2', '.').out)
  .write('2.json', sample.run('inventory', '--format', 'json', '--shard', '2/2', '.').out);
rmSync(join(sample.root, '.cache'), { recursive: true, force: true });

type Line = [argv: string[], more?: Omit<RunOptions, 'cwd'> & { below?: string }];

/** Of each command, format and kind of end at least one. These change nothing that another one looks at. */
const READING: Line[] = [
  [[]],
  [['--version']],
  [['--help']],
  [['check', '--help'], { env: { COLUMNS: '60' } }],
  [['invetory']],
  [['inventory']],
  [['inventory', '--format', 'json', '.']],
  [['inventory', '--format', 'json', '.']],
  [['inventory', '-q', 'broken.py'], { below: 'apps' }],
  [['inventory', '名前.py', '--color', 'always']],
  [['check']],
  [['check']],
  [['check', '--format', 'sarif', '--no-cache']],
  [['check'], { env: { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_STEP_SUMMARY: 'summary.md' } }],
  [['check', '--since', 'HEAD~1'], { env: { FORCE_COLOR: '1' } }],
  [['check', '--since', 'no-such'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }],
  [['check', '--policy', 'bad.yaml']],
  [['migrate']],
  [['catalog', 'sync', '--diff']],
  [['catalog', 'lint'], { below: 'docs' }],
  [['status', '--lang', 'zh-TW', '--format', 'html'], { env: { SOURCE_DATE_EPOCH: '1700000000' } }],
  [['status', '--history', '--format', 'json'], { env: { TZ: 'Asia/Taipei' } }],
  [['explain', '17'], { env: { LOOPTAG_POLICY: 'mine.yaml' } }],
  [['explain', 'untagged-loop'], { env: { FORCE_COLOR: '1' } }],
  [['alerts']],
  [['reconcile', '-'], { input: '{"schema":"nonsense"}' }],
  [['emit', 'probe']],
  [['init', '--dry-run']],
  [['rules']],
  [['merge', '2.json', '1.json']],
  [['completion', 'bash']],
];

/** And these see what those before them wrote. */
const WRITING: Line[] = [
  [['check', '--write-baseline', '--baseline', 'loops.baseline']],
  [['check', '--baseline', 'loops.baseline', '--format', 'markdown']],
  [['migrate', '--write', '--allow-dirty', '-i'], { input: 'y\nn\ns\nbecause\na\n' }],
  [['migrate', '--write']],
  [['clean'], { below: 'apps/api' }],
  [['catalog', 'sync'], { below: 'docs' }],
];

/** Every file but those of git, by name; its bytes. */
function filesOf(root: string): Map<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.includes('/.git/'));
  return new Map(paths.sort().map((path) => [path.slice(root.length), readFileSync(path, 'latin1')]));
}

/** All lines, one after another, in one fresh copy of the sample that always lies at the same place. */
function all(run: (argv: readonly string[], options?: RunOptions) => Ran, lines: readonly Line[]) {
  const root = join(base, 'work');
  rmSync(base, { recursive: true, force: true });
  mkdirSync(base);
  cpSync(sample.root, root, { recursive: true, preserveTimestamps: true });
  // what is younger than that when a run begins keeps its result from being remembered
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2100);
  const results = lines.map(([argv, { below = '', env, input } = {}]) => {
    const { status, stdout, stderr } = run(argv, {
      cwd: join(root, below),
      env: { ...ENV, XDG_CACHE_HOME: join(base, 'cache'), ...env },
      input,
    });
    return { argv: argv.join(' '), status, stdout: stdout.toString('latin1'), stderr: stderr.toString('latin1') };
  });
  return { results, files: filesOf(root) };
}

describe.skipIf(inject('residents') === null)('the command in a process that is there already', () => {
  const LINES = [...READING, ...WRITING];
  const expected = all(spawned, LINES);

  test('the lines end in every way, print on both streams and write files', () => {
    const { results, files } = expected;
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([0, 1, 2]));
    expect(results.filter(({ stdout }) => stdout).length).toBeGreaterThan(20);
    expect(results.filter(({ stderr }) => stderr).length).toBeGreaterThan(5);
    expect(files.get('/summary.md')).toBeTruthy();
    expect(files.get(`/${MAIN}`)).toContain('# looptag: ignore[untagged-loop] -- because');
    expect(files.get(`/${CATALOGUE}`)).toBeTruthy();
  });

  test('gives the same status, output and files', () => {
    expect(all(ran, LINES)).toEqual(expected);
  });

  test('takes over nothing from the runs before', () => {
    const some = (_: unknown, i: number): boolean => i < READING.length && i % atLength(1, 3) === 0;
    const { results } = all(ran, READING.filter(some).toReversed());
    expect(results.toReversed()).toEqual(expected.results.filter(some));
  });

  test('leaves no variable and no folder of a run behind', () => {
    const own = (more: Record<string, string>) =>
      ran(['rules'], { cwd: base, env: { ...ENV, FORCE_COLOR: '1', ...more } }).stdout.toString();
    const plain = ran(['rules'], { cwd: base, env: ENV }).stdout.toString();
    expect(own({})).not.toBe(plain);
    expect(own({ NO_COLOR: '1' })).toBe(plain);
    expect(ran(['rules'], { cwd: base, env: ENV }).stdout.toString()).toBe(plain);
  });

  test('has another process when that one has died', async () => {
    const { pid } = placeOf(inject('residents')!, Number(process.env.VITEST_POOL_ID));
    const before = readFileSync(pid, 'utf8');
    process.kill(Number(before), 'SIGKILL');
    await until(() => readFileSync(pid, 'utf8') !== before, 'a process in its place');
    expect(ran(['--version'], { cwd: base }).status).toBe(0);
  });

  test('a run in a folder that is not there is refused as a spawn of one', () => {
    expect(() => ran(['rules'], { cwd: join(base, 'nowhere') })).toThrow(/ENOENT/);
    expect(ran(['--version'], { cwd: base }).status).toBe(0);
  });
});
