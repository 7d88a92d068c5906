#!/usr/bin/env node
/**
 * `npm run demo`: the main job on a copy of the bundled service. Each step says what is expected of it; the exit code is 1 when
 * something else happened.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const service = join(root, 'fixtures', 'services', 'awoooi');
const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
const say = (text = '') => process.stdout.write(`${text}\n`);

const MAIN = 'apps/api/src/main.py';
const CATALOGUE = 'docs/INV-8.md';
const ON = ['--catalog', CATALOGUE, MAIN];
const failures = [];

function step(title) {
  say();
  say(paint('1;36', `── ${title}`));
}

function expect(what, holds) {
  say(holds ? paint(32, `✓ ${what}`) : paint('1;31', `✗ ${what}`));
  if (!holds) failures.push(what);
}

/** Prints some lines of an output, and how many more there are. */
function show(text, limit = Number.POSITIVE_INFINITY) {
  const lines = text.trimEnd().split('\n');
  for (const line of lines.slice(0, limit)) say(`  ${line}`);
  if (lines.length > limit) say(paint(2, `  … ${lines.length - limit} more lines`));
}

function build() {
  const bin = join(root, 'dist', 'start.js');
  const sources = ['src', 'rules'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  const built = existsSync(bin) ? statSync(bin).mtimeMs : 0;
  if (sources.every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs <= built)) return;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

function looptag(args, { quiet = false, colour = colours } = {}) {
  if (!quiet) say(`${paint(1, '$')} looptag ${args.join(' ')}`);
  const color = colour ? 'always' : 'never';
  const env = { ...process.env, COLUMNS: '110' };
  const run = spawnSync(process.execPath, [join(root, 'bin', 'looptag.js'), ...args, '--color', color], {
    cwd,
    encoding: 'utf8',
    env,
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

function git(args, input = '') {
  const who = ['-c', 'user.name=demo', '-c', 'user.email=demo@example.invalid'];
  return spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8', input });
}

/** Starts the service for a moment: which loops began, in which order, and the project id that each saw. */
function start() {
  const command = ['run.py', '--seconds', '0.3', '--json'];
  say(`${paint(1, '$')} python3 ${command.join(' ')}`);
  const run = spawnSync('python3', command, { cwd: join(cwd, 'apps', 'api'), encoding: 'utf8' });
  if (run.status !== 0) {
    expect(`the service runs under python3 (${run.error?.message ?? run.stderr.trim()})`, false);
    return { started: [], seen: {}, trace: {} };
  }
  return JSON.parse(run.stdout);
}

build();
const cwd = mkdtempSync(join(tmpdir(), 'looptag-demo-'));
try {
  cpSync(service, cwd, { recursive: true, filter: (path) => !/[/\\]golden$|__pycache__/.test(path) });
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'the service as it is'],
  ])
    git(args);
  say(`A copy of fixtures/services/awoooi: a Python service with an asyncio lifespan that starts 31 background jobs,`);
  say('INV-8 (docs/INV-8.md), which names 30 of them, and ADR-123, which says what project id each must carry.');

  step('1. The service before: no loop knows whose work it does');
  const before = start();
  expect(
    '31 jobs start, none with a project id',
    before.started.length === 31 && Object.values(before.seen).every((id) => id === ''),
  );

  step('2. Inventory: what each spawn starts, and which loop the 31st is');
  const inventory = looptag(['inventory', ...ON]);
  show(inventory.out);
  expect(
    '31 spawns, and the 31st has a name',
    inventory.code === 0 && /The 31st loop is `run_channel_event_poller_loop`/.test(inventory.out),
  );

  step('3. What the catalogue would change: row 31, cell by cell');
  const sync = looptag(['catalog', 'sync', '--diff', '--catalog', CATALOGUE]);
  show(sync.out);
  expect('row 31 is filled in', /^.*\+\| 31 \| `run_channel_event_poller_loop\(\)` \|/m.test(sync.out));

  step('4. The gate before: exit 1');
  const failing = looptag(['check', ...ON, '--select', 'untagged-loop,uncatalogued-loop,missing-trace-id']);
  show(failing.out, 12);
  say(`  ${failing.out.trimEnd().split('\n').at(-1)}`);
  expect('check fails', failing.code === 1);

  step('5. PR-10: the diff');
  const diff = looptag(['migrate', '--batch', 'PR-10', ...ON]);
  show(diff.out, 62);
  say(`${paint(1, '$')} git apply --check pr-10.diff`);
  const plain = looptag(['migrate', '--batch', 'PR-10', ...ON], { quiet: true, colour: false });
  const applies = git(['apply', '--check', '-'], plain.out);
  expect('git accepts the diff', diff.code === 0 && applies.status === 0);

  step('6. Write it, bring the catalogue up to date, ask the gate again: exit 0');
  const written = looptag(['migrate', '--batch', 'PR-10', ...ON, '--write']);
  show(written.err);
  const synced = looptag(['catalog', 'sync', '--catalog', CATALOGUE]);
  show(synced.err.trimEnd().split('\n').at(-1));
  const passing = looptag(['check', ...ON]);
  show(passing.out.trimEnd().split('\n').at(-1));
  expect('check passes: no errors are left', written.code === 0 && synced.code === 0 && passing.code === 0);
  const again = looptag(['migrate', '--batch', 'PR-10', ...ON], { quiet: true });
  expect('a second migration changes nothing', again.code === 0 && again.out === '');

  step('7. The service after: the same jobs in the same order, each with its project id');
  const after = start();
  const width = Math.max(...after.started.map((name) => name.length), 3);
  show(
    [
      `${'job'.padEnd(width)}  before  after`,
      ...after.started.map(
        (name) => `${name.padEnd(width)}  ${(before.seen[name] || '–').padEnd(6)}  ${after.seen[name] || '–'}`,
      ),
    ].join('\n'),
  );
  const platform = readFileSync(join(service, CATALOGUE), 'utf8').matchAll(
    /^\| \d+ \| `(\w+)\(\)` \|.*`platform_internal`/gm,
  );
  const own = new Set([...platform].map((match) => match[1]));
  expect('the same order', after.started.length === 31 && after.started.join() === before.started.join());
  expect(
    'platform loops see __platform__, all others awoooi',
    after.started.every((name) => after.seen[name] === (own.has(name) ? '__platform__' : 'awoooi')),
  );
  expect(
    'loop #17 (P0) has a trace id now',
    !before.trace.run_approval_timeout_resolver && after.trace.run_approval_timeout_resolver === true,
  );
} finally {
  rmSync(cwd, { recursive: true, force: true });
}

say();
if (failures.length > 0) {
  say(paint('1;31', `${failures.length} expectations failed:`));
  for (const each of failures) say(`  ${each}`);
  process.exitCode = 1;
} else say(paint('1;32', 'Everything as expected.'));
