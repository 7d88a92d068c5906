import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ENV, looptag, MAIN, Project, ROOT, temporary } from './support/project.ts';

const text = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('.pre-commit-hooks.yaml', () => {
  interface Hook {
    id: string;
    entry: string;
    args?: string[];
    language: string;
    files: string;
    pass_filenames: boolean;
  }
  const hooks = parse(text('.pre-commit-hooks.yaml')) as Hook[];

  it('has the three hooks, each a command that exists', () => {
    expect(hooks.map((h) => h.id)).toEqual(['looptag-check', 'looptag-migrate', 'looptag-catalog']);
    for (const { entry, args = [], language, pass_filenames } of hooks) {
      expect([language, pass_filenames]).toEqual(['node', false]);
      const [program, ...command] = entry.split(' ');
      expect(program).toBe('looptag');
      const help = looptag(temporary(), [...command, '--help']).out;
      for (const arg of args) expect(help).toContain(arg);
    }
  });

  it('runs on what may change the result', () => {
    const files = new RegExp(hooks[0]!.files);
    for (const file of [MAIN, 'docs/INV-8.md', 'pyproject.toml', 'a/looptag.toml', 'x.pyi', 'policies/ours.yaml'])
      expect(file).toMatch(files);
    for (const file of ['a.ts', 'poetry.toml', 'x.pyc']) expect(file).not.toMatch(files);
  });
});

describe('action.yml', () => {
  interface Step {
    id?: string;
    uses?: string;
    run?: string;
    env?: Record<string, string>;
  }
  const action = parse(text('action.yml'));
  const steps = action.runs.steps as Step[];
  const check = steps.find((s) => s.id === 'check')!;

  it('uses each input, and lets none of them into a script', () => {
    const source = text('action.yml');
    for (const input of Object.keys(action.inputs)) expect(source).toContain(`\${{ inputs.${input} }}`);
    for (const { run } of steps) expect(run ?? '').not.toContain('${{');
    for (const [name, { value }] of Object.entries<{ value: string }>(action.outputs)) {
      expect(value).toBe(`\${{ steps.check.outputs.${name} }}`);
    }
  });

  function run(project: Project, inputs: Record<string, string>) {
    const temp = temporary();
    const output = join(temp, 'output');
    writeFileSync(output, '');
    const empty = Object.fromEntries(Object.keys(check.env!).map((name) => [name, '']));
    const env = { ...ENV, ...empty, GITHUB_ACTION_PATH: ROOT, RUNNER_TEMP: temp, GITHUB_OUTPUT: output, ...inputs };
    const got = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', check.run!], {
      cwd: project.root,
      env,
      encoding: 'utf8',
    });
    const outputs = Object.fromEntries(
      readFileSync(output, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2)),
    );
    return { code: got.status, out: got.stdout, outputs };
  }

  it('annotates, counts and writes SARIF', () => {
    const project = new Project().configured();
    const { code, out, outputs } = run(project, { LOOPTAG_SARIF: 'a b.sarif', LOOPTAG_PATHS: `${MAIN}\n` });
    expect(code).toBe(1);
    expect(out).toContain('::error file=');
    expect(outputs).toMatchObject({ 'exit-code': '1', errors: expect.stringMatching(/^\d+$/), sarif: 'a b.sarif' });
    expect(existsSync(join(project.root, 'a b.sarif'))).toBe(true);
    // what an attacker might put into a pull request stays one argument
    const hostile = run(project, { LOOPTAG_SELECT: '$(touch pwned)', LOOPTAG_FAIL_ON: 'never' });
    expect(hostile).toMatchObject({ code: 2, outputs: { 'exit-code': '2' } });
    expect(existsSync(join(project.root, 'pwned'))).toBe(false);
    expect(run(project, { LOOPTAG_FAIL_ON: 'never' }).outputs['exit-code']).toBe('0');
  });
});

describe('templates/gitlab-ci.yml', () => {
  it('declares the inputs that it uses, and runs a command that exists', () => {
    const source = text('templates/gitlab-ci.yml');
    const documents = parseAllDocuments(source);
    expect(documents.flatMap((d) => d.errors)).toEqual([]);
    const [{ spec }, { looptag: job }] = documents.map((d) => d.toJS());
    const used = [...source.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(Object.keys(spec.inputs)));
    const help = looptag(temporary(), ['check', '--help']).out;
    for (const [option] of job.script[0].matchAll(/(?<= )--[a-z-]+\b(?= )/g))
      if (option !== '--yes') expect(help).toContain(option);
    for (const report of Object.values(job.artifacts.reports)) expect(job.script[0]).toContain(`=${report}`);
  });
});
