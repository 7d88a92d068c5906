import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../rules/checks/index.ts';
import { looptag, Project, temporary } from './support/project.ts';

describe('looptag rules', () => {
  it('lists every rule with the severity in force', () => {
    const project = new Project(null).write('looptag.toml', 'ignore = ["LT017"]\n[severity]\nline-drift = "error"\n');
    const { rules, codemods } = JSON.parse(project.run('rules', '--format', 'json').out);
    expect(rules.map((r: { code: string }) => r.code)).toEqual(checks.map((c) => c.code).sort());
    const of = (id: string) => rules.find((r: { id: string }) => r.id === id);
    expect(of('line-drift')).toMatchObject({ severity: 'error', default: 'note' });
    expect(of('dropped-task').severity).toBe('off');
    expect(codemods.map((c: { id: string }) => c.id)).toContain('wrapper');
    expect(project.run('rules').out).toMatch(/LT006 \* line-drift +error/);
    expect(project.run('rules', '--format', 'markdown').out).toContain('| LT001 | `untagged-loop` | error | yes |');
    project.write('looptag.toml', 'select = ["untaged-loop"]\n');
    expect(project.run('rules')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('did you mean "untagged-loop"?'),
    });
  });

  it('scaffolds only where the rules live', () => {
    const elsewhere = looptag(temporary(), ['rules', 'new', 'late-spawn']);
    expect(elsewhere).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('npm run new -- check late-spawn'),
    });
    expect(looptag(temporary(), ['rules', 'new', 'Late_Spawn']).err).toContain('no name for a rule');
    expect(looptag(temporary(), ['rules', 'new', 'line-drift']).err).toContain('there is a rule line-drift already');
  });
});

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

/** Words of a command line, and what must be among the offers for the last of them. */
const OFFERS: [string[], string[]][] = [
  [['ca'], ['catalog']],
  [
    ['catalog', ''],
    ['init', 'sync', 'lint'],
  ],
  [['catalog', 'sync', '--pr'], ['--prune']],
  [
    ['check', '--format', ''],
    ['sarif', 'junit', 'markdown'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
];

describe('looptag completion', () => {
  const script = (shell: string) => looptag(temporary(), ['completion', shell]).out;

  /** Runs the script in its shell and asks it for each command line. */
  function ask(shell: string, args: string[], program: string): string[][] {
    const { stdout, stderr } = spawnSync(shell, [...args, program], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout
      .trimEnd()
      .split('\n==\n')
      .map((block) => block.split(/\s+/));
  }

  function offered(got: string[][]): void {
    for (const [i, [, wanted]] of OFFERS.entries()) expect(got[i]).toEqual(expect.arrayContaining(wanted));
  }

  it('offers commands, options and values in bash', () => {
    const calls = OFFERS.map(([words]) => {
      const all = ['looptag', ...words].map((w) => `'${w}'`).join(' ');
      return `COMP_WORDS=(${all}); COMP_CWORD=${words.length}; COMPREPLY=(); _looptag; echo "\${COMPREPLY[*]}"; echo '=='`;
    });
    const got = ask('bash', ['--norc', '-c'], `${script('bash')}\n${calls.join('\n')}`);
    offered(got);
  });

  it.skipIf(!has('zsh'))('in zsh', () => {
    const stubs =
      'compdef() { :; }; _describe() { print -l -- $offered | cut -d: -f1; }; compadd() { shift; print -l -- "$@"; }; _files() { :; }';
    const calls = OFFERS.map(([words]) => {
      const all = ['looptag', ...words].map((w) => `'${w}'`).join(' ');
      return `words=(${all}); CURRENT=${words.length + 1}; PREFIX='${words.at(-1)}'; _looptag; print -- '=='`;
    });
    const got = ask('zsh', ['-f', '-c'], `${stubs}\n${script('zsh')}\n${calls.join('\n')}`);
    offered(got);
  });

  it.skipIf(!has('fish'))('in fish', () => {
    const calls = OFFERS.map(
      ([words]) => `complete -C 'looptag ${words.join(' ')}' | string replace -r '\\t.*' ''; echo '=='`,
    );
    const got = ask('fish', ['--no-config', '-c'], `${script('fish')}\n${calls.join('\n')}`);
    offered(got);
  });

  it('knows three shells', () => {
    const { code, out, err } = looptag(join(temporary()), ['completion', 'tcsh']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('bash, zsh, fish');
  });
});
