#!/usr/bin/env node
/**
 * `npm run gen:transcripts`: runs the commands that the READMEs show, on a fresh copy of the bundled service, and puts what they really
 * print between `<!-- transcript:NAME -->` and `<!-- /transcript -->`. With `--check`, only says which blocks are stale.
 * Blocks depend on one another: they run in the order of the list below.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FILES = ['README.md', 'README.zh-TW.md'];

/** `keep`: [first, last] lines of the output; what lies between is counted. */
const BLOCKS = [
  { name: 'init', run: 'init' },
  { name: 'inventory', run: 'inventory', keep: [9, 7] },
  { name: 'explain', run: 'explain 17', keep: [12, 0] },
  { name: 'lint', run: 'catalog lint', keep: [9, 1] },
  { name: 'check', run: 'check', keep: [8, 1], exit: 1 },
  { name: 'sync-diff', run: 'catalog sync --diff' },
  { name: 'migrate', run: 'migrate --batch PR-10 --only 17,18', from: '--- a/', keep: [200, 0] },
  { name: 'migrate-write', run: 'migrate --batch PR-10 --write' },
  { name: 'sync', run: 'catalog sync', keep: [2, 1] },
  { name: 'check-after', run: 'check --quiet --select LT001,LT002,LT003,LT004,LT008' },
  { name: 'status', run: 'status', keep: [12, 0] },
  { name: 'alerts', run: 'alerts', from: 'groups:', keep: [15, 0] },
  { name: 'rules', run: 'rules', keep: [6, 0] },
];

const cwd = mkdtempSync(join(tmpdir(), 'looptag-transcripts-'));
const env = {
  ...process.env,
  SOURCE_DATE_EPOCH: '1777766400',
  COLUMNS: '118',
  NO_COLOR: '1',
  CI: '',
  GITHUB_ACTIONS: '',
};

function spawn(command, ...args) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', env, shell: false });
}

function commit(message) {
  spawn('git', 'add', '-A');
  spawn('git', '-c', 'user.name=demo', '-c', 'user.email=demo@example.invalid', 'commit', '-qm', message);
}

/** What one block shows. */
function transcript({ run, from, keep, exit = 0 }) {
  const { status, stdout, stderr } = spawn(process.execPath, join(root, 'bin', 'looptag.js'), ...run.split(' '));
  if (status !== exit && !(run.includes('lint') && status === 1))
    throw new Error(`looptag ${run}: exit ${status}\n${stderr}${stdout}`);
  const text = stdout + stderr;
  const start = from ? Math.max(0, text.indexOf(from)) : 0;
  const lines = text.slice(start).trimEnd().split('\n');
  const shown = start > 0 ? ['…'] : [];
  const [first, last] = keep ?? [lines.length, 0];
  const hidden = lines.length - first - last;
  shown.push(
    ...(hidden > 1 ? [...lines.slice(0, first), `… ${hidden} more lines`, ...lines.slice(lines.length - last)] : lines),
  );
  if (status !== 0) shown.push(`(exit ${status})`);
  commit('next');
  return ['```console', `$ looptag ${run}`, ...shown, '```'].join('\n');
}

try {
  cpSync(join(root, 'fixtures', 'services', 'awoooi'), cwd, {
    recursive: true,
    filter: (path) => !/[/\\]golden$|__pycache__/.test(path),
  });
  spawn('git', 'init', '-q');
  commit('the service');
  const made = new Map(BLOCKS.map((block) => [block.name, transcript(block)]));
  const check = process.argv.includes('--check');
  for (const file of FILES.filter((each) => existsSync(join(root, each)))) {
    const text = readFileSync(join(root, file), 'utf8');
    const filled = text.replaceAll(/<!-- transcript:([\w-]+) -->\n[\s\S]*?<!-- \/transcript -->/g, (_, name) => {
      if (!made.has(name)) throw new Error(`${file}: there is no transcript ${name}`);
      return `<!-- transcript:${name} -->\n${made.get(name)}\n<!-- /transcript -->`;
    });
    if (filled === text) continue;
    process.stdout.write(`${check ? 'stale' : 'written'}: ${file}\n`);
    if (check) process.exitCode = 1;
    else writeFileSync(join(root, file), filled);
  }
  if (!process.exitCode) process.stdout.write('transcripts are up to date\n');
  else process.stderr.write('run `npm run gen:transcripts`\n');
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
