/** The baseline on the command line: narrowed runs, what is gone, what cannot be written. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Project } from './support/project.ts';

const LOOP = (name: string) =>
  `import asyncio\nasync def ${name}():\n    while True: await asyncio.sleep(60)\nasync def main():\n    asyncio.create_task(${name}())\n`;
const RULES = ['--baseline', 'accepted', '--select', 'untagged-loop,dropped-task'];

function project(): Project {
  const p = new Project(null).write('looptag.toml', 'paths = ["one.py", "two.py"]\n');
  p.write('one.py', LOOP('first')).write('two.py', LOOP('second'));
  expect(p.run('check', ...RULES, '--write-baseline')).toMatchObject({ code: 0, err: 'accepted: 4 entries\n' });
  return p;
}

const ALL = [
  'dropped-task one:main:first',
  'dropped-task two:main:second',
  'untagged-loop one:main:first',
  'untagged-loop two:main:second',
];
const entries = (p: Project) =>
  p
    .read('accepted')
    .split('\n')
    .filter((row) => /^[^#]/.test(row));

describe('a run over some of the files', () => {
  it('calls no entry of the others stale, takes none out and keeps them when it writes', () => {
    const p = project();
    expect(p.run('check', ...RULES, 'one.py', '--format', 'json').out).toContain('"staleBaseline": 0');
    expect(p.run('check', ...RULES, 'one.py', '--prune-baseline').err).toBe('accepted: 4 entries\n');
    expect(p.run('check', ...RULES, 'one.py', '--write-baseline').err).toBe('accepted: 4 entries\n');
    expect(entries(p)).toEqual(ALL);
  });

  it('still finds what is gone in its own', () => {
    const p = project().write('one.py', 'x = 1\n');
    const { out, err } = p.run('check', ...RULES, 'one.py');
    expect(out).toContain('2 stale baseline entries');
    expect(err).toBe('');
    expect(p.run('check', ...RULES, 'one.py', '--format', 'json').err).toContain(
      'accepted:3: this entry matches nothing any more: dropped-task one:main:first',
    );
    expect(p.run('check', ...RULES, 'one.py', '--prune-baseline').err).toBe('accepted: 2 entries, 2 taken out\n');
    expect(entries(p)).toEqual(ALL.filter((entry) => entry.includes('two')));
  });
});

it('a run of some of the rules keeps the entries of the others', () => {
  const p = project();
  const only = ['--baseline', 'accepted', '--select', 'untagged-loop'];
  p.write('one.py', 'x = 1\n').run('check', ...only, '--write-baseline');
  expect(entries(p)).toEqual(ALL.filter((entry) => entry !== 'untagged-loop one:main:first'));
});

it('a broken baseline is written anew by a whole run, and by no other', () => {
  const p = project().write('accepted', '<<<<<<< HEAD\n');
  expect(p.run('check', '--baseline', 'accepted', '--write-baseline', 'one.py').code).toBe(2);
  expect(p.read('accepted')).toBe('<<<<<<< HEAD\n');
  expect(p.run('check', '--baseline', 'accepted', '--write-baseline').code).toBe(0);
  expect(entries(p)).toEqual(expect.arrayContaining(ALL));
});

it.each<[string[], RegExp]>([
  [['--write-baseline', '--prune-baseline'], /cannot be used with/],
  [['--write-baseline', '--since', 'HEAD'], /cannot be used with/],
  [['--prune-baseline', '--stdin-filename', 'one.py'], /cannot be used with/],
  [['--baseline', 'folder'], /^looptag: folder: cannot be read/],
  [['--baseline', 'folder', '--write-baseline'], /^looptag: folder: cannot be read/],
  [['--baseline', 'missing'], /^looptag: missing: no such baseline\n {2}write it with --write-baseline\n$/],
  [['--output', 'json='], /^looptag: --output "json=": FORMAT=FILE is expected\n/],
  [['--output', 'json=folder'], /^looptag: folder: cannot be written/],
])('%j is refused', (args, message) => {
  const p = project();
  mkdirSync(join(p.root, 'folder'));
  const { code, err } = p.run('check', ...args);
  expect(err).toMatch(message);
  expect(code).toBe(2);
  expect(entries(p)).toEqual(ALL);
});
