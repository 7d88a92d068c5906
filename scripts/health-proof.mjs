#!/usr/bin/env node
/**
 * The proofs that need more than Node: promtool and a real Prometheus judge the generated rules, Chromium the status page.
 *
 *   node scripts/health-proof.mjs            run what can be run; the rest is reported as skipped
 *   node scripts/health-proof.mjs --install  first install what is missing (Debian, as root)
 *   node scripts/health-proof.mjs --strict   fail when something had to be skipped
 *
 * Other arguments go to vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const take = (flag) => args.includes(flag) && args.splice(args.indexOf(flag), 1).length > 0;
const [install, strict] = [take('--install'), take('--strict')];

const runs = (command, ...rest) => spawnSync(command, rest, { stdio: 'ignore' }).status === 0;

const NEEDED = {
  prometheus: () => runs('promtool', '--version') && runs('prometheus', '--version'),
  'python3-prometheus-client': () =>
    ['/usr/bin/python3', 'python3'].some((python) => runs(python, '-c', 'import prometheus_client')),
  chromium: () =>
    [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].some(
      (path) => path && existsSync(path),
    ),
};

const lacking = () => Object.keys(NEEDED).filter((name) => !NEEDED[name]());

if (install && lacking().length > 0) {
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update'], options);
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...lacking()], options);
}

// The service is migrated by the command as users get it.
const built = () => existsSync(`${root}/dist/looptag.js`);
if (!built()) spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });

const missing = lacking();
if (!built()) missing.push('dist/looptag.js');
if (!existsSync(`${root}/node_modules/playwright-core`)) missing.push('playwright-core (npm)');
const vitest = `${root}/node_modules/vitest/vitest.mjs`;
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', 'scripts/health-proof.vitest.ts', ...args], {
  cwd: root,
  stdio: 'inherit',
});
// Last, where nobody overlooks it.
if (missing.length > 0) process.stderr.write(`\nSKIPPED, not passed: proofs that need ${missing.join(', ')}\n`);
process.exitCode = status !== 0 ? (status ?? 1) : strict && missing.length > 0 ? 1 : 0;
