import { describe, expect, it } from 'vitest';
import { CATALOGUE, MAIN, Project } from './support/project.ts';

describe('a wrong command line: what is wrong, the remedy, exit code 2', () => {
  const project = new Project().configured();
  it.each([
    ['inventroy', "unknown command 'inventroy'", 'did you mean inventory?'],
    ['catalog snc', "unknown command 'snc'", 'did you mean sync?'],
    ['check --selct x', "unknown option '--selct'", 'did you mean --select?'],
    ['check --fail_on error', "unknown option '--fail_on'", 'did you mean --fail-on?'],
    ['migrate --projectid x', "unknown option '--projectid'", 'did you mean --project-id?'],
    ['lsp --stdi', "unknown option '--stdi'", 'did you mean --stdio?'],
    ['--rot .', "unknown option '--rot'", 'did you mean --root?'],
    // right for another command
    ['inventory --select x', "unknown option '--select'", '--select is an option of `looptag check`'],
    ['catalog lint --prune', "unknown option '--prune'", '--prune is an option of `looptag catalog sync`'],
    [
      'check --fix',
      "unknown option '--fix'",
      '`looptag migrate --write` and `looptag catalog sync` mend what can be mended',
    ],
    ['migrate --class D', 'the policy has no class "D"', 'known: A, B, C'],
    ['migrate --priority P0,P9', 'the policy has no priority "P9"', 'known: P0, P1, P2, P3'],
    [
      'migrate --only 17,run_evolvr_loop',
      '--only: no loop is called "run_evolvr_loop"',
      'did you mean run_evolver_loop?',
    ],
    [
      'migrate --only 99',
      '--only: no loop is called "99"',
      'name it by its row, function or id; `looptag inventory` lists the loops',
    ],
    [
      'migrate --only 17 --class A',
      'nothing matched the selection',
      'no loop has all that --batch, --priority, --class and --only ask for; `looptag inventory` lists the loops',
    ],
    ['migrate --split class', '--split needs --patch-dir', 'name the folder for the patches'],
    [
      'migrate --patch-dir x',
      '--patch-dir goes with --split',
      'say class, priority or file; --patch FILE saves one patch',
    ],
    ...['--write', '--interactive', '--patch x', '--format json'].map((option) => [
      `migrate - --project-id x ${option}`,
      `- prints the new text: ${option.replace(/ x$/, '')} cannot be used with it`,
      'leave one of the two out',
    ]),
    ['check docs/INV-8.md', 'docs/INV-8.md: not a Python file', 'give a .py file or a folder that holds some'],
    [
      'check --config none.toml',
      'none.toml: no such configuration file',
      'give a looptag.toml or pyproject.toml to --config',
    ],
    [
      'migrate --helper a-b',
      '--helper "a-b": "inline" or a dotted module name is expected',
      'for example src.core.context',
    ],
    [
      'migrate --context-var src.core.context:project_id',
      'apps/api/src/core/context.py defines no project_id, which --context-var or context-var names',
      'it defines src.core.context:project_id_ctx_var, src.core.context:trace_id_ctx_var',
    ],
    [
      'migrate --context-var src.core.contxt:project_id_ctx_var',
      'the project has no module src.core.contxt, which --context-var or context-var names',
      'its context variables are src.core.context:project_id_ctx_var, src.core.context:trace_id_ctx_var',
    ],
    [
      'migrate --context-var src.core.settings:project_id_ctx_var',
      'apps/api/src/core/settings.py defines no project_id_ctx_var, which --context-var or context-var names',
      'the project has src.core.context:project_id_ctx_var',
    ],
    ...['check', 'inventory', 'status', 'emit probe', 'init', 'migrate --project-id x'].map((command) => [
      `${command} --context-var project_id`,
      '--context-var "project_id": MODULE:NAME is expected',
      'for example src.core.context:project_id_ctx_var',
    ]),
    ['rules new', "missing required argument 'name'", '`looptag rules new --help` lists what it takes'],
    ['check -x', "unknown option '-x'", '`looptag check --help` lists what it takes'],
    ['-x', "unknown option '-x'", '`looptag --help` lists the commands, `looptag COMMAND --help` their options'],
  ])('%s', (line, wrong, remedy) => {
    expect(project.run(...line.split(' '))).toEqual({ code: 2, out: '', err: `looptag: ${wrong}\n  ${remedy}\n` });
  });
});

describe('a wrong configuration: file and line, the remedy, exit code 2', () => {
  it.each([
    ['paths = ["a"]\npolcy = 1\n', 'looptag.toml:2: unknown key "polcy"\n  did you mean "policy"?'],
    ['paths = "a"\n', 'looptag.toml:1: paths must be a list of strings'],
    ['\n"fail-on" = "x"\n', 'looptag.toml:2: fail-on must be "error", "warning", "note" or "never"'],
    ['[severity]\nuntagged-loop = 1\n', 'looptag.toml:1: severity must be a table'],
    ['# paths = 1\ncatalog = "../x.md"\n', 'looptag.toml:2: "../x.md" leads out of the project'],
    [
      'context-var = "src.core"\n',
      'looptag.toml:1: context-var must be MODULE:NAME\n  for example src.core.context:project_id_ctx_var',
    ],
    ['helper = "a-b"\n', 'looptag.toml:1: helper must be "inline" or a dotted module name'],
    ['paths = ["none"]\n', 'none: no such file or folder\n  correct paths in the configuration'],
    ['catalog = "docs/none.md"\n', 'docs/none.md: no such catalogue\n  correct catalog in the configuration'],
  ])('%j', (text, message) => {
    const { code, out, err } = new Project().write('looptag.toml', text).run('check');
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`looptag: ${message}`);
  });

  it('in pyproject.toml the line of the table counts', () => {
    const project = new Project().write('pyproject.toml', '[tool.x]\npaths = 1\n\n[tool.looptag]\n# ours\npaths = 1\n');
    expect(project.run('check').err).toBe('looptag: pyproject.toml:6: paths must be a list of strings\n');
  });
});

it('a new catalogue says how the other commands find it', () => {
  const project = new Project();
  expect(project.run('catalog', 'init', MAIN, '--write', '--catalog', 'docs/loops.md')).toMatchObject({
    code: 0,
    err: 'wrote docs/loops.md\nput catalog = "docs/loops.md" into looptag.toml: the other commands read it from there\n',
  });
  const where = (file: string, text: string, ...options: string[]) =>
    new Project()
      .write(file, text)
      .run('catalog', 'init', MAIN, '--write', '--catalog', 'docs/loops.md', ...options)
      .err.match(/into (.*):/)?.[1];
  expect(where('pyproject.toml', '[tool.looptag]\n')).toBe('[tool.looptag] of pyproject.toml');
  expect(where('loops.toml', '', '--config', 'loops.toml')).toBe('loops.toml');
  const named = project.write('looptag.toml', 'catalog = "docs/two.md"\n');
  expect(named.run('catalog', 'init', MAIN, '--write').err).toBe('wrote docs/two.md\n');
});

it('catalog sync --write is what catalog sync does, and no check', () => {
  const [plain, said] = [new Project().configured(), new Project().configured()];
  for (const project of [plain, said]) project.edit(MAIN, (text) => `\n${text}`);
  const before = said.read(CATALOGUE);
  for (const other of ['--check', '--diff'])
    expect(said.run('catalog', 'sync', '--write', other)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`'--write' cannot be used with option '${other}'`),
    });
  expect(said.read(CATALOGUE)).toBe(before);
  expect(said.run('catalog', 'sync', '--write')).toEqual(plain.run('catalog', 'sync'));
  expect(said.read(CATALOGUE)).toBe(plain.read(CATALOGUE));
  expect(said.read(CATALOGUE)).not.toBe(before);
});
