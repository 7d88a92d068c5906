/** A site whose rewrite cannot be proven is left alone, and the rest is proven again. */
import { describe, expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { planConversion, verifyConversion } from '../../src/engine/migrate/convert.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';
import { type Proven, prove } from '../../src/engine/migrate/prove.ts';
import type { MigrateInput } from '../../src/engine/migrate/types.ts';
import { type VerificationTools, verifyPlan } from '../../src/engine/migrate/verify.ts';
import type { SpawnSite } from '../../src/model/index.ts';

import { applied, CONTEXT, type Files, project, textOf } from './support/project.ts';

const spawn = (...calls: string[]): string =>
  `import asyncio\n\n\nasync def run_a():\n    pass\n\n\nasync def main():\n${calls.map((call) => `    asyncio.create_task(${call})\n`).join('')}`;

const files: Files = {
  'src/core/context.py': CONTEXT,
  'src/one.py': spawn('run_a()', 'run_odd()', 'run_a()'),
  'src/two.py': spawn('run_a()'),
};
const options = { codemods, paths: ['src/one.py', 'src/two.py'] };

const attempt =
  (tools: VerificationTools) =>
  (input: MigrateInput): Proven => {
    const plan = planMigration(input);
    return { plan, problems: verifyPlan(plan, input, tools) };
  };

const left = ({ plan }: Proven): string[] =>
  plan.skipped.map(({ site, code, reason }) => `${site.range.file}:${site.range.line}: ${code}: ${reason}`);

/** An analysis that sees no tag on one coroutine, however it is wrapped. */
function blindFor(name: string) {
  const change = (site: SpawnSite): SpawnSite =>
    site.argument.includes(name)
      ? { ...site, tag: null, targets: site.targets.map((target) => ({ ...target, tag: null })) }
      : site;
  const reanalyse = (overlay: ReadonlyMap<string, Uint8Array>) =>
    project({ ...files, ...Object.fromEntries(overlay) }, { ...options, change });
  return { reanalyse };
}

describe('a plan that is not proven whole', () => {
  it('loses the site whose tag the new analysis does not see', () => {
    const got = prove(project(files, options), attempt(blindFor('run_odd')));
    expect(got.problems).toEqual([]);
    expect(left(got)).toEqual([
      expect.stringMatching(
        /^src\/one\.py:10: unproven: its rewrite could not be proven \(a new analysis sees no tag on run_odd\(\), not awoooi\)/,
      ),
    ]);
    const after = applied(files, got.plan);
    expect(textOf(after['src/one.py']!).match(/create_task\(.*/g)).toEqual([
      'create_task(_run_with_context(run_a(), "awoooi"))',
      'create_task(run_odd())',
      'create_task(_run_with_context(run_a(), "awoooi"))',
    ]);
    expect(textOf(after['src/two.py']!)).toContain('create_task(_run_with_context(run_a(), "awoooi"))');
  });

  it('loses the sites of a file that Python does not compile, and that file stays as it is', () => {
    const compile = (changed: readonly { file: string }[]) =>
      changed.flatMap(({ file }) => (file === 'src/one.py' ? [{ file, line: 1, message: 'SyntaxError' }] : []));
    const got = prove(project(files, options), attempt({ compile }));
    expect(got.problems).toEqual([]);
    expect(got.plan.files.map(({ file }) => file)).toEqual(['src/two.py']);
    expect(left(got)).toHaveLength(3);
    for (const line of left(got)) expect(line).toMatch(/^src\/one\.py:\d+: unproven: .*\(SyntaxError\): please report/);
  });

  it('is refused when no file of it compiles', () => {
    const compile = (changed: readonly { file: string }[]) =>
      changed.map(({ file }) => ({ file, line: 1, message: 'SyntaxError' }));
    const got = prove(project(files, options), attempt({ compile }));
    expect(got.plan.files).toEqual([]);
    expect(got.problems.length).toBeGreaterThan(0);
  });

  it('is refused when no site can be blamed', () => {
    const compile = () => [{ file: 'src/elsewhere.py', line: 1, message: 'SyntaxError' }];
    const got = prove(project(files, options), attempt({ compile }));
    expect(got.problems).toMatchObject(compile());
  });

  it('loses a site in the second step of a conversion as well', () => {
    const { reanalyse } = blindFor('run_odd');
    const before = planMigration(project(files, { ...options, method: 'loop-body' }));
    const tagged = applied(files, before);
    const input = project(tagged, options);
    const again = (overlay: ReadonlyMap<string, Uint8Array>) => ({
      ...reanalyse(
        new Map([
          ...Object.entries(tagged).map(([f, c]): [string, Uint8Array] => [f, Buffer.from(textOf(c))]),
          ...overlay,
        ]),
      ),
    });
    const got = prove(input, (each) => {
      const conversion = planConversion(each, again);
      return { plan: conversion.plan, problems: verifyConversion(conversion, { reanalyse: again }) };
    });
    expect(got.problems).toEqual([]);
    expect(left(got).filter((line) => line.includes('unproven'))).toHaveLength(1);
  });
});

const APP = `import asyncio
from ctx import project_id_ctx_var


async def poll():
    while True:
        await asyncio.sleep(5)


`;

/** Odd sites beside a good one: the whole way, by the real analysis. */
const ODD: Record<string, string> = {
  'a default value that is no coroutine': 'start = lambda x="a": asyncio.create_task(x)',
  'a variable that holds a list': 'def start(a):\n    x = [a]\n    asyncio.create_task(x)',
  'a list display with a star': 'def start(a, b):\n    asyncio.create_task([a, *b])',
  'a number, a name that is no coroutine, an f-string':
    'def start(a):\n    asyncio.create_task(1)\n    asyncio.create_task(None)\n    asyncio.create_task(f"{a}")',
  'a negation': 'def start(a):\n    asyncio.create_task(-a)\n    asyncio.create_task(not a)',
  'an iterable without its star':
    'from nowhere.ctx import _run_with_context\n\n\ndef spawn_all(coros):\n    return [asyncio.create_task(c) for c in coros]\n\n\ndef start(n):\n    spawn_all(poll() for i in range(n))',
};

describe('odd sites stop no run', () => {
  it.each(Object.entries(ODD))('%s', (_, odd) => {
    const own: Files = {
      'ctx.py': CONTEXT,
      'app.py': `${APP}${odd}\n\n\nasync def main():\n    asyncio.create_task(poll())\n`,
    };
    const settings = {
      codemods,
      paths: ['app.py'],
      helper: 'inline' as const,
      contextVariable: { module: 'ctx', name: 'project_id_ctx_var' },
    };
    const reanalyse = (overlay: ReadonlyMap<string, Uint8Array>) =>
      project({ ...own, ...Object.fromEntries(overlay) }, settings);
    const got = prove(project(own, settings), attempt({ reanalyse }));
    expect(got.problems).toEqual([]);
    expect(got.plan.skipped.length).toBeGreaterThan(0);
    const after = textOf(applied(own, got.plan)['app.py']!);
    expect(after).toMatch(/create_task\(_run_with_context\(poll\(\), "awoooi"\)\)\n$/);
    const oddLines = odd.split('\n').filter((line) => line.includes('create_task'));
    for (const line of oddLines) expect(after.split('\n')).toContain(line);
  });
});
