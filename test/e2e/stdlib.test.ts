/** Code that nobody here wrote: python3's own asyncio and, where it is installed, its tests. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '../support/long.ts';
import type { InventoryJson } from './support/json.ts';
import {
  commitAll,
  copy,
  git,
  json,
  looptag,
  type Outcome,
  python3,
  snapshot,
  temporary,
  write,
} from './support/run.ts';

/** Most of the tests, where not all are asked: those of tasks start the most. */
const LEFT_OUT =
  /test_asyncio\/test_(?!__|tasks|taskgroups|timeouts|waitfor|runners|staggered|queues|locks|context|eager)\w+\.py$/;

const CONTEXT = 'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id", default="")\n';

function stdlib(): string {
  const { stdout } = spawnSync(python3!.command, ['-c', 'import os; print(os.path.dirname(os.__file__))'], {
    encoding: 'utf8',
  });
  return stdout.trim();
}

const packages = python3
  ? [join(stdlib(), 'asyncio'), join(stdlib(), 'test', 'test_asyncio')].filter((folder) => existsSync(folder))
  : [];

/** Every Python file of a folder, compiled by one interpreter; what did not compile. */
function notCompiling(folder: string): string {
  const script =
    'import compileall, sys; sys.exit(not compileall.compile_dir(sys.argv[1], quiet=1, force=True, legacy=True))';
  const { status, stdout, stderr } = spawnSync(python3!.command, ['-W', 'ignore', '-c', script, folder], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : stdout + stderr;
}

describe.skipIf(packages.length === 0).each(packages.map((folder) => [basename(folder), folder] as const))(
  '%s',
  (name, folder) => {
    const cwd = temporary(name);
    const source = join(cwd, name);
    copy(folder, source, (path) => !path.includes('__pycache__') && (LONG || !LEFT_OUT.test(path)));
    write(cwd, { 'app_context.py': CONTEXT });
    commitAll(cwd);
    const before = snapshot(cwd);
    let inventory: InventoryJson;
    let written: Outcome;
    const args = [
      'migrate',
      '--project-id',
      'awoooi',
      '--helper',
      'inline',
      '--context-var',
      'app_context:project_id_ctx_var',
      '--write',
      name,
    ];

    beforeAll(async () => {
      inventory = json(await looptag(['inventory', '--format', 'json', name], { cwd }));
      written = await looptag(args, { cwd });
    }, 120_000);

    it('is analysed without an error', () => {
      expect(inventory.errors).toEqual([]);
      expect(inventory.summary.files).toBeGreaterThan(LONG || name === 'asyncio' ? 20 : 10);
      expect(inventory.summary.parsed).toBe(inventory.summary.files);
      // The package imports its own parts by relative names: to itself, nothing of it is the library.
      if (name === 'test_asyncio') expect(inventory.sites.length).toBeGreaterThan(200);
      for (const { file, line, column, endLine, endColumn } of inventory.sites) {
        const lines = before.get(file)!.toString('utf8').split('\n');
        expect(lines[line - 1]!.slice(column - 1)).toMatch(/^\S/);
        expect([...lines[endLine - 1]!].slice(0, endColumn - 1).at(-1)).toBe(')');
      }
    });

    const library = name === 'asyncio' ? it : null;
    library?.("gives no finding: what the library itself starts is nobody's background loop", async () => {
      // save that nobody can tell what is typed into `python -m asyncio`
      const { sites } = inventory;
      const typed = sites.filter((s) => s.certainty === 'unknown').map((s) => s.file);
      expect(typed.filter((file) => !file.endsWith('asyncio/__main__.py'))).toEqual([]);
      const args = ['--policy', 'tenant-basic', '--fail-on', 'note', '--ignore', 'dynamic-spawn', name];
      const { code, out } = await looptag(['check', ...args], { cwd });
      expect(out).toMatch(/^No findings: \d+ spawn sites? in \d+ files\.\n$/);
      expect(code).toBe(0);
    });

    it('is migrated, and changed only where there is a site', () => {
      expect(written.code, written.err).toBe(0);
      const after = snapshot(cwd);
      const changed = [...after.keys()].filter((file) => !after.get(file)!.equals(before.get(file) ?? Buffer.alloc(0)));
      if (inventory.sites.some((s) => s.targets.length > 0)) expect(changed.length).toBeGreaterThan(0);
      const withSites = new Set(
        [...inventory.sites, ...inventory.mentions.filter(({ kind }) => kind === 'wrapper-body')].map(
          ({ file }) => file,
        ),
      );
      expect(changed.filter((file) => !withSites.has(file))).toEqual([]);
      expect(git(cwd, 'diff', '--check').output).toBe('');
    });

    it('compiles', () => {
      expect(notCompiling(source)).toBe('');
    });

    it('has nothing left to do', async () => {
      const after = snapshot(cwd);
      const again = await looptag([...args, '--allow-dirty'], { cwd });
      expect(again.code, again.err).toBe(0);
      const now = snapshot(cwd);
      expect(
        [...now.keys()].filter((file) => /\.pyi?$/.test(file) && !now.get(file)!.equals(after.get(file)!)),
      ).toEqual([]);
    }, 120_000);

    it('touches no line outside of the calls', () => {
      const calls = new Map<string, [number, number][]>();
      for (const { file, line, endLine } of inventory.sites)
        calls.set(file, [...(calls.get(file) ?? []), [line, endLine]]);
      for (const { file, line } of inventory.mentions) calls.set(file, [...(calls.get(file) ?? []), [line, line]]);
      let file = '';
      for (const row of git(cwd, 'diff', '-U0', '--no-color').output.split('\n')) {
        file = /^--- a\/(.*)$/.exec(row)?.[1] ?? file;
        const [, start, count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(row) ?? [];
        for (let i = 0; start && i < Number(count); i++) {
          const line = Number(start) + i;
          const inside = calls.get(file)?.some(([first, last]) => first <= line && line <= last);
          expect(inside, `${file}:${line} is changed`).toBe(true);
        }
      }
    });
  },
);
