import { describe, expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { planConversion, verifyConversion } from '../../src/engine/migrate/convert.ts';
import { placeKey } from '../../src/engine/migrate/places.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';
import type { MigrationPlan } from '../../src/engine/migrate/types.ts';
import { verifyPlan } from '../../src/engine/migrate/verify.ts';
import type { SpawnSite } from '../../src/model/index.ts';
import { applied, CONTEXT, type Files, type ProjectOptions, project, textOf } from './support/project.ts';

const JOBS =
  'import asyncio\n\n\nasync def run_a():\n    await asyncio.sleep(0)\n\n\nasync def run_b():\n    await asyncio.sleep(0)\n';
const MAIN = `import asyncio

from src.jobs import run_a, run_b


async def main():
    asyncio.create_task(run_a())
    task = asyncio.create_task(run_b())
    await task
`;
const BASE: Files = { 'src/core/context.py': CONTEXT, 'src/jobs.py': JOBS, 'src/main.py': MAIN };

function run(files: Files, options: Partial<ProjectOptions> = {}) {
  const all: ProjectOptions = { codemods, paths: ['src/main.py'], ...options };
  const input = project(files, all);
  const plan = planMigration(input);
  const reanalyse = (overlay: ReadonlyMap<string, Uint8Array>) =>
    project({ ...files, ...Object.fromEntries(overlay) }, all);
  expect(verifyPlan(plan, input, { reanalyse })).toEqual([]);
  const after = applied(files, plan);
  return { plan, input, reanalyse, after, text: (file: string) => textOf(after[file] ?? '') };
}

const refusals = ({ skipped }: MigrationPlan) => skipped.map(({ code, reason }) => `${code}: ${reason}`);
const helper = (parameters: string, body = 'return await coro') =>
  `${CONTEXT}\n\nasync def in_tenant_context(${parameters}):\n    token = project_id_ctx_var.set(project_id)\n    try:\n        ${body}\n    finally:\n        project_id_ctx_var.reset(token)\n`;

it('plans the same whatever the order of the decisions', () => {
  const files = { ...BASE, 'src/a.py': MAIN, 'src/z.py': MAIN };
  const paths = ['src/a.py', 'src/z.py', 'src/main.py'];
  const projectId = ({ range }: SpawnSite) => (range.file === 'src/z.py' ? null : 'awoooi');
  const { input, plan } = run(files, { paths, projectId });
  expect(plan.sites.length + plan.skipped.length).toBe(6);
  expect(planMigration({ ...input, decisions: [...input.decisions].reverse() })).toEqual(plan);
  const first = input.decisions.find(({ site }) => site.range.file === 'src/a.py')!.site.range;
  const leave = new Map([[placeKey(first), { code: 'unproven' as const, reason: 'said elsewhere' }]]);
  const { skipped } = planMigration({ ...input, leave });
  expect(skipped.map(({ site }) => site.range.file)).toEqual(['src/a.py', 'src/z.py', 'src/z.py']);
});

describe('where the helper comes from', () => {
  it('is the file itself when one file needs it', () => {
    const { text, plan } = run(BASE);
    expect(text('src/main.py')).toContain('def _run_with_context(');
    expect(plan.files).toHaveLength(1);
  });

  it("is the context variable's module when several do", () => {
    const files = { ...BASE, 'src/other.py': MAIN };
    const { text, plan } = run(files, { paths: ['src/main.py', 'src/other.py'] });
    expect(text('src/core/context.py')).toContain('def _run_with_context(');
    for (const file of ['src/main.py', 'src/other.py'])
      expect(text(file)).toContain(
        'from src.core.context import _run_with_context\nfrom src.jobs import run_a, run_b\n',
      );
    expect(plan.newFiles).toEqual([]);
  });

  it('is a new module when one is named that is not there', () => {
    const { text, plan } = run(BASE, { helper: { module: 'src.core.background' } });
    expect(plan.newFiles.map(({ file }) => file)).toEqual(['src/core/background.py']);
    expect(text('src/core/background.py')).toContain(
      'from src.core.context import project_id_ctx_var\n\n\ndef _run_with_context(',
    );
    expect(text('src/main.py')).toContain('from src.core.background import _run_with_context\n');
  });

  it('is a new module in its package, though a plain import alone shows what that is called', () => {
    const main =
      'import asyncio\n\nimport src.core.context\n\n\nasync def run(): ...\n\n\nasync def main():\n    asyncio.create_task(run())\n';
    const files = { 'src/core/context.py': CONTEXT, 'src/main.py': main };
    const { plan, text } = run(files, { helper: { module: 'src.core.background' } });
    expect(plan.newFiles.map(({ file }) => file)).toEqual(['src/core/background.py']);
    expect(text('src/core/background.py')).toContain('from src.core.context import project_id_ctx_var\n');
    const deeper = run(files, { helper: { module: 'src.tasks.background' } }).plan;
    expect(deeper.newFiles.map(({ file }) => file)).toEqual(['src/tasks/background.py']);
  });

  it('is a helper that the project has, whatever its name', () => {
    const { text, plan } = run({ ...BASE, 'src/core/context.py': helper('coro, project_id') });
    expect(text('src/main.py')).toContain('asyncio.create_task(in_tenant_context(run_a(), "awoooi"))');
    expect(plan.files).toHaveLength(1);
  });

  it.each([
    [1, 0, 'in_tenant_context("awoooi", run_a())'],
    [0, 2, 'in_tenant_context(run_a(), project_id="awoooi")'],
  ])("is called with the helper's own order of parameters (%i, %i)", (coroParam, idParam, want) => {
    const files = { ...BASE, 'src/core/context.py': helper('coro, project_id') };
    const input = project(files, { codemods, paths: ['src/main.py'] });
    const helpers = input.analysis.helpers.map((known) => ({ ...known, coroParam, idParam }));
    const plan = planMigration({ ...input, analysis: { ...input.analysis, helpers } });
    expect(plan.files[0]!.newText).toContain(`asyncio.create_task(${want})`);
  });

  it('is not one that sets another variable', () => {
    const files = { ...BASE, 'src/core/context.py': helper('coro, project_id') };
    const input = project(files, { codemods, paths: ['src/main.py'] });
    const helpers = input.analysis.helpers.map((known) => ({ ...known, variable: { module: 'other', name: 'x' } }));
    const plan = planMigration({ ...input, analysis: { ...input.analysis, helpers } });
    expect(plan.files[0]!.newText).toContain('_run_with_context(run_a(), "awoooi")');
  });

  it('is not one that drops a result which may be read, unless asked for', () => {
    const files = { ...BASE, 'src/core/context.py': helper('coro, project_id', 'await coro') };
    const { plan, text } = run(files);
    expect(text('src/main.py')).toContain(
      'create_task(in_tenant_context(run_a(), "awoooi"))\n    task = asyncio.create_task(run_b())',
    );
    expect(refusals(plan)).toEqual([
      expect.stringMatching(/^unsafe: .*drops it: write `return await` in in_tenant_context first/),
    ]);
    expect(run(files, { unsafe: true }).text('src/main.py')).toContain(
      'task = asyncio.create_task(in_tenant_context(run_b(), "awoooi"))',
    );
  });

  it('is the one of an earlier run, known by its text', () => {
    const first = run(BASE);
    const files = {
      ...first.after,
      'src/main.py': `${first.text('src/main.py')}\n\nasync def more():\n    asyncio.create_task(run_a())\n`,
    };
    const { text } = run(files);
    expect(text('src/main.py').match(/def _run_with_context/g)).toHaveLength(1);
    expect(text('src/main.py').match(/_run_with_context\(run_a\(\), "awoooi"\)/g)).toHaveLength(2);
  });
});

describe('refusals', () => {
  const code = (files: Files, options: Partial<ProjectOptions> = {}) => {
    const { plan } = run(files, options);
    expect(plan.files).toEqual([]);
    return refusals(plan)[0]!;
  };

  it('another function of the same name', () => {
    const main = MAIN.replace('\n\nasync def', '\n\ndef _run_with_context(app):\n    return app\n\n\nasync def');
    expect(code({ ...BASE, 'src/main.py': main })).toMatch(/^name-clash: .*already has another _run_with_context/);
  });

  it('a local name that hides the helper', () => {
    const main = MAIN.replace('async def main():', 'async def main(_run_with_context=None):');
    expect(code({ ...BASE, 'src/main.py': main })).toMatch(/^name-clash: a function around this place binds/);
  });

  it('the variable name bound to something else', () => {
    const main = MAIN.replace('\n\nasync def', '\nproject_id_ctx_var = object()\n\n\nasync def');
    expect(code({ ...BASE, 'src/main.py': main })).toMatch(/^name-clash: .*already binds project_id_ctx_var/);
  });

  it('an import cycle', () => {
    const context = `from src.main import main\n${CONTEXT}`;
    expect(code({ ...BASE, 'src/core/context.py': context })).toMatch(
      /^import-cycle: importing src\.core\.context here/,
    );
  });

  it('no context variable, and several', () => {
    expect(code({ ...BASE, 'src/core/context.py': 'x = 1\n' })).toMatch(
      /^no-context-variable: the project defines no context variable/,
    );
    const tenant = CONTEXT.replaceAll('project_id_ctx_var', 'tenant_id').replace(/trace_id_ctx_var =.*\n/, '');
    expect(code({ ...BASE, 'src/core/context.py': tenant })).toMatch(
      /or name yours with --context-var src\.core\.context:tenant_id$/,
    );
    expect(code({ ...BASE, 'src/core/other.py': CONTEXT })).toMatch(
      /^no-context-variable: several modules define project_id_ctx_var \(src\.core\.context:project_id_ctx_var, src\.core\.other/,
    );
  });

  it('a call at import time with no line above it for the helper', () => {
    const main = 'import asyncio; asyncio.create_task(run_a())\n\nfrom src.jobs import run_a\n';
    const { plan, text } = run({ ...BASE, 'src/main.py': main });
    // The helper needs nothing of that line, so it may stand above.
    expect(refusals(plan)).toEqual([]);
    expect(text('src/main.py').indexOf('def _run_with_context')).toBeLessThan(
      text('src/main.py').indexOf('create_task'),
    );
    const own =
      'from contextvars import ContextVar\nimport asyncio; asyncio.create_task(run_a()); project_id_ctx_var = ContextVar("p")\n';
    expect(code({ 'src/main.py': own })).toMatch(/^shape: no line of src\/main\.py stands before this call/);
  });

  it('coroutines of several projects in one call, when they cannot be told apart', () => {
    const [a, b] = ['awoooi', '__platform__'];
    const { plan } = run(BASE, { paths: [] });
    const input = project(BASE, { codemods, paths: ['src/main.py'] });
    const [decision] = input.decisions;
    const mixed = planMigration({ ...input, decisions: [decision!, { ...decision!, projectId: b! }] });
    expect(refusals(mixed)).toEqual([
      `mixed-classes: one call starts coroutines of several projects (${a}, ${b}): give each its own call, or set the ids inside (--method loop-body)`,
    ]);
    expect(plan.sites).toEqual([]);
  });

  it('a coroutine of several projects, when it is the coroutine that is edited', () => {
    const main = MAIN.replace('run_b())', 'run_a())');
    const { plan } = run(
      { ...BASE, 'src/main.py': main },
      { method: 'loop-body', projectId: (site) => (site.range.line === 7 ? 'a' : 'b') },
    );
    expect(refusals(plan)).toHaveLength(2);
    expect(refusals(plan)[0]).toMatch(/^mixed-classes: run_a is started for several projects \(a, b\)/);
  });

  it('a body that others run too: for their own id, or for that of whoever starts them', () => {
    const files = { ...BASE, 'src/main.py': MAIN.replace('run_b())', 'run_a())') };
    const inherits = ({ range }: SpawnSite) => (range.line === 7 ? 'a' : null);
    const request = run(files, { method: 'loop-body', projectId: inherits }).plan;
    expect(refusals(request)).toEqual([
      'unsafe: run_a is also started at src/main.py:8, where it is to keep the id of whoever starts it: tag the call instead (--method wrapper) (or use --unsafe)',
      'not-required: the policy asks for no project id here',
    ]);
    expect(run(files, { method: 'loop-body', projectId: inherits, unsafe: true }).plan.sites).toHaveLength(1);

    const input = project(files, { codemods, paths: ['src/main.py'], method: 'loop-body' });
    const [selected, other] = input.decisions;
    const beside = [{ ...other!, projectId: 'b' }];
    expect(refusals(planMigration({ ...input, decisions: [selected!], beside }))).toEqual([
      'mixed-classes: run_a is started for several projects (awoooi, b): tag the calls instead (--method wrapper)',
    ]);
  });

  it('a coroutine that is also awaited elsewhere, whose caller would keep the id', () => {
    const input = project(BASE, { codemods, paths: ['src/main.py'], method: 'loop-body' });
    const plan = planMigration({ ...input, awaitedAt: () => ({ file: 'src/api.py', line: 3 }) });
    expect(refusals(plan)[0]).toMatch(/^unsafe: run_a is also awaited at src\/api\.py:3/);
  });

  it('async generators and plain functions, when it is the coroutine that is edited', () => {
    const jobs = 'def run_a():\n    return x()\n\n\nasync def run_b():\n    yield 1\n';
    const found = run({ ...BASE, 'src/jobs.py': jobs }, { method: 'loop-body' });
    expect(refusals(found.plan).map((line) => line.split(':')[0])).toEqual(['no-definition', 'async-generator']);
  });
});

describe('ids and trace ids', () => {
  it('change in place where another id stands', () => {
    const first = run(BASE, { projectId: 'legacy' });
    const { text } = run(first.after, { projectId: 'awoooi' });
    expect(text('src/main.py')).toBe(first.text('src/main.py').replaceAll('"legacy"', '"awoooi"'));
  });

  it('come to the sites whose priority asks for a trace id', () => {
    const { text } = run(BASE, { priority: (site) => (site.argument === 'run_a()' ? 'P0' : 'P1') });
    expect(text('src/main.py')).toContain('_run_with_context(run_a(), "awoooi", trace=True)');
    expect(text('src/main.py')).toContain('_run_with_context(run_b(), "awoooi"))');
    expect(text('src/main.py')).toContain(
      'from src.core.context import generate_trace_id, project_id_ctx_var, trace_id_ctx_var\n',
    );
  });

  it('are left out, and it is said, where what makes them is missing', () => {
    const asked = { priority: () => 'P0' };
    const said = (context: string) => {
      const { plan, text, after } = run({ ...BASE, 'src/core/context.py': context }, asked);
      expect(text('src/main.py')).toContain('_run_with_context(run_a(), "awoooi"))');
      expect(text('src/main.py')).not.toContain('trace');
      expect(plan.notes).toHaveLength(1);
      const again = refusals(run(after, asked).plan);
      expect(again[0]).toContain(plan.notes[0]!.replace(/^.*?asked for: /, ''));
      return plan.notes[0];
    };
    const [project, trace] = [1, 2].map((n) => CONTEXT.split('\n').filter((l) => l.includes('ContextVar('))[n - 1]);
    const imported = 'from contextvars import ContextVar\n';
    expect(said(`${imported}${project}\n`)).toMatch(
      /^src\/main\.py:\d+: no trace id is put, though one is asked for: the project defines no context variable trace_id_ctx_var/,
    );
    expect(said(`${imported}${project}\n${trace}\n`)).toContain('src.core.context defines no generate_trace_id');
  });

  it('are set in the coroutine when the helper of the project knows none', () => {
    const files = { ...BASE, 'src/core/context.py': helper('coro, project_id') };
    const { text } = run(files, { priority: (site) => (site.argument === 'run_a()' ? 'P0' : 'P1') });
    expect(text('src/jobs.py')).toContain(
      'async def run_a():\n    trace_id_ctx_var.set(generate_trace_id())\n    await',
    );
    expect(text('src/main.py')).toContain('in_tenant_context(run_a(), "awoooi"))');
  });
});

describe('conversion', () => {
  const methods = ['wrapper', 'loop-body', 'label', 'context-argument'] as const;
  const pairs = methods.flatMap((from) => methods.filter((to) => to !== from).map((to) => [from, to] as const));
  it.each(pairs)('from %s to %s is as if the latter had been used at once', (from, to) => {
    const options = { pythonMinimum: [3, 11] as const, helper: 'inline' as const };
    const first = run(BASE, { ...options, method: from });
    const all: ProjectOptions = { codemods, paths: ['src/main.py'], ...options, method: to };
    const reanalyse = (overlay: ReadonlyMap<string, Uint8Array>) =>
      project({ ...first.after, ...Object.fromEntries(overlay) }, all);
    const conversion = planConversion(project(first.after, all), reanalyse);
    expect(verifyConversion(conversion, { reanalyse })).toEqual([]);
    const want = run(BASE, { ...options, method: to }).after;
    const got = applied(first.after, conversion.plan);
    for (const file of Object.keys(want)) expect(textOf(got[file]!), file).toBe(textOf(want[file]!));
  });

  const convert = (files: Files, options: Partial<ProjectOptions>) => {
    const all: ProjectOptions = { codemods, paths: ['src/main.py'], helper: 'inline', ...options };
    const reanalyse = (overlay: ReadonlyMap<string, Uint8Array>) =>
      project({ ...files, ...Object.fromEntries(overlay) }, all);
    const conversion = planConversion(project(files, all), reanalyse);
    expect(verifyConversion(conversion, { reanalyse })).toEqual([]);
    return { plan: conversion.plan, text: (file: string) => textOf(applied(files, conversion.plan)[file]!) };
  };

  it('leaves a site its tag where the new way refuses it', () => {
    const main = MAIN.replace('    await task\n', '    asyncio.ensure_future(run_a())\n');
    const first = run({ ...BASE, 'src/main.py': main }, { helper: 'inline' });
    const { plan, text } = convert(first.after, { method: 'context-argument', pythonMinimum: [3, 11] });
    expect(refusals(plan)).toEqual([
      expect.stringMatching(/^shape: keeps the tag that it has: asyncio\.ensure_future/),
    ]);
    expect(text('src/main.py').match(/(?<=_(task|future)\().*(?=\)$)/gm)).toEqual([
      'run_a(), context=_project_context("awoooi")',
      'run_b(), context=_project_context("awoooi")',
      '_run_with_context(run_a(), "awoooi")',
    ]);
  });

  it('leaves loops of another class their tag, and takes them no session', () => {
    const decisionOf = (site: SpawnSite) => ({ class: site.argument === 'run_a()' ? ('A' as const) : ('B' as const) });
    const first = run(BASE, { helper: 'inline', decisionOf });
    const { text } = convert(first.after, { method: 'platform-session', unsafe: true, decisionOf });
    expect(text('src/main.py')).toContain('create_task(run_a())');
    expect(text('src/main.py')).toContain('create_task(_run_with_context(run_b(), "awoooi"))');
    expect(text('src/jobs.py').match(/project_id_ctx_var\.set/g)).toHaveLength(1);
  });

  it('swaps the session of a loop that carries its id already', () => {
    const jobs = `from src.core.db import get_db_session\n\n\nasync def run_a():\n    async with get_db_session() as db:\n        await db.work()\n`;
    const main =
      'import asyncio\n\nfrom src.jobs import run_a\n\n\nasync def main():\n    asyncio.create_task(run_a())\n';
    const files = {
      ...BASE,
      'src/core/db.py': 'def get_db_session(): ...\ndef get_platform_db_session(): ...\n',
      'src/jobs.py': jobs,
      'src/main.py': main,
    };
    const options = { decisionOf: () => ({ class: 'A' as const }), projectId: '__platform__', unsafe: true };
    const direct = run(files, { ...options, method: 'platform-session' });
    const first = run(files, { ...options, method: 'loop-body' });
    const { plan, text } = convert(first.after, { ...options, method: 'platform-session' });
    expect(plan.sites).toHaveLength(1);
    expect(text('src/jobs.py')).toBe(direct.text('src/jobs.py'));
    expect(text('src/jobs.py')).toContain('async with get_platform_db_session() as db:');
    // importing what is not there would end the service at its start
    const without = { ...files, 'src/core/db.py': 'def get_db_session(): ...\n' };
    const refused = run(without, { ...options, method: 'platform-session' }).plan;
    expect(refusals(refused)).toEqual([
      'no-definition: src/core/db.py defines no get_platform_db_session: define it there, or name yours in the policy',
    ]);
  });
});
