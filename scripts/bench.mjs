/**
 * Measures looptag beside its peers and writes bench/RESULTS.md.
 *
 * `npm run bench -- [--files N] [--runs N] [--minutes N] [--output FILE]`; `--files all` takes every Python file of the
 * machine, which takes much longer than the six minutes of the default.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, type as system, tmpdir, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { corpus } from './bench/corpus.mjs';
import { edits } from './bench/edits.mjs';
import { repository } from './bench/history.mjs';
import { compare, once } from './bench/measure.mjs';
import { peers } from './bench/peers.mjs';
import { service } from './bench/service.mjs';

const { values: given } = parseArgs({
  options: {
    files: { type: 'string', default: '800' },
    runs: { type: 'string', default: '7' },
    output: { type: 'string', default: 'bench/RESULTS.md' },
    minutes: { type: 'string', default: '5' },
  },
});
const runs = Number(given.runs);
/** Of one line, for a mean: a session of an editor is longer than V8 takes to optimise what runs. */
const EDITS = 60;
const SLOPE_ROUNDS = 3;
const until = Date.now() + Number(given.minutes) * 60_000;
const say = (text) => process.stderr.write(`${text}\n`);
const folder = mkdtempSync(join(tmpdir(), 'looptag-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.env.XDG_CACHE_HOME = join(folder, 'cache');
process.env.RUFF_CACHE_DIR = join(folder, 'ruff');
// a shim costs more than the python3 that it stands for, and what it answers is not remembered
const python = spawnSync('python3', ['-c', 'import os, sys; print(os.path.dirname(os.path.realpath(sys.executable)))']);
if (python.status === 0) process.env.PATH = `${python.stdout.toString().trim()}:${process.env.PATH}`;

const cli = resolve('bin/looptag.js');
const node = process.execPath;
const looptag = (...args) => [node, cli, ...args];
const lines = [];
const write = (...more) => lines.push(...more);
const ms = (seconds) => (seconds * 1000).toFixed(0);
const goals = [];

/** As many rounds as fit: never fewer than three, and said where it is fewer than asked for. */
function measure(title, contenders, note = '') {
  say(title);
  let round = 0;
  for (const c of contenders) {
    c.before?.();
    round += once(c.command, c.cwd).wall;
  }
  const rounds = Math.max(3, Math.min(runs, Math.floor((until - Date.now()) / 1000 / 2 / round)));
  const result = compare(contenders, rounds, say);
  write(
    `## ${title}`,
    '',
    `Medians of ${rounds} rounds${rounds < 7 ? ' (fewer than 7: the time was up)' : ''}. ${note}`,
    '',
  );
  write('| | wall ms | CPU ms | peak MB | wall × | CPU × |', '|---|--:|--:|--:|--:|--:|');
  for (const r of result.rows)
    write(
      `| ${r.name} | ${ms(r.wall)} | ${ms(r.cpu)} | ${r.mb.toFixed(0)} | ${r.wallRatio.toFixed(2)} | ${r.cpuRatio.toFixed(2)} |`,
    );
  write('');
  return result;
}

function goal(what, value, limit, least = false) {
  const met = value === null ? 'not measured' : (least ? value >= limit : value <= limit) ? 'met' : '**not met**';
  goals.push(`| ${what} | ${least ? '≥' : '≤'} ${limit} | ${value === null ? '–' : value.toFixed(2)} | ${met} |`);
}

const found = peers(resolve('node_modules/.cache/looptag-bench'));
const path = (name) => found.find((p) => p.name === name)?.path ?? null;
const optional = (name, command, cwd, extra = {}) => (path(name) ? [{ name, command, cwd, ...extra }] : []);

// one file
const fixture = resolve('fixtures/services/awoooi');
const fixtureFiles = readdirSync(fixture, { recursive: true }).filter((name) => name.endsWith('.py')).length;
const one = ['--root', '.', '--catalog', 'docs/INV-8.md', 'apps/api/src/main.py'];
const start = { name: 'node -e 0', command: [node, '-e', '0'], cwd: fixture };
const single = measure(
  'One file: 791 lines of main.py, its catalogue and its job modules',
  [
    start,
    ...['inventory', 'check', 'migrate'].flatMap((command) => [
      { name: `looptag ${command}`, command: looptag(command, ...one), cwd: fixture, exits: [0, 1] },
      {
        name: `looptag ${command} --no-cache`,
        command: looptag(command, '--no-cache', ...one),
        cwd: fixture,
        exits: [0, 1],
      },
    ]),
    ...optional(
      'ast-grep',
      [path('ast-grep'), 'run', '-p', 'asyncio.create_task($$$A)', '-l', 'py', 'apps/api/src/main.py'],
      fixture,
    ),
    ...optional('ruff', [path('ruff'), 'check', '--no-cache', '--select', 'RUF006', 'apps/api/src/main.py'], fixture),
  ],
  'Ratios to `node -e 0`. Without `--no-cache` nothing has changed since the last run.',
);
for (const name of ['inventory', 'check', 'migrate'].flatMap((command) => [command, `${command} --no-cache`]))
  goal(`One file, ${name}: wall, of \`node -e 0\``, single.ratio(`looptag ${name}`, 'node -e 0', 'wall'), 1.5);

// rewriting
const big = join(folder, 'service');
service(big, 1000, 10);
const copy = join(folder, 'copy');
const fresh = () => {
  rmSync(copy, { recursive: true, force: true });
  cpSync(big, copy, { recursive: true });
};
const migrate = ['migrate', '--project-id', 'awoooi', '--root', '.', '--no-cache', '--no-python', '.', '--write'];
const rewriting = measure('Rewriting: 10,000 sites in 1,000 files', [
  { name: 'looptag inventory', command: looptag('inventory', '--no-cache', '--root', '.', '.'), cwd: big },
  { name: 'looptag migrate --write', command: looptag(...migrate), cwd: copy, before: fresh, exits: [0, 1] },
]);
goal(
  '`migrate --write`: CPU, of the inventory',
  rewriting.ratio('looptag migrate --write', 'looptag inventory', 'cpu'),
  3,
);

// history
const commits = 1000;
const repo = join(folder, 'repository');
repository(fixture, repo, commits);
const history = measure(`History: the burn-down over ${commits} commits of one main.py`, [
  {
    name: 'looptag status --history',
    command: looptag('status', '--history', '--no-cache', ...one),
    cwd: repo,
  },
]);
goal(`History: seconds for ${commits} commits`, history.row('looptag status --history').wall, 2);

// a whole tree
const tree = join(folder, 'tree');
const size = corpus(tree, given.files === 'all' ? Number.POSITIVE_INFINITY : Number(given.files));
say(`${size.files} files, ${(size.bytes / 1e6).toFixed(0)} MB`);
const whole = ['--root', '.', '.', '--format', 'json'];
const stat = `const fs=require('fs'),d=['.'];while(d.length){const f=d.pop();for(const e of fs.readdirSync(f,{withFileTypes:true}))if(e.isDirectory())d.push(f+'/'+e.name);else fs.statSync(f+'/'+e.name)}`;
const astGrep = [path('ast-grep'), 'run', '-p', 'asyncio.create_task($$$A)', '-l', 'py', '--no-ignore', 'hidden', '.'];
const all = measure(
  `A whole tree: ${size.files} files, ${(size.bytes / 1e6).toFixed(0)} MB`,
  [
    { name: 'a walk with stat', command: [node, '-e', stat], cwd: tree },
    ...optional('ripgrep', [path('ripgrep'), '--no-ignore', '-uu', '-c', 'asyncio.create_task', '.'], tree),
    ...optional('git grep', ['git', 'grep', '--no-index', '-c', 'asyncio.create_task'], tree),
    ...optional('ast-grep', astGrep, tree),
    ...optional('ruff', [path('ruff'), 'check', '--no-cache', '--isolated', '--select', 'RUF006', '-q', '.'], tree),
    { name: 'looptag, cold', command: looptag('inventory', '--no-cache', ...whole), cwd: tree, exits: [0, 2] },
    { name: 'looptag, again', command: looptag('inventory', ...whole), cwd: tree, exits: [0, 2] },
  ],
  'Ratios to the walk. The peers find calls by their spelling; looptag resolves names, wrappers and targets across files.',
);
const bare = once(start.command, fixture).cpu;
const cold = all.row('looptag, cold');
const rg = all.row('ripgrep');
goal('Whole tree: CPU beyond start-up, of ripgrep', rg ? (cold.cpu - bare) / rg.cpu : null, 3);
goal('Whole tree: ast-grep’s CPU, of looptag’s', all.ratio('ast-grep', 'looptag, cold', 'cpu'), 10, true);
goal('Whole tree: ast-grep’s wall, of looptag’s', all.ratio('ast-grep', 'looptag, cold', 'wall'), 8, true);
goal('Whole tree: ruff’s wall, of looptag’s', all.ratio('ruff', 'looptag, cold', 'wall'), 3, true);
goal('Whole tree: peak MB', cold.mb, 200);
goal('Again: wall, of a walk with stat', all.ratio('looptag, again', 'a walk with stat', 'wall'), 1.5);
write(`Cold, ${(size.bytes / 1e6 / cold.cpu).toFixed(1)} MB a second of CPU.`, '');

// does twice as much take twice as long?
say('Slope');
write('## Slope: the same tree, thinned out', '', `Medians of ${SLOPE_ROUNDS} rounds, cold.`, '');
const sizes = [8, 4, 2, 1].map((part) => {
  const to = part === 1 ? tree : join(folder, `tree-${part}`);
  return { to, ...(part === 1 ? size : corpus(to, size.files / part)) };
});
const slope = compare(
  sizes.flatMap(({ to }, i) => [
    { name: `looptag ${i}`, command: looptag('inventory', '--no-cache', ...whole), cwd: to, exits: [0, 2] },
    ...optional('ast-grep', astGrep, to).map((c) => ({ ...c, name: `ast-grep ${i}` })),
  ]),
  SLOPE_ROUNDS,
  say,
);
const microseconds = (row, files) => (row ? ((row.cpu / files) * 1e6).toFixed(0) : '–');
write('| files | MB | looptag, CPU ms | µs of CPU a file | peak MB | ast-grep, µs of CPU a file |');
write('|--:|--:|--:|--:|--:|--:|');
for (const [i, { files, bytes }] of sizes.entries()) {
  const own = slope.row(`looptag ${i}`);
  write(
    `| ${files} | ${(bytes / 1e6).toFixed(0)} | ${ms(own.cpu)} | ${microseconds(own, files)} | ${own.mb.toFixed(0)} | ${microseconds(slope.row(`ast-grep ${i}`), files)} |`,
  );
}
write('');

// a process that stays
if (process.platform === 'linux') {
  say('Edits');
  const service = join(folder, 'open');
  cpSync(fixture, service, { recursive: true });
  cpSync(join(service, 'apps'), join(tree, 'service/apps'), { recursive: true });
  write('## A line edited in an open main.py', '');
  write(`The mean of ${EDITS} edits, after as many for V8 to warm; CPU of the latter in the first column.`, '');
  write('| in a project of | warming, CPU ms | CPU ms | wall ms |', '|---|--:|--:|--:|');
  for (const [root, file, files] of [
    [service, 'apps/api/src/main.py', fixtureFiles],
    [tree, 'service/apps/api/src/main.py', size.files + fixtureFiles],
  ]) {
    const edit = await edits(looptag('lsp', '--root', root), root, file, EDITS);
    write(`| ${files} files | ${ms(edit.early)} | ${ms(edit.cpu)} | ${ms(edit.wall)} |`);
    goal(`Edit, language server, ${files} files: ms of CPU (the goal asks for 35,000)`, edit.cpu * 1000, 50);
  }
  write('');
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const [cpu] = cpus();
const head = [
  '# Measured',
  '',
  'Written by `npm run bench`. Every contender runs once a round, in turn; ratios are medians of the ratios within a round,',
  'so that what else the machine did meets all alike. CPU is user and system time of the process and its children.',
  '',
  `Machine: ${cpus().length} × ${cpu?.model ?? '?'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${system()} ${release()}. Node ${process.version}, looptag ${version}.`,
  `Peers: ${found.map((p) => (p.path ? (p.version ?? p.name) : `${p.name} missing`)).join(', ')}. LibCST is a library, no command, and is left out.`,
  '',
  '## Goals',
  '',
  '| goal | limit | measured | |',
  '|---|--:|--:|---|',
  ...goals,
  '',
];
mkdirSync(dirname(given.output), { recursive: true });
writeFileSync(given.output, `${[...head, ...lines].join('\n').trimEnd()}\n`);
say(`written: ${given.output}`);
