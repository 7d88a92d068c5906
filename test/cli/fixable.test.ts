import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/looptag.ts';
import { Project } from './support/project.ts';

interface Found {
  rule: string;
  line: number;
  fixable: boolean;
}

const LOOP = (name: string): string => `async def ${name}():\n    while True:\n        await asyncio.sleep(60)\n\n\n`;
const HELPER = `def _run_with_context(coro, project_id):
    async def run():
        token = tenant_id_var.set(project_id)
        try:
            return await coro
        finally:
            tenant_id_var.reset(token)
    return run()


`;
/** Of class C nobody has decided yet whose work it is. */
const POLICY = readFileSync(join(ROOT, 'rules', 'policies', 'tenant-basic.yaml'), 'utf8').replace(
  /(C: .*)projectId: default/,
  '$1projectId: null',
);
const NAMES = ['run_a', 'run_b', 'run_c', 'run_d'];

/** Rows 1 to 4: plain, with a marker that names no id, of priority P0 and tagged already, and given to a call in which it can't be wrapped. */
function mixed(variable: string): Project {
  const rows = ['`default_tenant` | P2', 'per_tenant | P2', '`default_tenant` | P0', '`default_tenant` | P2'];
  return new Project(null)
    .write('looptag.toml', 'policy = "policy.yaml"\ncatalog = "loops.md"\n')
    .write('policy.yaml', POLICY)
    .write('ctx.py', variable)
    .write(
      'loops.md',
      `| # | Function | Line | Frequency | Marker | Priority | Remark |\n|---|---|---|---|---|---|---|\n${NAMES.map((n, i) => `| ${i + 1} | \`${n}()\` | 1 | TBD | ${rows[i]} | |\n`).join('')}`,
    )
    .write(
      'main.py',
      `import asyncio\nfrom ctx import tenant_id_var\n\n\n${HELPER}${NAMES.map(LOOP).join('')}async def main():\n    asyncio.create_task(run_a())\n    asyncio.create_task(run_b())\n    asyncio.create_task(_run_with_context(run_c(), "default"))\n    asyncio.create_task(*[run_d()])\n    asyncio.create_task(run_d())\n\n\nasyncio.run(main())\n`,
    );
}

const VARIABLE = `from contextvars import ContextVar

tenant_id_var = ContextVar("project_id", default="")
trace_id_var = ContextVar("trace_id", default="")


def new_trace_id():
    return "1"
`;

const found = (project: Project): Found[] => JSON.parse(project.run('check', '--format', 'json').out).findings;
const of = (all: Found[], rule: string): [number, boolean][] =>
  all.filter((f) => f.rule === rule).map((f) => [f.line, f.fixable]);

const writes = (project: Project, ...options: string[]): number[] =>
  JSON.parse(project.run('migrate', '--format', 'json', ...options).out).sites.map((s: { line: number }) => s.line);

describe('a finding can be mended where migrate mends it, and nowhere else', () => {
  it.each([
    ['all at hand', VARIABLE, [36, 40], [false]],
    ['the P0 loop not tagged yet', VARIABLE, [36, 38, 40], [true]],
    ['no trace variable', VARIABLE.slice(0, VARIABLE.indexOf('trace_id')), [36, 40], [false]],
    ['no context variable', 'tenant_id_var = make()\n', [], [false]],
  ])('%s', (what, variable, tagged, traced) => {
    const project = mixed(variable);
    if (what.includes('not tagged'))
      project.edit('main.py', (text) => text.replace('_run_with_context(run_c(), "default")', 'run_c()'));
    const all = found(project);
    const mendable = of(all, 'untagged-loop').flatMap(([line, fixable]) => (fixable ? [line] : []));
    expect([mendable, writes(project)]).toEqual([tagged, tagged]);
    expect(of(all, 'missing-trace-id').map(([, fixable]) => fixable)).toEqual(traced);
    const beats = of(all, 'missing-heartbeat');
    // the id of the second loop is not decided
    expect(beats.map(([, fixable]) => fixable)).toEqual([true, false, true, true]);
    expect([...new Set(writes(project, '--heartbeat'))].sort()).toEqual([36, 38, 39, 40]);
  });
});

it('a session of the tenant too, where it shows whence the other one comes, however the loop is tagged', () => {
  const loop = (name: string) =>
    `async def ${name}():\n    while True:\n        async with get_db_session() as db:\n            await db.run()\n        await asyncio.sleep(60)\n\n\n`;
  const [plain, starred, tagged] = ['run_stale_run_reaper', 'run_contract_outbox_relay', 'run_ai_slo_watchdog_loop'];
  const named = (text: string) => text.replaceAll('tenant_id_var', 'project_id_ctx_var');
  const project = new Project(null)
    .write('db.py', 'def get_db_session(): ...\ndef get_platform_db_session(): ...\n')
    .write('ctx.py', named(VARIABLE))
    .write('relay.py', `import asyncio\nfrom db import *\n\n\n${loop(starred!)}`)
    .write(
      'main.py',
      `import asyncio\nfrom ctx import project_id_ctx_var\nfrom db import get_db_session\nfrom relay import ${starred}\n\n\n${named(HELPER)}${loop(plain!)}${loop(tagged!)}async def main():\n    asyncio.create_task(${plain}())\n    asyncio.create_task(${starred}())\n    asyncio.create_task(_run_with_context(${tagged}(), "__platform__"))\n\n\nasyncio.run(main())\n`,
    );
  const sessions = of(found(project), 'tenant-session-in-platform-loop');
  expect(sessions.map(([, fixable]) => fixable)).toEqual([true, true, false]);
  const how = ['--project-id', '__platform__', '--method', 'platform-session'];
  const { out, err } = project.run('migrate', ...how, '--unsafe');
  expect(out.match(/^\+.* get_platform_db_session\(\)/gm)).toHaveLength(2);
  expect(err).toContain('where get_platform_db_session comes from is not known');
  expect(project.run('migrate', ...how).out).not.toContain('get_platform_db_session');
});
