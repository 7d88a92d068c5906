#!/usr/bin/env node
/**
 * The proofs that need more than Node: promtool and a real Prometheus judge the generated rules, Chromium the status page,
 * the real pre-commit the hooks, mypy what a migration puts into the code.
 *
 *   node scripts/proofs.mjs [health] [browser] [pre-commit] [typed]   run what can be run; the rest is reported as skipped
 *   node scripts/proofs.mjs --install                         first install what is missing (Debian, as root)
 *   node scripts/proofs.mjs --strict                          fail when something had to be skipped
 *
 * Without a kind all of them. Other arguments go to vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const take = (word) => args.includes(word) && args.splice(args.indexOf(word), 1).length > 0;

const runs = (command, ...rest) => spawnSync(command, rest, { stdio: 'ignore' }).status === 0;

/** By kind: the files of its tests, and Debian packages with whether what they bring is there. */
const KINDS = {
  health: {
    files: '.proof.test.ts',
    packages: {
      prometheus: () => runs('promtool', '--version') && runs('prometheus', '--version'),
      'python3-prometheus-client': () =>
        ['/usr/bin/python3', 'python3'].some((python) => runs(python, '-c', 'import prometheus_client')),
    },
  },
  browser: {
    files: '.browser.test.ts',
    packages: {
      chromium: () =>
        [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].some(
          (path) => path && existsSync(path),
        ),
    },
  },
  'pre-commit': {
    files: '.hook.test.ts',
    packages: { 'pre-commit': () => runs('pre-commit', '--version') },
  },
  typed: {
    files: '.typed.test.ts',
    packages: { mypy: () => runs('mypy', '--version') },
  },
};

const [install, strict] = [take('--install'), take('--strict')];
const named = Object.keys(KINDS).filter(take);
const kinds = named.length > 0 ? named : Object.keys(KINDS);
const needed = Object.assign({}, ...kinds.map((kind) => KINDS[kind].packages));
const lacking = () => Object.keys(needed).filter((name) => !needed[name]());

if (install && lacking().length > 0) {
  const canInstall = process.getuid?.() === 0 && runs('apt-get', '--version');
  if (!canInstall) process.stderr.write('Nothing is installed: that takes apt-get and root.\n');
  else {
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 300_000 };
    spawnSync('apt-get', ['update'], options);
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...lacking()], options);
  }
}

const missing = lacking();
if (kinds.includes('browser') && !existsSync(`${root}/node_modules/playwright-core`))
  missing.push('playwright-core (npm)');
const vitest = `${root}/node_modules/vitest/vitest.mjs`;
const config = ['--config', 'scripts/proofs.vitest.ts'];
const filters = kinds.map((kind) => KINDS[kind].files);
const { status } = spawnSync(process.execPath, [vitest, 'run', ...config, ...filters, ...args], {
  cwd: root,
  stdio: 'inherit',
});
// Last, where nobody overlooks it.
if (missing.length > 0) process.stderr.write(`\nSKIPPED, not passed: proofs that need ${missing.join(', ')}\n`);
process.exitCode = status !== 0 ? (status ?? 1) : strict && missing.length > 0 ? 1 : 0;
