/** Runs after `npm install` in a checkout, and when npm installs from git: the files that the command starts are built. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function has(name) {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function run(command, args, env = process.env) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

// `npm install -g git+…`, which pre-commit uses, prepares with the settings of the outer install, and so installs nothing here
if (!has('esbuild') && process.env.npm_config_global === 'true') {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_config_(global|prefix|local_prefix|location)$/i.test(name),
  );
  run('npm', ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'], Object.fromEntries(own));
}
if (has('esbuild')) run(process.execPath, ['scripts/build.mjs']);
else process.stderr.write('looptag: development dependencies are left out, so nothing was built\n');
