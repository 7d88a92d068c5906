import { describe, expect, it } from 'vitest';
import { CATALOGUE, looptag, MAIN, Project, temporary } from './support/project.ts';

describe('looptag explain', () => {
  const project = new Project().configured();

  it('tells all that is known on a loop and where it was read', () => {
    const { code, out, err } = project.run('explain', '17');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^#17 run_approval_timeout_resolver · class B · P0 · every 30 s\n/);
    expect(out).toContain(`${CATALOGUE}:44 run_approval_timeout_resolver | 490 | 每 30s`);
    expect(out).toContain(`${MAIN}:490:9 asyncio.create_task(run_approval_timeout_resolver()) in lifespan, startup`);
    expect(out).toContain('apps/api/src/jobs/approval_timeout_resolver.py:28');
    expect(out).toContain('none; must carry awoooi');
    expect(out).toContain('no (P0 asks for one)');
    expect(out).toContain('LT001 untagged-loop (error)');
    expect(out).toContain('- tag it as awoooi: `looptag migrate --only 17`');
    expect(out).toContain('- set a trace id');
  });

  it('finds one loop by number, name, place and row alike', () => {
    const spellings = [
      '#18',
      'run_evolver_loop',
      'run_evolver_loop()',
      `${MAIN}:499`,
      'src/main.py:499:9',
      `${CATALOGUE}:45`,
    ];
    const [first, ...others] = [...spellings, 'evolver.py:25'].map((what) =>
      project.run('explain', what, '--format', 'json'),
    );
    const { loops } = JSON.parse(first!.out);
    expect(loops).toHaveLength(1);
    expect(loops[0]).toMatchObject({
      name: 'run_evolver_loop',
      row: { number: 18, file: CATALOGUE, line: 45 },
      spawn: { id: 'src.main:lifespan:run_evolver_loop', file: MAIN, line: 499, column: 9, path: 'startup' },
      definition: { file: 'apps/api/src/services/playbooks/evolver.py', line: 25 },
      lifecycle: 'loop',
      period: { seconds: 3600, catalogue: '每 1h' },
      tag: null,
      expected: 'awoooi',
      class: 'B',
      priority: 'P2',
      batch: 'PR-10',
      alert: { thresholdSeconds: 10800, severity: 'warning', loopName: 'evolver_loop' },
    });
    for (const { out } of others) expect(JSON.parse(out).loops).toEqual(loops);
  });

  it('knows undecided rows, planned loops and lines that spawn nothing', () => {
    expect(project.run('explain', '31').out).toContain('decide row #31');
    expect(project.run('explain', 'run_stale_run_reaper').out).toMatch(
      /class A \(Phase 2\).*the code does not start it/,
    );
    project.edit(MAIN, (text) => `${text}# asyncio.create_task(run_old())\n`);
    const line = project.read(MAIN).split('\n').length - 1;
    expect(project.run('explain', `src/main.py:${line}`).out).toContain('no spawn site: comment');
  });

  it('prints what a rule is about, by id or code', () => {
    const empty = temporary();
    const [id, code] = [looptag(empty, ['explain', 'untagged-loop']), looptag(empty, ['explain', 'lt001'])];
    expect(id.out).toMatch(/^# untagged-loop \(LT001\)\n[\s\S]*## How to fix/);
    expect(code.out).toBe(id.out);
    const json = JSON.parse(looptag(empty, ['explain', 'LT001', '--format', 'json']).out);
    expect(json).toMatchObject({
      schema: 'looptag/explain@1',
      kind: 'rule',
      id: 'untagged-loop',
      code: 'LT001',
      text: id.out,
    });
  });

  it('names what is nearest to something unknown', () => {
    const nearest = {
      run_evolvr_loop: 'run_evolver_loop',
      evolver: 'run_evolver_loop',
      '99': '#31',
      [`${MAIN}:500`]: `${MAIN}:499`,
      'untaged-loop': 'untagged-loop',
    };
    for (const [what, near] of Object.entries(nearest)) {
      const { code, out, err } = project.run('explain', what);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(`did you mean ${near}?`);
    }
    const bare = new Project().run('explain', '17', MAIN);
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining('--catalog')]);
  });

  it('takes two Chinese letters for a word', () => {
    const own = new Project(null).write(
      'main.py',
      'import asyncio\nasync def 清理迴圈():\n    while True: await asyncio.sleep(1)\nasync def main():\n    asyncio.create_task(清理迴圈())\nasyncio.run(main())\n',
    );
    expect(own.run('explain', '清理').err).toContain('did you mean 清理迴圈?');
    expect(own.run('explain', 'zz').err).not.toContain('did you mean');
  });

  it('tells of each coroutine that one call starts what is found on it alone', () => {
    const loop = (name: string) => `async def ${name}():\n    while True: await asyncio.sleep(1)\n`;
    const two = new Project(null).write(
      'main.py',
      `import asyncio\n${loop('sweep')}${loop('sweep_all')}async def main():\n    for job in (sweep, sweep_all):\n        asyncio.create_task(job())\nasyncio.run(main())\n`,
    );
    const own = (name: string) =>
      JSON.parse(two.run('explain', name, 'main.py', '--format', 'json').out).loops[0].findings.map(
        ({ message }: { message: string }) => message,
      );
    for (const name of ['sweep', 'sweep_all']) {
      expect(own(name)).not.toEqual([]);
      for (const message of own(name)) expect(message).toContain(`\`${name}\``);
    }
  });

  it('and migrate tags none of another project beside the one that is selected', () => {
    const loop = (name: string) => `async def ${name}():\n    while True: await asyncio.sleep(1)\n`;
    const main = (calls: string) =>
      `import asyncio\nfrom contextvars import ContextVar\ntenant_id_var = ContextVar("tenant_id_var")\n${loop('sync_a')}${loop('run_gc')}async def main():\n    ${calls}\nasyncio.run(main())\n`;
    const policy = ['--policy', 'tenant-basic', '--catalog', 'loops.md'];
    for (const calls of [
      'for job in (sync_a, run_gc): asyncio.create_task(job())',
      'for coro in (sync_a(), run_gc()): asyncio.create_task(coro)',
    ]) {
      const project = new Project(null).write('main.py', main(calls));
      expect(project.run('catalog', 'init', '--write', ...policy).code).toBe(0);
      const one = project.run('migrate', '--only', 'sync_a', ...policy);
      expect([one.out, one.err]).toEqual([
        '',
        expect.stringContaining('the same call starts run_gc, which is to carry platform: select it too'),
      ]);
      const bare = project.run(
        'migrate',
        'main.py',
        '--policy',
        'tenant-basic',
        '--only',
        'sync_a',
        '--project-id',
        'x',
      );
      expect(bare.err).toContain('the same call starts run_gc');
      expect(project.run('migrate', '--only', 'sync_a', '--method', 'loop-body', ...policy).err).toContain('1 site to');
    }
  });

  it('offers a command that migrate takes, for calls that start loops of several projects', () => {
    const loop = (name: string) => `async def ${name}():\n    while True: await asyncio.sleep(1)\n`;
    const main = (calls: string) =>
      `import asyncio\nfrom contextvars import ContextVar\ntenant_id_var = ContextVar("tenant_id_var")\n${loop('sync_a')}${loop('run_gc')}def start(*coros):\n    for coro in coros: asyncio.create_task(coro)\nasync def main():\n    ${calls}\nasyncio.run(main())\n`;
    const offered = (calls: string, withRows: boolean) => {
      const project = new Project(null)
        .write('main.py', main(calls))
        .write('looptag.toml', 'policy = "tenant-basic"\n');
      if (withRows) {
        project.run('catalog', 'init', '--write', '--catalog', 'loops.md');
        project.write('looptag.toml', 'policy = "tenant-basic"\ncatalog = "loops.md"\n');
      }
      return { project, todo: JSON.parse(project.run('explain', 'sync_a', '--format', 'json').out).loops[0].todo[0] };
    };
    const both = offered('start(sync_a(), run_gc())', true);
    expect(both.todo).toMatch(/: `looptag migrate --only 1,2`$/);
    expect(both.project.run('migrate', '--only', '1,2').err).toContain('1 site to change');
    const one = offered('for job in (sync_a, run_gc): asyncio.create_task(job())', true);
    expect(one.todo).toMatch(/by hand as .*one call starts coroutines of several projects.*--method loop-body/);
    expect(offered('start(sync_a(), run_gc())', false).todo).toMatch(/by hand as .*the same call starts run_gc/);
    expect(offered('asyncio.create_task(sync_a())', false).todo).toMatch(
      /`looptag migrate --only sync_a --project-id /,
    );
  });

  it('gives the whole command where no catalogue says the id', () => {
    const bare = new Project();
    const { out } = bare.run('explain', 'run_evolver_loop', MAIN);
    const [, args] = /tag it as awoooi: `looptag (.*)`/.exec(out)!;
    expect(args).toBe('migrate --only run_evolver_loop --project-id awoooi');
    expect(bare.run(...args!.split(' '), MAIN)).toMatchObject({ code: 0, err: expect.stringContaining('1 site to') });
  });

  it('lets no escape sequence of the repository through', () => {
    project.edit(CATALOGUE, (text) => text.replace('（飛輪的核心）', '\u001b[31m\u202e'));
    const { out } = project.run('explain', '18');
    expect(out).toContain('\\x1b[31m\\u{202e}');
    expect(out).not.toContain('\u001b');
  });
});
