/** What is published, and nothing else. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ROOT } from '../e2e/support/run.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Packed {
  files: { path: string; mode: number; size: number }[];
  bundled: string[];
}

const WANTED = [
  /^package\.json$/,
  /^(README(\.zh-TW)?|CHANGELOG)\.md$/,
  /^LICENSE$/,
  /^bin\/looptag\.js$/,
  /^dist\/looptag\.js$/,
  /^dist\/chunks\/[\w.-]+\.js$/,
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
    expect.arrayContaining(['bin/looptag.js', 'dist/looptag.js', 'dist/policies/awoooi.json', 'README.md']),
  );
  expect(bundled).toEqual([]);
  expect(files.reduce((sum, f) => sum + f.size, 0)).toBeLessThan(4_000_000);
});

test('installing it runs nothing', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const hook of ['preinstall', 'install', 'postinstall']) expect(scripts).not.toHaveProperty(hook);
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
    if (entry.resolved) expect(entry.resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    expect(entry.integrity, path).toMatch(/^sha512-/);
    if (entry.hasInstallScript && !entry.dev) scripted.push(path);
  }
  expect(scripted, 'packages that a user installs and that run scripts').toEqual([]);
});
