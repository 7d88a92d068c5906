/** The way back gives every byte of a file that was there before, also what nothing uses. */
import { describe, expect, it } from 'vitest';
import { EarlierVersions } from '../../src/io/earlier.ts';
import { Git, type GitResult } from '../../src/io/git.ts';
import { Project } from './support/project.ts';

const CONTEXT =
  'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id", default="")\nother = 1\n';
const BODY = '\n\nasync def run_a():\n    print(1)\n\n\nasync def main():\n    await asyncio.create_task(run_a())\n';
const NAME = 'project_id_ctx_var';

function roundTrip(main: string, method: string, how: { commit?: 'before' | 'both' | 'later' } = {}): string {
  const project = new Project(null).write('ctx.py', CONTEXT).write('main.py', main);
  if (how.commit) {
    project.git('init', '-q');
    project.commit('first', '2026-05-01');
  }
  const run = (...args: string[]) =>
    project.run('migrate', '--project-id', 'a', '--allow-dirty', '--no-python', '--write', ...args);
  expect(run('--method', method).err).toContain('1 site in 1 file written');
  if (how.commit === 'both' || how.commit === 'later') project.commit('migrated', '2026-05-02');
  if (how.commit === 'later') {
    project.edit('main.py', (text) => text.replace('print(1)', 'print(2)'));
    project.commit('changed', '2026-05-03');
    project.edit('main.py', (text) => text.replace('print(2)', 'print(1)'));
  }
  expect(run('--revert').err).toContain('1 site in 1 file written');
  return project.read('main.py');
}

describe.each(['wrapper', 'loop-body'])('after --method %s', (method) => {
  const marked = {
    'with a comment': `import asyncio\n\nfrom ctx import ${NAME}  # noqa: F401\n`,
    'with a comment in its brackets': `import asyncio\n\nfrom ctx import (\n    other,\n    ${NAME},  # noqa: F401\n)\n`,
    'as itself': `import asyncio\n\nfrom ctx import ${NAME} as ${NAME}\n`,
    'in __all__': `import asyncio\n\nfrom ctx import ${NAME}\n\n__all__ = ["main"]\n__all__ += ["${NAME}"]\n`,
  };
  it.each(Object.entries(marked))('an unused import %s stays', (_, imports) => {
    expect(roundTrip(imports + BODY, method)).toBe(imports + BODY);
  });

  const plain = {
    'at its place': `import asyncio\n\nfrom ctx import ${NAME}\n`,
    'at the top': `from ctx import ${NAME}\nimport asyncio\n`,
    'beside others': `import asyncio\n\nfrom ctx import other, ${NAME}\n`,
  };
  it.each(Object.entries(plain))('one %s stays that was committed', (_, imports) => {
    for (const commit of ['before', 'both', 'later'] as const)
      expect(roundTrip(imports + BODY, method, { commit })).toBe(imports + BODY);
  });

  const elsewhere = {
    'at the top': `from ctx import ${NAME}\nimport asyncio\n`,
    'in the middle': `import asyncio\n\nfrom ctx import ${NAME}\nfrom os import path\n`,
    'before others': `import asyncio\n\nfrom ctx import ${NAME}, other\n`,
    'with more blank lines than usual': `import asyncio\n\n\n\nfrom ctx import ${NAME}\n`,
  };
  it.each(Object.entries(elsewhere))(
    'one %s stays outside of git too: a migration does not put it there',
    (_, imports) => {
      expect(roundTrip(imports + BODY, method)).toBe(imports + BODY);
    },
  );

  it('a variable that the file knows by another name is no hindrance', () => {
    const imports = `import asyncio\n\nfrom ctx import ${NAME} as tenant\n`;
    const before = (imports + BODY).replace('print(1)', 'print(tenant)');
    expect(roundTrip(before, method)).toBe(before);
  });

  it('what the migration brought goes, in git and out of it', () => {
    for (const commit of [undefined, 'before', 'both', 'later'] as const) {
      const before = `import asyncio\n${BODY}`;
      expect(roundTrip(before, method, { commit })).toBe(before);
    }
  });

  it('as many blank lines as a committed version had come back', () => {
    for (const blank of ['\n', '\n\n', '\n\n\n', '\n\n\n\n']) {
      const before = `"""Doc."""; import asyncio\n${blank.slice(1)}${BODY.trimStart()}`;
      expect(roundTrip(before, method, { commit: 'before' })).toBe(before);
    }
  });
});

it('a trace id in the body stays where nobody asks for it, and that is said', () => {
  const ids = `${CONTEXT}trace_id_ctx_var = ContextVar("trace_id", default="")\n\n\ndef generate_trace_id():\n    return "1"\n`;
  const before = `import asyncio\n\nfrom ctx import ${NAME}\n${BODY.replace('print(1)', `print(${NAME}.get())`)}`;
  const project = new Project(null).write('ctx.py', ids).write('main.py', before);
  const run = (...args: string[]) => project.run('migrate', '--project-id', 'a', '--no-python', '--write', ...args).err;
  run('--method', 'loop-body', '--trace');
  const migrated = project.read('main.py');
  expect(run('--revert')).toContain('note: run_a keeps its trace id: --revert --trace takes it out as well');
  expect(project.read('main.py')).toContain('generate_trace_id()');
  project.write('main.py', migrated);
  expect(run('--revert', '--trace')).not.toContain('note: ');
  expect(project.read('main.py')).toBe(before);
});

describe('earlier versions of files', () => {
  class CountedGit extends Git {
    runs = 0;
    override run(args: readonly string[], input?: Buffer | string): GitResult {
      this.runs++;
      return super.run(args, input);
    }
  }

  it('are read from git once, and no further back than is asked for', () => {
    const project = new Project(null).write('a.py', 'a = 1\n').write('b.py', 'b = 1\n');
    project.git('init', '-q');
    project.commit('first', '2026-05-01');
    project.write('a.py', 'a = 2\n');
    project.commit('second', '2026-05-02');
    const git = new CountedGit(project.root);
    const earlier = new EarlierVersions(git);
    const textsOf = (file: string) => [...earlier.of(file)].map((bytes) => Buffer.from(bytes).toString());
    const [latest] = earlier.of('b.py');
    expect(Buffer.from(latest!).toString()).toBe('b = 1\n');
    // where it stands, the file
    expect(git.runs).toBe(2);
    expect(textsOf('a.py')).toEqual(['a = 2\n', 'a = 1\n']);
    expect(git.runs).toBe(5);
    expect(textsOf('a.py')).toEqual(['a = 2\n', 'a = 1\n']);
    expect(textsOf('b.py')).toEqual(['b = 1\n']);
    expect(textsOf('c.py')).toEqual([]);
    expect(git.runs).toBe(7);
  });

  it('go on behind a commit in which the file was not there', () => {
    const project = new Project(null).write('a.py', 'a = 1\n').write('b.py', 'b = 1\n');
    project.git('init', '-q');
    project.commit('first', '2026-05-01');
    project.git('rm', '-q', 'a.py');
    project.commit('gone', '2026-05-02');
    project.write('a.py', 'a = 3\n');
    project.commit('back', '2026-05-03');
    const earlier = new EarlierVersions(new Git(project.root));
    expect([...earlier.of('a.py')].map((bytes) => Buffer.from(bytes).toString())).toEqual(['a = 3\n', 'a = 1\n']);
  });

  it('are none outside of git, which is asked once', () => {
    const git = new CountedGit(new Project(null).root);
    const earlier = new EarlierVersions(git);
    expect([...earlier.of('a.py'), ...earlier.of('a.py'), ...earlier.of('b.py')]).toEqual([]);
    expect(git.runs).toBe(1);
  });
});
