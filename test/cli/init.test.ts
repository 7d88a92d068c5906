import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { findTable, withTable } from '../../src/cli/init/toml.ts';
import { Project, temporary } from './support/project.ts';

const SOURCE = 'apps/api/src';
const TABLE = `[tool.looptag]
paths = ["${SOURCE}"]
catalog = "docs/INV-8.md"
documents = ["docs/ADR-123.md"]
context-var = "src.core.context:project_id_ctx_var"
`;

describe('looptag init', () => {
  it('finds everything by itself and adds one table to pyproject.toml', () => {
    const project = new Project();
    const before = project.read('pyproject.toml');
    const { code, out, err } = project.run('init', '--root', '.');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/main file +apps\/api\/src\/main\.py \(31 background spawns\)\n/);
    expect(out).toMatch(/catalogue +docs\/INV-8\.md \(31 rows, 30 of them found in the code\)\n/);
    expect(out).toMatch(
      /context variable +src\.core\.context:project_id_ctx_var \(apps\/api\/src\/core\/context\.py:\d+\)\n/,
    );
    expect(project.read('pyproject.toml')).toBe(`${before}\n${TABLE}`);
    expect(project.run('explain', '18').code).toBe(0);
  });

  it('does not count what tests start', () => {
    const loops = Array.from({ length: 40 }, () => '    asyncio.create_task(go())\n').join('');
    const text = `import asyncio\n\n\nasync def go(): ...\n\n\nasync def main():\n${loops}`;
    const project = new Project();
    for (const file of ['tests/loops.py', 'apps/test_all.py', 'apps/testing/x.py']) project.write(file, text);
    const { out } = project.run('init', '--root', '.');
    expect(out).toMatch(/main file +apps\/api\/src\/main\.py \(31 background spawns\)\n/);
    expect(project.read('pyproject.toml')).toContain(TABLE);
  });

  it('calls the modules of a folder without __init__.py as plain imports do, and the migrated program runs', () => {
    const project = new Project(null)
      .write(
        'core/context.py',
        'from contextvars import ContextVar\nproject_id_ctx_var = ContextVar("project_id", default="")\n',
      )
      .write(
        'jobs/tick.py',
        'import core.context\nasync def tick():\n    print(core.context.project_id_ctx_var.get())\n',
      )
      .write(
        'main.py',
        'import asyncio\nfrom jobs import tick\nasync def main():\n    await asyncio.create_task(tick.tick())\nasyncio.run(main())\n',
      );
    project.run('init', '--root', '.');
    expect(project.read('looptag.toml')).toBe('paths = ["."]\ncontext-var = "core.context:project_id_ctx_var"\n');
    expect(project.run('migrate', '--project-id', 'awoooi', '--write').code).toBe(0);
    expect(spawnSync('python3', ['main.py'], { cwd: project.root, encoding: 'utf8' }).stdout).toBe('awoooi\n');
  });

  it('overwrites nothing without --force', () => {
    const project = new Project().write(
      'pyproject.toml',
      `# mine\n[tool.looptag] # ours\npolicy = "awoooi"\n\n# black\n[tool.black]\n`,
    );
    const before = project.read('pyproject.toml');
    expect(project.run('init', '--root', '.')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--force'),
    });
    expect(project.run('init', '--root', '.', '--toml').code).toBe(2);
    expect(project.read('pyproject.toml')).toBe(before);
    expect(existsSync(join(project.root, 'looptag.toml'))).toBe(false);
    expect(project.run('init', '--root', '.', '--force').code).toBe(0);
    expect(project.read('pyproject.toml')).toBe(`# mine\n${TABLE}\n# black\n[tool.black]\n`);
  });

  it('writes looptag.toml when asked to, or when there is no pyproject.toml', () => {
    const project = new Project();
    expect(project.run('init', '--root', '.', '--toml').code).toBe(0);
    expect(parse(project.read('looptag.toml'))).toMatchObject({ catalog: 'docs/INV-8.md', paths: [SOURCE] });
    expect(project.run('init', '--root', '.', '--pyproject', '--force').err).toContain('looptag.toml would still win');
    const small = new Project(null).write(
      'svc.py',
      'import asyncio\nasync def f():\n    while True: await asyncio.sleep(1)\nasync def main():\n    asyncio.create_task(f())\nasyncio.run(main())\n',
    );
    const { code, out } = small.run('init', '--root', '.');
    expect([code, out]).toEqual([0, expect.stringContaining('none found; `looptag catalog init` writes one')]);
    expect(small.read('looptag.toml')).toBe('paths = ["."]\n');
  });

  it('keeps the policy that was chosen, and says what it leaves out', () => {
    const project = new Project().write('looptag.toml', 'policy = "tenant-basic"\nfail-on = "warning"\n');
    const { code, out } = project.run('init', '--root', '.', '--force');
    expect([code, out]).toEqual([0, expect.stringMatching(/policy +tenant-basic\nleft out +fail-on of the old/)]);
    expect(parse(project.read('looptag.toml'))).toMatchObject({ policy: 'tenant-basic' });
    expect(project.run('init', '--root', '.', '--force', '--policy', 'awoooi').out).toMatch(
      /policy +awoooi \(the default; --policy names another\)\nwrote/,
    );
  });

  it('names the packages that start loops, so that the gate sees a file that is written later', () => {
    const spawning = (name: string) =>
      `import asyncio\nasync def ${name}():\n    while True: await asyncio.sleep(1)\nasync def main():\n    asyncio.create_task(${name}())\nasyncio.run(main())\n`;
    const project = new Project(null)
      .write('api/app/__init__.py', '')
      .write('api/app/jobs/__init__.py', '')
      .write('api/app/jobs/poll.py', spawning('poll'))
      .write('worker/run.py', spawning('work'))
      .write('worker/tests/test_run.py', spawning('fake'));
    expect(project.run('init', '--root', '.').code).toBe(0);
    expect(project.read('looptag.toml')).toBe('paths = ["api/app", "worker"]\n');
    project.write('api/app/later.py', spawning('later'));
    expect(project.run('check').out).toContain('api/app/later.py:5');
  });

  it('says why it cannot', () => {
    const empty = temporary();
    expect(new Project(null).run('init', '--root', empty).err).toContain('no Python files');
    mkdirSync(join(empty, 'x'));
    const plain = new Project(null).write('a.py', 'x = 1\n');
    expect(plain.run('init', '--root', '.')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no Python file starts background work'),
    });
    expect(plain.run('init', '--root', '.', '--pyproject').err).toContain('no pyproject.toml');
    const inline = new Project().write('pyproject.toml', 'tool = { black = {} }\n');
    expect(inline.run('init', '--root', '.')).toMatchObject({
      code: 2,
      err: expect.stringContaining('[tool.looptag]\n'),
    });
    expect(inline.read('pyproject.toml')).toBe('tool = { black = {} }\n');
  });
});

describe('one table of a TOML file', () => {
  it('is found where it stands, and not in strings and arrays', () => {
    const text = [
      'a = """',
      '[tool.x]',
      '"""',
      'b = [',
      '  ["[tool.x]"],',
      ']',
      '[tool.x] # here',
      'c = 1',
      '',
      '# next',
      '[y]',
    ];
    expect(findTable(text, 'tool.x')).toEqual({ start: 6, end: 8 });
    expect(findTable(['[ tool . x ]', '[tool.x.y]'], 'tool.x')).toEqual({ start: 0, end: 1 });
    expect(findTable(['[[tool.x]]', '[tool.xy]'], 'tool.x')).toBeNull();
  });

  it('leaves every other byte alone', () => {
    const line = fc.constantFrom(
      'a = 1',
      '# [t]',
      '',
      '[other]',
      '[other.t] # c',
      'b = """x',
      '[t]',
      'y"""',
      'c = [',
      ']',
      "d = '''",
      "'''",
      '[[list]]',
    );
    const eol = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), eol, fc.boolean(), (lines, end, final) => {
        const before = lines.join(end) + (final ? end : '');
        const had = findTable(lines, 't');
        const after = withTable(before, 't', ['z = 1']);
        if (!had)
          return (
            after.startsWith(before) && after.endsWith(`${end === '\r\n' && before.includes('\r\n') ? '\r\n' : '\n'}`)
          );
        const rest = after.split(/\r\n|\n/);
        const kept = [...lines.slice(0, had.start), '[t]', 'z = 1', ...lines.slice(had.end)];
        return kept.every((l, i) => rest[i] === l);
      }),
    );
  });
});
