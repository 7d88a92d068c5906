/** No code of the repository runs: not through git's configuration, not through python3. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitAll, git, looptag, python3, temporary, write } from '../e2e/support/run.ts';
import { expectOrderly, MIGRATE, project, SERVICE } from './support.ts';

const outside = temporary('traps');
const marker = join(outside, 'ran');
const trap = join(outside, 'trap.sh');
writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat 2>/dev/null\nexit 0\n`);
chmodSync(trap, 0o755);

/** What ran since the last question. */
function sprung(): string {
  const ran = existsSync(marker) ? readFileSync(marker, 'utf8') : '';
  rmSync(marker, { force: true });
  return ran;
}

const COMMANDS = [
  ['inventory'],
  ['check'],
  ['check', '--since', 'HEAD~1'],
  ['check', '--since', 'ext::evil'],
  ['status', '--history'],
  ['status', '--format', 'html'],
  ['explain', 'poll'],
  ['catalog', 'sync', '--catalog', 'loops.md', '--check'],
  [...MIGRATE],
  [...MIGRATE, '--write'],
];

const CATALOGUE = `# Loops

| # | Loop | Line | Frequency | Marker | Priority | Note |
|---|---|---|---|---|---|---|
| 1 | poll | 10 | 30s | legacy_awoooi_default | P2 | |
`;

describe('git', () => {
  const settings = (hooks: string) => `
[core]
	fsmonitor = ${trap}
	hooksPath = ${hooks}
	pager = ${trap}
	editor = ${trap}
	askPass = ${trap}
	sshCommand = ${trap}
	gitProxy = ${trap}
	alternateRefsCommand = ${trap}
	attributesFile = ${join(outside, 'attributes')}
[pager]
	log = ${trap}
	diff = ${trap}
	rev-list = ${trap}
	cat-file = ${trap}
[diff]
	external = ${trap}
[diff "evil"]
	textconv = ${trap}
	command = ${trap}
[filter "evil"]
	clean = ${trap}
	smudge = ${trap}
	required = true
[alias]
	rev-parse = !${trap}
	rev-list = !${trap}
	cat-file = !${trap}
	diff-tree = !${trap}
	ls-tree = !${trap}
[log]
	showSignature = true
[gpg]
	program = ${trap}
[credential]
	helper = ${trap}
[extensions]
	partialClone = origin
[remote "origin"]
	url = ext::${trap}
	promisor = true
	partialclonefilter = blob:none
[uploadpack]
	packObjectsHook = ${trap}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
`;
  const HOOKS = ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit', 'fsmonitor-watchman'];

  function repository(): string {
    const root = project(temporary('git'), { 'main.py': SERVICE, 'loops.md': CATALOGUE });
    commitAll(root);
    write(root, { 'main.py': `# later\n${SERVICE}` });
    commitAll(root);
    write(root, {
      '.gitattributes': '*.py diff=evil filter=evil\n',
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::${trap}\n`,
    });
    write(outside, { attributes: '*.py diff=evil filter=evil\n' });
    const hooks = join(root, '.git/hooks');
    for (const hook of HOOKS) {
      write(hooks, { [hook]: readFileSync(trap) });
      chmodSync(join(hooks, hook), 0o755);
    }
    writeFileSync(join(root, '.git/config'), readFileSync(join(root, '.git/config'), 'utf8') + settings(hooks));
    return root;
  }

  test('the traps work', () => {
    const root = repository();
    git(root, 'status');
    expect(sprung()).not.toBe('');
    git(root, 'diff', 'HEAD~1');
    expect(sprung()).not.toBe('');
  });

  test('no command springs one', async () => {
    const root = repository();
    for (const args of COMMANDS) {
      const outcome = await looptag(args, { cwd: root });
      expectOrderly(outcome);
      expect(sprung(), args.join(' ')).toBe('');
    }
    expect(readFileSync(join(root, 'main.py'), 'utf8')).toContain('_run_with_context(poll(), "awoooi")');
  });

  test('nor does an object that only a remote would have', async () => {
    const root = repository();
    const blob = git(root, '-c', 'core.fsmonitor=false', 'rev-parse', 'HEAD~1:main.py').output.trim();
    sprung();
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    for (const args of [
      ['status', '--history'],
      ['check', '--since', 'HEAD~1'],
    ]) {
      const outcome = await looptag(args, { cwd: root });
      expectOrderly(outcome);
      expect(sprung(), args.join(' ')).toBe('');
    }
  });
});

describe.skipIf(!python3)('python3', () => {
  const NAMES = [
    'sitecustomize',
    'usercustomize',
    'json',
    'base64',
    'warnings',
    'ast',
    'encodings/evil',
    'asyncio/__init__',
  ];
  const code = `open(${JSON.stringify(marker)}, "a").write(__name__ + "\\n")\n`;

  function hostile(): { root: string; env: Record<string, string> } {
    const files = Object.fromEntries(NAMES.map((name) => [`${name}.py`, code]));
    const root = project(temporary('python'), {
      ...files,
      'main.py': `${code}${SERVICE}`,
      'cookie.py': `# coding: evil\n${SERVICE}`,
      '.python-version': 'evil\n',
      'pyvenv.cfg': 'home = .\n',
    });
    return {
      root,
      env: { PYTHONPATH: root, PYTHONSTARTUP: join(root, 'main.py'), PYTHONINSPECT: '1', PYTHONUSERBASE: root },
    };
  }

  test('the traps work', () => {
    const { root, env } = hostile();
    spawnSync(python3!.command, ['-c', 'pass'], { cwd: root, env: { ...process.env, ...env } });
    expect(sprung()).toContain('sitecustomize');
  });

  test('it compiles, and neither runs nor imports anything', async () => {
    const { root, env } = hostile();
    const outcome = await looptag([...MIGRATE, '--write', '--allow-dirty', 'main.py'], { cwd: root, env });
    expectOrderly(outcome);
    expect(readFileSync(join(root, 'main.py'), 'utf8')).toContain('_run_with_context(poll(), "awoooi")');
    await looptag([...MIGRATE], { cwd: root, env });
    expect(sprung()).toBe('');
    expect(existsSync(join(root, '__pycache__'))).toBe(false);
  });
});
