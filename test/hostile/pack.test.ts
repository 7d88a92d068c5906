/** What is published, and nothing else. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, temporary, write } from '../e2e/support/run.ts';
import { SERVICE } from './support.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  scripts: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies: Record<string, string>;
};
const { version, scripts, devDependencies } = manifest;

interface Packed {
  files: { path: string; mode: number; size: number }[];
  bundled: string[];
}

const WANTED = [
  /^package\.json$/,
  /^(README(\.zh-TW)?|CHANGELOG)\.md$/,
  /^LICENSE$/,
  /^(bin|dist)\/package\.json$/,
  /^bin\/(looptag|unbuilt)\.js$/,
  /^dist\/((start|launch|looker|program)\.js|licenses\.txt)$/,
  /^dist\/libraries\/(yaml|language-server|text-document)\.js$/,
  /^dist\/(policies\/[\w-]+\.json|rules\/[\w-]+\.md)$/,
  /^rules\/policies\/[\w-]+\.yaml$/,
  /^schemas\/[\w.-]+\.json$/,
];

test('the package holds what a run needs', () => {
  const got = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT, encoding: 'utf8' });
  expect(got.status, got.stderr).toBe(0);
  const [{ files, bundled }] = JSON.parse(got.stdout) as [Packed];
  const paths = files.map((f) => f.path);
  expect(paths.filter((path) => !WANTED.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining([
      'bin/looptag.js',
      'dist/start.js',
      'dist/launch.js',
      'dist/looker.js',
      'dist/program.js',
      'dist/libraries/yaml.js',
      'dist/libraries/language-server.js',
      'dist/libraries/text-document.js',
      'dist/policies/awoooi.json',
      'README.md',
    ]),
  );
  expect(bundled).toEqual([]);
  expect(files.reduce((sum, f) => sum + f.size, 0)).toBeLessThan(4_000_000);
});

test('the packed command works where nothing else is installed and nothing can be fetched', () => {
  const folder = temporary('packed');
  write(folder, { 'package.json': '{"private": true}', 'main.py': SERVICE });
  const npm = (args: string[], cwd: string): string => {
    const got = spawnSync('npm', [...args, '--ignore-scripts', '--offline', '--no-audit'], { cwd, encoding: 'utf8' });
    expect(got.status, got.stderr).toBe(0);
    return got.stdout;
  };
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], ROOT)) as [
    { filename: string },
  ];
  npm(['install', `./${filename}`], folder);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['looptag']);
  const run = (...args: string[]): string => {
    const got = spawnSync(join(folder, 'node_modules/.bin/looptag'), args, { cwd: folder, encoding: 'utf8' });
    expect(got.stderr).not.toContain('internal error');
    return got.stdout;
  };
  expect(run('--version')).toContain(version);
  const { sites } = JSON.parse(run('inventory', '--format', 'json', 'main.py')) as { sites: { file: string }[] };
  expect(sites.map(({ file }) => file)).toEqual(['main.py']);
  // a YAML policy, a TOML configuration, colours and tables each come from a chunk of their own
  write(folder, {
    'looptag.toml': 'exclude = ["x"]\n',
    'p.yaml': readFileSync(join(ROOT, 'rules/policies/awoooi.yaml')),
  });
  expect(run('check', '--policy', 'p.yaml', '--format', 'text', '--color', 'always', 'main.py')).toContain('\x1b[');
});

test('the licences of what is bundled are passed on, and each package has its reason', () => {
  const passed = readFileSync(join(ROOT, 'dist/licenses.txt'), 'utf8');
  const document = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
  const [inTool] = document.split('## For development');
  const named = (text: string): string[] =>
    [...text.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap(([, cell]) => cell!.split(', '))
      .filter((name) => !/^(package|-+)$/.test(name));
  const bundled = named(inTool!);
  expect(bundled.length).toBeGreaterThan(5);
  for (const name of bundled)
    expect(passed).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|BSD-3-Clause|ISC)\\)$`, 'm'));
  expect(named(document).sort()).toEqual(Object.keys(devDependencies).sort());
});

test('installing it runs nothing', () => {
  for (const hook of ['preinstall', 'install', 'postinstall']) expect(scripts).not.toHaveProperty(hook);
  expect(manifest.dependencies ?? {}).toEqual({});
});

test('what is installed has a digest, and needs no script', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<
      string,
      { resolved?: string; integrity?: string; link?: boolean; dev?: boolean; hasInstallScript?: boolean }
    >;
  };
  const scripted: string[] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue;
    // without an address of its own a package comes from the registry that npm is set to
    expect(entry.resolved, path).toBeUndefined();
    expect(entry.integrity, path).toMatch(/^sha512-/);
    if (entry.hasInstallScript && !entry.dev) scripted.push(path);
  }
  expect(scripted, 'packages that a user installs and that run scripts').toEqual([]);
});
