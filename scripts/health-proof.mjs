#!/usr/bin/env node
/**
 * The proofs that need more than Node: promtool and a real Prometheus judge the generated rules, Chromium the status page.
 *
 *   node scripts/health-proof.mjs [health|browser]   run what can be run; the rest is reported as skipped
 *   node scripts/health-proof.mjs --install          first install what is missing (Debian, as root)
 *   node scripts/health-proof.mjs --strict           fail when something had to be skipped
 *
 * Other arguments go to vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const take = (word) => args.includes(word) && args.splice(args.indexOf(word), 1).length > 0;
const [install, strict, health, browser] = [take('--install'), take('--strict'), take('health'), take('browser')];
const both = health === browser;

const runs = (command, ...rest) => spawnSync(command, rest, { stdio: 'ignore' }).status === 0;

/** Debian packages, and whether what they bring is there. */
const NEEDED = {
  ...((health || both) && {
    prometheus: () => runs('promtool', '--version') && runs('prometheus', '--version'),
    'python3-prometheus-client': () =>
      ['/usr/bin/python3', 'python3'].some((python) => runs(python, '-c', 'import prometheus_client')),
  }),
  ...((browser || both) && {
    chromium: () =>
      [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].some(
        (path) => path && existsSync(path),
      ),
  }),
};

const lacking = () => Object.keys(NEEDED).filter((name) => !NEEDED[name]());

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
if ((browser || both) && !existsSync(`${root}/node_modules/playwright-core`)) missing.push('playwright-core (npm)');
const vitest = `${root}/node_modules/vitest/vitest.mjs`;
const filters = both ? [] : [health ? '.proof.test.ts' : '.browser.test.ts'];
const config = ['--config', 'scripts/health-proof.vitest.ts'];
const { status } = spawnSync(process.execPath, [vitest, 'run', ...config, ...filters, ...args], {
  cwd: root,
  stdio: 'inherit',
});
// Last, where nobody overlooks it.
if (missing.length > 0) process.stderr.write(`\nSKIPPED, not passed: proofs that need ${missing.join(', ')}\n`);
process.exitCode = status !== 0 ? (status ?? 1) : strict && missing.length > 0 ? 1 : 0;
