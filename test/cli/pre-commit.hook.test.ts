/** `.pre-commit-hooks.yaml` under the real pre-commit: installed from git, run at a commit. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Hooked, install } from './support/pre-commit.ts';
import { CATALOGUE, MAIN, Project } from './support/project.ts';

const CHECK = 'looptag-check';
const MIGRATE = 'looptag-migrate';
const CATALOG = 'looptag-catalog';

const source = install();
const skip = typeof source === 'string';
if (skip) process.stderr.write(`\nSKIPPED: the hooks have not run under pre-commit: ${source}\n`);

/** The service as `looptag migrate --write` and `looptag catalog sync` leave it when they are run by hand. */
let hand: { main: string; catalogue: string } | undefined;
function byHand(): { main: string; catalogue: string } {
  if (hand) return hand;
  const project = new Project().configured();
  expect(project.run('migrate', '--write').code).toBe(0);
  expect(project.run('catalog', 'sync').code).toBe(0);
  hand = { main: project.read(MAIN), catalogue: project.read(CATALOGUE) };
  return hand;
}

function service(...hooks: string[]): Hooked {
  if (typeof source === 'string') throw new Error(source);
  return new Hooked(source, hooks);
}

/** The same, tagged and up to date. */
function clean(...hooks: string[]): Hooked {
  const project = service(...hooks);
  const { main, catalogue } = byHand();
  project.write(MAIN, main).write(CATALOGUE, catalogue);
  project.git('-c', 'core.hooksPath=/dev/null', 'add', '-A');
  project.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'tagged');
  return project;
}

const line = (text: string, name: string) => text.split('\n').find((l) => l.startsWith(name)) ?? '';

describe.skipIf(skip)('under pre-commit', () => {
  it('check stops the commit of an untagged service, and changes nothing', () => {
    const project = service(CHECK);
    const before = project.head;
    project.edit(MAIN, (text) => `${text}\n# touched\n`);
    const { code, text } = project.tryCommit();
    expect(code).toBe(1);
    expect(line(text, 'looptag check')).toMatch(/Failed$/);
    expect(text).toContain(`- hook id: ${CHECK}\n- exit code: 1\n`);
    expect(text).toMatch(/main\.py:413:9: error LT001 untagged-loop: /);
    expect(project.head).toBe(before);
    expect(project.modified).toEqual([]);
  });

  it('check lets a clean service pass', () => {
    const project = clean(CHECK);
    const before = project.head;
    project.edit(MAIN, (text) => `${text}\n# touched\n`);
    const { code, text } = project.tryCommit();
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(line(text, 'looptag check')).toMatch(/Passed$/);
    expect(project.head).not.toBe(before);
  });

  it('check says what is wrong with the configuration, as exit code 2', () => {
    const project = clean(CHECK);
    project.write('looptag.toml', 'pathz = ["x"]\n');
    const { code, text } = project.tryCommit();
    expect(code).toBe(1);
    expect(text).toContain('- exit code: 2\n');
    expect(text).toContain('did you mean "paths"?');
  });

  it('migrate tags what is staged, as by hand, and then has nothing to do', () => {
    const project = service(MIGRATE);
    // staged, so that it differs from the last commit
    project.edit(MAIN, (text) => `${text}\n# touched\n`);
    const first = project.tryCommit();
    expect(first.code).toBe(1);
    expect(line(first.text, 'looptag migrate')).toMatch(/Failed$/);
    expect(first.text).toContain('- files were modified by this hook');
    expect(project.modified).toEqual([MAIN]);
    expect(project.read(MAIN)).toBe(`${byHand().main}\n# touched\n`);
    const second = project.tryCommit();
    expect(second).toMatchObject({ code: 0 });
    expect(line(second.text, 'looptag migrate')).toMatch(/Passed$/);
  });

  it('catalog brings the catalogue up to date, as by hand, and then has nothing to do', () => {
    const project = service(CATALOG);
    const { main, catalogue } = byHand();
    project.write(MAIN, main);
    const first = project.tryCommit();
    expect(first.code).toBe(1);
    expect(line(first.text, 'looptag catalog sync')).toMatch(/Failed$/);
    expect(first.text).toContain('- files were modified by this hook');
    expect(project.modified).toEqual([CATALOGUE]);
    expect(project.read(CATALOGUE)).toBe(catalogue);
    expect(project.tryCommit()).toMatchObject({ code: 0 });
  });

  it('all three in the order of the docs: one commit is stopped, the next passes', () => {
    const project = service(MIGRATE, CATALOG, CHECK);
    project.edit(MAIN, (text) => `${text}\n# touched\n`);
    const first = project.tryCommit();
    expect(first.code).toBe(1);
    // the check comes last and judges what the others left
    expect(line(first.text, 'looptag check')).toMatch(/Passed$/);
    expect(project.modified.sort()).toEqual([MAIN, CATALOGUE].sort());
    const second = project.tryCommit();
    expect(second).toMatchObject({ code: 0 });
    for (const name of ['looptag migrate', 'looptag catalog sync', 'looptag check'])
      expect(line(second.text, name)).toMatch(/Passed$/);
    expect(project.hook(CHECK)).toMatchObject({ code: 0 });
  });

  it('what is not staged is kept out of sight and comes back', () => {
    const project = clean(CHECK);
    project.edit('pyproject.toml', (text) => `${text}\n# touched\n`);
    project.git('add', '-A');
    project.edit(
      MAIN,
      (text) => `${text}\nimport asyncio\nasync def run_late_loop():\n    asyncio.create_task(run_x())\n`,
    );
    const edited = project.read(MAIN);
    const { code, text } = project.preCommit('run');
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(project.read(MAIN)).toBe(edited);
  });

  let shared: Hooked | undefined;
  it.each([
    [MAIN, true],
    ['apps/api/src/typed.pyi', true],
    [CATALOGUE, true],
    ['looptag.toml', true],
    ['pyproject.toml', true],
    ['policies/ours.yaml', true],
    ['web/app.ts', false],
    ['poetry.toml', false],
    ['notes.txt', false],
    ['apps/api/src/main.pyc', false],
  ])('a change of %s: the hooks run: %s', (file, expected) => {
    shared ??= clean(MIGRATE, CATALOG, CHECK);
    const project = shared;
    project.git('reset', '-q', '--hard');
    mkdirSync(join(project.root, file, '..'), { recursive: true });
    let old = '';
    try {
      old = project.read(file);
    } catch {
      // a new file
    }
    project.write(file, `${old}\n`);
    project.git('add', '-f', file);
    const { code, text } = project.preCommit('run');
    expect({ code, text }).toMatchObject({ code: 0 });
    for (const name of ['looptag migrate', 'looptag catalog sync', 'looptag check'])
      expect(line(text, name)).toMatch(expected ? /Passed$/ : /\(no files to check\)Skipped$/);
  });
});
