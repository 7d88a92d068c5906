#!/usr/bin/env node
/** Proves `npm run new`: in a copy of the project, one more of each kind is made, and lint, types and meta tests pass right away. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'looptag-scaffold-'));
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'coverage']);

function run(title, command, ...args) {
  process.stdout.write(`\n${title}\n`);
  const { status } = spawnSync(command, args, { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error(`failed: ${title}`);
}

const KINDS = {
  check: 'late-spawn',
  codemod: 'name-tasks',
  'spawn-api': 'quart',
  format: 'plain-lines',
  policy: 'two-teams',
};

try {
  const wanted = (path) => !LEFT_OUT.has(relative(root, path)) && !/^dist\..*\.tmp/.test(basename(path));
  cpSync(root, copy, { recursive: true, filter: wanted });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [kind, name] of Object.entries(KINDS))
    run(`new ${kind} ${name}`, process.execPath, 'scripts/dev.mjs', 'new', kind, name);
  const made = [
    `rules/checks/${KINDS.check}`,
    `rules/codemods/${KINDS.codemod}`,
    `rules/spawn-apis/${KINDS['spawn-api']}`,
    `src/report/formats/${KINDS.format}`,
    `test/report/${KINDS.format}.test.ts`,
    'rules/checks/index.ts',
    'rules/codemods/index.ts',
    'rules/spawn-apis/index.ts',
    'src/report/index.ts',
    'src/report/load.ts',
  ];
  run('lint', process.execPath, 'node_modules/@biomejs/biome/bin/biome', 'check', ...made);
  run('types', process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit');
  run('build', process.execPath, 'scripts/build.mjs');
  const tests = ['test/meta', 'test/checks/cases', 'test/codemods/cases', `test/report/${KINDS.format}`];
  run('tests', process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...tests);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
